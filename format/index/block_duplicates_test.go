package index

import (
	"slices"
	"testing"

	"kdd/format"
	"kdd/format/internal/table"
)

func TestDuplicates(t *testing.T) {
	c := generate(3, 40)
	x := open(t, image(t, c))
	groups := map[ChunkID][]ChunkID{}
	for _, g := range c.Duplicates {
		for _, k := range g {
			groups[k] = g
		}
	}
	if len(groups) < 20 {
		t.Fatalf("%d chunks with near duplicates, too few to tell anything", len(groups))
	}
	for k := range ChunkID(x.Chunks()) {
		leader, ok := x.DuplicateLeader(k)
		if got := slices.Collect(x.Duplicates(k)); !slices.Equal(got, groups[k]) || ok != (groups[k] != nil) || ok && leader != groups[k][0] {
			t.Errorf("chunk %d: leader %d, %v, duplicates %v, want %v", k, leader, ok, got, groups[k])
		}
	}
	c.Duplicates = nil
	x = open(t, image(t, c))
	if x.File.Block(tagDuplicates) != nil {
		t.Error("there is a block of no duplicates")
	}
	if _, ok := x.DuplicateLeader(3); ok {
		t.Error("a chunk has duplicates without the block")
	}
}

// rowsOf is the block of a table with these columns.
func rowsOf(columns ...[]uint64) func(b *format.RawBlock) {
	return func(b *format.RawBlock) {
		t := table.New(len(columns[0]))
		for _, c := range columns {
			t.Plain(func(i int) uint64 { return c[i] })
		}
		b.Data, b.Rows = t.Bytes(), uint64(len(columns[0]))
	}
}

func TestVerifyDuplicates(t *testing.T) {
	data := image(t, generate(3, 40))
	tests := []struct {
		name string
		edit func(b *format.RawBlock)
		want string // "" = nothing is wrong
	}{
		{"right", rowsOf([]uint64{1, 2, 5, 7}, []uint64{1, 2, 1, 2}, []uint64{2, 2, 0, 0}), ""},
		{"not sorted", rowsOf([]uint64{2, 1}, []uint64{2, 2}, []uint64{1, 0}), "not above"},
		{"a chunk twice", rowsOf([]uint64{1, 1}, []uint64{1, 1}, []uint64{1, 0}), "not above"},
		{"no such chunk", rowsOf([]uint64{1, 1 << 30}, []uint64{1, 1}, []uint64{1, 0}), "out of range"},
		{"no such leader", rowsOf([]uint64{1, 3}, []uint64{0, 0}, []uint64{1, 0}), "must be the first"},
		{"alone", rowsOf([]uint64{1, 2, 5}, []uint64{1, 2, 1}, []uint64{2, 0, 0}), "two chunks or more"},
		{"leads past the end", rowsOf([]uint64{1, 5}, []uint64{1, 1}, []uint64{7, 0}), "want 1"},
		{"leads in a circle", rowsOf([]uint64{1, 5}, []uint64{1, 1}, []uint64{0, 0}), "want 1"},
		{"the last one leads on", rowsOf([]uint64{1, 5, 6, 7}, []uint64{1, 1, 6, 6}, []uint64{1, 1, 1, 0}), "want 0"},
		{"cut off", func(b *format.RawBlock) { b.Data = b.Data[:20] }, "column headers"},
		{"rows", func(b *format.RawBlock) { b.Rows++ }, "the directory says"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bad := changed(t, data, tagDuplicates, tt.edit)
			block := "DUPS"
			if tt.want == "" {
				block = ""
			}
			verifyTells(t, bad, block, tt.want)
			// Whatever it says, walking it ends, in an error or in chunks that exist.
			f, err := format.OpenBytes(bad)
			if err != nil {
				t.Fatal(err)
			}
			x, err := New(f)
			if err != nil {
				return
			}
			for c := range ChunkID(x.Chunks()) {
				format.Guard(func() error {
					for d := range x.Duplicates(c) {
						if int(d) >= x.Chunks() {
							t.Errorf("chunk %d has the duplicate %d of %d", c, d, x.Chunks())
						}
					}
					return nil
				})
			}
		})
	}
}
