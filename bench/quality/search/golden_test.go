package search

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kdd/bench/internal/harness"
	"kdd/bench/internal/sets"
	"kdd/format/index"
	"kdd/runtime"
	"kdd/runtime/eval"
	"kdd/runtime/wire"
)

var update = flag.Bool("update", false, "write the golden files anew")

const relevance = "../../../testdata/relevance"

// build compiles the corpus of the handbook's set without vectors.
func build(t *testing.T) (*sets.Set, string) {
	t.Helper()
	set, err := sets.Load(filepath.Join(relevance, "handbook"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "handbook.kddx")
	if err := harness.BuildWords(t.Context(), set.Corpus, path); err != nil {
		t.Fatal(err)
	}
	return set, path
}

// TestRelevance holds the ranking of the handbook by words alone: means, and for each question the rank of the first
// relevant section and what comes first. A change of rank is to be a diff of the golden file with a reason.
func TestRelevance(t *testing.T) {
	set, path := build(t)
	svc := runtime.New(runtime.Config{Index: []string{path}})
	defer svc.Close()
	run := eval.Run{}
	queries := set.Queries(sets.QueriesFile)
	for _, q := range queries {
		hits, err := sets.Hits(t.Context(), svc, wire.SearchRequest{Query: q.Text, Mode: "lexical"}, 20)
		if err != nil {
			t.Fatalf("%s: %v", q.ID, err)
		}
		run[q.ID] = sets.Places(hits)
	}
	got := golden(queries, run, eval.Score(queries, run))
	file := filepath.Join(relevance, "handbook.golden")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("ranking of the handbook:\n%s\nwant\n%s\nif it is meant: go test ./bench/quality/search -update", got, want)
	}
}

// golden prints the means of both levels and a line per question.
func golden(queries []eval.Question, run eval.Run, r *eval.Measurement) string {
	var b strings.Builder
	for _, level := range []struct {
		name   string
		scored *eval.Scored
	}{{"document", &r.Document}, {"section", &r.Section}} {
		m := level.scored.Mean()
		fmt.Fprintf(&b, "%-8s  n %d  nDCG@10 %.3f  MRR@10 %.3f  recall@1 %.3f  recall@5 %.3f  recall@10 %.3f\n", level.name, len(level.scored.Queries),
			m.NDCG, m.MRR, m.Recall1, m.Recall5, m.Recall)
	}
	b.WriteString("\nnDCG@10 by document and by section, first section, question\n")
	cell := func(s *eval.Scored, id string) string {
		if i := slices.Index(s.Queries, id); i >= 0 {
			return fmt.Sprintf("%.3f", s.Metrics[i].NDCG)
		}
		return "    -"
	}
	for _, q := range queries {
		first := "nothing"
		if places := run[q.ID]; len(places) > 0 {
			first = places[0].Path + "#" + places[0].Anchor
		}
		fmt.Fprintf(&b, "%s  %s  %s  %s  %s\n", q.ID, cell(&r.Document, q.ID), cell(&r.Section, q.ID), first, q.Text)
	}
	return b.String()
}

// TestJudgements fails on judgements that no answer could meet: of documents or anchors that the handbook lacks.
func TestJudgements(t *testing.T) {
	set, path := build(t)
	x, err := index.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer x.File.Close()
	asked := map[string]bool{}
	for _, q := range set.Queries(sets.QueriesFile) {
		asked[q.ID] = true
	}
	for place, query := range set.Judged() {
		if !asked[query] {
			t.Errorf("%s is judged, but not asked", query)
		}
		d, ok := x.FindDoc(place.Path)
		if !ok {
			t.Errorf("%s: no document %s", query, place.Path)
			continue
		}
		from, to := x.DocSections(d)
		found := place.Anchor == ""
		var anchors []string
		for s := from; s < to && !found; s++ {
			first, last := x.SectionChunks(s)
			if first < last {
				anchors = append(anchors, x.SectionAnchor(s))
			}
			found = first < last && x.SectionAnchor(s) == place.Anchor
		}
		if !found {
			t.Errorf("%s: no section %s with text in %s, it has %q", query, place.Anchor, place.Path, anchors)
		}
	}
}
