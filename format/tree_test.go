package format

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"strings"
	"testing"
)

// naiveRoot hashes a block's pages, and the hashes by 128 until one is left.
func naiveRoot(data []byte, page int) [32]byte {
	var hashes [][32]byte
	for from := 0; from < len(data) || from == 0; from += page {
		hashes = append(hashes, sha256.Sum256(data[from:min(from+page, len(data))]))
	}
	for len(hashes) > 1 {
		var above [][32]byte
		for len(hashes) > 0 {
			var node []byte
			n := min(128, len(hashes))
			for _, h := range hashes[:n] {
				node = append(node, h[:]...)
			}
			above, hashes = append(above, sha256.Sum256(node)), hashes[n:]
		}
		hashes = above
	}
	return hashes[0]
}

func TestBlockTree(t *testing.T) {
	for _, size := range []int{0, 1, 4095, 4096, 4097, 8192, 128 * 4096, 128*4096 + 1, 300 * 4096, 129 * 128 * 4096} {
		data := make([]byte, size)
		for i := 0; i+8 <= size; i += 1000 {
			binary.LittleEndian.PutUint64(data[i:], uint64(i)*0x9e3779b97f4a7c15)
		}
		levels, root := blockTree(data, FinePages)
		if want := naiveRoot(data, 4096); root != want {
			t.Errorf("root of %d bytes = %x, want %x", size, root[:4], want[:4])
		}
		want := treeLevels(uint64(size), FinePages)
		if len(levels) != len(want) {
			t.Fatalf("%d bytes have %d levels, want %d", size, len(levels), len(want))
		}
		for i, hashes := range levels {
			if uint64(len(hashes)) != want[i]*hashBytes {
				t.Errorf("level %d of %d bytes has %d bytes, want %d hashes", i, size, len(hashes), want[i])
			}
		}
	}
}

// TestTreeOrder checks that higher levels stand before lower ones, and on a level earlier blocks before later ones.
func TestTreeOrder(t *testing.T) {
	entries := []Entry{
		{Tag: Tag{'A'}, Offset: 1 << 30, Length: 300 * 4096, leaf: FinePages}, // 300 pages, 3 nodes
		{Tag: Tag{'B'}, Offset: 4096, Length: 2 * 4096, leaf: FinePages},      // 2 pages
		{Tag: Tag{'C'}, Offset: 1 << 20, Length: 4096, leaf: FinePages},       // one page: nothing
	}
	at := placeTree(entries)
	if at.of[0][1] != 0 || at.of[1][0] != 3*32 || at.of[0][0] != 5*32 || at.total != 305*32 {
		t.Errorf("placeTree = %v, %d bytes; want A's nodes, B's pages, A's pages", at.of, at.total)
	}
}

// TestVerifyTree checks that verify compares the hashes of pages with the pages.
func TestVerifyTree(t *testing.T) {
	data := demo(t)
	f, err := OpenBytes(data)
	if err != nil {
		t.Fatal(err)
	}
	tree := f.Block(TagTree)
	bad := bytes.Clone(data)
	bad[tree.Offset+40] ^= 1
	r, err := VerifyBytes(bad)
	if err != nil || len(r.Problems) == 0 || r.Problems[0].Block != "TREE" {
		t.Errorf("Verify with a changed hash = %v, %v, want TREE", r.Problems, err)
	}
	// The same, with the directory's hash and the root hash made right again: what only the pages betray.
	sum := sha256.Sum256(bad[tree.Offset : tree.Offset+tree.Length])
	for i, e := range f.Entries() {
		if e.Tag == TagTree {
			copy(bad[headerSize+i*entrySize+32:], sum[:])
		}
	}
	r, err = VerifyBytes(resealed(bad))
	if err != nil || !strings.Contains(r.Problems[0].Text, "level 0 of block LONG") {
		t.Errorf("Verify with a forged hash = %v, %v, want level 0 of LONG", r.Problems, err)
	}
}
