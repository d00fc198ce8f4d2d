package index

import (
	"bytes"
	"math/rand/v2"
	"runtime"
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

// What unpacks a frame is there for the next one, whatever is collected meanwhile.
func TestDecodeKeepsItsMemory(t *testing.T) {
	const most = 64 << 10 // a decoder has a quarter of a megabyte
	raw := bytes.Repeat([]byte("The ledger is open. The ledger is balanced.\n"), textFrame/44)
	text, err := parseText(memoryBlock(t, tagText, PackTexts([][]byte{raw}).block))
	if err != nil {
		t.Fatal(err)
	}
	frame := make([]byte, 0, textFrame)
	for range 2 * runtime.GOMAXPROCS(0) { // each decoder once at least
		frame = text.decode(frame, 0)
	}
	runtime.GC() // what a sync.Pool holds survives one of them
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range runtime.GOMAXPROCS(0) {
		frame = text.decode(frame, 0)
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > most || !bytes.Equal(frame, raw) {
		t.Errorf("decode allocates %d bytes, want at most %d", got, most)
	}
}
