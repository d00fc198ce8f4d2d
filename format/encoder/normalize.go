package encoder

import (
	"encoding/binary"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A step of a Unigram vocabulary's normalisation is a byte that says what it does, and what that needs; integers are
// little-endian, texts are UTF-8 after a u16 that is their length.
//
//	1  character map: u32 length, bytes (charsmap.go)
//	2  NFC   3  NFD   4  NFKC   5  NFKD
//	6  strip spaces: u8, 1 before + 2 after the text
//	7  replace a text: two texts, old and new
//	8  replace runs of a character: u32 character (0xffffffff: any space), u32 least length, text
//	9  put a text before one that is not empty: text
//
// Unicode's forms are those of Go's x/text, whose version of Unicode may be behind that of the reference.
const (
	stepChars = iota + 1
	stepNFC
	stepNFD
	stepNFKC
	stepNFKD
	stepStrip
	stepReplace
	stepRun
	stepPrepend
)

const (
	maxSteps    = 16
	maxStepText = 64
	anySpace    = 0xffffffff
)

// step is one step of the normalisation.
type step struct {
	op       byte
	sides    byte // of stepStrip
	char     rune // of stepRun; -1 for any space
	least    int
	old, new string
	chars    *charsmap
}

// parseSteps reads all steps.
func parseSteps(b []byte) ([]step, error) {
	const what = "vocabulary: normalisation"
	var steps []step
	short := false
	cut := func(n uint64) []byte {
		if short = short || n > uint64(len(b)); short {
			return make([]byte, min(n, 8))
		}
		part := b[:n:n]
		b = b[n:]
		return part
	}
	text := func() string { return string(cut(uint64(binary.LittleEndian.Uint16(cut(2))))) }
	for len(b) > 0 && !short {
		if len(steps) == maxSteps {
			return nil, corrupt(what, "over %d steps", maxSteps)
		}
		s := step{op: cut(1)[0]}
		switch s.op {
		case stepChars:
			data := cut(uint64(binary.LittleEndian.Uint32(cut(4))))
			if short {
				break
			}
			var err error
			if s.chars, err = parseCharsmap(data); err != nil {
				return nil, err
			}
		case stepNFC, stepNFD, stepNFKC, stepNFKD:
		case stepStrip:
			if s.sides = cut(1)[0]; s.sides > 3 {
				return nil, corrupt(what, "step %d strips sides %d, want 0 to 3", len(steps), s.sides)
			}
		case stepReplace:
			if s.old, s.new = text(), text(); s.old == "" && !short {
				return nil, corrupt(what, "step %d replaces an empty text", len(steps))
			}
		case stepRun:
			char, least := binary.LittleEndian.Uint32(cut(4)), binary.LittleEndian.Uint32(cut(4))
			s.new = text()
			if s.char, s.least = rune(char), int(min(least, maxStepText)); !short &&
				(char != anySpace && !utf8.ValidRune(s.char) || least == 0 || least > maxStepText) {
				return nil, corrupt(what, "step %d replaces %d or more of character %#x", len(steps), least, char)
			}
		case stepPrepend:
			s.new = text()
		default:
			return nil, corrupt(what, "step %d is of kind %d, want 1 to %d", len(steps), s.op, stepPrepend)
		}
		if len(s.old) > maxStepText || len(s.new) > maxStepText || !utf8.ValidString(s.old) ||
			!utf8.ValidString(s.new) {
			return nil, corrupt(what, "step %d has a text of %d and %d bytes, want UTF-8 of at most %d",
				len(steps), len(s.old), len(s.new), maxStepText)
		}
		steps = append(steps, s)
	}
	if short {
		return nil, corrupt(what, "step %d ends after the bytes", len(steps)-1)
	}
	return steps, nil
}

// appendTo appends the bytes that parseSteps reads.
func (s *step) appendTo(b []byte) []byte {
	le := binary.LittleEndian
	text := func(t string) { b = append(le.AppendUint16(b, uint16(len(t))), t...) }
	b = append(b, s.op)
	switch s.op {
	case stepChars:
		b = append(le.AppendUint32(b, uint32(len(s.chars.raw))), s.chars.raw...)
	case stepStrip:
		b = append(b, s.sides)
	case stepReplace:
		text(s.old)
		text(s.new)
	case stepRun:
		b = le.AppendUint32(b, uint32(s.char))
		b = le.AppendUint32(b, uint32(s.least))
		text(s.new)
	case stepPrepend:
		text(s.new)
	}
	return b
}

// normalize returns text after all steps, and whether it still begins where the original did: a vocabulary that marks
// only the first word puts no marker before a text whose leading spaces were stripped, as in the reference.
//
// A step makes a text at most maxStepText times as long, and there are at most maxSteps. What would grow past
// maxNormalized is cut; no real vocabulary comes near that.
func (u *unigram) normalize(text string) (_ string, start bool) {
	limit := maxNormalized + 16*len(text)
	start = true
	for i := range u.steps {
		s := &u.steps[i]
		if s.op == stepStrip && s.sides&1 != 0 {
			r, _ := utf8.DecodeRuneInString(text)
			start = start && !unicode.IsSpace(r)
		}
		if text = s.apply(text); len(text) > limit {
			text = strings.ToValidUTF8(text[:limit], "")
		}
	}
	return text, start
}

// maxNormalized bounds how long a hostile vocabulary can make a short text; a long one may grow to 16 times its length.
const maxNormalized = 1 << 14

// apply returns text after the step.
func (s *step) apply(text string) string {
	switch s.op {
	case stepChars:
		return s.chars.apply(text)
	case stepNFC:
		return unicodeForm(norm.NFC, text)
	case stepNFD:
		return unicodeForm(norm.NFD, text)
	case stepNFKC:
		return unicodeForm(norm.NFKC, text)
	case stepNFKD:
		return unicodeForm(norm.NFKD, text)
	case stepStrip:
		if s.sides&1 != 0 {
			text = strings.TrimLeftFunc(text, unicode.IsSpace)
		}
		if s.sides&2 != 0 {
			text = strings.TrimRightFunc(text, unicode.IsSpace)
		}
	case stepReplace:
		return strings.ReplaceAll(text, s.old, s.new)
	case stepRun:
		return s.runs(text)
	case stepPrepend:
		if text != "" {
			return s.new + text
		}
	}
	return text
}

// unicodeForm returns text in a normal form. x/text breaks runs of more than 30 marks with U+034F, and the reference
// does not. So these are taken out again; only the order of the marks in such a run may differ.
func unicodeForm(f norm.Form, text string) string {
	const joiner = "\u034f"
	out := f.String(text)
	if strings.Contains(out, joiner) && !strings.Contains(text, joiner) {
		out = strings.ReplaceAll(out, joiner, "")
	}
	return out
}

// runs replaces each run of the step's character that has the least length or more.
func (s *step) runs(text string) string {
	var out []byte
	from, start, n := 0, 0, 0
	end := func(at int) {
		if n >= s.least {
			out = append(append(out, text[from:start]...), s.new...)
			from = at
		}
		n = 0
	}
	for i, r := range text {
		if r == s.char || s.char < 0 && unicode.IsSpace(r) {
			if n == 0 {
				start = i
			}
			n++
			continue
		}
		end(i)
	}
	end(len(text))
	if from == 0 {
		return text
	}
	return string(append(out, text[from:]...))
}
