package eval

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

func TestMeasure(t *testing.T) {
	log2 := math.Log2
	for _, test := range []struct {
		name            string
		gains, relevant []int
		want            Metrics
	}{
		{"nothing found", nil, []int{1}, Metrics{}},
		{"first", []int{1, 0}, []int{1}, Metrics{1, 1, 1, 1, 1, 1, 1, 1}},
		{"third of two", []int{0, 0, 1}, []int{1, 1}, Metrics{NDCG: (1 / log2(4)) / (1 + 1/log2(3)), MRR: 1.0 / 3, Hit3: 1, Recall5: .5, Recall: .5, Deep: .5}},
		{"fifth, and sixth", []int{0, 0, 0, 0, 1, 1}, []int{1, 1}, Metrics{NDCG: (1/log2(6) + 1/log2(7)) / (1 + 1/log2(3)), MRR: .2, Recall5: .5, Recall: 1, Deep: 1}},
		{"tenth", []int{0, 0, 0, 0, 0, 0, 0, 0, 0, 2}, []int{2}, Metrics{NDCG: 1 / log2(11), MRR: .1, Recall: 1, Deep: 1}},
		{"eleventh does not count", []int{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2}, []int{2}, Metrics{Deep: 1}},
		{"gain is linear", []int{1, 3}, []int{1, 3}, Metrics{NDCG: (1 + 3/log2(3)) / (3 + 1/log2(3)), MRR: 1, Hit1: 1, Hit3: 1, Recall1: .5, Recall5: 1, Recall: 1, Deep: 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := measure(test.gains, test.relevant); got != test.want {
				t.Errorf("measure(%v, %v) = %+v, want %+v", test.gains, test.relevant, got, test.want)
			}
		})
	}
}

func TestScore(t *testing.T) {
	p := Parse(File{"queries.tsv", []byte("q1\tone\tsource.md;other.md\r\nq2\ttwo\n\nq3\tunjudged\n")},
		&File{"qrels.tsv", []byte("q1\ta.md\tx\t1\nq1\tsource.md\tx\t1\nq2\tb.md\t-\t2\nq2\tc.md\tz\t0\n")}, "")
	if err := Err(p.Faults); err != nil {
		t.Fatal(err)
	}
	r := Score(p.Set.Questions, Run{
		// the source is dropped, a section counts once
		"q1": {{Path: "source.md", Anchor: "x"}, {Path: "a.md", Anchor: "w"}, {Path: "a.md", Anchor: "w"}, {Path: "a.md", Anchor: "x"}},
		"q2": {{Path: "c.md"}, {Path: "c.md", Anchor: "z"}, {Path: "b.md", Anchor: "y"}},
	})
	if got, want := strings.Join(r.Document.Queries, " "), "q1 q2"; got != want {
		t.Errorf("documents: queries %q, want %q", got, want)
	}
	if got, want := strings.Join(r.Section.Queries, " "), "q1"; got != want {
		t.Errorf("sections: queries %q, want %q", got, want)
	}
	for _, test := range []struct {
		name      string
		got, want float64
	}{
		{"excluded document", r.Document.Metrics[0].MRR, 1}, {"repeated document", r.Document.Metrics[1].MRR, .5},
		{"section", r.Section.Metrics[0].MRR, .5}, {"mean", r.Document.Mean().MRR, .75},
	} {
		if test.got != test.want {
			t.Errorf("%s: MRR %v, want %v", test.name, test.got, test.want)
		}
	}
}

// TestCompareMeans checks that sources count alike, whatever their number of queries is.
func TestCompareMeans(t *testing.T) {
	scored := func(values ...float64) *Scored {
		s := &Scored{}
		for i, v := range values {
			s.Queries, s.Metrics = append(s.Queries, strconv.Itoa(i)), append(s.Metrics, Metrics{NDCG: v})
		}
		return s
	}
	few, many := scored(1), scored(.5, .5, .5, .5)
	d := CompareMeans([]*Scored{few, many, {}}, []*Scored{scored(0), scored(.5, .5, .5, .5), {}}, NDCG)
	if want := (Difference{.5, .5, .5}); d != want {
		t.Errorf("CompareMeans = %+v, want %+v", d, want)
	}
	if d := CompareMeans(nil, nil, NDCG); d != (Difference{}) {
		t.Errorf("CompareMeans of nothing = %+v, want zero", d)
	}
}

func TestCompare(t *testing.T) {
	a, b := &Scored{}, &Scored{}
	for i := range 40 {
		a.Queries, b.Queries = append(a.Queries, string(rune('A'+i))), append(b.Queries, string(rune('A'+i)))
		a.Metrics = append(a.Metrics, Metrics{NDCG: .5 + float64(i%2)/10})
		b.Metrics = append(b.Metrics, Metrics{NDCG: .5})
	}
	d := Compare(a, b, NDCG)
	if math.Abs(d.Mean-.05) > 1e-12 || d.Low <= 0 || d.Low >= d.Mean || d.High <= d.Mean || d.High >= .1 {
		t.Errorf("Compare = %+v, want mean .05 within an interval inside (0, .1)", d)
	}
	if again := Compare(a, b, NDCG); again != d {
		t.Errorf("Compare = %+v, then %+v", d, again)
	}
	if same := Compare(a, a, NDCG); same != (Difference{}) {
		t.Errorf("Compare(a, a) = %+v, want zero", same)
	}
}
