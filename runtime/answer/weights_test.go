package answer

import (
	"math"
	"slices"
	"testing"
)

// TestWeights checks that each weight has a name of its own, a value, and says what it is for.
func TestWeights(t *testing.T) {
	tables := map[string][]Weight{"limits": limits[:]}
	for _, w := range sentenceWeights {
		tables["sentences"] = append(tables["sentences"], Weight{w.name, max(math.Abs(w.liked.weight), math.Abs(w.words.weight)), w.use})
	}
	for _, w := range evidenceWeights {
		tables["evidence"] = append(tables["evidence"], Weight{w.name, max(math.Abs(w.by[Words].weight), math.Abs(w.by[Distilled].weight), math.Abs(w.by[Exact].weight)), w.use})
	}
	for table, list := range tables {
		var names []string
		for i, w := range list {
			if w.Name == "" || w.Value == 0 || w.Use == "" || slices.Contains(names, w.Name) {
				t.Errorf("%s: row %d is %+v", table, i, w)
			}
			names = append(names, w.Name)
		}
	}
}

// TestPickExplains checks that the parts of a score add up to it, and that explaining changes nothing that is picked.
func TestPickExplains(t *testing.T) {
	texts := []Passage{
		passage("Domains", "Domains are groups of names. See the guide.\n\nThese are the domains:\n\n- auth, for domains\n- mail\n\n| domain | use |\n|---|---|\n| web | pages |\n"),
		passage("Other", "How to move domains\n\nSuppose domains move. This moves domains:\n\n```\nmv domains\n```\n"),
	}
	for _, question := range []string{"what are domains", "which domains are there", "how do I move domains", "an example of domains"} {
		plainly := Pick(ask(question, "domains"), slices.Clone(texts), 0, false)
		picked := Pick(ask(question, "domains"), slices.Clone(texts), 0, true)
		if len(picked) == 0 || len(picked) != len(plainly) {
			t.Errorf("%s: %d units picked, %d with an explanation", question, len(plainly), len(picked))
		}
		for i, u := range picked {
			sum := 0.0
			for _, p := range u.Parts {
				sum += p.Value * p.Weight
			}
			if math.Abs(sum-u.Score) > 1e-9 || u.Score != plainly[i].Score || u.Text != plainly[i].Text || plainly[i].Parts != nil {
				t.Errorf("%s: %q has the score %g, its parts add up to %g: %+v", question, u.Text, u.Score, sum, u.Parts)
			}
			if u.Reason == "" {
				t.Errorf("%s: %q is picked for no reason", question, u.Text)
			}
		}
	}
}
