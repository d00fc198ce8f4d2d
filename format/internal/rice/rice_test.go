package rice

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"kdd/format"
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

// TestReadsWhatIsThere checks that numbers beyond the last byte are corrupt, and that Best takes the shortest codes.
func TestReadsWhatIsThere(t *testing.T) {
	values := []uint32{3, 0, 900, 7, 1 << 31}
	for k := range uint(Max + 1) {
		w := Writer{Dst: []byte{byte(k)}}
		for _, v := range values {
			w.Put(v, k)
		}
		b := w.End()
		if best := Best(values, Max); Cost(values, best) > Cost(values, k) {
			t.Errorf("Best = %d, which costs more than %d", best, k)
		}
		for n := range len(b) {
			err := format.Guard(func() error {
				r := Reader{Tag: format.Tag{'T', 'E', 'S', 'T'}, Data: b[:n]}
				r.Read(make([]uint32, len(values)), r.Param())
				return nil
			})
			if !errors.Is(err, format.ErrCorrupt) {
				t.Errorf("k=%d: Read of %d bytes of %d = %v, want a corrupt index", k, n, len(b), err)
			}
		}
	}
}

func FuzzReader(f *testing.F) {
	f.Add([]byte{0xff, 0xff, 1, 2, 3, 4}, uint8(3), uint8(2))
	f.Add([]byte{0, 0, 0}, uint8(0), uint8(9))
	f.Fuzz(func(t *testing.T, data []byte, k, n uint8) {
		k %= Max + 1
		values := make([]uint32, n)
		r := Reader{Data: data}
		if err := format.Guard(func() error { r.Read(values, uint(k)); return nil }); err != nil {
			if !errors.Is(err, format.ErrCorrupt) {
				t.Fatalf("Read = %v, want a corrupt index", err)
			}
			return
		}
		var w Writer
		for _, v := range values {
			w.Put(v, uint(k))
		}
		again := make([]uint32, n)
		r = Reader{Data: w.End()}
		r.Read(again, uint(k))
		if !slices.Equal(again, values) {
			t.Fatalf("read %d, encoded and read again %d", values, again)
		}
	})
}
