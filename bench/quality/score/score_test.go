package score

import (
	"math"
	"os"
	"path/filepath"
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
		{"first", []int{1, 0}, []int{1}, Metrics{1, 1, 1, 1, 1, 1, 1}},
		{"third of two", []int{0, 0, 1}, []int{1, 1}, Metrics{NDCG: (1 / log2(4)) / (1 + 1/log2(3)), MRR: 1.0 / 3, Hit3: 1, Recall5: .5, Recall: .5}},
		{"tenth", []int{0, 0, 0, 0, 0, 0, 0, 0, 0, 2}, []int{2}, Metrics{NDCG: 1 / log2(11), MRR: .1, Recall: 1}},
		{"eleventh does not count", []int{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2}, []int{2}, Metrics{}},
		{"gain is linear", []int{1, 3}, []int{1, 3}, Metrics{NDCG: (1 + 3/log2(3)) / (3 + 1/log2(3)), MRR: 1, Hit1: 1, Hit3: 1, Recall1: .5, Recall5: 1, Recall: 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := measure(test.gains, test.relevant); got != test.want {
				t.Errorf("measure(%v, %v) = %+v, want %+v", test.gains, test.relevant, got, test.want)
			}
		})
	}
}

// write makes a set of files.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestScore(t *testing.T) {
	set, err := Load(write(t, map[string]string{
		"corpus/a.md": "", "queries.tsv": "q1\tone\tsource.md;other.md\r\nq2\ttwo\n\nq3\tunjudged\n",
		"qrels.tsv": "q1\ta.md\tx\t1\nq1\tsource.md\tx\t1\nq2\tb.md\t-\t2\nq2\tc.md\tz\t0\n",
	}))
	if err != nil {
		t.Fatal(err)
	}
	r := set.Score(QueriesFile, Run{
		"q1": {{"source.md", "x"}, {"a.md", "w"}, {"a.md", "w"}, {"a.md", "x"}}, // the source is dropped, a section counts once
		"q2": {{"c.md", ""}, {"c.md", "z"}, {"b.md", "y"}},
	})
	if got, want := strings.Join(r.Doc.Queries, " "), "q1 q2"; got != want {
		t.Errorf("documents: queries %q, want %q", got, want)
	}
	if got, want := strings.Join(r.Section.Queries, " "), "q1"; got != want {
		t.Errorf("sections: queries %q, want %q", got, want)
	}
	for _, test := range []struct {
		name      string
		got, want float64
	}{
		{"excluded document", r.Doc.Metrics[0].MRR, 1}, {"repeated document", r.Doc.Metrics[1].MRR, .5},
		{"section", r.Section.Metrics[0].MRR, .5}, {"mean", r.Doc.Mean().MRR, .75},
	} {
		if test.got != test.want {
			t.Errorf("%s: MRR %v, want %v", test.name, test.got, test.want)
		}
	}
}

func TestLoadErrors(t *testing.T) {
	for _, test := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"no corpus", map[string]string{"queries.tsv": "q\tt\n", "qrels.tsv": ""}, "corpus.path"},
		{"no queries", map[string]string{"corpus/a.md": "", "qrels.tsv": ""}, "queries.tsv"},
		{"query twice", map[string]string{"corpus/a.md": "", "queries.tsv": "q\tt\nq\tu\n", "qrels.tsv": ""}, "queries.tsv:2: query q is there twice"},
		{"few fields", map[string]string{"corpus/a.md": "", "queries.tsv": "q\tt\n", "qrels.tsv": "q\ta.md\n"}, "qrels.tsv:1: 2 fields, want at least 4"},
		{"no number", map[string]string{"corpus/a.md": "", "queries.tsv": "q\tt\n", "qrels.tsv": "q\ta.md\t-\tx\n"}, `gain: got "x"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := Load(write(t, test.files)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("Load = %v, want an error with %q", err, test.want)
			}
		})
	}
}

func TestCompare(t *testing.T) {
	a, b := &Scored{}, &Scored{}
	for i := range 40 {
		a.Queries, b.Queries = append(a.Queries, string(rune('A'+i))), append(b.Queries, string(rune('A'+i)))
		a.Metrics = append(a.Metrics, Metrics{NDCG: .5 + float64(i%2)/10})
		b.Metrics = append(b.Metrics, Metrics{NDCG: .5})
	}
	d := Compare(a, b)
	if math.Abs(d.Mean-.05) > 1e-12 || d.Low <= 0 || d.Low >= d.Mean || d.High <= d.Mean || d.High >= .1 {
		t.Errorf("Compare = %+v, want mean .05 within an interval inside (0, .1)", d)
	}
	if again := Compare(a, b); again != d {
		t.Errorf("Compare = %+v, then %+v", d, again)
	}
	if same := Compare(a, a); same != (Difference{}) {
		t.Errorf("Compare(a, a) = %+v, want zero", same)
	}
}
