package encoder

import "encoding/binary"

// Find returns the id of a piece, written as in vocab.txt: "##ing" is the continuation. In a Unigram vocabulary "▁"
// (U+2581) marks the start of a word.
func (v *Vocab) Find(piece string) (id int32, ok bool) {
	body, cont := v.split(piece)
	if len(body) > maxPieceBytes {
		return 0, false
	}
	return v.lookup(finishHash(hashPiece(v.seed, body, cont)), []byte(body), cont)
}

// split removes the continuation prefix of a piece of WordPiece.
func (v *Vocab) split(piece string) (body string, cont bool) {
	if v.unigram != nil {
		return piece, false
	}
	return splitPiece(piece)
}

// splitPiece removes the continuation prefix and says whether there was one. "##" itself is a piece that starts a word.
func splitPiece(piece string) (body string, cont bool) {
	if len(piece) > 2 && piece[0] == '#' && piece[1] == '#' {
		return piece[2:], true
	}
	return piece, false
}

func hashStart(seed uint32, cont bool) uint32 {
	h := fnvBasis ^ seed
	if cont {
		h ^= contSeed
	}
	return h
}

func finishHash(h uint32) uint32 {
	h ^= h >> 16
	h *= 0x85ebca6b
	return h ^ h>>13
}

func hashPiece(seed uint32, body string, cont bool) uint32 {
	h := hashStart(seed, cont)
	for i := 0; i < len(body); i++ {
		h = (h ^ uint32(body[i])) * fnvPrime
	}
	return h
}

// piece returns the bytes of a piece below v.n, nil if its place lies outside the texts.
func (v *Vocab) piece(id uint32) []byte {
	g := id / vocabGroup
	at := uint64(binary.LittleEndian.Uint32(v.groups[4*g:]))
	for _, l := range v.lens[g*vocabGroup : id] {
		at += uint64(l)
	}
	end := at + uint64(v.lens[id])
	if end > uint64(len(v.text)) {
		return nil
	}
	return v.text[at:end]
}

// slot returns the value of a slot of the table: 0 if it is free, else an id + 1.
func (v *Vocab) slot(i uint32) uint32 {
	if v.wide {
		return binary.LittleEndian.Uint32(v.table[4*i:])
	}
	return uint32(binary.LittleEndian.Uint16(v.table[2*i:]))
}

// lookup finds the piece with this body. The hash is a finished one.
func (v *Vocab) lookup(hash uint32, body []byte, cont bool) (int32, bool) {
	size := len(body)
	if cont {
		size += 2
	}
	if size > maxPieceBytes {
		return 0, false
	}
	slot := uint32(uint64(hash) * uint64(v.slots) >> 32)
	for range v.probes {
		id := v.slot(slot)
		if id == 0 || id > v.n {
			return 0, false
		}
		id--
		if int(v.lens[id]) == size {
			p := v.piece(id)
			if len(p) == size {
				switch {
				case !cont:
					if string(p) == string(body) {
						return int32(id), true
					}
				case p[0] == '#' && p[1] == '#' && string(p[2:]) == string(body):
					return int32(id), true
				}
			}
		}
		if slot++; slot == v.slots {
			slot = 0
		}
	}
	return 0, false
}
