package wire

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"kdd/format/text"
)

// Clean makes text of a document harmless in one line of output: in a terminal, in a log, and in a model's context.
//
// Line breaks and tabs become spaces. Control characters (the escape of ANSI sequences among them) and invalid UTF-8
// become U+FFFD. Bidirectional controls, zero-width characters and the invisible alphabets (tags, stray variation
// selectors) are dropped. The joiners U+200C and U+200D stay between letters of the scripts that need them, and U+200D
// in emoji. Text without any of these is returned as it is, without a copy.
func Clean(s string) string { return clean(s, false) }

// CleanLines is Clean for text of several lines: it keeps line feeds and tabs, and takes CR LF for a line feed.
func CleanLines(s string) string { return clean(s, true) }

func clean(s string, lines bool) string {
	at := firstUnclean(s, lines)
	if at == len(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	b.WriteString(s[:at])
	before, _ := utf8.DecodeLastRuneInString(s[:at])
	for i := at; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		after := s[i+n:]
		i += n
		switch actionFor(r, n, before, after, lines) {
		case keep:
			b.WriteRune(r)
		case blank:
			b.WriteByte(' ')
			r = ' '
		case show:
			b.WriteRune(utf8.RuneError)
			r = utf8.RuneError
		case drop:
			continue
		}
		before = r
	}
	return b.String()
}

// firstUnclean returns the place of the first rune that Clean changes, or len(s).
func firstUnclean(s string, lines bool) int {
	before := rune(utf8.RuneError)
	for i := 0; i < len(s); {
		if c := s[i]; c >= ' ' && c < 0x7f {
			before = rune(c)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if actionFor(r, n, before, s[i+n:], lines) != keep {
			return i
		}
		before = r
		i += n
	}
	return len(s)
}

// action is what Clean does with a rune.
type action uint8

const (
	keep  action = iota
	blank        // becomes a space
	show         // becomes U+FFFD
	drop
)

// actionFor says what Clean does with the rune r, which took n bytes and stands between the rune before and the text
// after.
func actionFor(r rune, n int, before rune, after string, lines bool) action {
	switch {
	case r >= ' ' && r < 0x7f:
		return keep
	case r == '\n' || r == '\t':
		if lines {
			return keep
		}
		return blank
	case r == '\r':
		if strings.HasPrefix(after, "\n") {
			return drop
		}
		return blank
	case r == '\v' || r == '\f' || r == 0x85 || r == 0x2028 || r == 0x2029:
		return blank
	case r < ' ' || r >= 0x7f && r < 0xa0 || r == utf8.RuneError && n <= 1:
		return show
	case r == 0x200c || r == 0x200d:
		return joiner(r, before, after)
	case r >= 0xfe00 && r <= 0xfe0f: // one variation selector on a visible character
		return keepIf(before > ' ' && before != utf8.RuneError && !variation(before))
	case r >= 0xe0100 && r <= 0xe01ef:
		return keepIf(unicode.Is(unicode.Han, before))
	}
	return keepIf(!invisible(r))
}

func keepIf(keeps bool) action {
	if keeps {
		return keep
	}
	return drop
}

func variation(r rune) bool { return r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0100 && r <= 0xe01ef }

// invisible reports whether r has no shape of its own and can hide or reorder text: bidirectional controls, zero-width
// characters, fillers, tags. The joiners and variation selectors are not among them.
func invisible(r rune) bool {
	switch {
	case r < 0xad, r == 0x200c, r == 0x200d:
		return false
	case r == 0x34f || r == 0x115f || r == 0x1160 || r == 0x3164 || r == 0xffa0 || r == 0x17b4 || r == 0x17b5:
		return true
	case r >= 0x600 && r <= 0x605 || r == 0x6dd || r == 0x70f || r == 0x890 || r == 0x891 || r == 0x8e2 || r == 0x110bd || r == 0x110cd:
		return false // number signs: format characters that are drawn
	case r >= 0xe0000 && r <= 0xe0fff:
		return !variation(r)
	}
	return unicode.Is(unicode.Cf, r)
}

// joinedScripts are the scripts whose spelling needs U+200C and U+200D.
var joinedScripts = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Mongolian, unicode.Mandaic, unicode.Devanagari, unicode.Bengali,
	unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam,
	unicode.Sinhala, unicode.Tibetan, unicode.Myanmar, unicode.Khmer, unicode.Balinese, unicode.Javanese,
}

// joiner keeps a joiner between before and after if it is part of the spelling; else it is a hidden character.
func joiner(r, before rune, after string) action {
	next, n := utf8.DecodeRuneInString(after)
	for invisible(next) { // it is dropped, so the joiner does not join it
		after = after[n:]
		next, n = utf8.DecodeRuneInString(after)
	}
	return keepIf(unicode.In(before, joinedScripts...) && unicode.In(next, joinedScripts...) ||
		r == 0x200d && (emoji(before) || variation(before)) && emoji(next))
}

// emoji reports whether r can stand in an emoji sequence.
func emoji(r rune) bool {
	return r >= 0x1f000 && r <= 0x1faff || r >= 0x2190 && r <= 0x2bff
}

// Shorten returns s if it has at most limit bytes, else its beginning, cut between characters and ended by "…", in at
// most limit bytes.
func Shorten(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	n := limit - len("…")
	if n <= 0 {
		return ""
	}
	return text.CutRunes(s, n) + "…"
}

// OneLine is Clean with each run of spaces replaced by one space.
func OneLine(s string) string { return strings.Join(strings.Fields(Clean(s)), " ") }
