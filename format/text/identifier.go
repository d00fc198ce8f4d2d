package text

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// maxSegments bounds one identifier: a chain of more words joined by connectors is cut into several.
const maxSegments = 32

// segment is a word of an identifier: a run of letters, digits and marks.
type segment struct {
	start, end int
	joint      byte // the connector after it: one of joints, or 0 at the end
}

// joints are the connectors, from the one that cuts first.
const joints = "/.-_"

// identifier handles the identifier whose first word starts at text[first:]. It starts at start, which is before first
// where a prefix belongs to it ("--", "__", "@"): the whole with the prefix is then a token of its own.
func (a *Analyzer) identifier(dst []Token, text string, start, first int, pos uint32) ([]Token, int, uint32) {
	scoped := start < first && text[start] == '@'
	a.segments = a.segments[:0]
	i := first
	for joint := byte(1); joint != 0; {
		seg, resume := scanSegment(text, i)
		i, joint = resume, 0
		if seg.end == resume && len(a.segments) < maxSegments-1 {
			joint, i = jointAt(text, resume, scoped)
		}
		seg.joint = joint
		a.segments = append(a.segments, seg)
		scoped = scoped && joint != '/'
	}
	segs := a.segments
	end := segs[len(segs)-1].end
	part := false
	switch {
	case start < first && !scoped: // an '@' without a slash is no prefix
		if text[start] == '_' {
			end = underscores(text, end)
			i = max(i, end)
		}
		if end-start <= maxWordBytes {
			dst, part = a.emit(dst, text, start, end, pos, true, false)
		}
	case start == first && len(segs) == 1 && end == start+1:
		if suffix := operatorAt(text, end); suffix > 0 {
			dst, part = a.emit(dst, text, start, end+suffix, pos, true, false)
			i = end + suffix
		}
	}
	dst, pos = a.level(dst, text, segs, 0, pos, part)
	return dst, i, pos
}

// underscores returns the end of the run of '_' at text[i:].
func underscores(text string, i int) int {
	for i < len(text) && text[i] == '_' {
		i++
	}
	return i
}

// scanSegment returns the run of word characters at text[i:], and where to go on: after the apostrophe of an elided
// article, else at the segment's end.
func scanSegment(text string, i int) (segment, int) {
	start, elided := i, true
	last := other
	for i < len(text) {
		r, size, c := decode(text, i)
		if c.inWord() && !isApostrophe(r) {
			if c != mark {
				last = c
			}
			i += size
			continue
		}
		if !isApostrophe(r) || !last.isLetter() {
			break
		}
		if _, _, next := decode(text, i+size); !next.isLetter() {
			break
		}
		if elided && isElided(text[start:i]) {
			return segment{start: start, end: i}, i + size
		}
		elided, last = false, other
		i += size
	}
	return segment{start: start, end: i}, i
}

// isElided reports whether a word before an apostrophe is an elided article, pronoun or preposition.
func isElided(word string) bool {
	if len(word) > 8 {
		return false
	}
	var buf [8]byte
	for i := 0; i < len(word); i++ {
		switch b := word[i]; asciiClassOf(b) {
		case lower:
			buf[i] = b
		case upper:
			buf[i] = b + 'a' - 'A'
		default:
			return false
		}
	}
	switch string(buf[:len(word)]) {
	case "l", "d", "j", "m", "t", "s", "n", "c", "qu", "jusqu", "lorsqu", "puisqu", "quoiqu", "presqu",
		"quelqu", // French, Catalan
		"un", "all", "dell", "dall", "nell", "sull", "coll", "quell", "quest", "bell", "sant", "gl", "agl", "degl",
		"dagl",
		"negl", "sugl", "anch", "senz", "dov", "tutt", "mezz", "nient", "null", "cos": // Italian
		return true
	}
	return false
}

// jointAt returns the connector at text[i:] and where the word after it starts; 0 and i if no word is joined there.
func jointAt(text string, i int, scoped bool) (joint byte, after int) {
	r, size, _ := decode(text, i)
	after = i + size
	switch {
	case r == '_':
		joint, after = '_', underscores(text, after)
	case r == '.':
		joint = '.'
	case isHyphen(r):
		joint = '-'
	case r == '/' && scoped:
		joint = '/'
	default:
		return 0, i
	}
	if _, _, c := decode(text, after); !c.startsWord() {
		return 0, i
	}
	return joint, after
}

// operatorAt returns the length of "++" or "#" at text[i:] when it ends a name such as C++ or F#, else 0.
func operatorAt(text string, i int) int {
	size := 0
	switch {
	case strings.HasPrefix(text[i:], "++"):
		size = 2
	case strings.HasPrefix(text[i:], "#"):
		size = 1
	default:
		return 0
	}
	if i+size < len(text) {
		if b := text[i+size]; b >= utf8.RuneSelf || asciiClass[b] != other || b == '+' || b == '#' || b == '_' {
			return 0
		}
	}
	return size
}

// level emits the tokens of segs, which are joined by joints[depth:] alone: the whole if this level cuts it, then each
// piece. It returns the position after the last part.
func (a *Analyzer) level(dst []Token, text string, segs []segment, depth int, pos uint32, part bool) ([]Token, uint32) {
	if depth == len(joints) {
		return a.word(dst, text, segs[0].start, segs[0].end, pos, part)
	}
	joint, last := joints[depth], len(segs)-1
	cuts := slices.ContainsFunc(segs[:last], func(seg segment) bool { return seg.joint == joint })
	if !cuts {
		return a.level(dst, text, segs, depth+1, pos, part)
	}
	if joint != '/' && segs[last].end-segs[0].start <= maxWordBytes {
		dst, _ = a.emit(dst, text, segs[0].start, segs[last].end, pos, true, part)
		part = true
		// the v of v1.2.3 is no word: 1.2.3 is a whole too, and 1 its first part
		if joint == '.' && isVersion(text, segs) {
			segs[0].start++
			dst, _ = a.emit(dst, text, segs[0].start, segs[last].end, pos, true, part)
		}
	}
	from := 0
	for i := range segs {
		if i == last || segs[i].joint == joint {
			dst, pos = a.level(dst, text, segs[from:i+1], depth+1, pos, part)
			from = i + 1
		}
	}
	return dst, pos
}

// isVersion reports whether segs, joined by dots, start with v and a number: v1.2.3.
func isVersion(text string, segs []segment) bool {
	first := text[segs[0].start:segs[0].end]
	if len(first) < 2 || first[0] != 'v' && first[0] != 'V' || segs[0].joint != '.' {
		return false
	}
	for i := 1; i < len(first); i++ {
		if asciiClassOf(first[i]) != digit {
			return false
		}
	}
	return asciiClassOf(text[segs[1].start]) == digit
}

// word emits one segment: whole and in parts where capitals cut it, in pieces where it is too long.
func (a *Analyzer) word(dst []Token, text string, start, end int, pos uint32, part bool) ([]Token, uint32) {
	var ok bool
	if end-start > maxWordBytes {
		for start < end {
			to := min(start+maxWordBytes, end)
			for to < end && to > start+maxWordBytes-utf8.UTFMax && !utf8.RuneStart(text[to]) {
				to--
			}
			if dst, ok = a.emit(dst, text, start, to, pos, false, part); ok {
				pos++
			}
			start = to
		}
		return dst, pos
	}
	a.bounds = capitals(a.bounds[:0], text, start, end)
	if n := len(a.bounds); n > 0 {
		dst, _ = a.emit(dst, text, start, end, pos, true, part)
		a.bounds = append(a.bounds, end)
		for _, to := range a.bounds {
			if dst, ok = a.emit(dst, text, start, to, pos, false, true); ok {
				pos++
			}
			start = to
		}
		return dst, pos
	}
	if dst, ok = a.emit(dst, text, start, end, pos, false, part); ok {
		pos++
	}
	return dst, pos
}

// capitals appends to dst the places inside text[start:end] where a capital starts a new word: after a lower-case
// letter, as the last of several capitals before lower-case letters, and after a digit. A run that looks like random
// letters (many short parts, as in base64) is not cut.
func capitals(dst []int, text string, start, end int) []int {
	previous, hasLower, first, noisy := other, false, len(dst), 2
	for i := start; i < end; {
		_, size, c := decode(text, i)
		if c == upper && previous.startsWord() {
			after, next := letterAt(text, i+size, end)
			follows := after == lower
			if follows && previous == upper { // one small letter after capitals belongs to them: URLs, IPv4, MHz
				second, _ := letterAt(text, next, end)
				follows = second == lower
			}
			if previous == lower || follows || previous == digit && hasLower {
				dst = append(dst, i)
				hasLower = false
			}
		}
		if c == digit {
			noisy = 4
		}
		if c != mark {
			previous = c
			hasLower = hasLower || c == lower
		}
		i += size
	}
	if n := len(dst) - first; n > 3 && (end-start)/(n+1) < noisy || n > 15 {
		return dst[:first]
	}
	return dst
}

// letterAt returns the class of the first character of text[i:end] that is no mark, and where the one after it starts:
// an accent that is written by itself parts no letters. The class is other where there is none.
func letterAt(text string, i, end int) (c class, next int) {
	for i < end {
		_, size, c := decode(text, i)
		i += size
		if c != mark {
			return c, i
		}
	}
	return other, end
}
