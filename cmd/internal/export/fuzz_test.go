package export

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"kdd/format"
)

// FuzzRows changes bytes of one block of an artifact, with checksums that agree, and exports it: rows, or an error that
// blames the file.
func FuzzRows(f *testing.F) {
	whole, err := os.ReadFile(withVectors(f, compile(f, hard, questions), true))
	if err != nil {
		f.Fatal(err)
	}
	path := filepath.Join(f.TempDir(), "docs.kddx")
	if err := os.WriteFile(path, whole, 0o644); err != nil {
		f.Fatal(err)
	}
	opened, err := format.Open(path)
	if err != nil {
		f.Fatal(err)
	}
	defer opened.Close()
	blocks := opened.Raw()
	for i := range blocks {
		f.Add(uint8(i), uint16(40), []byte{0xff, 0x7f}, false)
		f.Add(uint8(i), uint16(len(blocks[i].Data)-1), []byte{0x80}, true)
	}
	f.Fuzz(func(t *testing.T, which uint8, at uint16, with []byte, beir bool) {
		changed := slices.Clone(blocks)
		b := &changed[int(which)%len(changed)]
		if len(b.Data) == 0 {
			return
		}
		b.Data = slices.Clone(b.Data)
		copy(b.Data[int(at)%len(b.Data):], with)
		image, err := format.Lay(changed)
		if err != nil {
			return
		}
		dir := t.TempDir()
		out, err := os.Create(filepath.Join(dir, "docs.kddx"))
		if err != nil {
			t.Fatal(err)
		}
		_, err = image.WriteTo(out)
		if err := errors.Join(err, out.Close()); err != nil {
			t.Fatal(err)
		}
		o := Options{Path: out.Name(), To: "jsonl", Output: "-"}
		if beir {
			o.To, o.Output = "beir", filepath.Join(dir, "beir")
		}
		_, err = Run(t.Context(), o, io.Discard)
		if err != nil && !errors.Is(err, format.ErrCorrupt) && !errors.Is(err, format.ErrVersion) {
			t.Errorf("block %s: %v, want rows or an error that blames the file", b.Tag, err)
		}
	})
}
