package format

import (
	"bytes"
	"errors"
	"testing"

	"kdd/compiler/filetest"
)

// TestOpenHashed forges bytes so that their checksum stays right: Open reads them, OpenHashed does not. All other bytes
// are read by both.
func TestOpenHashed(t *testing.T) {
	data := demo(t)
	whole, err := OpenBytes(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range whole.Entries() {
		if e.Length < 100 || e.Tag == TagSums || e.Tag == TagTree {
			continue
		}
		t.Run(e.Tag.String(), func(t *testing.T) {
			bad := bytes.Clone(data)
			page := bad[e.Offset : e.Offset+min(e.Length, crcPage)]
			filetest.Forge(page, 50)
			path := saved(t, bad)
			plain, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer plain.Close()
			if got := plain.Block(e.Tag).All(); bytes.Equal(got, whole.Block(e.Tag).All()) {
				t.Error("nothing was forged")
			}
			f, err := OpenHashed(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			err = Guard(func() error { f.Block(e.Tag).Range(50, 1); return nil })
			var corrupt *CorruptError
			if !errors.As(err, &corrupt) || corrupt.Block != e.Tag {
				t.Errorf("reading the forged page = %v, want an error of block %s", err, e.Tag)
			}
			for _, other := range f.Entries() {
				if other.Tag == e.Tag {
					continue
				}
				if got := f.Block(other.Tag).All(); !bytes.Equal(got, whole.Block(other.Tag).All()) {
					t.Errorf("block %s has other bytes", other.Tag)
				}
			}
		})
	}
}

// TestOpenHashedTree asks that hashes which the directory does not name are refused at once.
func TestOpenHashedTree(t *testing.T) {
	data := demo(t)
	f, err := OpenBytes(data)
	if err != nil {
		t.Fatal(err)
	}
	tree := f.Block(TagTree)
	filetest.Forge(data[tree.Offset:tree.Offset+tree.Length], 3)
	if _, err := OpenHashed(saved(t, data)); !errors.Is(err, ErrCorrupt) {
		t.Errorf("OpenHashed with other hashes = %v, want a corrupt TREE", err)
	}
}
