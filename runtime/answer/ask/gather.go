package ask

import (
	"slices"
	"strings"

	"kdd/format/index"
	"kdd/runtime/answer"
	"kdd/runtime/artifact"
	"kdd/runtime/search"
)

// gatherEvidence collects what tells whether the picked units answer a question, from them and from how their sections
// were found.
func gatherEvidence(set *artifact.Set, r *search.Ranking, asked *answer.Question, f *retrieved) (answer.Evidence, error) {
	e, passage := answer.Gather(asked, f.picked)
	e.Rarity, e.Strange = r.Queries[0].Rarity, strangeName(set, asked, f.language)
	hits := r.Hits[:min(len(r.Hits), AskPassages)]
	if len(hits) == 0 || passage < 0 {
		return e, nil
	}
	e.Score = f.passages[passage].section.Score
	if len(hits) > 1 {
		e.Gap = hits[0].Calibrated - hits[1].Calibrated
	}
	if order := r.Scored[hits[0].Index].Signals.Order; order != nil {
		e.Pairs = float64(order.Scores()[hits[0].Chunk])
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
		means, err := meansOf(set.Artifacts[at])
		if err != nil {
			return e, err
		}
		e.Means = means
		for c, score := range own.Signals.BM25 {
			if score > most {
				most, e.Agreement = score, float64(own.Signals.Cosine[c])
			}
		}
	}
	return e, nil
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
