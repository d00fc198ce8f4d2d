package text

// maxClusterBytes bounds one character with its marks; further marks are passed over.
const maxClusterBytes = 32

// pairs handles the run of characters of class c at text[i:]: overlapping pairs, a lone character as it is.
func (a *Analyzer) pairs(dst []Token, text string, i int, pos uint32, c class) ([]Token, int, uint32) {
	var ok bool
	start, end, next := cluster(text, i, c)
	for n := 0; ; n++ {
		_, _, following := decode(text, next)
		if following != c || end < next { // a character whose marks were passed over ends the run too
			if dst, ok = a.emitPair(dst, text, start, end, pos, n > 0); ok {
				dst[len(dst)-1].Lone = true
				pos++
			}
			return dst, next, pos
		}
		nextStart, nextEnd, after := cluster(text, next, c)
		if dst, ok = a.emitPair(dst, text, start, nextEnd, pos, false); ok {
			pos++
		}
		start, end, next = nextStart, nextEnd, after
	}
}

// emitPair appends the token of one or two characters; tail marks the last of a run.
func (a *Analyzer) emitPair(dst []Token, text string, start, end int, pos uint32, tail bool) ([]Token, bool) {
	word := forms{fold: text[start:end]}
	word.lower = word.fold
	if !isPlainPair(word.fold) {
		word = a.forms(word.fold)
	}
	if word.fold == "" {
		return dst, false
	}
	return append(dst, Token{Fold: word.fold, Lower: word.lower, Pos: pos, Start: start, End: end, CJK: true,
		Part: tail}), true
}

// isPlainPair reports whether folding cannot change s: common Han, kana and Hangul syllables.
func isPlainPair(s string) bool {
	for _, r := range s {
		if !(r >= 0x4E00 && r <= 0x9FFF || r >= 0x3041 && r <= 0x3096 || r >= 0x30A1 && r <= 0x30FA || r == 0x30FC ||
			r >= 0xAC00 && r <= 0xD7A3) {
			return false
		}
	}
	return true
}

// cluster returns the character at text[i:] with the marks that belong to it, and where the next one starts.
func cluster(text string, i int, c class) (start, end, next int) {
	start = i
	joined := c == pairSouth // a leading vowel, or a sign that stacks the next consonant, takes the next letter in
	for {
		r, size, found := decode(text, i)
		switch {
		case i == start:
			joined = joined && isLeadingVowel(r)
		case found == mark:
			joined = isStacker(r)
		case isJamoFollower(r), isFollowingVowel(r):
		case joined && found == c:
			joined = false
		default:
			return start, end, i
		}
		i += size
		if i-start <= maxClusterBytes {
			end = i
		} else if found != mark {
			return start, end, i
		}
	}
}

// isLeadingVowel reports whether r is a Thai or Lao vowel written before its consonant.
func isLeadingVowel(r rune) bool { return r >= 0x0E40 && r <= 0x0E44 || r >= 0x0EC0 && r <= 0x0EC4 }

// isFollowingVowel reports whether r is a Thai or Lao vowel letter that belongs to the consonant before it.
func isFollowingVowel(r rune) bool {
	switch r {
	case 0x0E30, 0x0E32, 0x0E33, 0x0E45, 0x0EB0, 0x0EB2, 0x0EB3:
		return true
	}
	return false
}

// isStacker reports whether r makes the next consonant part of the same cluster: Burmese virama, Khmer coeng, Tai Tham
// sakot, Balinese adeg-adeg, Javanese pangkon.
func isStacker(r rune) bool {
	return r == 0x1039 || r == 0x17D2 || r == 0x1A60 || r == 0x1B44 || r == 0xA9C0
}

// isJamoFollower reports whether r is a vowel or final consonant of a Hangul syllable written in its parts.
func isJamoFollower(r rune) bool { return r >= 0x1160 && r <= 0x11FF || r >= 0xD7B0 && r <= 0xD7FB }
