package snippet

import (
	"strings"
	"unicode"
)

// Evidence returns a test for words of a text that a query asks for: the same letters whatever their case, or the same
// beginning of four letters and more with endings of at most three. It is for marking words, not for finding them.
func Evidence(query string) func(word string) bool {
	var asked []string
	for _, w := range strings.FieldsFunc(strings.ToLower(query), func(r rune) bool { return !wordRune(r) }) {
		if len(asked) < 64 && (len(w) > 2 || len(w) > 0 && (w[0] >= 0x80 || unicode.IsDigit(rune(w[0])))) && !smallWords[w] {
			asked = append(asked, w)
		}
	}
	return func(word string) bool {
		word = strings.ToLower(word)
		for _, a := range asked {
			n := 0
			for n < len(a) && n < len(word) && a[n] == word[n] {
				n++
			}
			if n == len(a) && n == len(word) || n >= 4 && len(a)-n <= 3 && len(word)-n <= 3 {
				return true
			}
		}
		return false
	}
}

var smallWords = map[string]bool{
	"the": true, "and": true, "for": true, "how": true, "does": true, "what": true, "are": true, "with": true, "can": true,
	"when": true, "why": true, "that": true, "this": true, "from": true, "not": true, "you": true, "use": true, "into": true,
}
