package search

import (
	"fmt"
	"slices"
	"strings"

	"kdd/format/text"
	"kdd/runtime/artifact"
	"kdd/runtime/wire"
)

// maxAbsent bounds the words that a warning names.
const maxAbsent = 5

// maxForeign bounds the hits whose languages tell whether a query is in another language than the documents.
const maxForeign = 5

// MinReliable is the calibrated score from which the best hit is taken to answer the query.
const MinReliable = 0.5

// absentNames returns a warning that names the words of a query, as typed, that no document has: the hits were found by
// the other words or by their meaning, and the reader should know that none of them is about such a name. If the best
// hit is reliable, or if the query is in another language than the hits, it names only identifiers, numbers and words
// with a capital. For small documentation lacks many words of questions that it answers, and documentation in another
// language lacks nearly all. It returns "" if no word is absent, for a search by vectors alone, and if the query is the
// name of the first hit.
func absentNames(set *artifact.Set, r *Ranking) string {
	if r.Mode == ModeVector || len(r.Hits) > 0 && r.Hits[0].class != notNamed {
		return ""
	}
	raw, language := r.Queries[0].Text, string(r.Queries[0].Language)
	sure := len(r.Hits) > 0 && r.Hits[0].Calibrated >= MinReliable || ForeignAnswer(set, language, r.Hits[:min(maxForeign, len(r.Hits))])
	how := Typing{Question: raw, Language: language}
	var missing, names []string
	for _, w := range QuestionWords(set, r, raw) {
		if w.Known == 0 && (!sure || w.Name || strings.ContainsAny(w.Text, "0123456789") || how.IsName(w.Text)) {
			missing = append(missing, w.Text)
		}
	}
	if len(missing) == 0 {
		return ""
	}
	end, more := 0, 0
	analyzer := text.Borrow()
	defer analyzer.Return()
	tokens := analyzer.Tokens(nil, raw)
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		// A run of overlapping pairs of characters, which mean little by themselves. It is named only if nothing was
		// found and no document has any of its pairs.
		if t.CJK {
			last := i
			lacking := len(r.Hits) == 0 && slices.Contains(missing, t.Fold)
			for ; last+1 < len(tokens) && tokens[last+1].CJK && tokens[last+1].Start < tokens[last].End; last++ {
				lacking = lacking && (tokens[last+1].IndexOnly() || slices.Contains(missing, tokens[last+1].Fold))
			}
			if i = last; !lacking {
				continue
			}
			t.End = tokens[last].End
		} else if t.Start < end || !slices.Contains(missing, t.Fold) {
			continue // a part of the word before it, or a word that is there
		}
		end = t.End
		switch name := wire.Quote(raw[t.Start:t.End]); {
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
		return fmt.Sprintf("no document has %s (nor %d more words)", wire.Alternatives(names), more)
	}
	return "no document has " + wire.Alternatives(names)
}
