package main

import (
	"math"
	"strings"
	"testing"

	"kdd/compiler/distil"
	"kdd/format/encoder"
	"kdd/format/index"
	"kdd/runtime/eval"
)

func TestParseVariants(t *testing.T) {
	all, err := parseVariants("recipe;small:unseen=none,pairs=7,teacher=.5,noshares=true")
	if err != nil || len(all) != 2 {
		t.Fatalf("parseVariants = %v, %v, want two variants", all, err)
	}
	if v := all[0]; v.name != "recipe" || v.options != distil.Defaults() || v.noShares {
		t.Errorf("first variant = %+v, want the defaults", v)
	}
	want := distil.Defaults()
	want.UnseenForm, want.PairCount, want.TeacherShare = 0, 7, .5
	if v := all[1]; v.name != "small" || v.options != want || !v.noShares || want.SeenForm != encoder.FormInt4 {
		t.Errorf("second variant = %+v, want %+v", v, want)
	}
	for list, want := range map[string]string{
		"x:seen=int7": `variant x: form "int7"`, "x:colour=red": `variant x: unknown key "colour"`, "x:pairs=many": "variant x: pairs=many: ",
	} {
		if _, err := parseVariants(list); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("parseVariants(%q) = %v, want %s", list, err, want)
		}
	}
}

// Two documents of two chunks each; the query asks for the second and excludes a third.
func TestRank(t *testing.T) {
	c := &collection{
		paths: []string{"a.md", "b.md", "c.md"}, doc: []int{0, 0, 1, 1, 2}, anchor: []string{"", "x", "", "y", ""},
		ids: make([][]int32, 5), bodies: make([]string, 5),
		vectors: []float32{1, 0, .9, 0, .2, 0, .8, 0, 2, 0},
		queries: []eval.Question{{
			ID: "1", Exclude: []string{"c.md"}, Relevant: []index.Relevant{{Place: eval.Place{Path: "b.md", Anchor: "y"}, Gain: 2}},
		}},
	}
	var r result
	c.rank([]float32{1, 0}, 2, &r)
	if want := 1 / math.Log2(3); r.docs != 1 || math.Abs(r.doc-want) > 1e-9 {
		t.Errorf("document nDCG = %g of %g queries, want %g of 1", r.doc, r.docs, want)
	}
	if want := 1 / math.Log2(4); r.sections != 1 || math.Abs(r.section-want) > 1e-9 {
		t.Errorf("section nDCG = %g of %g queries, want %g of 1", r.section, r.sections, want)
	}
	parts := c.split(2)
	if len(parts[0].queries) != 0 || len(parts[1].queries) != 1 || len(parts[0].ids) != 3 || len(parts[1].vectors) != 4 {
		t.Errorf("split deals out %d and %d queries, %d and %d chunks, want 0, 1, 3 and 2",
			len(parts[0].queries), len(parts[1].queries), len(parts[0].ids), len(parts[1].ids))
	}
}
