package encoder

import (
	"encoding/binary"
)

// appendHead appends the bytes from 40 on of an int8 transformer's header: what follows the pooling.
func (t *Transformer) appendHead(b []byte) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(t.cut))
	tanh, widths := byte(0), [MaxDense]uint32{}
	for i, d := range t.dense {
		widths[i] = uint32(d.matrix.out)
		if d.tanh {
			tanh |= 1 << i
		}
	}
	b = append(b, byte(len(t.dense)), tanh, 0, 0)
	for _, w := range widths {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}

// readHead returns the dense modules that a header names, with the numbers that each gives and no weights.
func readHead(b []byte) ([]Dense, error) {
	const what = "int8 transformer"
	n, tanh := int(b[44]), b[45]
	if n > MaxDense || tanh>>n != 0 || b[46] != 0 || b[47] != 0 {
		return nil, corrupt(what, "%d dense modules, bits %08b, then %d and %d, want at most %d, a bit for each, and 0",
			n, tanh, b[46], b[47], MaxDense)
	}
	var dense []Dense
	for i := range MaxDense {
		out := binary.LittleEndian.Uint32(b[48+4*i:])
		switch {
		case i >= n && out != 0:
			return nil, corrupt(what, "a width of %d for dense module %d of %d", out, i+1, n)
		case i < n && (out < 1 || out > maxHidden):
			return nil, corrupt(what, "dense module %d: a width of %d, want 1 to %d", i+1, out, maxHidden)
		case i < n:
			dense = append(dense, Dense{&matrix{out: int(out)}, tanh>>i&1 == 1})
		}
	}
	return dense, nil
}
