package duplicate

import (
	"slices"
	"unicode"
)

// shingleWords is the length of a shingle.
const shingleWords = 3

// shingler makes sets of shingles; it is for one goroutine.
type shingler struct {
	words  []uint64
	hashes []uint64
}

// set returns the hashes of a text's shingles, ascending, each once; of a text with fewer words than one shingle has,
// none. Words are runs of letters, marks and digits, whatever their case; in scripts that do not part words each
// character is one. The slice is the shingler's until its next call.
//
// Hashes have 64 bits: among the shingles of two texts of 1,000 words equal hashes of unequal shingles come once in
// 10^13.
func (s *shingler) set(text string) []uint64 {
	s.words = s.words[:0]
	const none = 0
	word := uint64(none)
	end := func() {
		if word != none {
			s.words = append(s.words, word)
			word = none
		}
	}
	for _, r := range text {
		switch {
		case r < unicode.MaxASCII:
			if c := asciiWord[r]; c == 0 {
				end()
			} else {
				if word == none {
					word = offset64
				}
				word = step(word, rune(c))
			}
		case unicode.In(r, unparted...):
			end()
			word = step(offset64, unicode.ToLower(r))
			end()
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			if word == none {
				word = offset64
			}
			word = step(word, unicode.ToLower(r))
		default:
			end()
		}
	}
	end()
	s.hashes = s.hashes[:0]
	for i := shingleWords; i <= len(s.words); i++ {
		h := uint64(offset64)
		for _, w := range s.words[i-shingleWords : i] {
			h = mix(h ^ w)
		}
		s.hashes = append(s.hashes, h)
	}
	slices.Sort(s.hashes)
	s.hashes = slices.Compact(s.hashes)
	return s.hashes
}

// asciiWord has the lower case of letters and digits, and 0 for what parts words.
var asciiWord = func() (t [unicode.MaxASCII]byte) {
	for c := range byte(len(t)) {
		if r := rune(c); unicode.IsLetter(r) || unicode.IsDigit(r) {
			t[c] = byte(unicode.ToLower(r))
		}
	}
	return t
}()

var unparted = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

// FNV-1a (Fowler, Noll & Vo) over runes, and the finaliser of splitmix64 (Steele, Lea & Flood 2014) over words: the
// order of hashes must not follow that of words.
const (
	offset64 = 14695981039346656037
	prime64  = 1099511628211
)

func step(h uint64, r rune) uint64 { return (h ^ uint64(r)) * prime64 }

func mix(h uint64) uint64 {
	h += 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}
