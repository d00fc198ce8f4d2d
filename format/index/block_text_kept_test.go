package index

import (
	"bytes"
	"math/rand/v2"
	"sync"
	"testing"
)

// TestKeptFrames reads a text of more frames than are kept from several goroutines, and compares with the text itself.
func TestKeptFrames(t *testing.T) {
	raw := make([]byte, 3*maxKeptText/2+123)
	rng := rand.New(rand.NewPCG(5, 5))
	for i := range raw {
		raw[i] = 'a' + byte(rng.IntN(4))
	}
	data := PackTexts([][]byte{raw}).block
	text, err := parseText(memoryBlock(t, tagText, data))
	if err != nil {
		t.Fatal(err)
	}
	var readers sync.WaitGroup
	for g := range uint64(4) {
		readers.Go(func() {
			rng := rand.New(rand.NewPCG(g, 1))
			for range 200 {
				from := rng.IntN(len(raw))
				n := rng.IntN(min(3*textFrame, len(raw)-from) + 1)
				if got := text.Reader().read(nil, uint64(from), uint64(n)); !bytes.Equal(got, raw[from:from+n]) {
					t.Errorf("bytes [%d, +%d) are others", from, n)
					return
				}
			}
		})
	}
	readers.Wait()
	if n := len(text.kept.list); n != keptOfLarge/textFrame {
		t.Errorf("%d frames are kept of %d, want %d", n, len(text.frames), keptOfLarge/textFrame)
	}
	seen := map[int]bool{}
	for _, f := range text.kept.list {
		if seen[f.number] {
			t.Errorf("frame %d is kept twice", f.number)
		}
		seen[f.number] = true
	}
}
