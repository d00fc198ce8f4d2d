package answer

import (
	"strings"
	"unicode"

	"kdd/format/plain"
)

// reads returns a unit as a reader sees it: on one line, without the marks of emphasis, links and quotations, tags and
// comments. Code spans stay as they are, and so do the marks between the cells of a row.
func reads(kind Kind, markdown string) string {
	if kind == Row {
		return plain.Cells(markdown)
	}
	return plain.Sentence(markdown)
}

// wordCount returns the number of words of a text.
func wordCount(s string) int {
	n := 0
	for _, f := range strings.Fields(s) {
		if strings.ContainsFunc(f, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			n++
		}
	}
	// Text without spaces between words: two characters count as one.
	wide := 0
	for _, r := range s {
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer,
			unicode.Myanmar) {
			wide++
		}
	}
	return max(n, wide/2)
}

// key returns a text that is equal for two units that say the same.
func key(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ")
}
