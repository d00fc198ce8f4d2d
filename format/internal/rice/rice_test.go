package rice

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestRice(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for k := range uint(Max + 1) {
		values := []uint32{0, 1, 1<<k - 1, 1 << k, 15 << k, 16<<k - 1, 16 << k, math.MaxUint32, math.MaxUint32 - 1, 0}
		for range 300 {
			values = append(values, r.Uint32()>>r.IntN(32))
		}
		w := Writer{}
		for _, v := range values {
			w.Put(v, k)
		}
		b := w.End()
		if want := (Cost(values, k) + 7) / 8; uint(len(b)) != want {
			t.Errorf("k=%d: %d bytes, Cost says %d", k, len(b), want)
		}
		got := make([]uint32, len(values))
		reader := Reader{Data: b}
		reader.Read(got, k)
		if !slices.Equal(got, values) {
			t.Errorf("k=%d: decoded %d, want %d", k, got, values)
		}
	}
}
