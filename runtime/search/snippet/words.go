package snippet

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Span is a place in a text where a word of the query was found.
type Span struct {
	Start, End int     // bytes, End exclusive
	Term       int     // which word of the query; several spans of one term count little more than one
	Weight     float64 // of the term; 0 counts as 1
}

// Words returns the spans of the words of text for which match is true, each a term of its own weight 1. Words are
// runs of letters, marks, digits and "_".
func Words(text string, match func(word string) bool) []Span {
	var spans []Span
	terms := map[string]int{}
	start := -1
	for i := 0; i <= len(text); {
		r, n := rune(' '), 1
		if i < len(text) {
			r, n = utf8.DecodeRuneInString(text[i:])
		}
		switch inside := wordRune(r); {
		case inside && start < 0:
			start = i
		case !inside && start >= 0:
			if word := text[start:i]; match(word) {
				key := strings.ToLower(word)
				if _, ok := terms[key]; !ok {
					terms[key] = len(terms)
				}
				spans = append(spans, Span{Start: start, End: i, Term: terms[key]})
			}
			start = -1
		}
		i += n
	}
	return spans
}

// maxAddress is how many bytes of an address are looked at on each side of a word in it.
const maxAddress = 200

// InAddress reports whether text[start:end] stands in an address: the target of a markdown link, a path in an attribute of a tag, or
// characters without a space, quote or bracket between them that have "://" or "../". Text of scripts without spaces around an address
// is not part of it.
func InAddress(text string, start, end int) bool {
	from := max(0, start-maxAddress)
	if at := strings.LastIndexFunc(text[from:start], endsAddress); at >= 0 {
		_, size := utf8.DecodeRuneInString(text[from+at:])
		from += at + size
	}
	to := min(len(text), end+maxAddress)
	if at := strings.IndexFunc(text[start:to], endsAddress); at >= 0 {
		to = start + at
	}
	if to < end {
		return false
	}
	attribute := strings.HasSuffix(text[:from], `="`) && (text[from] == '/' || text[from] == '#')
	return attribute || strings.HasSuffix(text[:from], "](") || strings.Contains(text[from:to], "://") || strings.Contains(text[from:to], "../")
}

func endsAddress(r rune) bool {
	if r < utf8.RuneSelf {
		return strings.IndexByte(" \t\r\n()[]<>\"`|", byte(r)) >= 0
	}
	return unicode.IsPunct(r) || unicode.IsSpace(r) || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

func wordRune(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}
