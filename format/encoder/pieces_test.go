package encoder

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"
)

// TestPieceKeys has the pieces of a vocabulary by their text, with ids and rows.
func TestPieceKeys(t *testing.T) {
	pieces := []string{"[UNK]", "[CLS]", "[SEP]", "b", "##b", "a", "##", "ab", "é"}
	v, err := NewVocab(pieces, false)
	if err != nil {
		t.Fatal(err)
	}
	table := func(v *Vocab, of ...int32) *Table {
		data, err := AppendTable(nil, &TableSpec{Dim: 1, Pieces: v.Size(),
			Rows: []TableRows{{Form: FormInt8, Pieces: of, Values: make([]float32, len(of))}}})
		if err != nil {
			t.Fatal(err)
		}
		tb, err := OpenTable(Memory(data))
		if err != nil {
			t.Fatal(err)
		}
		return tb
	}
	rows := table(v, 7, 3, 0)
	got, ok := PieceKeys(v, rows)
	want := []string{
		"##\x00\x06\x00\x00\x00", "##b\x00\x04\x00\x00\x00", "[CLS]\x00\x01\x00\x00\x00", "[SEP]\x00\x02\x00\x00\x00",
		"[UNK]\x00\x00\x00\x03\x00", "a\x00\x05\x00\x00\x00", "ab\x00\x07\x00\x01\x00", "b\x00\x03\x00\x02\x00",
		"é\x00\x08\x00\x00\x00",
	}
	if !ok || !slices.Equal(got, want) {
		t.Errorf("PieceKeys = %q, %t, want %q", got, ok, want)
	}
	block, n := AddedTokens(v, rows)
	tail := "\x03\x00\x00\x00" + "\x03\x00\x00\x00\x05[UNK]" + "\x00\x00\x00\x00\x05[CLS]" + "\x00\x00\x00\x00\x05[SEP]"
	if n != 3 || !bytes.Equal(block[:76], v.raw[:76]) || string(block[76:]) != tail {
		t.Errorf("AddedTokens = %q, %d, want %q behind the header", block, n, tail)
	}

	zero, err := NewVocab([]string{"[UNK]", "[CLS]", "[SEP]", "a\x00"}, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := PieceKeys(zero, table(zero)); ok {
		t.Error("PieceKeys of a piece with a zero byte: ok")
	}
	if _, ok := PieceKeys(v, table(zero)); ok {
		t.Error("PieceKeys with the table of another vocabulary: ok")
	}
	unigram, err := ParseTokenizer(unigramFile(t, ""))
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := PieceKeys(unigram, table(unigram)); ok {
		t.Error("PieceKeys of a Unigram vocabulary: ok")
	}
}

// TestPieceKeysWide has ids and rows of four bytes.
func TestPieceKeysWide(t *testing.T) {
	pieces := []string{"[UNK]", "[CLS]", "[SEP]"}
	for i := range 65_536 {
		pieces = append(pieces, "p"+strings.Repeat("x", i%3)+string(rune('Ā'+i%700))+string(rune('Ā'+i/700)))
	}
	v, err := NewVocab(pieces, true)
	if err != nil {
		t.Fatal(err)
	}
	spec := &TableSpec{Dim: 1, Pieces: v.Size(), Rows: []TableRows{{Form: FormInt8}}}
	for id := range int32(v.Size()) {
		spec.Rows[0].Pieces = append(spec.Rows[0].Pieces, id)
	}
	spec.Rows[0].Values = make([]float32, v.Size())
	data, err := AppendTable(nil, spec)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := OpenTable(Memory(data))
	if err != nil {
		t.Fatal(err)
	}
	keys, ok := PieceKeys(v, rows)
	if !ok || len(keys) != len(pieces) || !slices.IsSorted(keys) {
		t.Fatalf("PieceKeys = %d strings, %t, want %d", len(keys), ok, len(pieces))
	}
	for _, key := range keys {
		text, numbers, _ := strings.Cut(key, "\x00")
		id := binary.LittleEndian.Uint32([]byte(numbers))
		if len(numbers) != 8 || pieces[id] != text || binary.LittleEndian.Uint32([]byte(numbers[4:])) != id+1 {
			t.Fatalf("string %q: piece %q", key, pieces[id])
		}
	}
}
