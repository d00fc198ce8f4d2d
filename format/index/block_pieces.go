package index

import (
	"bytes"
	"strings"

	"kdd/format"
	"kdd/format/internal/dict"
	"kdd/format/internal/table"
)

// The wordpieces by their text, FORMAT.md §11: a second form of what TagVocab and TagTable say of pieces, for a reader of
// a file that lies elsewhere. TagVocab is a hash table, of which a question needs a page here and there and so all; in a
// dictionary with an upper level that is read first, it needs the stretch of each of its words.

// pieceStrings is how many pieces one of the upper level stands for: some 700 bytes, so that a piece costs a page or two
// of RowPages, and the upper level 4 KB for BERT's 30,000.
const pieceStrings = 64

// PieceBlocks encodes what encoder.PieceKeys and encoder.AddedTokens return of a vocabulary with n added tokens.
func PieceBlocks(keys []string, added []byte, n int) []format.RawBlock {
	encoded := dict.Encode(keys)
	first, at := dict.Top(keys, encoded, pieceStrings)
	for i, key := range first {
		first[i] = pieceOf(key)
	}
	places := table.New(len(at))
	places.Rising(func(i int) uint64 { return at[i] })
	return []format.RawBlock{
		{Tag: TagPieces, Rows: uint64(len(keys)), Data: encoded},
		{Tag: tagPieceTop, Rows: uint64(len(first)), Data: dict.Encode(first)},
		{Tag: tagPieceTopPlace, Rows: uint64(len(first)), Data: places.Bytes()},
		{Tag: tagAddedTokens, Rows: uint64(n), Data: added},
	}
}

// pieceOf returns the piece of a string of the dictionary.
func pieceOf(key string) string {
	piece, _, _ := strings.Cut(key, "\x00")
	return piece
}

// HasPieces says whether the file has blocks of wordpieces by text, or some of them.
func (x *Index) HasPieces() bool {
	for _, tag := range []format.Tag{TagPieces, tagPieceTop, tagPieceTopPlace, tagAddedTokens} {
		if x.File.Block(tag) != nil {
			return true
		}
	}
	return false
}

// VerifyPieces compares the blocks of wordpieces by text with what PieceBlocks takes; Verify compares them with each
// other.
func (x *Index) VerifyPieces(keys []string, added []byte, n int) error {
	return format.Guard(func() error {
		for _, tag := range []format.Tag{TagPieces, tagPieceTop, tagPieceTopPlace, tagAddedTokens} {
			if x.File.Block(tag) == nil {
				return format.Corrupt(tag, "the block is missing, others of wordpieces by text are there")
			}
		}
		if x.pieces.Len() != len(keys) {
			return format.Corrupt(TagPieces, "%d strings, want one for each of %d wordpieces", x.pieces.Len(), len(keys))
		}
		for i, key := range x.pieces.From("") {
			if string(key) != keys[i] {
				return format.Corrupt(TagPieces, "string %d is %q, want %q: piece, id and row of vocabulary and table",
					i, key, keys[i])
			}
		}
		b := x.File.Block(tagAddedTokens)
		if got := b.All(); !bytes.Equal(got, added) {
			at := 0
			for at < min(len(got), len(added)) && got[at] == added[at] {
				at++
			}
			return format.Corrupt(tagAddedTokens, "%d bytes that differ at byte %d from the %d of the vocabulary",
				len(got), at, len(added))
		}
		if b.Rows != uint64(n) {
			return format.Corrupt(tagAddedTokens, "the directory has %d rows, want %d added tokens", b.Rows, n)
		}
		return nil
	})
}
