package encoder

import (
	"encoding/binary"
	"fmt"
)

// Verify reads the whole vocabulary: pieces lie one after the other and fill the texts, and each entry of the slot
// table names a piece that a search finds there.
//
// Cost: O(bytes), 2 ms for BERT's.
func (v *Vocab) Verify() error {
	const what = "vocabulary"
	at := 0
	for id := range v.n {
		if id%vocabGroup == 0 {
			if got := binary.LittleEndian.Uint32(v.groups[id/vocabGroup*4:]); int64(got) != int64(at) {
				return corrupt(what, "piece %d starts at byte %d of the texts, want %d", id, got, at)
			}
		}
		at += int(v.lens[id])
	}
	if at != len(v.text) {
		return corrupt(what, "pieces of %d bytes, the texts have %d", at, len(v.text))
	}
	seen, entries, highest := make([]bool, v.n), uint32(0), uint32(0)
	for slot := range v.slots {
		var id uint32
		if v.wide {
			id = binary.LittleEndian.Uint32(v.table[4*slot:])
		} else {
			id = uint32(binary.LittleEndian.Uint16(v.table[2*slot:]))
		}
		if id == 0 {
			continue
		}
		if id > v.n {
			return corrupt(what, "slot %d has piece %d of %d", slot, id-1, v.n)
		}
		if seen[id-1] {
			return corrupt(what, "two slots have piece %d", id-1)
		}
		seen[id-1] = true
		entries, highest = entries+1, max(highest, id)
		piece := v.pieceText(int32(id - 1))
		if body, _ := v.split(piece); len(body) > v.longest {
			return corrupt(what, "piece %d has %d bytes, the longest should have %d", id-1, len(body), v.longest)
		}
		if got, ok := v.Find(piece); !ok || got != int32(id-1) {
			return corrupt(what, "slot %d has piece %d, a search for %q does not find it", slot, id-1, piece)
		}
	}
	// Only tokens that were added, which come last, have no slot.
	if entries != highest {
		return corrupt(what, "%d pieces have a slot, the last of them is %d", entries, highest-1)
	}
	if v.unigram != nil {
		return v.unigram.verify(entries)
	}
	return nil
}

// Verify checks that all scales, biases and norms are numbers. Any other byte of the weights is valid by itself.
func (t *Transformer) Verify() error {
	const what = "int8 transformer"
	check := func(name string, values []float32) error {
		for i, v := range values {
			if v-v != 0 {
				return corrupt(what, "%s: number %d is %g", name, i, v)
			}
		}
		return nil
	}
	for _, r := range []*rows{&t.words, &t.positions} {
		for i := range len(r.scales) / 4 {
			if s := float32At(r.scales, i); s-s != 0 {
				return corrupt(what, "embeddings: the scale of row %d is %g", i, s)
			}
		}
	}
	for _, values := range [][]float32{t.types, t.norm.weight, t.norm.bias} {
		if err := check("embeddings", values); err != nil {
			return err
		}
	}
	for i := range t.layers {
		l, name := &t.layers[i], fmt.Sprintf("layer %d", i)
		for _, m := range []*matrix{l.attention, l.attentionOut, l.up, l.down} {
			for _, values := range [][]float32{m.scale, m.bias, m.f32} {
				if err := check(name, values); err != nil {
					return err
				}
			}
		}
		for _, n := range []layerNorm{l.attentionNorm, l.outputNorm} {
			for _, values := range [][]float32{n.weight, n.bias} {
				if err := check(name, values); err != nil {
					return err
				}
			}
		}
	}
	for i, d := range t.dense {
		for _, values := range [][]float32{d.matrix.scale, d.matrix.bias} {
			if err := check(fmt.Sprintf("dense module %d", i+1), values); err != nil {
				return err
			}
		}
	}
	return nil
}
