package answer

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// sentences returns the ranges of the sentences of text[from:end]: up to a full stop, question or exclamation mark that a
// space and no small letter follows, or one of a script that has its own, which needs neither. A mark inside `code` or (parentheses)
// ends none, unless they are so long that they were never closed.
func sentences(text string, from, end int) [][2]int {
	var list [][2]int
	start := from
	code, depth, opened := false, 0, from
	const longest = 300 // bytes
	for i := from; i < end; {
		r, n := utf8.DecodeRuneInString(text[i:end])
		next := i + n
		if i-opened > longest {
			code, depth = false, 0
		}
		switch {
		case r == '`':
			code, opened = !code, i
		case code:
		case strings.ContainsRune("(（「『", r):
			depth, opened = depth+1, i
		case strings.ContainsRune(")）」』", r):
			depth = max(0, depth-1)
		case r >= utf8.RuneSelf && r != '…' && depth == 0 && strings.ContainsRune(stops, r):
			next = closed(text, start, next, end)
			list = append(list, [2]int{start, next})
			start = next
		case (r == '.' || r == '!' || r == '?' || r == '…') && depth == 0:
			for next < end && strings.IndexByte("\"')*_”’»", text[next]) >= 0 { // what closes with the sentence
				next++
			}
			if next < end && text[next] != ' ' && text[next] != '\n' && text[next] != '\r' && text[next] != '\t' {
				break
			}
			if r == '.' && abbreviated(text[start:i]) || !opens(text[next:end]) {
				break
			}
			list = append(list, [2]int{start, next})
			start = next
		}
		i = next
	}
	if strings.TrimSpace(text[start:end]) != "" {
		list = append(list, [2]int{start, end})
	}
	return list
}

// finer parts units at the ends of sentences that stand inside of a link: "See [the guide.](a.md) Then go on." What is weighed as
// evidence is not parted so.
func finer(text string, units []Unit) []Unit {
	var list []Unit
	more := 0 // sentences in the block so far that were no units
	for i, u := range units {
		if i > 0 && u.Block != units[i-1].Block {
			more = 0
		}
		for from := u.Start; u.Kind < Code; {
			at := linkedStop().FindStringIndex(text[from:u.End])
			if at == nil {
				break
			}
			from += at[1]
			if end := from - 1; opens(text[end:u.End]) {
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

// further is a unit whose place in its paragraph is n further on.
func (u Unit) further(n int) Unit {
	if u.Kind == Sentence {
		u.Number += n
	}
	return u
}

var linkedStop = lazy(`[.!?…]\]\([^()\s]*\)[*_]*\s`)

// closed returns the end of a sentence that begins at start and whose mark ends at text[at:]: behind the quotation marks and the
// emphasis that close with it. Emphasis that no one opened belongs to the next.
func closed(text string, start, at, end int) int {
	for _, quote := range [...]string{"”", "’", "»"} {
		if strings.HasPrefix(text[at:end], quote) {
			at += len(quote)
		}
	}
	rest := text[at:end]
	if mark := rest[:len(rest)-len(strings.TrimLeft(rest, "*_"))]; mark != "" && strings.Count(text[start:at], mark)%2 == 1 {
		at += len(mark)
	}
	return at
}

// abbreviated says whether the word at the end of a text is one that a full stop belongs to, or a single letter.
func abbreviated(before string) bool {
	word := before[strings.LastIndexAny(before, " \n\t(")+1:]
	if utf8.RuneCountInString(word) == 1 {
		r, _ := utf8.DecodeRuneInString(word)
		return unicode.IsUpper(r) && r != 'I'
	}
	return lexicon().abbreviations[strings.ToLower(word)]
}

// opens says whether a sentence may begin with a text.
func opens(rest string) bool {
	rest = strings.TrimLeft(rest, " \n\r\t>")
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, "*_\"'“‘«([`¿¡"))
	return rest == "" || !unicode.IsLower(r) || rest[0] == '`'
}
