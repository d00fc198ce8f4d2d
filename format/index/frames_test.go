package index

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// lines returns a text of lines of n bytes, or a little less than n+80.
func lines(r *rand.Rand, n int) []byte {
	var b bytes.Buffer
	for b.Len() < n {
		fmt.Fprintf(&b, "line %d of some words\n", r.Uint64())
		if r.IntN(4) == 0 {
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}

func TestFrameEnds(t *testing.T) {
	text := func(n int) []byte { return bytes.Repeat([]byte("x"), n) }
	tests := []struct {
		name  string
		texts [][]byte
		want  []uint64
	}{
		{"nothing", nil, nil},
		{"empty texts", [][]byte{{}, {}}, nil},
		{"one", [][]byte{text(1)}, []uint64{1}},
		{"all fit", [][]byte{text(30000), {}, text(35536)}, []uint64{65536}},
		{"one byte too many", [][]byte{text(30000), {}, text(35537)}, []uint64{30000, 65537}},
		{"an empty one at the end", [][]byte{text(65536), {}}, []uint64{65536}},
		{"a text that is cut, between others", [][]byte{text(5), text(65537), text(5)}, []uint64{5, 65541, 65542, 65547}},
		{"empty ones before a text that is cut", [][]byte{{}, {}, text(65537)}, []uint64{65536, 65537}},
		{"equal borders: the last that fits", [][]byte{text(20000), text(20000), text(20000), text(20000)}, []uint64{60000, 80000}},
	}
	for _, tt := range tests {
		if got := frameEnds(tt.texts); !slices.Equal(got, tt.want) {
			t.Errorf("%s: frameEnds = %v, want %v", tt.name, got, tt.want)
		}
	}
}

// Frames hold whole texts or a part of one, cut at lines where there are any, and most of them are half full.
func TestFramesHoldTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	var texts [][]byte
	ends := map[uint64]bool{0: true} // of texts
	long := map[uint64]bool{}        // borders of lines in texts that are cut
	at := uint64(0)
	for range 400 {
		text := lines(r, r.IntN(200))
		if r.IntN(30) == 0 {
			text = lines(r, r.IntN(300_000))
		}
		for k, c := range text {
			if c == '\n' && len(text) > textFrame {
				long[at+uint64(k)+1] = true
			}
		}
		texts = append(texts, text)
		at += uint64(len(text))
		ends[at] = true
	}
	before, small := uint64(0), 0
	for _, end := range frameEnds(texts) {
		if end <= before || end-before > textFrame {
			t.Fatalf("a frame of %d bytes, want 1 to %d", int64(end-before), textFrame)
		}
		if !ends[end] && !long[end] {
			t.Errorf("a frame ends at %d, which is the end of no text, and of no line of a text that is cut", end)
		}
		if end-before < minTextFrame {
			small++
		}
		before = end
	}
	if before != at {
		t.Errorf("frames end at %d, want %d", before, at)
	}
	if small > 40 {
		t.Errorf("%d frames are small, want few beside those at texts that are cut", small)
	}
}

// An edit, a document more or one less changes few frames: the borders meet again behind it.
func TestFramesMeetAgain(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	var texts [][]byte
	for range 1000 {
		texts = append(texts, lines(r, 100+r.IntN(8000)))
	}
	texts[500] = lines(r, 1<<20)
	frames := func(texts [][]byte) map[string]bool {
		all, found := bytes.Join(texts, nil), map[string]bool{}
		before := uint64(0)
		for _, end := range frameEnds(texts) {
			found[string(all[before:end])] = true
			before = end
		}
		return found
	}
	before, changed := frames(texts), 0
	const rounds = 40
	for k := range rounds {
		edited := slices.Clone(texts)
		i := r.IntN(len(texts))
		if k%4 == 0 {
			i = 500 // the long one
		}
		switch at := r.IntN(len(texts[i])); k % 3 {
		case 0:
			edited[i] = slices.Concat(texts[i][:at], []byte("more\n"), texts[i][at:])
		case 1:
			edited = slices.Insert(edited, i, lines(r, 3000))
		case 2:
			edited = slices.Delete(edited, i, i+1)
		}
		if k%3 == 2 && i == 500 { // all frames of the long text go
			continue
		}
		for f := range frames(edited) {
			if !before[f] {
				changed++
			}
		}
	}
	if mean := float64(changed) / rounds; mean > 3 {
		t.Errorf("an edit changes %.1f of %d frames, want 3 at most", mean, len(before))
	}
}

func TestFramed(t *testing.T) {
	texts := [][]byte{[]byte("ab"), {}, bytes.Repeat([]byte("long"), textFrame/2), []byte("cd")}
	tests := []struct {
		name string
		ends []uint64
		want [4]bool
	}{
		{"as written", frameEnds(texts), [4]bool{true, true, true, true}},
		{"a text in two frames", []uint64{1, 2, 2 + textFrame, 2 + 2*textFrame, 4 + 2*textFrame}, [4]bool{false, true, true, true}},
		{"a text with one that is cut", []uint64{2, 2 + textFrame, 4 + 2*textFrame}, [4]bool{true, true, false, true}},
		{"the other way round", []uint64{3, 2 + textFrame, 2 + 2*textFrame, 4 + 2*textFrame}, [4]bool{true, true, false, true}},
	}
	for _, tt := range tests {
		p := PackTexts(texts)
		text := Text{total: p.Bytes()}
		before := uint64(0)
		for _, end := range tt.ends {
			text.frames = append(text.frames, textPlace{start: before, raw: uint32(end - before)})
			before = end
		}
		for i := range texts {
			if got := text.framed(p.starts[i], p.starts[i+1]); got != tt.want[i] {
				t.Errorf("%s: text %d: framed = %v, want %v", tt.name, i, got, tt.want[i])
			}
		}
	}
}
