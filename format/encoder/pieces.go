package encoder

import (
	"encoding/binary"
	"slices"
	"strings"
)

// PieceKeys returns the strings of the block of wordpieces by text, FORMAT.md §11, in ascending order. Of each piece
// that a search of the vocabulary finds: its text, a zero byte, its id, and its row as the table's map has it. ok is
// false where there is no such block: of a Unigram vocabulary, which needs scores, of one with a zero byte in a piece,
// and of a table for another vocabulary.
//
// Cost: a search and a sort of all pieces, some 20 ms for BERT's.
func PieceKeys(v *Vocab, t *Table) (keys []string, ok bool) {
	if v.unigram != nil || t.pieces != v.n {
		return nil, false
	}
	keys = make([]string, 0, v.n)
	for id := range int32(v.n) {
		piece := v.pieceText(id)
		if found, ok := v.Find(piece); !ok || found != id {
			continue // an added token
		}
		if strings.IndexByte(piece, 0) >= 0 {
			return nil, false
		}
		key := append(make([]byte, 0, len(piece)+9), piece...)
		key = appendWidth(append(key, 0), uint32(id), v.wide)
		keys = append(keys, string(appendWidth(key, t.mapped(id), t.wide)))
	}
	slices.Sort(keys)
	return keys, len(keys) > 0
}

// appendWidth appends a number in two bytes, or four.
func appendWidth(dst []byte, u uint32, wide bool) []byte {
	if wide {
		return binary.LittleEndian.AppendUint32(dst, u)
	}
	return binary.LittleEndian.AppendUint16(dst, uint16(u))
}

// mapped returns what the row map should have of a piece: 0 for none, else its row + 1.
func (t *Table) mapped(id int32) uint32 {
	if row, ok := t.row(id); ok {
		return row + 1
	}
	return 0
}

// AddedTokens returns the block of added tokens, FORMAT.md §11, and how many there are: the header of the vocabulary's
// bytes and the numbers of the added tokens behind it, the row of what no piece is, and of each token its row, the length
// of its text, and its text.
func AddedTokens(v *Vocab, t *Table) (block []byte, n int) {
	n = len(v.added)
	block = slices.Clone(v.raw[:vocabHeader+4*n])
	block = binary.LittleEndian.AppendUint32(block, t.mapped(v.unknown))
	for i := range v.added {
		text := v.pieceText(v.added[i].id)
		block = binary.LittleEndian.AppendUint32(block, t.mapped(v.added[i].id))
		block = append(append(block, byte(len(text))), text...)
	}
	return block, n
}
