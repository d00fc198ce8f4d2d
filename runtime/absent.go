package runtime

import (
	"fmt"
	"slices"
	"strings"

	"kdd/runtime/analyze"
	"kdd/runtime/shape"
)

// maxAbsent bounds the words that a warning says no document has.
const maxAbsent = 5

// maxForeign bounds the hits that tell whether a query is in another language than the documents.
const maxForeign = 5

// doubtful is the calibrated score below which the best hit is none to rely on.
const doubtful = 0.5

// absent says which words of a query no document has, as they were typed. The hits were found by the other words or by their
// meaning then, and the reader should know that none is about a name that is not there. If the best hit is good, or the query is in
// another language than the hits, only names (identifiers, numbers, words with a capital) are told: small documentation lacks many
// words of questions that it answers, that in another language nearly all. It returns "" if no word is absent, in a search by
// vectors alone, and if the query is the name of the first hit.
func (set *set) absent(r *ranking) string {
	if r.mode == modeVector || len(r.hits) > 0 && r.hits[0].class != notNamed {
		return ""
	}
	text, language := r.queries[0].Text, string(r.queries[0].Language)
	sure := len(r.hits) > 0 && r.hits[0].score >= doubtful || set.foreign(language, r.hits[:min(maxForeign, len(r.hits))])
	var missing, names []string
	for _, w := range set.question(r, text).Words {
		if w.Known == 0 && (!sure || w.Name || strings.ContainsAny(w.Text, "0123456789") || isName(text, w.Text, language)) {
			missing = append(missing, w.Text)
		}
	}
	if len(missing) == 0 {
		return ""
	}
	end, more := 0, 0
	for _, t := range analyze.New().Tokens(nil, text) {
		if t.Start < end || t.CJK || !slices.Contains(missing, t.Fold) {
			continue // a part of the word before it, a pair of characters, or a word that is there
		}
		end = t.End
		switch name := quote(text[t.Start:t.End]); {
		case slices.Contains(names, name):
		case len(names) == maxAbsent:
			more++
		default:
			names = append(names, name)
		}
	}
	switch {
	case len(names) == 0:
		return ""
	case more > 0:
		return fmt.Sprintf("no document has %s (nor %d more words)", shape.Alternatives(names), more)
	}
	return "no document has " + shape.Alternatives(names)
}
