// Beginnings of texts that are too long, cut between characters: what is left of UTF-8 is UTF-8.

package text

import (
	"strings"
	"unicode/utf8"
)

// CutRunes returns the longest beginning of s that has at most most bytes and no part of a character.
func CutRunes(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}

// CutWords is CutRunes, and ends at a space if the second half of that has one. The space is left out.
func CutWords(s string, most int) string {
	if len(s) <= most {
		return s
	}
	s = CutRunes(s, most)
	if space := strings.LastIndexByte(s, ' '); space > len(s)/2 {
		return s[:space]
	}
	return s
}

// Ellipsis is CutRunes, and ends in "…", which does not count, if something is left out.
func Ellipsis(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return CutRunes(s, most) + "…"
}
