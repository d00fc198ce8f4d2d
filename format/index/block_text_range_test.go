package index

import (
	"bytes"
	"testing"
)

// TestAppendRange compares each range of texts with that of all of them in one piece.
func TestAppendRange(t *testing.T) {
	for _, list := range [][]string{{"abc"}, {"", "abc"}, {"abc", ""}, {"ab", "", "", "c", "def"}, {"", "", "a", "bcd", "", "e", ""}} {
		var texts [][]byte
		var starts []uint64
		var all []byte
		for _, text := range list {
			texts, starts = append(texts, []byte(text)), append(starts, uint64(len(all)))
			all = append(all, text...)
		}
		for from := range len(all) + 1 {
			for to := from; to <= len(all); to++ {
				if got := appendRange(nil, texts, starts, uint64(from), uint64(to)); !bytes.Equal(got, all[from:to]) {
					t.Errorf("[%d, %d) of %q = %q, want %q", from, to, list, got, all[from:to])
				}
			}
		}
	}
}
