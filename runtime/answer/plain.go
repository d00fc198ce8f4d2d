package answer

import (
	"strings"
	"unicode"
)

var (
	wikiLink  = lazy(`!?\[\[([^\]|\n]*)(?:\|([^\]\n]*))?\]\]`)
	imageLink = lazy(`!\[([^\]]*)\]\([^)\s]*(?:\s+"[^"]*")?\)`)
	textLink  = lazy(`\[([^\[\]]*)\]\((?:[^()\s]|\([^()\s]*\))*(?:\s+"[^"]*")?\)`)
	refLink   = lazy(`\[([^\[\]]+)\]\[[^\]]*\]`)
	footnote  = lazy(`\[\^[^\]]+\]`)
	comment   = lazy(`\{/\*.*?\*/\}|<!--.*?-->`)
	tag       = lazy(`</?[A-Za-z][A-Za-z0-9]*(?:\s[^<>]*)?/?>`)
)

// plain returns markdown as plain text on one line: a link becomes its text; tags and comments are dropped. Nothing
// inside `code` changes.
func plain(text string) string {
	var b strings.Builder
	for i, part := range strings.Split(text, "`") {
		if i > 0 {
			b.WriteByte('`')
		}
		if i%2 == 0 {
			part = comment().ReplaceAllString(part, "")
			part = tag().ReplaceAllString(part, "")
			part = strings.ReplaceAll(part, "\n>", "\n")
		} else { // brackets that are code make no link
			part = strings.ReplaceAll(strings.ReplaceAll(part, "](", "]\x00("), "[[", "[\x00[")
		}
		b.WriteString(part)
	}
	s := b.String()
	s = wikiLink().ReplaceAllStringFunc(s, func(m string) string {
		p := wikiLink().FindStringSubmatch(m)
		if p[2] != "" {
			return p[2]
		}
		return p[1]
	})
	s = imageLink().ReplaceAllString(s, "$1")
	for range 2 {
		s = textLink().ReplaceAllString(s, "$1")
	}
	s = refLink().ReplaceAllString(s, "$1")
	s = footnote().ReplaceAllString(s, "")
	return strings.Join(strings.Fields(strings.ReplaceAll(s, "\x00", "")), " ")
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
