package index

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kdd/format"
	"kdd/format/internal/dict"
	"kdd/format/internal/table"
)

// pieceContent returns content with the pieces of a vocabulary, and what was given to PieceBlocks.
func pieceContent(t *testing.T) (c *Content, keys []string, added []byte) {
	t.Helper()
	for i := range 1000 {
		piece := fmt.Sprintf("%x", i*i)
		if i%3 == 0 {
			piece = "##" + piece
		}
		key := append([]byte(piece), 0)
		key = binary.LittleEndian.AppendUint16(key, uint16(i))
		keys = append(keys, string(binary.LittleEndian.AppendUint16(key, uint16(i/2))))
	}
	slices.Sort(keys)
	c, added = generate(3, 4), []byte("header and tokens")
	c.Extra = PieceBlocks(keys, added, 2)
	return c, keys, added
}

// TestPieceBlocks has Verify look at a file with wordpieces by text, and asks where the blocks lie.
func TestPieceBlocks(t *testing.T) {
	c, keys, added := pieceContent(t)
	data := image(t, c)
	if problems, err := verifyBytes(data); err != nil || len(problems) > 0 {
		t.Errorf("Verify = %v, %v", problems, err)
	}
	x := open(t, data)
	if !x.HasPieces() {
		t.Error("HasPieces = false")
	}
	if err := x.VerifyPieces(keys, added, 2); err != nil {
		t.Error(err)
	}
	for i := 0; i < len(keys); i += 7 {
		if got, ok := x.pieces.Find(keys[i]); !ok || int(got) != i {
			t.Errorf("Find(%q) = %d, %t, want %d", keys[i], got, ok, i)
		}
	}
	var order []format.Tag
	entries := slices.Clone(x.File.Entries())
	slices.SortFunc(entries, func(a, b format.Entry) int { return int(a.Offset) - int(b.Offset) })
	for _, e := range entries[:5] {
		order = append(order, e.Tag)
	}
	want := []format.Tag{tagMeta, tagAddedTokens, tagPieceTop, tagPieceTopPlace, format.TagTree}
	if !slices.Equal(order, want) {
		t.Errorf("the file begins with %v, want %v", order, want)
	}
	if open(t, image(t, generate(3, 4))).HasPieces() {
		t.Error("HasPieces of a file without them")
	}
}

// TestVerifyPieces damages the blocks of wordpieces by text, of a file whose hashes are right.
func TestVerifyPieces(t *testing.T) {
	c, keys, added := pieceContent(t)
	data := image(t, c)
	x := open(t, data)
	tests := []struct {
		name string
		tag  format.Tag
		edit func(b *format.RawBlock)
		want string
	}{
		{"another first piece", tagPieceTop, func(b *format.RawBlock) { b.Data[len(b.Data)-1]++ }, "the dictionary has"},
		{"too few first pieces", tagPieceTop, func(b *format.RawBlock) {
			*b = format.RawBlock{Tag: b.Tag, Rows: 1, Data: dict.Encode([]string{"a"})}
		}, "want 16"},
		{"another place", tagPieceTopPlace, func(b *format.RawBlock) {
			places := table.New(int(x.pieceTops[0].Rows))
			places.Rising(func(i int) uint64 { return x.pieceTops[0].At(uint32(i)) + uint64(i/4%2) })
			b.Data = places.Bytes()
		}, "the groups begin at"},
		{"strings out of order", TagPieces, func(b *format.RawBlock) { b.Data[8+4*63+1] = 0x7f }, "is not above"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			verifyTells(t, changed(t, data, tt.tag, tt.edit), tt.tag.String(), tt.want)
		})
	}
	other := slices.Clone(keys)
	other[500] = other[500][:len(other[500])-1] + "\x63"
	for _, tt := range []struct {
		name  string
		keys  []string
		added []byte
		n     int
		want  string
	}{
		{"another row", other, added, 2, "PIEC: string 500 is"},
		{"fewer pieces", keys[:999], added, 2, "PIEC: 1000 strings, want one for each of 999"},
		{"another header", keys, []byte("header and token"), 2, "PIEA: 17 bytes that differ at byte 16 from the 16"},
		{"other tokens", keys, added, 3, "PIEA: the directory has 2 rows, want 3"},
	} {
		if err := x.VerifyPieces(tt.keys, tt.added, tt.n); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: VerifyPieces = %v, want %q", tt.name, err, tt.want)
		}
	}
	part := slices.DeleteFunc(rawBlocks(t, data), func(b format.RawBlock) bool { return b.Tag == tagAddedTokens })
	im, err := format.Lay(part)
	if err != nil {
		t.Fatal(err)
	}
	if err := open(t, written(t, im)).VerifyPieces(keys, added, 2); err == nil || !strings.Contains(err.Error(), "PIEA") {
		t.Errorf("without PIEA: VerifyPieces = %v, want an error of that", err)
	}
}
