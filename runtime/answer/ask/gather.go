package ask

import (
	"context"
	"slices"
	"strings"

	"kdd/format/index"
	"kdd/runtime/answer"
	"kdd/runtime/artifact"
	"kdd/runtime/search"
)

// gatherEvidence collects what speaks for the documents answering a question, from the sections that were found for it.
func gatherEvidence(ctx context.Context, set *artifact.Set, r *search.Ranking, asked *answer.Question,
	f *retrieved) (answer.Evidence, error) {
	hits := r.Hits[:min(len(r.Hits), AskPassages)]
	e := answer.Gather(asked, f.texts[:len(hits)])
	e.Rarity, e.Strange, e.Foreign = min(r.Queries[0].Rarity, answer.MostRarity), strangeName(set, asked, f.language),
		search.ForeignAnswer(set, f.language, hits) && r.Queries[hits[0].Index].Into == ""
	if len(hits) == 0 {
		return e, nil
	}
	e.Score = hits[0].Calibrated
	best := r.Scored[hits[0].Index]
	if best.Signals.Order != nil {
		e.Pairs = float64(best.Signals.Order.Scores()[hits[0].Chunk])
	}
	most := float32(0) // of BM25
	seen := map[int]bool{}
	for i := range hits {
		at := hits[i].Index
		own := r.Scored[at]
		if seen[at] || own.Signals.Cosine == nil {
			continue
		}
		seen[at] = true
		a := set.Artifacts[at]
		means, err := meansOf(a)
		if err != nil {
			return e, err
		}
		e.Means = means
		e.Cosine = max(e.Cosine, float64(slices.Max(own.Signals.Cosine)))
		for c, score := range own.Signals.BM25 {
			if score > most {
				most, e.Agreement = score, float64(own.Signals.Cosine[c])
			}
		}
	}
	a := set.Artifacts[hits[0].Index]
	return e, Align(ctx, a, r.Queries[hits[0].Index], asked, &hits[0], best, &e)
}

// meansOf returns what an artifact with vectors compares questions by.
func meansOf(a *artifact.Artifact) (answer.Means, error) {
	sem, err := a.Encoder()
	if err != nil || sem == nil {
		return answer.Words, err
	}
	if sem.Tag == index.TagExact {
		return answer.Exact, nil
	}
	return answer.Distilled, nil
}

// unknownNames returns the names in a question, as they are typed, that no document has. One that is part of another is
// left out.
func unknownNames(asked *answer.Question) []string {
	typing := search.Typing{Question: asked.Text}
	var names []string
	for _, w := range asked.Words {
		if w.Known > 0 || !w.Name && !typing.Named(w.Text) {
			continue
		}
		name := typing.Typed(w.Text)
		if !slices.ContainsFunc(names, func(other string) bool { return strings.Contains(other, name) }) {
			names = append(names, name)
		}
	}
	return names
}

// strangeName says that a question names something that the documents lack: an identifier or a capitalized word. An
// identifier does not count if one of the documents' identifiers begins or ends with it ("Index-Merged" in
// "EVT-Index-Merged"). A capital does not count in German, where every noun has one.
func strangeName(set *artifact.Set, asked *answer.Question, language string) bool {
	typing := search.Typing{Question: asked.Text, Language: language}
	names := map[string]bool{} // identifiers of several parts
	for _, w := range asked.Words {
		switch {
		case w.Known > 0 || !w.Name && !typing.IsName(w.Text):
		case !w.Name || !strings.ContainsAny(w.Text, joins):
			return true
		default:
			names[w.Text] = true
		}
	}
	for _, a := range set.Artifacts {
		dropAffixes(a, names)
	}
	return len(names) > 0
}

// joins are the marks between the parts of an identifier.
const joins = "-_./:"

// dropAffixes removes the names with which a longer identifier of the dictionary begins or ends. Cost: a walk over the
// dictionary, if there are names.
func dropAffixes(a *artifact.Artifact, names map[string]bool) {
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
