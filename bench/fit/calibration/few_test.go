package calibration

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kdd/bench/internal/harness"
	"kdd/bench/internal/sets"
)

func TestFitFew(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	points := make([]point, 20000)
	for i := range points {
		p := point{raw: random.Float64() * 3, docs: 5 + random.IntN(400)}
		p.relevant = random.Float64() < harness.Logistic(1.5*p.raw-3+0.4*p.few())
		points[i] = p
	}
	if c := fitFew(points, 1.5, -3); math.Abs(c-0.4) > 0.05 {
		t.Errorf("fitFew = %.3f, want what the points were drawn with, 0.4", c)
	}
	if c := fitFew([]point{{raw: 1}, {raw: 2, relevant: true}}, 1, -1); c != 0 {
		t.Errorf("fitFew of points among many = %g, want 0", c)
	}
}

// TestSamples checks what is asked of samples of a set, and that their artifacts have their documents alone.
func TestSamples(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "fruit")
	var queries, qrels strings.Builder
	files := map[string]string{}
	for i := range 120 {
		files[fmt.Sprintf("corpus/part-%d/doc%d.md", i%3, i)] = fmt.Sprintf("# Fruit %d\n\nWhere fruit%d grows.\n", i, i)
		fmt.Fprintf(&queries, "q%d\twhere does fruit%d grow\n", i, i)
		fmt.Fprintf(&qrels, "q%d\tpart-%d/doc%d.md\t-\t1\nq%d\tpart-0/doc0.md\t-\t1\n", i, i%3, i, i)
	}
	files["queries.tsv"], files["qrels.tsv"] = queries.String(), qrels.String()
	if err := harness.WriteFiles(dir, files); err != nil {
		t.Fatal(err)
	}
	set, err := sets.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	c := &sets.Corpus{Set: set}
	own := c.Questions()[0].List
	list, err := samples(c, own, own[:5])
	if err != nil || len(list) != len(fewSizes)*fewSamples {
		t.Fatalf("samples = %d, %v, want %d", len(list), err, len(fewSizes)*fewSamples)
	}
	for _, s := range list {
		zero := slices.Contains(s.paths, "part-0/doc0.md")
		if want := map[bool]int{true: len(own), false: len(s.paths)}[zero]; len(s.list) != want {
			t.Errorf("%s: %d questions are answered, want %d", s.name, len(s.list), want)
		}
		for _, q := range s.list {
			for _, j := range q.Relevant {
				if !slices.Contains(s.paths, j.Path) {
					t.Errorf("%s: %s is relevant and not in the sample", s.name, j.Path)
				}
			}
		}
		if !zero && (len(s.none) == 0 || len(s.none) > len(s.list)) {
			t.Errorf("%s: %d questions are not answered, of %d", s.name, len(s.none), len(s.list))
		}
	}
	again, err := samples(c, own, own[:5])
	if err != nil || fmt.Sprint(again) != fmt.Sprint(list) {
		t.Errorf("samples differ from call to call: %v", err)
	}

	built := t.TempDir()
	lexical := func(ctx context.Context, corpus, name, _ string) (string, error) {
		path := filepath.Join(built, name+".kddx")
		err := harness.BuildWords(ctx, corpus, path)
		return path, err
	}
	points, err := fewPoints(t.Context(), c, list[:2], setting{"lexical", ""}, lexical)
	if err != nil || len(points) < len(list[0].list)+len(list[1].list) {
		t.Fatalf("fewPoints = %d points, %v; want %d and more", len(points), err, len(list[0].list)+len(list[1].list))
	}
	for _, p := range points {
		if p.docs != fewSizes[0] {
			t.Errorf("%s was asked of %d documents, want %d", p.id, p.docs, fewSizes[0])
		}
	}
	set.Corpus = filepath.Join(dir, "corpus", "part-1")
	if list, err := samples(c, own, nil); err != nil || len(list) > 0 {
		t.Errorf("samples of a small set = %d, %v, want none", len(list), err)
	}
}
