package answer

import (
	"strings"

	"kdd/format/text"
)

// sentences returns the ranges of the sentences of s[from:end], which is markdown.
func sentences(s string, from, end int) [][2]int {
	var list [][2]int
	for from < end {
		next := text.MarkdownSentences.End(s[:end], from)
		if strings.TrimSpace(s[from:next]) != "" {
			list = append(list, [2]int{from, next})
		}
		from = next
	}
	return list
}

// finer also cuts units at the end of a sentence inside a link: "See [the guide.](a.md) Then go on." The score of
// evidence uses units without these cuts.
func finer(s string, units []Unit) []Unit {
	var list []Unit
	more := 0 // sentences in the block so far that were no units
	for i, u := range units {
		if i > 0 && u.Block != units[i-1].Block {
			more = 0
		}
		for from := u.Start; u.Kind < Code; {
			at := linkedStop().FindStringIndex(s[from:u.End])
			if at == nil {
				break
			}
			from += at[1]
			if end := from - 1; text.OpensSentence(s[end:u.End]) {
				part := u
				part.End = end
				list = append(list, part.further(more))
				u.Start, u.First = from, false
				if u.Kind == Sentence {
					more++
				}
			}
		}
		list = append(list, u.further(more))
	}
	return list
}

// further returns a unit whose place in its paragraph is n later.
func (u Unit) further(n int) Unit {
	if u.Kind == Sentence {
		u.Number += n
	}
	return u
}

var linkedStop = lazy(`[.!?…]\]\([^()\s]*\)[*_]*\s`)
