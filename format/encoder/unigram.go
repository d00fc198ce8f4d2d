package encoder

import (
	"encoding/binary"
	"math"
	"unicode/utf8"
)

// A Unigram vocabulary's bytes are those of a WordPiece vocabulary (vocab.go), except for these:
//
//	offset  size  name
//	0       4     kind             2: Unigram
//	24      4     flags            1 scores are float64, 2 byte fallback, 4 words end at spaces,
//	                               8 words begin with a marker, 16 a marker before each word that has none,
//	                               32 one before the text that has none, 64 a word ends where a marker begins the next
//	28      4     marker           character that stands for a space (U+2581), 0 without flag 8
//	52      4     step bytes       of the normalisation
//	56      8     unknown score    float64: of a character without a piece
//	after the texts:
//	        4·n or 8·n             score of each piece: float32, float64 with flag 1
//	        step bytes             steps of the normalisation, in their order (normalize.go)
//
// The score is the logarithm of a piece's probability. Scores are float32 where that loses nothing, as in all
// vocabularies that SentencePiece wrote: ids must be those of the reference, which adds float64s up. No piece is a
// continuation: the hash is that of a piece's whole text, and "##" is not special.
//
// Size: 21 bytes a piece for 250,002 pieces of 8 bytes on average; 5.2 MB with the character map.
const (
	unigramKind    = 2
	unknownPenalty = 10 // below the lowest score, as in SentencePiece

	unigramWide    = 1 << 0
	unigramBytes   = 1 << 1
	unigramSpaces  = 1 << 2
	unigramMarker  = 1 << 3
	unigramAlways  = 1 << 4
	unigramFirst   = 1 << 5
	unigramSplit   = 1 << 6
	unigramFlags   = 1<<7 - 1
	unigramMarkers = unigramAlways | unigramFirst | unigramSplit // nothing without unigramMarker
)

// unigram is what a Unigram vocabulary has beyond its pieces.
type unigram struct {
	flags   uint32
	marker  string // "▁"
	unknown float64
	scores  []byte
	steps   []step
}

// scoreBytes is the size of a score.
func (u *unigram) scoreBytes() uint64 {
	if u.flags&unigramWide != 0 {
		return 8
	}
	return 4
}

// score returns the score of a piece below the number of pieces.
func (u *unigram) score(id int32) float64 {
	if u.flags&unigramWide != 0 {
		return math.Float64frombits(binary.LittleEndian.Uint64(u.scores[8*int(id):]))
	}
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(u.scores[4*int(id):])))
}

// openUnigram reads what the header has for Unigram.
func (v *Vocab) openUnigram(header []byte) error {
	const what = "vocabulary"
	marker := rune(binary.LittleEndian.Uint32(header[28:]))
	u := &unigram{flags: v.flags, unknown: math.Float64frombits(binary.LittleEndian.Uint64(header[56:]))}
	switch {
	case u.flags&^uint32(unigramFlags) != 0:
		return corrupt(what, "flags %#x, want none but %#x", u.flags, unigramFlags)
	case u.flags&unigramMarker == 0 && (u.flags&unigramMarkers != 0 || marker != 0):
		return corrupt(what, "flags %#x and marker %#x without flag %#x", u.flags, marker, unigramMarker)
	case u.flags&unigramAlways != 0 && u.flags&unigramFirst != 0:
		return corrupt(what, "flags %#x: a marker before each word and before the first only", u.flags)
	case u.flags&unigramMarker != 0 && (marker <= ' ' || !utf8.ValidRune(marker)):
		return corrupt(what, "marker %#x, want a character above a space", marker)
	case !(u.unknown > -math.MaxFloat64 && u.unknown < math.MaxFloat64):
		return corrupt(what, "the unknown score is %g", u.unknown)
	}
	if u.flags&unigramMarker != 0 {
		u.marker = string(marker)
	}
	v.unigram = u
	return nil
}

// verify reads all scores and the character map. Pieces from model on are added tokens only.
func (u *unigram) verify(model uint32) error {
	const what = "vocabulary"
	lowest := math.Inf(1)
	for id := range int32(uint64(len(u.scores)) / u.scoreBytes()) {
		s := u.score(id)
		if s-s != 0 {
			return corrupt(what, "the score of piece %d is %g", id, s)
		}
		if uint32(id) < model {
			lowest = min(lowest, s)
		} else if s != 0 {
			return corrupt(what, "added token %d has the score %g, want 0", id, s)
		}
	}
	if u.unknown != lowest-unknownPenalty {
		return corrupt(what, "the unknown score is %g, want %g, %d below the lowest",
			u.unknown, lowest-unknownPenalty, unknownPenalty)
	}
	for i := range u.steps {
		if m := u.steps[i].chars; m != nil {
			if err := m.verify(); err != nil {
				return err
			}
		}
	}
	return nil
}

// unigramSource holds what a tokenizer.json says of a Unigram model, until it is encoded.
type unigramSource struct {
	flags  uint32 // without unigramWide, which the scores decide
	marker rune
	scores []float64 // of the model's pieces
	pieces int       // with added tokens
	steps  []byte
}

// wide says whether a score needs a float64.
func (s *unigramSource) wide() bool {
	for _, x := range s.scores {
		if float64(float32(x)) != x {
			return true
		}
	}
	return false
}

// header completes the header.
func (s *unigramSource) header(b []byte) {
	le := binary.LittleEndian
	flags := s.flags
	if s.wide() {
		flags |= unigramWide
	}
	lowest := math.Inf(1)
	for _, x := range s.scores {
		lowest = min(lowest, x)
	}
	le.PutUint32(b, unigramKind)
	le.PutUint32(b[24:], flags)
	le.PutUint32(b[28:], uint32(s.marker))
	le.PutUint32(b[52:], uint32(len(s.steps)))
	le.PutUint64(b[56:], math.Float64bits(lowest-unknownPenalty))
}

// append adds scores and steps.
func (s *unigramSource) append(b []byte) []byte {
	le, wide := binary.LittleEndian, s.wide()
	for i := range s.pieces {
		var x float64
		if i < len(s.scores) {
			x = s.scores[i]
		}
		if wide {
			b = le.AppendUint64(b, math.Float64bits(x))
		} else {
			b = le.AppendUint32(b, math.Float32bits(float32(x)))
		}
	}
	return append(b, s.steps...)
}

// Score returns the logarithm of a piece's probability in the text that a Unigram vocabulary was learned from, and
// false for other vocabularies and ids.
func (v *Vocab) Score(id int32) (float64, bool) {
	if v.unigram == nil || id < 0 || uint32(id) >= v.n {
		return 0, false
	}
	return v.unigram.score(id), true
}
