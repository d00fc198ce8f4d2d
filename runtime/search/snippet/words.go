package snippet

import (
	"cmp"
	"slices"
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

func (s Span) weight() float64 {
	if s.Weight > 0 {
		return s.Weight
	}
	return 1
}

// Marks returns the places of hits in text as characters, [first, behind the last), in order and without overlaps.
func Marks(text string, hits []Span) [][2]int {
	hits = slices.SortedFunc(slices.Values(hits), func(a, b Span) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End)) })
	var marks [][2]int
	end, chars := 0, 0 // of the last mark: bytes, characters
	for _, h := range hits {
		if h.Start < end {
			continue
		}
		first := chars + utf8.RuneCountInString(text[end:h.Start])
		chars = first + utf8.RuneCountInString(text[h.Start:h.End])
		marks, end = append(marks, [2]int{first, chars}), h.End
	}
	return marks
}

// maxAddress bounds the bytes of an address that are looked at on each side of a word in it.
const maxAddress = 200

// InAddress reports whether text[start:end] stands in an address: the target of a markdown link, a path in an attribute
// of a tag, or characters without a space, quote or bracket between them that have "://" or "../". Text of scripts
// without spaces around an address is not part of it.
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
