package text

import (
	"unicode"
	"unicode/utf8"
)

// class says what a character does to a word.
type class uint8

const (
	other     class = iota // separates words, unless it is a connector
	lower                  // a lower-case letter
	upper                  // an upper-case or title-case letter
	letter                 // a letter without case
	digit                  // a decimal digit or another number
	mark                   // extends the word it follows, never starts one
	pair                   // written without spaces, East Asia: cut into pairs
	pairSouth              // written without spaces, South-East Asia: cut into pairs of clusters
)

// inWord reports whether characters of the class make up words.
func (c class) inWord() bool { return c >= lower && c <= mark }

// startsWord reports whether a word may start with a character of the class.
func (c class) startsWord() bool { return c >= lower && c <= digit }

// isLetter reports whether the class is one of letters.
func (c class) isLetter() bool { return c >= lower && c <= letter }

// asciiClass is the class of each ASCII character.
var asciiClass = [utf8.RuneSelf]class{
	'0': digit, '1': digit, '2': digit, '3': digit, '4': digit, '5': digit, '6': digit, '7': digit, '8': digit,
	'9': digit,
	'a': lower, 'b': lower, 'c': lower, 'd': lower, 'e': lower, 'f': lower, 'g': lower, 'h': lower, 'i': lower,
	'j': lower, 'k': lower, 'l': lower, 'm': lower, 'n': lower, 'o': lower, 'p': lower, 'q': lower, 'r': lower,
	's': lower, 't': lower, 'u': lower, 'v': lower, 'w': lower, 'x': lower, 'y': lower, 'z': lower,
	'A': upper, 'B': upper, 'C': upper, 'D': upper, 'E': upper, 'F': upper, 'G': upper, 'H': upper, 'I': upper,
	'J': upper, 'K': upper, 'L': upper, 'M': upper, 'N': upper, 'O': upper, 'P': upper, 'Q': upper, 'R': upper,
	'S': upper, 'T': upper, 'U': upper, 'V': upper, 'W': upper, 'X': upper, 'Y': upper, 'Z': upper,
}

// runeRange is an inclusive range of characters.
type runeRange struct{ first, last rune }

// eastAsia holds the scripts cut into pairs: Han, kana, bopomofo, Hangul, Yi and Tangut, with their width forms.
var eastAsia = [...]runeRange{
	{0x1100, 0x11FF}, {0x2E80, 0x2FD5}, {0x3005, 0x3007}, {0x3021, 0x3029}, {0x3031, 0x3035}, {0x3038, 0x303C},
	{0x3041, 0x3096}, {0x309D, 0x309F}, {0x30A1, 0x30FA}, {0x30FC, 0x30FF}, {0x3105, 0x312F}, {0x3131, 0x318E},
	{0x31A0, 0x31BF}, {0x31F0, 0x31FF}, {0x3400, 0x4DBF}, {0x4E00, 0x9FFF}, {0xA000, 0xA48C}, {0xA960, 0xA97C},
	{0xAC00, 0xD7A3}, {0xD7B0, 0xD7FB}, {0xF900, 0xFAFF}, {0xFF66, 0xFF9D}, {0xFFA1, 0xFFDC}, {0x16FE3, 0x16FE3},
	{0x17000, 0x18CFF}, {0x1AFF0, 0x1B16F}, {0x20000, 0x323AF},
}

// southEastAsia holds the scripts cut into pairs of clusters: Thai, Lao, Burmese, Khmer, Tai Le, New Tai Lue, Tai Tham,
// Balinese, Javanese and Tai Viet; digits and punctuation in it are sorted out by classOf. (Tibetan needs none of this:
// a mark divides its syllables, which so are words.)
var southEastAsia = [...]runeRange{
	{0x0E01, 0x0EDF}, {0x1000, 0x109F}, {0x1780, 0x17DD}, {0x1950, 0x19DF}, {0x1A20, 0x1AAD}, {0x1B00, 0x1B7C},
	{0xA980, 0xA9DF}, {0xA9E0, 0xA9FE}, {0xAA60, 0xAA7F}, {0xAA80, 0xAADF},
}

func inRanges(ranges []runeRange, r rune) bool {
	low, high := 0, len(ranges)
	for low < high {
		mid := int(uint(low+high) >> 1)
		switch {
		case r < ranges[mid].first:
			high = mid
		case r > ranges[mid].last:
			low = mid + 1
		default:
			return true
		}
	}
	return false
}

// classOf returns the class of any character.
func classOf(r rune) class {
	if r < utf8.RuneSelf {
		if r < 0 {
			return other
		}
		return asciiClass[r]
	}
	if r >= 0x1100 && inRanges(eastAsia[:], r) {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return pair
		}
		return other
	}
	switch {
	case isApostrophe(r), r == 0xFFA0:
		return other
	case r == 0xFF9E, r == 0xFF9F: // half-width voicing marks
		return mark
	case unicode.IsLetter(r):
		switch {
		case r >= 0x0E01 && inRanges(southEastAsia[:], r):
			return pairSouth
		case unicode.IsLower(r):
			return lower
		case unicode.IsUpper(r), unicode.IsTitle(r):
			return upper
		}
		return letter
	case unicode.IsMark(r), isIgnorable(r):
		return mark
	case unicode.IsNumber(r) && !isFraction(r):
		return digit
	case isUnit(r):
		return lower
	}
	return other
}

// isUnit reports whether r is one of the squared units of measure, such as ㎏ and ㎡, that are words when they are
// spelled out in NFKC; those with a dot or a slash are not.
func isUnit(r rune) bool {
	switch {
	case r < 0x3371 || r > 0x33DF, r >= 0x337B && r <= 0x337F:
		return false
	}
	switch r {
	case 0x33A7, 0x33A8, 0x33AE, 0x33AF, 0x33C2, 0x33C6, 0x33C7, 0x33D8:
		return false
	}
	return true
}

// isFraction reports whether r is a number like ½, whose compatibility form is not one word.
func isFraction(r rune) bool {
	return r >= 0xBC && r <= 0xBE || r >= 0x2150 && r <= 0x215F || r == 0x2189
}

// isIgnorable reports whether r is invisible inside a word: soft hyphen, joiners, direction marks, selectors.
func isIgnorable(r rune) bool {
	switch {
	case r == 0xAD, r == 0x34F, r == 0x61C, r == 0x180E, r == 0xFEFF, r >= 0x200C && r <= 0x200F, r >= 0x202A &&
		r <= 0x202E,
		r >= 0x2060 && r <= 0x206F, r >= 0xFE00 && r <= 0xFE0F, r >= 0xE0000 && r <= 0xE0FFF,
		r == 0x115F, r == 0x1160, r == 0x3164: // Hangul fillers
		return true
	}
	return false
}

// isApostrophe reports whether r joins two letters of one word and is not part of its folded form.
func isApostrophe(r rune) bool {
	switch r {
	case '\'', 0x2019, 0x2018, 0x201B, 0xFF07, 0x02BC, 0xB7, 0x05F3, 0x05F4:
		return true
	}
	return false
}

// isHyphen reports whether r joins words as '-' does.
func isHyphen(r rune) bool {
	return r == '-' || r == 0x2010 || r == 0x2011 || r == 0xFF0D || r == 0xFE63
}

// decode returns the character at text[i:] with its size and class; an invalid byte is one character that separates.
func decode(text string, i int) (r rune, size int, c class) {
	if i >= len(text) {
		return -1, 0, other
	}
	if b := text[i]; b < utf8.RuneSelf {
		return rune(b), 1, asciiClass[b]
	}
	r, size = utf8.DecodeRuneInString(text[i:])
	if r == utf8.RuneError {
		return r, size, other
	}
	return r, size, classOf(r)
}
