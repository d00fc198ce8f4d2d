package text

import (
	"strings"
	"unicode"
)

// Slug returns GitHub's anchor for a heading's plain text: lower case, letters, marks, digits, "_" and "-" of any
// script kept, spaces to "-", all else dropped. It does not number duplicates.
func Slug(heading string) string {
	var out strings.Builder
	out.Grow(len(heading))
	for _, r := range heading {
		switch {
		case r == ' ' || r == '-':
			out.WriteByte('-')
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '_':
			out.WriteByte(byte(r))
		case 'A' <= r && r <= 'Z':
			out.WriteByte(byte(r) + 'a' - 'A')
		case r < 0x80 || r == unicode.ReplacementChar:
		case unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc, unicode.Other_Alphabetic):
			out.WriteString(strings.ToLower(string(r)))
		}
	}
	return out.String()
}
