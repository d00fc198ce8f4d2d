package encoder

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestVocabVerify(t *testing.T) {
	v := smallVocab(t)
	if err := v.Verify(); err != nil {
		t.Errorf("Verify = %v, want none", err)
	}
	valid, _ := v.AppendBinary(nil)
	groups := vocabHeader + 4*5
	table := groups + 4*int(groupCount(v.n))
	lens := table + int(tableBytes(v.slots, v.wide))
	used := table
	for valid[used] == 0 && valid[used+1] == 0 {
		used += 2
	}
	for _, tt := range []struct {
		name string
		at   int
		to   byte
		want string
	}{
		{"group", groups + 4, 1, "piece 16 starts at byte 1 of the texts"},
		{"length", lens + 20, 250, "starts at byte"},
		{"last length", lens + int(v.n) - 1, 250, "the texts have"},
		{"slot past the pieces", used + 1, 0xff, "of 1203"},
		{"slot of another piece", used, valid[used] ^ 1, ""},
		{"empty slot", used, 0, ""},
		{"letter", lens + int(v.n), '{', "a search for"},
		{"longest", 48, 1, "the longest should have 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := slices.Clone(valid)
			b[tt.at] = tt.to
			if tt.name == "empty slot" {
				b[used+1] = 0
			}
			w, err := OpenVocab(b)
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Verify(); !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Verify = %v, want ErrCorrupt with %q", err, tt.want)
			}
		})
	}
}

func TestTransformerVerify(t *testing.T) {
	c := tinyConfigs[1]
	exact := tinyModel(t, c, tinyWeights(c, 1), PoolMean)
	valid := AppendQuantized(nil, exact)
	for _, tt := range []struct {
		name string
		at   int
		want string
	}{
		{"as written", 0, ""},
		{"word scale", quantHeader, "embeddings: the scale of row 0 is NaN"},
		{"last norm", len(valid) - 4, "layer 1: number 19 is NaN"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := slices.Clone(valid)
			if tt.at > 0 {
				copy(b[tt.at:], []byte{0, 0, 0xc0, 0x7f})
			}
			m, err := OpenQuantized(b)
			if err != nil {
				t.Fatal(err)
			}
			err = m.Verify()
			if tt.want == "" && err != nil || tt.want != "" && (!errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("Verify = %v, want %q", err, tt.want)
			}
		})
	}
	if err := exact.Verify(); err != nil {
		t.Errorf("Verify of float32 weights = %v, want none", err)
	}
}
