package compiler

import (
	"testing"

	"kdd/format"
	"kdd/format/index"
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

// verified fails if an artifact does not pass every check.
func verified(t *testing.T, path string) {
	t.Helper()
	problems, err := index.Verify(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", path, p)
	}
}
