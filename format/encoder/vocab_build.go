package encoder

import (
	"encoding/binary"
	"fmt"
	"math"
)

// vocabSource holds what a tokenizer's files say, until it is encoded.
type vocabSource struct {
	flags                uint32
	maxRunes             int
	pieces               []string
	model                int // pieces below it are the model's; the rest are added tokens only
	added                []addedToken
	unknown, first, last int32
	unigram              *unigramSource // nil for WordPiece
}

// measure checks the source and returns the bytes of the longest piece, without "##", and of all pieces.
func (src *vocabSource) measure() (longest, all int, err error) {
	const what = "vocabulary"
	n := len(src.pieces)
	if n == 0 || n > maxPieces {
		return 0, 0, unsupported(what, "%d pieces, want 1 to %d", n, maxPieces)
	}
	if len(src.added) > maxAdded {
		return 0, 0, unsupported(what, "%d added tokens, want at most %d", len(src.added), maxAdded)
	}
	if src.unigram == nil && (src.maxRunes < 1 || src.maxRunes > maxWordRunes) {
		return 0, 0, unsupported(what, "max_input_chars_per_word is %d, want 1 to %d", src.maxRunes, maxWordRunes)
	}
	seen := make(map[string]int, n)
	for i, p := range src.pieces {
		if p == "" {
			return 0, 0, unsupported(what, "piece %d is empty", i)
		}
		if len(p) > maxPieceBytes {
			return 0, 0, unsupported(what, "piece %d has %d bytes, want at most %d", i, len(p), maxPieceBytes)
		}
		if j, ok := seen[p]; ok {
			return 0, 0, unsupported(what, "pieces %d and %d are both %q", j, i, p)
		}
		seen[p] = i
		body := p
		if src.unigram == nil {
			body, _ = splitPiece(p)
		}
		longest, all = max(longest, len(body)), all+len(p)
	}
	return longest, all, nil
}

// place finds a hash seed with which the model's pieces fit into a table of slots.
func (src *vocabSource) place(slots uint32) (table []uint32, seed, probes uint32, err error) {
	const seeds = 64
	for ; seed < seeds; seed++ {
		if table, probes = placePieces(src.pieces[:src.model], src.unigram == nil, slots, seed); table != nil {
			return table, seed, probes, nil
		}
	}
	return nil, 0, 0, fmt.Errorf("%w: vocabulary: %d pieces collide with each of %d hash seeds",
		ErrModel, len(src.pieces), seeds)
}

// newVocab lays the pieces out as bytes.
func newVocab(src *vocabSource) (*Vocab, error) {
	longest, textBytes, err := src.measure()
	if err != nil {
		return nil, err
	}
	n := len(src.pieces)
	slots := uint32(n + n/2 + 1)
	table, seed, probes, err := src.place(slots)
	if err != nil {
		return nil, err
	}
	b := make([]byte, vocabHeader, vocabHeader+4*n+textBytes)
	for i, u := range []uint32{
		vocabKind, uint32(n), uint32(textBytes), slots, seed, probes, src.flags, uint32(src.maxRunes),
		uint32(src.unknown), uint32(src.first), uint32(src.last), uint32(len(src.added)), uint32(longest),
	} {
		binary.LittleEndian.PutUint32(b[4*i:], u)
	}
	if src.unigram != nil {
		src.unigram.header(b)
	}
	le := binary.LittleEndian
	for _, t := range src.added {
		b = le.AppendUint32(b, t.bits(src.unigram != nil))
	}
	at := 0
	for i, p := range src.pieces {
		if i%vocabGroup == 0 {
			b = le.AppendUint32(b, uint32(at))
		}
		at += len(p)
	}
	for _, id := range table {
		if n >= math.MaxUint16 {
			b = le.AppendUint32(b, id)
		} else {
			b = le.AppendUint16(b, uint16(id))
		}
	}
	if n < math.MaxUint16 && slots%2 == 1 {
		b = append(b, 0, 0)
	}
	for _, p := range src.pieces {
		b = append(b, byte(len(p)))
	}
	for _, p := range src.pieces {
		b = append(b, p...)
	}
	if src.unigram != nil {
		b = src.unigram.append(b)
	}
	return OpenVocab(b)
}

// bits is the id of an added token with its flags. Only a Unigram vocabulary has tokens that take the spaces around
// them.
func (t *addedToken) bits(unigram bool) uint32 {
	u := uint32(t.id)
	if t.normalized {
		u |= addedNormalize
	}
	if t.word {
		u |= addedWord
	}
	if unigram && t.before {
		u |= addedBefore
	}
	if unigram && t.after {
		u |= addedAfter
	}
	return u
}

// placePieces fills a table of slots in id order and returns it with the length of the longest search; the table is nil
// if that is over maxProbes. Marked says whether "##" marks continuations.
func placePieces(pieces []string, marked bool, slots, seed uint32) (table []uint32, probes uint32) {
	table = make([]uint32, slots)
	for i, p := range pieces {
		body, cont := p, false
		if marked {
			body, cont = splitPiece(p)
		}
		slot := uint32(uint64(finishHash(hashPiece(seed, body, cont))) * uint64(slots) >> 32)
		for n := uint32(1); ; n++ {
			if n > maxProbes {
				return nil, 0
			}
			if table[slot] == 0 {
				table[slot] = uint32(i + 1)
				probes = max(probes, n)
				break
			}
			slot = (slot + 1) % slots
		}
	}
	return table, probes
}
