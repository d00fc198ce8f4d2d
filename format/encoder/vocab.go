package encoder

import (
	"encoding/binary"
	"math"
)

// A WordPiece vocabulary's bytes are a header, an index and the texts of the pieces; integers are little-endian. A
// Unigram vocabulary's are the same but for what unigram.go says.
//
//	offset  size  name
//	0       4     kind             1: WordPiece
//	4       4     pieces           n, at least 1
//	8       4     text bytes
//	12      4     slots            more than n
//	16      4     seed             of the slot hash
//	20      4     probes           slots looked at in the longest search, 1 to 128
//	24      4     flags            1 lower-case, 2 strip accents, 4 clean text, 8 Chinese characters apart
//	28      4     word characters  longer words are unknown
//	32      4     unknown          id
//	36      4     first            id that EncodeWithSpecials puts first ([CLS])
//	40      4     last             id that it puts last ([SEP])
//	44      4     added            count of added tokens
//	48      4     longest          bytes of the longest piece without its prefix
//	52      12    zero
//	64      4·added                an added token each: id, plus 1<<30 if it is looked for in normalised text,
//	                               plus 1<<31 if it must not touch a word
//	                               (plus 1<<29 and 1<<28, Unigram only: it takes the spaces before it, after it)
//	        4·⌈n/16⌉               offset in the texts of pieces 0, 16, 32, ...
//	        w·slots                0 for a free slot, else id+1; w is 2 if n < 65,535, else 4; padded to 4 bytes
//	        n                      length of each piece in bytes
//	        text bytes             the pieces, one after the other, as in vocab.txt ("##" marks a continuation)
//
// A piece is in the first free slot from ⌊hash·slots / 2³²⌋ on, the table being circular. The hash of a piece is FNV-1a
// in 32 bits over its bytes without "##", from the basis 2166136261 ⊕ seed (and ⊕ 0x9e3779b9 for a continuation), then
// h ⊕= h>>16; h *= 0x85ebca6b; h ⊕= h>>13. The table is in the file since to build it would cost a query tool more than
// all the rest of a query.
const (
	vocabHeader    = 64
	vocabKind      = 1
	vocabGroup     = 16  // pieces for each stored offset
	maxProbes      = 128 // slots; a search that needs more is built again with another seed
	maxPieceBytes  = 255 // the length of a piece is one byte
	maxPieces      = 1 << 24
	maxAdded       = 1024
	maxWordRunes   = 1000
	addedAfter     = 1 << 28
	addedBefore    = 1 << 29
	addedNormalize = 1 << 30
	addedWord      = 1 << 31
	addedFlags     = addedAfter | addedBefore | addedNormalize | addedWord
)

// Normalisation flags.
const (
	flagLower = 1 << iota
	flagStrip
	flagClean
	flagChinese
	flagsAll = flagLower | flagStrip | flagClean | flagChinese
)

const (
	fnvBasis = 2166136261
	fnvPrime = 16777619
	contSeed = 0x9e3779b9
)

// Vocab is a tokenizer: WordPiece (BERT's normalisation, its split into words, and a table of pieces) or Unigram, as
// SentencePiece has it and XLM-RoBERTa uses it.
//
// It is a view over bytes (see [OpenVocab]) and may be used by many goroutines at once.
type Vocab struct {
	raw      []byte
	n        uint32
	slots    uint32
	seed     uint32
	probes   uint32
	flags    uint32
	maxRunes int
	longest  int
	wide     bool
	unknown  int32
	first    int32
	last     int32

	groups []byte
	table  []byte
	lens   []byte
	text   []byte

	unigram *unigram // nil for WordPiece

	added      []addedToken
	addedFirst [256]bool // first bytes of the added tokens that are looked for in raw text
	normalized bool      // some added token is looked for in normalised text
}

type addedToken struct {
	text       string
	id         int32
	normalized bool
	word       bool
	before     bool // it takes the spaces before it
	after      bool // it takes the spaces after it
}

// OpenVocab returns a view over the bytes that [Vocab.AppendBinary] wrote. It aliases b: b must not change while the
// Vocab is in use.
//
// Cost: O(added tokens), a microsecond for BERT's; the pieces are not read.
func OpenVocab(b []byte) (*Vocab, error) {
	const what = "vocabulary"
	if len(b) < vocabHeader {
		return nil, corrupt(what, "%d bytes, want a header of %d", len(b), vocabHeader)
	}
	u32 := func(at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }
	kind := u32(0)
	if kind != vocabKind && kind != unigramKind {
		return nil, corrupt(what, "kind %d, want %d (WordPiece) or %d (Unigram)", kind, vocabKind, unigramKind)
	}
	v := &Vocab{
		raw: b, n: u32(4), slots: u32(12), seed: u32(16), probes: u32(20), flags: u32(24),
		maxRunes: int(min(u32(28), math.MaxInt32)), unknown: int32(u32(32)), first: int32(u32(36)),
		last:    int32(u32(40)),
		longest: int(min(u32(48), math.MaxInt32)),
	}
	added := u32(44)
	v.wide = v.n >= math.MaxUint16
	switch {
	case v.n == 0 || v.n > maxPieces:
		return nil, corrupt(what, "%d pieces, want 1 to %d", v.n, maxPieces)
	case v.slots <= v.n || v.slots > 4*maxPieces:
		return nil, corrupt(what, "%d slots for %d pieces", v.slots, v.n)
	case v.probes == 0 || v.probes > maxProbes:
		return nil, corrupt(what, "%d probes, want 1 to %d", v.probes, maxProbes)
	case kind == vocabKind && v.flags&^flagsAll != 0:
		return nil, corrupt(what, "flags %#x, want none but %#x", v.flags, flagsAll)
	case kind == vocabKind && (v.maxRunes == 0 || v.maxRunes > maxWordRunes):
		return nil, corrupt(what, "words of %d characters, want 1 to %d", v.maxRunes, maxWordRunes)
	case v.longest > maxPieceBytes:
		return nil, corrupt(what, "pieces of %d bytes, want at most %d", v.longest, maxPieceBytes)
	case added > maxAdded:
		return nil, corrupt(what, "%d added tokens, want at most %d", added, maxAdded)
	}
	for _, id := range []int32{v.unknown, v.first, v.last} {
		if id < 0 || uint32(id) >= v.n {
			return nil, corrupt(what, "special id %d of %d pieces", id, v.n)
		}
	}
	sizes := []uint64{vocabHeader, 4 * uint64(added), 4 * uint64(groupCount(v.n)), tableBytes(v.slots, v.wide),
		uint64(v.n), uint64(u32(8)), 0, 0}
	if kind == unigramKind {
		if err := v.openUnigram(b[:vocabHeader]); err != nil {
			return nil, err
		}
		sizes[6], sizes[7] = v.unigram.scoreBytes()*uint64(v.n), uint64(u32(52))
	} else {
		for i := 52; i < vocabHeader; i++ {
			if b[i] != 0 {
				return nil, corrupt(what, "byte %d of the header is %d, want 0", i, b[i])
			}
		}
	}
	var total uint64
	for _, s := range sizes {
		total += s
	}
	if total != uint64(len(b)) {
		return nil, corrupt(what, "%d bytes, its header says %d", len(b), total)
	}
	rest := b
	cut := func(i int) []byte {
		part := rest[:sizes[i]:sizes[i]]
		rest = rest[sizes[i]:]
		return part
	}
	cut(0)
	addedBytes := cut(1)
	v.groups, v.table, v.lens, v.text = cut(2), cut(3), cut(4), cut(5)
	if u := v.unigram; u != nil {
		var err error
		u.scores = cut(6)
		if u.steps, err = parseSteps(cut(7)); err != nil {
			return nil, err
		}
	}
	if err := v.openAdded(addedBytes); err != nil {
		return nil, err
	}
	return v, nil
}

func (v *Vocab) openAdded(b []byte) error {
	for ; len(b) > 0; b = b[4:] {
		u := binary.LittleEndian.Uint32(b)
		id := u &^ addedFlags
		t := addedToken{id: int32(id), normalized: u&addedNormalize != 0, word: u&addedWord != 0}
		if v.unigram != nil {
			t.before, t.after = u&addedBefore != 0, u&addedAfter != 0
		} else if u&(addedBefore|addedAfter) != 0 {
			return corrupt("vocabulary", "added token %d takes spaces, which WordPiece does not know", id)
		}
		if id < v.n {
			t.text = string(v.piece(id))
		}
		if t.normalized && v.unigram != nil {
			t.text, _ = v.unigram.normalize(t.text)
		} else if t.normalized {
			t.text = string(v.normalize(nil, t.text))
		}
		if t.text == "" {
			return corrupt("vocabulary", "added token %d has no text", id)
		}
		v.normalized = v.normalized || t.normalized
		if !t.normalized {
			v.addedFirst[t.text[0]] = true
		}
		v.added = append(v.added, t)
	}
	return nil
}

func groupCount(n uint32) uint32 { return (n + vocabGroup - 1) / vocabGroup }

func tableBytes(slots uint32, wide bool) uint64 {
	if wide {
		return 4 * uint64(slots)
	}
	return (2*uint64(slots) + 3) &^ 3
}

// AppendBinary appends the bytes that [OpenVocab] reads.
func (v *Vocab) AppendBinary(dst []byte) ([]byte, error) { return append(dst, v.raw...), nil }

// Size returns the number of pieces; ids are below it.
func (v *Vocab) Size() int { return int(v.n) }

// pieceText returns the text of a piece, "##" included, or "" if there is no such id.
func (v *Vocab) pieceText(id int32) string {
	if id < 0 || uint32(id) >= v.n {
		return ""
	}
	return string(v.piece(uint32(id)))
}

// Unknown returns the id that stands for a word without pieces ([UNK]).
func (v *Vocab) Unknown() int32 { return v.unknown }

// Specials returns the ids that EncodeWithSpecials puts before and after a text ([CLS] and [SEP]).
func (v *Vocab) Specials() (first, last int32) { return v.first, v.last }
