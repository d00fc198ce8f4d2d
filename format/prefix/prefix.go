// Package prefix cuts texts that are too long, between characters: what is left of UTF-8 is UTF-8.
package prefix

import (
	"strings"
	"unicode/utf8"
)

// Runes returns the longest beginning of s that has at most most bytes and no part of a character.
func Runes(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}

// Words is Runes, and ends at a space if the second half of that has one. The space is left out.
func Words(s string, most int) string {
	if len(s) <= most {
		return s
	}
	s = Runes(s, most)
	if space := strings.LastIndexByte(s, ' '); space > len(s)/2 {
		return s[:space]
	}
	return s
}

// Ellipsis is Runes, and ends in "…", which does not count, if something is left out.
func Ellipsis(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return Runes(s, most) + "…"
}
