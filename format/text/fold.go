package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold returns the folded form of a whole string, such as a name, a title or an id: compatibility forms normalised
// (NFKC), no case, no accents, one space for each run of white space and none at the ends. Punctuation stays;
// typographic apostrophes and hyphens become ASCII. Fold(Fold(s)) equals Fold(s).
func Fold(s string) string {
	if isFoldedASCII(s) {
		return s
	}
	folded := foldLower(lowerText(s, true))
	return strings.Join(strings.Fields(folded), " ")
}

// isFoldedASCII reports whether Fold would return s itself, for the strings where that is quick to see.
func isFoldedASCII(s string) bool {
	space := true
	for i := 0; i < len(s); i++ {
		b := s[i]
		if b >= utf8.RuneSelf || b < ' ' || b >= 'A' && b <= 'Z' || b == ' ' && space {
			return false
		}
		space = b == ' '
	}
	return len(s) == 0 || !space
}

// lowerText returns s in lower case and NFKC, accents kept. Invisible characters are dropped, and typographic
// apostrophes and hyphens become ASCII. Unless text is set s is one word, and whatever NFKC put into it that belongs in
// no word (a space, a dot) is dropped too.
func lowerText(s string, text bool) string {
	if !norm.NFKC.IsNormalString(s) {
		s = norm.NFKC.String(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		switch {
		case r < utf8.RuneSelf:
			if 'A' <= r && r <= 'Z' {
				r += 'a' - 'A'
			}
			if !text && asciiClass[r] == other && !isConnector(r) {
				continue
			}
		case r == utf8.RuneError:
			continue
		case isIgnorable(r), r == 0x640: // 0x640: tatweel, which only stretches an Arabic word
			continue
		case isApostrophe(r):
			r = '\''
		case isHyphen(r):
			r = '-'
		default:
			r = unicode.ToLower(r)
			if !text && classOf(r) == other {
				continue
			}
		}
		b.WriteRune(r)
	}
	s = b.String()
	if !norm.NFKC.IsNormalString(s) {
		s = norm.NFKC.String(s)
	}
	return s
}

// isConnector reports whether r may stand inside the folded form of an identifier.
func isConnector(r rune) bool {
	switch r {
	case '.', '-', '_', '/', '@', '\'', '+', '#':
		return true
	}
	return false
}

// foldLower strips the accents of a string that lowerText made and completes the case folding.
func foldLower(s string) string {
	first := 0
	for first < len(s) && s[first] < utf8.RuneSelf {
		first++
	}
	if first == len(s) {
		return s
	}
	b := append(make([]byte, 0, len(s)), s[:first]...)
	var base script // of the last letter: tells which marks are accents
	if first > 0 {
		base = latin
	}
	for _, r := range s[first:] {
		switch {
		case r < utf8.RuneSelf:
			base = latin
			b = append(b, byte(r))
			continue
		case unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r):
			if base == others && !isPoint(r) {
				if r == 0x901 { // chandrabindu and anusvara are written one for the other: गाँव, गांव
					r = 0x902
				}
				b = utf8.AppendRune(b, r)
			}
			continue
		}
		if plain := foldSpecial(r); plain != "" {
			b = append(b, plain...)
			base = scriptOf(r)
			continue
		}
		base = scriptOf(r)
		if base == latin || base == greek {
			if d := norm.NFKD.PropertiesString(string(r)).Decomposition(); len(d) > 0 {
				plain, _ := utf8.DecodeRune(d)
				if again := foldSpecial(plain); again != "" {
					b = append(b, again...)
					continue
				}
				r = firstOfDecomposition(plain)
			}
		} else if value, ok := decimal(r); ok {
			r = '0' + value
		}
		b = utf8.AppendRune(b, r)
	}
	if folded := string(b); folded != s {
		if !norm.NFKC.IsNormalString(folded) {
			folded = norm.NFKC.String(folded)
		}
		return folded
	}
	return s
}

// firstOfDecomposition follows canonical decompositions to the base letter: ế is ê and an acute, ê is e and a
// circumflex.
func firstOfDecomposition(r rune) rune {
	for r >= utf8.RuneSelf {
		d := norm.NFKD.PropertiesString(string(r)).Decomposition()
		if len(d) == 0 {
			return r
		}
		r, _ = utf8.DecodeRune(d)
	}
	return r
}

// foldSpecial returns what a lower-case letter folds to where that is not its base letter, or "".
func foldSpecial(r rune) string {
	switch r {
	case 'ß':
		return "ss"
	case 'æ', 'ǽ', 'ǣ':
		return "ae"
	case 'œ':
		return "oe"
	case 'ø', 'ǿ':
		return "o"
	case 'ł':
		return "l"
	case 'đ', 'ð':
		return "d"
	case 'þ':
		return "th"
	case 'ħ':
		return "h"
	case 'ŧ':
		return "t"
	case 'ŋ':
		return "n"
	case 'ı':
		return "i"
	case 'ȷ':
		return "j"
	case 'ς':
		return "σ"
	case 'ё', 'ѐ':
		return "е"
	case 'ѝ':
		return "и"
	case 'أ', 'إ', 'آ', 'ٱ':
		return "ا"
	case 'ى', 'ی':
		return "ي"
	case 'ک':
		return "ك"
	case 'ة':
		return "ه"
	case 'ऩ':
		return "न"
	case 'ऱ':
		return "र"
	case 'ऴ':
		return "ळ"
	}
	return ""
}

// isPoint reports whether r is a mark that words are mostly written without: Arabic and Hebrew vowel points, the nukta
// of Devanagari and Gurmukhi, enclosing and overlaid marks.
func isPoint(r rune) bool {
	return r >= 0x0610 && r <= 0x061A || r >= 0x064B && r <= 0x065F || r == 0x0670 || r >= 0x06D6 && r <= 0x06ED ||
		r >= 0x0591 && r <= 0x05C7 || r == 0x093C || r == 0x0A3C || r >= 0x20D0 && r <= 0x20F0
}

// script tells apart how accents work.
type script uint8

const (
	others   script = iota
	latin           // marks are accents
	greek           // likewise
	cyrillic        // loose marks are stress; precomposed letters such as й are letters
)

func scriptOf(r rune) script {
	switch {
	case r < 0x250, r >= 0x250 && r < 0x2B0, r >= 0x1D00 && r < 0x1F00, r >= 0x2C60 && r < 0x2C80, r >= 0xA720 &&
		r < 0xA800,
		r >= 0xAB30 && r < 0xAB70:
		return latin
	case r >= 0x370 && r < 0x400, r >= 0x1F00 && r < 0x2000:
		return greek
	case r >= 0x400 && r < 0x530, r >= 0x1C80 && r < 0x1C90, r >= 0x2DE0 && r < 0x2E00, r >= 0xA640 && r < 0xA6A0:
		return cyrillic
	}
	return others
}

// decimal returns the value of a decimal digit of any script.
func decimal(r rune) (rune, bool) {
	if !unicode.Is(unicode.Nd, r) {
		return 0, false
	}
	for _, block := range unicode.Nd.R16 { // each range holds whole sets of ten digits
		if r >= rune(block.Lo) && r <= rune(block.Hi) {
			return (r - rune(block.Lo)) % 10, true
		}
	}
	for _, block := range unicode.Nd.R32 {
		if r >= rune(block.Lo) && r <= rune(block.Hi) {
			return (r - rune(block.Lo)) % 10, true
		}
	}
	return 0, false
}
