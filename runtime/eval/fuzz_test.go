package eval

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"kdd/format/index"
	"kdd/runtime/wire"
)

// FuzzParse reads any questions and judgements: what is accepted has ids and texts of its own, scores without a number
// that is none, and as JSON lines reads back as the same questions.
func FuzzParse(f *testing.F) {
	for _, seed := range [][3]string{
		{"q1\tone\ta.md;b.md\teasy\nq2\ttwo\n", "q1\tc.md\tx\t1\nq2\tb.md\t-\t2\n", ""},
		{"qid\ttext\trelevant\tlang\nq1\tone\ta.md#x=2;b.md\tes\n", "", "lang"},
		{"{\"_id\": \"q1\", \"text\": \"one\", \"metadata\": {\"group\": 1}, \"relevant\": {\"a.md\": 1}}\n", "query-id\tcorpus-id\tscore\nq1\ta.md\t1\n", ""},
		{"1\tone\n", "1 0 a.md#x 1\n1 0 b.md -2\n", ""},
		{"\xef\xbb\xbfqid\tquery\n", "\xff", "text"},
	} {
		f.Add([]byte(seed[0]), []byte(seed[1]), seed[2])
	}
	f.Fuzz(func(t *testing.T, questions, judgements []byte, group string) {
		var second *File
		if len(judgements) > 0 {
			second = &File{"qrels", judgements}
		}
		p := Parse(File{"questions", questions}, second, group)
		var known *wire.Error
		if err := Err(p.Faults); err != nil && (!errors.As(err, &known) || known.Code != wire.CodeInvalidInput) {
			t.Fatalf("Err = %v, want an invalid_input", err)
		}
		run := Run{}
		seen := map[string]bool{}
		for _, q := range p.Set.Questions {
			if q.ID == "" || q.Text == "" || seen[q.ID] {
				t.Fatalf("question %+v: no id, no text, or twice", q)
			}
			seen[q.ID] = true
			for _, r := range q.Relevant {
				run[q.ID] = append(run[q.ID], r.Place)
			}
		}
		r := Score(p.Set.Questions, run)
		for _, s := range []*Scored{&r.Document, &r.Section} {
			for i := range s.Metrics {
				for _, m := range All {
					if v := *m.Of(&s.Metrics[i]); !(v >= 0 && v <= 1+1e-9) {
						t.Fatalf("%s of %q = %v, want 0 to 1", m.Name, s.Queries[i], v)
					}
				}
			}
		}
		if len(p.Set.Questions) == 0 {
			return
		}
		again := Parse(File{"questions", encode(p.Set)}, nil, "")
		// an anchor may hold "#", and a path of another form too: these do not come back
		for _, q := range p.Set.Questions {
			for _, r := range q.Relevant {
				if SplitAnchor(address(r.Place)) != r.Place {
					return
				}
			}
		}
		byPlace := cmpopts.SortSlices(func(a, b index.Relevant) bool {
			if a.Path != b.Path {
				return a.Path < b.Path
			}
			return a.Anchor < b.Anchor
		})
		if diff := cmp.Diff(p.Set.Questions, again.Set.Questions, byPlace, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("questions as JSON lines (-first +again):\n%s", diff)
		}
	})
}

// FuzzParseRun reads any run: what is accepted and written reads back.
func FuzzParseRun(f *testing.F) {
	f.Add([]byte("q1\t1\ta.md\tx\t0.5\nq1\t2\tb.md\t-\n"))
	f.Add([]byte("q1 Q0 a.md#x 1 0.9 kdd\nq1 Q0 b.md 2 1e300 kdd\n"))
	f.Add([]byte("\xef\xbb\xbfq1\t1\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		run, err := ParseRun(File{"run", data})
		var known *wire.Error
		if err != nil && (!errors.As(err, &known) || known.Code != wire.CodeInvalidInput) {
			t.Fatalf("ParseRun = %v, want an invalid_input", err)
		}
		var questions []Question
		for id, places := range run {
			if len(places) == 0 {
				t.Fatalf("ParseRun: %q has no answer", id)
			}
			questions = append(questions, Question{ID: id})
		}
		if err != nil {
			return
		}
		// What Write prints reads back as what decides the metrics.
		var first bytes.Buffer
		if err := run.Write(&first, questions, 1<<20); err != nil {
			t.Fatal(err)
		}
		again, err := ParseRun(File{"run", first.Bytes()})
		if err != nil {
			t.Fatalf("ParseRun of what Write printed, %q = %v", first.Bytes(), err)
		}
		for id, places := range again {
			want := distinct(run[id])
			if !slices.Equal(places, want) {
				t.Fatalf("%q: %q reads back as %q", id, want, places)
			}
		}
	})
}

// FuzzParseGate reads any gate.
func FuzzParseGate(f *testing.F) {
	for _, seed := range []string{"nDCG@10=.76", "section.nDCG@10=.48", "easy.document.hit@1=1", "=", ".=0", "section=1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g, err := parseGate(text)
		var known *wire.Error
		switch {
		case err != nil:
			if !errors.As(err, &known) || known.Code != wire.CodeInvalidInput {
				t.Fatalf("ParseGate = %v, want an invalid_input", err)
			}
		case g.Metric.Of == nil || !(g.Min >= 0 && g.Min <= 1):
			t.Fatalf("ParseGate(%q) = %+v", text, g)
		}
	})
}

// encode returns the set as JSON lines, which Parse reads back.
func encode(set *QuestionSet) []byte {
	var b bytes.Buffer
	for i := range set.Questions {
		q := &set.Questions[i]
		row := struct {
			ID       string         `json:"_id"`
			Text     string         `json:"text"`
			Group    string         `json:"group,omitempty"`
			Exclude  []string       `json:"exclude,omitempty"`
			Relevant map[string]int `json:"relevant,omitempty"`
		}{q.ID, q.Text, q.Group, q.Exclude, map[string]int{}}
		for _, r := range q.Relevant {
			row.Relevant[address(r.Place)] = r.Gain
		}
		line, err := json.Marshal(&row)
		if err != nil {
			panic(fmt.Sprintf("eval: %v", err)) // strings and numbers
		}
		b.Write(append(line, '\n'))
	}
	return b.Bytes()
}

// address is path#anchor.
func address(p Place) string {
	if p.Anchor == "" {
		return p.Path
	}
	return p.Path + "#" + p.Anchor
}

// distinct returns the places of a list, each once.
func distinct(places []Place) (list []Place) {
	seen := map[Place]bool{}
	for _, p := range places {
		if !seen[p] {
			seen[p] = true
			list = append(list, p)
		}
	}
	return list
}
