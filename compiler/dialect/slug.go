package dialect

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// The slugs of generators that are not GitHub's (format/text.Slug), of a heading's plain text. None of them numbers.

// pythonSlug is the slug of Python-Markdown's toc extension: compatibility forms taken apart, what is not ASCII
// dropped, words joined by "-".
//
// Source: https://python-markdown.github.io/extensions/toc/ (slugify) and its reference code.
func pythonSlug(heading string) string { return pythonWords(norm.NFKD.String(heading), true) }

// pymdownSlug is pymdownx.slugs.slugify(case="lower"): the same of any script.
//
// Source: https://facelessuser.github.io/pymdown-extensions/extras/slugs/
func pymdownSlug(heading string) string { return pythonWords(norm.NFC.String(heading), false) }

func pythonWords(heading string, ascii bool) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.TrimSpace(heading) {
		switch {
		case ascii && r >= 0x80:
		case r == '-' || unicode.IsSpace(r):
			gap = true
		case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			if gap {
				b.WriteByte('-')
			}
			gap = false
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// kramdownSlug is the id of kramdown, of which Jekyll uses the GitHub parser: it begins with a letter, ASCII and
// letters of other scripts alike.
//
// Source: https://kramdown.gettalong.org/converter/html.html#auto-ids
func kramdownSlug(heading string) string {
	heading = strings.TrimLeftFunc(heading, func(r rune) bool { return !unicode.IsLetter(r) })
	var b strings.Builder
	for _, r := range heading {
		switch {
		case r == ' ' || r == '-':
			b.WriteByte('-')
		case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			b.WriteRune(unicode.ToLower(r))
		}
	}
	if b.Len() == 0 {
		return "section"
	}
	return b.String()
}

// mdbookSlug is mdBook's: letters, digits, "_" and "-" kept, each white space a "-".
//
// Source: https://rust-lang.github.io/mdBook/format/markdown.html (heading attributes) and the code of mdBook 0.4.
func mdbookSlug(heading string) string {
	var b strings.Builder
	for _, r := range strings.TrimSpace(heading) {
		switch {
		case r == '_' || r == '-' || unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.Other_Alphabetic, r):
			b.WriteRune(unicode.ToLower(r))
		case unicode.IsSpace(r):
			b.WriteByte('-')
		}
	}
	return b.String()
}

// vitepressSlug is that of @mdit-vue/shared: marks of letters dropped, each run of white space and marks a "-", "_"
// before a digit.
//
// Source: https://vitepress.dev/guide/markdown#header-anchors
func vitepressSlug(heading string) string {
	var b strings.Builder
	gap := false
	for _, r := range norm.NFKD.String(heading) {
		switch {
		case r >= 0x300 && r <= 0x36f || r < 0x20:
		case unicode.IsSpace(r) || strings.ContainsRune("~`!@#$%^&*()-_+=[]{}|\\;:\"'“”‘’<>,.?/", r):
			gap = true
		default:
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			gap = false
			b.WriteRune(unicode.ToLower(r))
		}
	}
	slug := b.String()
	if slug != "" && '0' <= slug[0] && slug[0] <= '9' {
		slug = "_" + slug
	}
	return slug
}
