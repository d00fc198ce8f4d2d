package index

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"kdd/format"

	"github.com/RoaringBitmap/roaring/v2"
)

// bitmapSets are sets that give each kind of container, and several of them.
func bitmapSets() map[string][]uint32 {
	r := rand.New(rand.NewPCG(1, 1))
	run, dense, sparse := []uint32{}, []uint32{}, []uint32{}
	for i := range uint32(70_000) {
		if i%10_000 < 9000 {
			run = append(run, i)
		}
		if r.IntN(2) == 0 {
			dense = append(dense, i)
		}
		if r.IntN(100) == 0 {
			sparse = append(sparse, i*9)
		}
	}
	return map[string][]uint32{"one": {0}, "some": {0, 5, 7, 100}, "high": {1<<32 - 1}, "runs": run, "dense": dense, "sparse": sparse, "many containers": {1, 1 << 16, 2 << 16, 3 << 16, 4 << 16, 5<<16 + 9}}
}

func TestBitmap(t *testing.T) {
	for name, ids := range bitmapSets() {
		t.Run(name, func(t *testing.T) {
			b, err := appendBitmap(nil, ids)
			if err != nil {
				t.Fatal(err)
			}
			top := ids[len(ids)-1]
			if top < 1<<32-1 {
				if err := checkBitmap(b, top+1); err != nil {
					t.Errorf("checkBitmap = %v", err)
				}
				if got := openBitmap(b, top+1).ToArray(); !slices.Equal(got, ids) {
					t.Errorf("openBitmap = %d ids, want %d", len(got), len(ids))
				}
			}
			if err := checkBitmap(b, top); !errors.Is(err, format.ErrCorrupt) {
				t.Errorf("checkBitmap with a limit of %d = %v, want a corrupt index", top, err)
			}
			for n := 0; n < len(b); n += 1 + len(b)/200 {
				if err := checkBitmap(b[:n], top+1); !errors.Is(err, format.ErrCorrupt) {
					t.Errorf("checkBitmap of %d bytes of %d = %v, want a corrupt index", n, len(b), err)
				}
			}
			if err := checkBitmap(append(bytes.Clone(b), 0), 1<<32-1); !errors.Is(err, format.ErrCorrupt) {
				t.Errorf("checkBitmap with a byte more = %v, want a corrupt index", err)
			}
		})
	}
}

// What checkBitmap lets through the library reads without complaint, and gives back ascending ids below the limit.
func FuzzBitmap(f *testing.F) {
	for _, ids := range bitmapSets() {
		b, err := appendBitmap(nil, ids)
		if err != nil {
			f.Fatal(err)
		}
		if len(b) < 1000 {
			f.Add(b)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		const limit = 1 << 20
		if err := checkBitmap(b, limit); err != nil {
			if !errors.Is(err, format.ErrCorrupt) {
				t.Fatalf("checkBitmap = %v, want a corrupt index", err)
			}
			return
		}
		var set *roaring.Bitmap
		if err := format.Guard(func() error { set = openBitmap(b, limit); return nil }); err != nil {
			t.Fatalf("openBitmap = %v after checkBitmap let it through", err)
		}
		ids := set.ToArray()
		if !slices.IsSorted(ids) || len(ids) > 0 && ids[len(ids)-1] >= limit || uint64(len(ids)) != set.GetCardinality() {
			t.Fatalf("openBitmap gives %d ids up to %d, cardinality %d", len(ids), ids[len(ids)-1], set.GetCardinality())
		}
	})
}
