package compiler

import (
	"testing"

	"kdd/format"
)

// blockPlace returns the offset of a block in an artifact.
func blockPlace(t *testing.T, path, tag string) int64 {
	t.Helper()
	f, err := format.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, e := range f.Entries() {
		if e.Tag.String() == tag {
			return int64(e.Offset)
		}
	}
	t.Fatalf("%s has no block %s", path, tag)
	return 0
}
