package encoder

import (
	"sort"
	"unicode"
	"unicode/utf8"
)

// lowerRun is a range of characters whose lower case is at one distance: each step-th character from lo to hi.
type lowerRun struct{ lo, hi, step, distance rune }

// The classes of bytes: what a byte does to the word that is being read.
const (
	classWord    = iota
	classSpace   // ends a word
	classMark    // punctuation: ends a word and is one
	classControl // removed by clean_text, otherwise part of a word
	classBreak   // removed by clean_text, otherwise a space: vertical tab and form feed
	classRune    // 0x80 and above: the first byte of a longer character
)

// byteClass is the class of each byte, and byteLower its lower case.
var byteClass, byteLower = asciiTables()

func asciiTables() (class, lower [256]uint8) {
	for i := range class {
		b := uint8(i)
		lower[i] = b
		switch {
		case b >= 0x80:
			class[i] = classRune
		case b == '\v' || b == '\f':
			class[i] = classBreak
		case b == ' ' || b == '\t' || b == '\n' || b == '\r':
			class[i] = classSpace
		case b < ' ' || b == 0x7f:
			class[i] = classControl
		case b >= 'A' && b <= 'Z':
			lower[i] = b + 'a' - 'A'
		case b >= 'a' && b <= 'z', b >= '0' && b <= '9':
		default:
			class[i] = classMark
		}
	}
	return class, lower
}

// isChinese reports whether handle_chinese_chars makes r a word of its own: the ideographs, not kana or Hangul.
func isChinese(r rune) bool {
	return r >= 0x3400 && r <= 0x4dbf || r >= 0x4e00 && r <= 0x9fff ||
		r >= 0xf900 && r <= 0xfaff || r >= 0x20000 && r <= 0x2a6df || r >= 0x2a700 && r <= 0x2b73f ||
		r >= 0x2b740 && r <= 0x2b81f || r >= 0x2b920 && r <= 0x2ceaf || r >= 0x2f800 && r <= 0x2fa1f
}

// stripAccents decomposes r, removes non-spacing marks, writes what is left, and returns how many characters that is: 0
// for a mark, 1 for nearly all others.
//
// It does not put marks that are kept into canonical order. There are some sixty such marks, all of musical notation
// and of scripts that no vocabulary has pieces for.
func stripAccents(r rune, left *[3]rune) int {
	left[0] = r
	if r < 0xc0 {
		return 1
	}
	if r >= 0xac00 && r <= 0xd7a3 {
		s := r - 0xac00
		left[0], left[1], left[2] = 0x1100+s/588, 0x1161+s%588/28, 0x11a7+s%28
		if s%28 == 0 {
			return 2
		}
		return 3
	}
	if unicode.Is(markRunes, r) {
		return 0
	}
	i := sort.Search(len(baseRunes), func(i int) bool { return baseRunes[i][0] >= r })
	if i < len(baseRunes) && baseRunes[i][0] == r {
		left[0] = baseRunes[i][1]
		return 1
	}
	i = sort.Search(len(baseSequences), func(i int) bool { return baseSequences[i][0] >= r })
	if i == len(baseSequences) || baseSequences[i][0] != r {
		return 1
	}
	n := copy(left[:], baseSequences[i][1:])
	for left[n-1] == 0 {
		n--
	}
	return n
}

// lowerCase returns the lower case of a character other than U+0130, which has two.
func lowerCase(r rune) rune {
	i := sort.Search(len(lowerRuns), func(i int) bool { return lowerRuns[i].hi >= r })
	if i < len(lowerRuns) {
		if run := lowerRuns[i]; r >= run.lo && (r-run.lo)%run.step == 0 {
			return r + run.distance
		}
	}
	return r
}

// normalize appends the normalised form of text to dst: spaces kept, Chinese characters between spaces.
func (v *Vocab) normalize(dst []byte, s string) []byte {
	for _, r := range s {
		if v.flags&flagClean != 0 {
			if r < utf8.RuneSelf {
				if c := byteClass[r]; c == classControl || c == classBreak {
					continue
				}
			} else if unicode.Is(droppedRunes, r) {
				continue
			}
			if unicode.Is(spaceRunes, r) || r == '\t' || r == '\n' || r == '\r' {
				r = ' '
			}
		}
		chinese := v.flags&flagChinese != 0 && isChinese(r)
		if chinese {
			dst = append(dst, ' ')
		}
		left, n := [3]rune{r}, 1
		if v.flags&flagStrip != 0 {
			n = stripAccents(r, &left)
		}
		for _, r := range left[:n] {
			switch {
			case v.flags&flagLower == 0:
			case r == 'İ':
				dst = append(dst, 'i')
				r = '\u0307'
			case r < utf8.RuneSelf:
				r = rune(byteLower[r])
			default:
				r = lowerCase(r)
			}
			dst = utf8.AppendRune(dst, r)
		}
		if chinese {
			dst = append(dst, ' ')
		}
	}
	return dst
}
