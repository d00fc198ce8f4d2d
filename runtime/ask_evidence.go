package runtime

import (
	"context"
	"slices"
	"strings"

	"kdd/format"
	"kdd/runtime/answer"
)

// evidence collects what speaks for the documents answering a question, from the sections that were found for it.
func (set *set) evidence(ctx context.Context, r *ranking, asked *answer.Question, f *findings) (answer.Evidence, error) {
	hits := r.hits[:min(len(r.hits), askPassages)]
	e := answer.Gather(asked, f.texts[:len(hits)])
	e.Rarity, e.Strange, e.Foreign = min(r.queries[0].Rarity, answer.MostRarity), set.strange(asked, f), set.foreign(f.language, hits) && r.queries[hits[0].index].Into == ""
	if len(hits) == 0 {
		return e, nil
	}
	e.Score = hits[0].score
	best := r.scored[hits[0].index]
	if best.signals.Pairs != nil {
		e.Pairs = float64(best.signals.Pairs[hits[0].Chunk])
	}
	most := float32(0) // of BM25
	seen := map[int]bool{}
	for i := range hits {
		at := hits[i].index
		own := r.scored[at]
		if seen[at] || own.signals.Cosine == nil {
			continue
		}
		seen[at] = true
		a := set.artifacts[at]
		means, err := a.means()
		if err != nil {
			return e, err
		}
		e.Means = means
		e.Cosine = max(e.Cosine, float64(slices.Max(own.signals.Cosine)))
		for c, score := range own.signals.BM25 {
			if score > most {
				most, e.Agreement = score, float64(own.signals.Cosine[c])
			}
		}
	}
	a := set.artifacts[hits[0].index]
	return e, a.align(ctx, r.queries[hits[0].index], asked, &hits[0], best, &e)
}

// means is by what an artifact with vectors compares questions.
func (a *artifact) means() (answer.Means, error) {
	sem, err := a.sem()
	if err != nil || sem == nil {
		return answer.Words, err
	}
	if sem.tag == format.TagExact {
		return answer.Exact, nil
	}
	return answer.Distilled, nil
}

// foreign says that all hits of which the language is known are in another than the question's.
func (set *set) foreign(language string, hits []ranked) bool {
	known := false
	for i := range hits {
		switch set.artifacts[hits[i].index].DocLanguage(hits[i].Doc) {
		case "":
		case language:
			return false
		default:
			known = true
		}
	}
	return known && language != ""
}

// name collects the names in a question that no document has.
func (f *findings) name(asked *answer.Question) {
	how := typing{question: asked.Text}
	for _, w := range asked.Words {
		if w.Known > 0 || !w.Name && !how.named(w.Text) {
			continue
		}
		if name := how.typed(w.Text); !slices.ContainsFunc(f.unknown, func(u string) bool { return strings.Contains(u, name) }) {
			f.unknown = append(f.unknown, name)
		}
	}
}

// strange says that a question names something that the documents lack: an identifier, or a word with a capital. Identifiers that
// one of the documents' begins or ends with ("Index-Merged" in "EVT-Index-Merged") do not count, nor do capitals in German, where
// every noun has one.
func (set *set) strange(asked *answer.Question, f *findings) bool {
	how := typing{question: asked.Text, language: f.language}
	names := map[string]bool{} // identifiers of several parts
	for _, w := range asked.Words {
		switch {
		case w.Known > 0 || !w.Name && !how.isName(w.Text):
		case !w.Name || !strings.ContainsAny(w.Text, joins):
			return true
		default:
			names[w.Text] = true
		}
	}
	for _, a := range set.artifacts {
		a.dropAffixes(names)
	}
	return len(names) > 0
}

// joins stand between the parts of an identifier.
const joins = "-_./:"

// dropAffixes takes the names out of a set that a longer identifier of the dictionary begins or ends with. Cost: a walk over that, if
// there are names.
func (a *artifact) dropAffixes(names map[string]bool) {
	for _, term := range a.TermDict().From("") {
		if len(names) == 0 {
			return
		}
		for i, b := range term {
			if strings.IndexByte(joins, b) >= 0 {
				delete(names, string(term[:i]))
				delete(names, string(term[i+1:]))
			}
		}
	}
}
