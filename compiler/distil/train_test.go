package distil

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	goruntime "runtime"
	"slices"
	"testing"

	"kdd/format/encoder"
)

func mustTrain(t *testing.T, in *Input) ([]byte, *Report, *encoder.Table) {
	t.Helper()
	b, r, err := Train(t.Context(), in, nil)
	if err != nil {
		t.Fatalf("Train: %v", err)
	}
	table, err := encoder.OpenTable(encoder.Memory(b))
	if err != nil {
		t.Fatalf("OpenTable: %v", err)
	}
	if err := table.Verify(); err != nil {
		t.Fatalf("Verify: %v", err)
	}
	return b, r, table
}

func TestTrainLearns(t *testing.T) {
	s := newSample(1, 200, 48, 300)
	o := Defaults()
	o.SeenForm, o.PairForm = encoder.FormInt8, encoder.FormInt8
	s.input.Options = &o
	_, r, table := mustTrain(t, &s.input)
	if r.Chunks != 300 || r.Sentences < 500 || r.Seen < 100 || r.Unseen != 200-r.Seen || r.Entries == 0 || r.Fit < .9 {
		t.Errorf("report = %+v, want 300 chunks, over 500 sentences and a fit of .9", *r)
	}
	var before, after float64
	v, p := make([]float32, s.dim), make([]float32, s.dim)
	for i := range int32(50) {
		query := []int32{i, i + 1, 2*i + 3}
		want := s.vector(query)
		table.Embed(v, query)
		clear(p)
		row := make([]float32, s.dim)
		for _, id := range query {
			s.input.Prior.Row(row, int(id))
			for k := range p {
				p[k] += row[k]
			}
		}
		encoder.Unit(p)
		for k := range want {
			before += float64(want[k]*p[k]) / 50
			after += float64(want[k]*v[k]) / 50
		}
	}
	if after < .8 || after < before+.5 {
		t.Errorf("mean cosine of new queries = %.3f, %.3f with the prior alone, want .8 and far above", after, before)
	}
}

// An edit of one chunk changes few bytes of the table: the rows of other words hardly move.
func TestTrainIsStable(t *testing.T) {
	s := newSample(4, 2000, 32, 3000)
	before, _, _ := mustTrain(t, &s.input)
	ids := s.encode("w7 w99 w500 w1200")
	s.input.Chunks[1000] = slices.Concat(s.input.Chunks[1000], ids)
	copy(s.input.Vectors[1000*s.dim:], s.vector(s.input.Chunks[1000]))
	after, _, _ := mustTrain(t, &s.input)
	if len(after) != len(before) {
		t.Fatalf("the table has %d bytes, before %d", len(after), len(before))
	}
	changed := 0
	for i := range after {
		if after[i] != before[i] {
			changed++
		}
	}
	if changed == 0 || changed > len(after)/20 {
		t.Errorf("%d of %d bytes change, want some, and 5 %% at most", changed, len(after))
	}
}

// The bytes do not depend on how many processors or goroutines there are.
func TestTrainIsDeterministic(t *testing.T) {
	for _, dim := range []int{70, 32, 7} {
		s := newSample(2, 300, dim, 300)
		want, _, _ := mustTrain(t, &s.input)
		for _, procs := range []int{1, 2, 4} {
			before := goruntime.GOMAXPROCS(procs)
			got, _, _ := mustTrain(t, &s.input)
			goruntime.GOMAXPROCS(before)
			if !bytes.Equal(got, want) {
				t.Errorf("dim %d: Train with GOMAXPROCS %d gives other bytes", dim, procs)
			}
		}
		for _, workers := range []int{1, 3, 64} {
			s.input.Workers = workers
			if got, _, _ := mustTrain(t, &s.input); !bytes.Equal(got, want) {
				t.Errorf("dim %d: Train with %d goroutines gives other bytes", dim, workers)
			}
		}
	}
}

func TestTrainEdges(t *testing.T) {
	tests := []struct {
		name  string
		edit  func(in *Input)
		check func(r *Report, table *encoder.Table) error
	}{
		{"no chunks", func(in *Input) { in.Chunks, in.Bodies, in.Vectors = nil, nil, nil }, func(r *Report, table *encoder.Table) error {
			if r.Bytes > 2048 || r.Unseen != 0 {
				return fmt.Errorf("%d bytes and %d unseen rows, want an empty table", r.Bytes, r.Unseen)
			}
			return nil
		}},
		{"one chunk", func(in *Input) {
			in.Chunks, in.Bodies, in.Vectors = in.Chunks[:1], in.Bodies[:1], in.Vectors[:in.Dim]
		}, func(r *Report, table *encoder.Table) error {
			if r.Chunks != 1 || r.Seen == 0 {
				return fmt.Errorf("report %+v, want one chunk and its pieces", *r)
			}
			return nil
		}},
		{"no sentences", func(in *Input) { in.Bodies, in.Teacher, in.Encode = nil, nil, nil }, func(r *Report, _ *encoder.Table) error {
			if r.Sentences != 0 || r.Fit != 0 {
				return fmt.Errorf("report %+v, want no sentences", *r)
			}
			return nil
		}},
		{"chunks without pieces", func(in *Input) { in.Chunks[0], in.Chunks[3] = nil, []int32{} }, nil},
		{"no chunk has pieces", func(in *Input) { in.Chunks, in.Bodies = make([][]int32, len(in.Chunks)), nil }, func(r *Report, _ *encoder.Table) error {
			if r.Seen != 0 || r.Unseen != in200 {
				return fmt.Errorf("report %+v, want all pieces unseen", *r)
			}
			return nil
		}},
		{"one text all over", func(in *Input) {
			for i := range in.Chunks {
				in.Chunks[i], in.Bodies[i] = in.Chunks[0], in.Bodies[0]
				copy(in.Vectors[i*in.Dim:], in.Vectors[:in.Dim])
			}
		}, func(r *Report, _ *encoder.Table) error {
			if r.Fit < .5 {
				return fmt.Errorf("fit %.3f, want .5", r.Fit)
			}
			return nil
		}},
		{"no prior", func(in *Input) { in.Prior = nil }, func(r *Report, _ *encoder.Table) error {
			if r.Unseen != 0 || r.Fit < .8 {
				return fmt.Errorf("report %+v, want a fit of .8 and no rows of unseen pieces", *r)
			}
			return nil
		}},
		{"short prior", func(in *Input) { in.Prior.Rows = 40 }, nil},
		{"zero vectors", func(in *Input) { clear(in.Vectors) }, nil},
		{"shares", func(in *Input) { in.Shares = slices.Repeat([]float32{.01}, in.Pieces) }, nil},
		{"sentences only", func(in *Input) {
			o := Defaults()
			o.PairCount, o.UnseenForm = 0, 0
			in.Options = &o
		}, func(r *Report, _ *encoder.Table) error {
			if r.Pairs != 0 || r.Unseen != 0 {
				return fmt.Errorf("report %+v, want neither pairs nor unseen pieces", *r)
			}
			return nil
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newSample(3, in200, 24, 60)
			test.edit(&s.input)
			b, r, table := mustTrain(t, &s.input)
			if r.Bytes != len(b) || table.Dim() != 24 || table.Pieces() != in200 {
				t.Errorf("table of %d bytes, dim %d, %d pieces, want %d, 24, %d", len(b), table.Dim(), table.Pieces(), r.Bytes, in200)
			}
			if test.check != nil {
				if err := test.check(r, table); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

const in200 = 200 // wordpieces of the sample

func TestTrainRefuses(t *testing.T) {
	nan := float32(math.NaN())
	errTeacher := errors.New("no teacher today")
	tests := []struct {
		name string
		edit func(in *Input)
		want string
	}{
		{"nan vector", func(in *Input) { in.Vectors[in.Dim+2] = nan }, "bad input of the query encoder: chunk 1: number 2 of its vector is NaN"},
		{"infinite vector", func(in *Input) { in.Vectors[0] = float32(math.Inf(1)) }, "bad input of the query encoder: chunk 0: number 0 of its vector is +Inf"},
		{"too few vectors", func(in *Input) { in.Vectors = in.Vectors[:100] }, "bad input of the query encoder: 100 numbers for the vectors of 60 chunks, want 1440"},
		{"foreign piece", func(in *Input) { in.Chunks[2] = []int32{1, 200} }, "bad input of the query encoder: chunk 2: wordpiece 1 is 200, want 0 to 199"},
		{"negative piece", func(in *Input) { in.Chunks[0] = []int32{-1} }, "bad input of the query encoder: chunk 0: wordpiece 0 is -1, want 0 to 199"},
		{"too few bodies", func(in *Input) { in.Bodies = in.Bodies[1:] }, "bad input of the query encoder: 59 bodies of 60 chunks"},
		{"no teacher", func(in *Input) { in.Teacher = nil }, "bad input of the query encoder: bodies without a tokenizer and a teacher"},
		{"no pieces", func(in *Input) { in.Pieces = 0 }, "bad input of the query encoder: 0 wordpieces and dimension 24, want at least 1"},
		{"shares of another size", func(in *Input) { in.Shares = []float32{0} }, "bad input of the query encoder: shares of 1 wordpieces, want 200"},
		{"share above 1", func(in *Input) { in.Shares = make([]float32, in.Pieces); in.Shares[7] = 2 }, "bad input of the query encoder: the share of wordpiece 7 is 2, want 0 to 1"},
		{"long prior", func(in *Input) { in.Prior.Rows = 201 }, "bad input of the query encoder: a prior of 201 rows for 200 wordpieces"},
		{"tokenizer of another vocabulary", func(in *Input) { in.Encode = func(string) []int32 { return []int32{999} } },
			"bad input of the query encoder: sentence 0: wordpiece 0 is 999, want 0 to 199"},
		{"nan of the teacher", func(in *Input) {
			teach := in.Teacher
			in.Teacher = func(ctx context.Context, s []Sentence) ([]float32, error) {
				v, err := teach(ctx, s)
				v[3*in.Dim] = nan
				return v, err
			}
		}, "bad input of the query encoder: sentence 3: number 0 of its vector is NaN"},
		{"short teacher", func(in *Input) {
			in.Teacher = func(context.Context, []Sentence) ([]float32, error) { return make([]float32, 5), nil }
			in.Bodies[0] = "w1 w2 w3 w4 w5 w6 w7."
			clear(in.Bodies[1:])
		}, "bad input of the query encoder: 5 numbers for the vectors of 1 sentences, want 24"},
		{"failing teacher", func(in *Input) {
			in.Teacher = func(context.Context, []Sentence) ([]float32, error) { return nil, errTeacher }
			in.Bodies[0] = "w1 w2 w3 w4 w5 w6 w7."
			clear(in.Bodies[1:])
		}, "vectors of 1 sentences: no teacher today"},
		{"nan prior of a seen piece", func(in *Input) { in.Prior.Row = func(dst []float32, i int) { dst[1] = nan } },
			"bad input of the query encoder: prior of wordpiece 0: number 1 is NaN"},
		{"negative steps", func(in *Input) { in.Options = &Options{Steps: -1} }, "options: 0 sentences, 0 pairs, -1 steps, want none below 0"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newSample(3, 200, 24, 60)
			test.edit(&s.input)
			b, _, err := Train(t.Context(), &s.input, nil)
			if err == nil || err.Error() != test.want || b != nil {
				t.Errorf("Train = %v, want %s", err, test.want)
			}
		})
	}
}

func TestTrainStops(t *testing.T) {
	s := newSample(3, 200, 24, 60)
	cause := errors.New("the user went home")
	for _, step := range []string{"", "sentences", "matrix", "solve"} {
		ctx, cancel := context.WithCancelCause(t.Context())
		if step == "" {
			cancel(cause)
		}
		b, _, err := Train(ctx, &s.input, func(s string, _, _ int) {
			if s == step {
				cancel(cause)
			}
			if s == "table" {
				t.Errorf("cancelled in step %q, Train went on to %q", step, s)
			}
		})
		if !errors.Is(err, cause) || b != nil {
			t.Errorf("Train cancelled in step %q = %v, want %v", step, err, cause)
		}
		cancel(nil)
	}
}

func TestTrainProgress(t *testing.T) {
	s := newSample(3, 200, 80, 60)
	var steps []string
	mustTrain(t, &s.input)
	_, _, err := Train(t.Context(), &s.input, func(step string, done, total int) {
		if done == total {
			steps = append(steps, fmt.Sprint(step, total))
		}
	})
	_, r, _ := mustTrain(t, &s.input)
	if want := []string{fmt.Sprint("sentences", r.Sentences), "matrix1", "solve3", "table1"}; err != nil || !slices.Equal(steps, want) {
		t.Errorf("steps that ended = %v, %v, want %v", steps, err, want)
	}
}
