package lexical_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kdd/compiler/corpustest"
	"kdd/format/index"
	"kdd/format/text"
	"kdd/runtime/search/lexical"
	"kdd/runtime/search/query"
)

// texts returns the fields of a section that a clause looks at, each as its words.
func (n *naive) texts(s index.SectionID, fields []index.FieldID) (list [][]spot) {
	var chunks []int
	for c := range n.body {
		if n.section[c] == int(s) {
			chunks = append(chunks, c)
		}
	}
	for _, f := range fields {
		switch f {
		case index.BodyField:
			for _, c := range chunks {
				list = append(list, n.body[c])
			}
		case index.PathField:
			list = append(list, n.path[s])
		case index.TitleField:
			list = append(list, n.title[n.doc[chunks[0]]])
		}
	}
	return list
}

// stands says whether a form of a word stands in a text, at a position if that is not negative.
func stands(text []spot, forms []string, at int) bool {
	return slices.ContainsFunc(text, func(s spot) bool {
		return (at < 0 || int(s.pos) == at) && slices.ContainsFunc(forms, func(form string) bool { return slices.Contains(s.terms, form) })
	})
}

// holds looks at the texts of a section.
func (n *naive) holds(s index.SectionID, c *query.Clause) bool {
	kid := func(k *query.Clause) bool { return n.holds(s, k) }
	switch c.Op {
	case query.All:
		return !slices.ContainsFunc(c.Kids, func(k *query.Clause) bool { return !kid(k) })
	case query.Any:
		return slices.ContainsFunc(c.Kids, kid)
	case query.Not:
		return !kid(c.Kids[0])
	case query.Documents:
		for c, d := range n.doc {
			if n.section[c] == int(s) {
				return strings.Contains(n.x.DocPath(index.DocID(d)), "d1")
			}
		}
		return false
	}
	forms := make([][]string, len(c.Words))
	for i := range c.Words {
		forms[i] = n.forms(&c.Words[i], lowerForms(c.Words[i].Text))
		if p, ok := strings.CutSuffix(c.Words[i].Text, "*"); ok {
			forms[i] = nil
			for id := range n.x.Terms() {
				if term := n.x.TermDict().At(uint32(id)); strings.HasPrefix(term, p) {
					forms[i] = append(forms[i], term)
				}
			}
		}
	}
	for _, text := range n.texts(s, c.Fields) {
		if c.Op == query.Words {
			if slices.ContainsFunc(forms, func(f []string) bool { return stands(text, f, -1) }) {
				return true
			}
			continue
		}
		for _, start := range text {
			all := true
			for i := range c.Words {
				all = all && stands(text, forms[i], int(start.pos)+int(c.Words[i].Pos)-int(c.Words[0].Pos))
			}
			if all {
				return true
			}
		}
	}
	return false
}

// lowerForms are the words of the test's vocabulary by their folded form.
func lowerForms(string) map[string]string {
	list := map[string]string{}
	for _, w := range slices.Concat(english, spanish) {
		for _, t := range text.New().Tokens(nil, w) {
			list[t.Fold] = t.Lower
		}
	}
	return list
}

// randomQuery returns a query with operators, at random.
func randomQuery(r *rand.Rand, depth int) string {
	w := func() string { return english[r.IntN(len(english))] }
	if r.IntN(5) == 0 {
		w = func() string { return spanish[r.IntN(len(spanish))] }
	}
	say := func(n int) string {
		list := make([]string, n)
		for i := range list {
			list[i] = w()
		}
		return strings.Join(list, " ")
	}
	switch k := r.IntN(12); {
	case k < 3 || depth > 3:
		return w()
	case k == 3:
		return `"` + say(1+r.IntN(3)) + `"`
	case k == 4:
		return []string{"title:", "heading:"}[r.IntN(2)] + w()
	case k == 5:
		return `heading:"` + say(2) + `"`
	case k == 6:
		return "+" + w()[:2] + "*"
	case k == 7:
		return "path:d1"
	case k == 8:
		return fmt.Sprintf("(%s AND %s)", randomQuery(r, depth+1), randomQuery(r, depth+1))
	case k == 9:
		return fmt.Sprintf("(%s OR %s)", randomQuery(r, depth+1), randomQuery(r, depth+1))
	case k == 10:
		return fmt.Sprintf("(%s NOT %s)", randomQuery(r, depth+1), randomQuery(r, depth+1))
	}
	return fmt.Sprintf("(%s %s)", randomQuery(r, depth+1), randomQuery(r, depth+1))
}

// TestHoldingAgainstTexts compares the sections that hold a clause with those whose texts do.
func TestHoldingAgainstTexts(t *testing.T) {
	held, phrases := 0, 0
	for seed := range uint64(3) {
		x := corpus(t, seed, 24)
		n := read(t, x)
		rows := lexical.NewRows(x)
		r := rand.New(rand.NewPCG(seed, 5))
		for range 80 {
			text := randomQuery(r, 0) + " AND " + randomQuery(r, 0)
			q := query.Read([]*index.Index{x}, text, query.Options{})[0]
			if q.Clauses == nil {
				if len(q.Notes) == 0 {
					t.Errorf("%s requires nothing", text)
				}
				continue
			}
			got, err := lexical.Holding(t.Context(), x, rows, q.Clauses)
			if err != nil {
				t.Fatal(err)
			}
			for s := range index.SectionID(x.Sections()) {
				from, to := x.SectionChunks(s)
				if from == to {
					continue
				}
				want := n.holds(s, q.Clauses)
				if got.Has(s) != want {
					t.Fatalf("corpus %d, %s = %s: section %d %v, want %v", seed, text, q.Clauses, s, got.Has(s), want)
				}
				if want {
					if held++; strings.Contains(q.Clauses.String(), "phrase") {
						phrases++
					}
				}
			}
		}
	}
	if held < 500 || phrases < 50 {
		t.Errorf("only %d sections hold a clause, %d of them with a phrase", held, phrases)
	}
}

func TestHoldingOfNothing(t *testing.T) {
	x := corpus(t, 1, 8)
	rows := lexical.NewRows(x)
	if all, err := lexical.Holding(t.Context(), x, rows, nil); err != nil || all != nil || !all.Has(0) {
		t.Errorf("Holding(nil) = %v, %v, want all sections", all, err)
	}
	q := query.Read([]*index.Index{x}, "+nosuchword render", query.Options{})[0]
	none, err := lexical.Holding(t.Context(), x, rows, q.Clauses)
	if err != nil {
		t.Fatal(err)
	}
	for s := range index.SectionID(x.Sections()) {
		if none.Has(s) {
			t.Errorf("section %d holds a word that there is not", s)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := lexical.Holding(ctx, x, rows, q.Clauses); err != context.Canceled {
		t.Errorf("Holding of a cancelled context = %v, want %v", err, context.Canceled)
	}
}

// Phrases of a word that fills every text take the most steps: a few are looked for, and of many the evaluation ends.
func TestHoldingHasALimit(t *testing.T) {
	x := corpustest.Index(t, map[string]string{"a.md": "# Filled\n\n" + strings.Repeat("zeta ", 8000) + "\n"})
	rows := lexical.NewRows(x)
	for _, test := range []struct {
		phrases int
		want    error
	}{{2, nil}, {20, lexical.ErrSteps}} {
		var parts []string
		for i := range test.phrases {
			parts = append(parts, `"`+strings.Repeat("zeta ", 5+i)+`"`) // each its own
		}
		text := strings.Join(parts, " AND ")
		q := query.Read([]*index.Index{x}, text, query.Options{})[0]
		if strings.Count(q.Clauses.String(), "phrase") != test.phrases {
			t.Fatalf("%s is %v, want %d phrases", text, q.Clauses, test.phrases)
		}
		if _, err := lexical.Holding(t.Context(), x, rows, q.Clauses); err != test.want {
			t.Errorf("Holding of %d phrases = %v, want %v", test.phrases, err, test.want)
		}
	}
	// Asked again a phrase costs nothing.
	q := query.Read([]*index.Index{x}, strings.Repeat(`+"`+strings.Repeat("zeta ", 20)+`" `, 30), query.Options{})[0]
	if set, err := lexical.Holding(t.Context(), x, rows, q.Clauses); err != nil || !set.Has(1) {
		t.Errorf("Holding of one phrase, 30 times = %v, %v, want the one section", set, err)
	}
}
