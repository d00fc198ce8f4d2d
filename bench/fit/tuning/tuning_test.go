package tuning

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kdd/bench/internal/harness"
	"kdd/format/index"
	"kdd/runtime/eval"
)

func TestParse(t *testing.T) {
	c, err := parse("k1=.7,b=.6", "k1=.9,heading=2")
	if err != nil {
		t.Fatal(err)
	}
	w := index.Weights{K1: 1.2, B: .75, Heading: 1}
	c.set(&w)
	if w.K1 != .9 || w.B != .6 || w.Heading != 2 {
		t.Errorf("k1 %g, b %g, heading %g, want .9, .6 and 2", w.K1, w.B, w.Heading)
	}
	for _, wrong := range []string{"k1", "k1=x", "k9=1", "=1"} {
		if _, err := parse("", wrong); err == nil {
			t.Errorf("parse(%q): no error", wrong)
		}
	}
}

// TestRun asks one question of two documents: the one that says its word more often comes first, unless b makes its
// length count.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	docs, artifact := filepath.Join(dir, "docs"), filepath.Join(dir, "tea.kddx")
	if err := harness.WriteFiles(docs, map[string]string{
		"long.md":  "# Long\n\nTea tea tea " + strings.Repeat("and much else besides ", 30) + ".\n",
		"short.md": "# Short\n\nTea of one kind.\n",
	}); err != nil {
		t.Fatal(err)
	}
	if err := harness.BuildWords(t.Context(), docs, artifact); err != nil {
		t.Fatal(err)
	}
	asked := filepath.Join(dir, "asked.tsv")
	if err := os.WriteFile(asked, []byte("q1\tx\ttea\ten\tanswerable\tlong.md#long\ttea\nq2\tx\ttea\ten\tabsent\t-\tcoffee\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if code := Run([]string{"-asked", asked, "-mode", "lexical", "-try", "b=0,k1=5", "tea=" + artifact}, &out, &errs); code != 0 {
		t.Fatalf("exit code %d: %s", code, &errs)
	}
	for _, want := range []string{"| constants | tea, asked (1) | mean |", "| as it is | 0.6309 | 0.6309 |", "| b=0,k1=5 | 1.0000 | 1.0000 |", "| gain of b=0,k1=5 | +0.3691 (+0.3691 to +0.3691) | +0.3691 (+0.3691 to +0.3691) |"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("report lacks %q:\n%s", want, &out)
		}
	}
	if code := Run([]string{"-try", "k9=1", "-asked", asked, "tea=" + artifact}, &out, &errs); code == 0 {
		t.Error("a constant that does not exist is taken")
	}
}

// TestLeftOut checks that each source gets the list that is best for the others, not for itself.
func TestLeftOut(t *testing.T) {
	scored := func(values ...float64) (all []*eval.Measurement) {
		for _, v := range values {
			all = append(all, &eval.Measurement{Document: eval.Scored{Queries: []string{"q"}, Metrics: []eval.Metrics{{NDCG: v}}}})
		}
		return all
	}
	groups := []group{{name: "a", results: scored(.5, .9, .4)}, {name: "b", results: scored(.5, .3, .9)}, {name: "c", results: scored(.5, .4, .6)}}
	text := report(groups, []constants{{text: "as it is"}, {text: "x"}, {text: "y"}})
	const want = "| gain of the best list of the other sources | -0.1000 (-0.1000 to -0.1000) | -0.2000 (-0.2000 to -0.2000) | +0.1000 (+0.1000 to +0.1000) | -0.0667 (-0.0667 to -0.0667) |"
	if !strings.Contains(text, want) {
		t.Errorf("report lacks %q:\n%s", want, text)
	}
}

func TestAblations(t *testing.T) {
	for _, text := range ablations {
		if _, err := parse("", text); err != nil {
			t.Error(err)
		}
	}
}
