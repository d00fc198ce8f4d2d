package table

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"kdd/format"
)

var testTag = format.Tag{'T', 'E', 'S', 'T'}

func TestTable(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, rows := range []int{0, 1, 2, 63, 64, 65, 127, 128, 129, 1000} {
		for _, width := range []int{0, 1, 7, 8, 9, 31, 32, 33, 55, 56} {
			t.Run(fmt.Sprintf("rows=%d/width=%d", rows, width), func(t *testing.T) {
				base := r.Uint64() >> 8
				plain, rising := make([]uint64, rows), make([]uint64, rows)
				var sum uint64
				for i := range plain {
					plain[i] = base + r.Uint64()&(1<<width-1)
					rising[i] = sum
					sum += r.Uint64() & (1<<min(width, 40) - 1)
				}
				if rows > 1 {
					plain[0], plain[rows-1] = base, base+1<<width-1
				}
				b := New(rows)
				b.Plain(func(i int) uint64 { return plain[i] })
				b.Rising(func(i int) uint64 { return rising[i] })
				columns, err := Parse(format.Bare(testTag, b.Bytes()), []Spec{{"a", 0, false}, {"b", 0, true}})
				if err != nil {
					t.Fatalf("Parse = %v", err)
				}
				for i := range rows {
					if got := columns[0].At(uint32(i)); got != plain[i] {
						t.Fatalf("plain at(%d) = %d, want %d", i, got, plain[i])
					}
					if got := columns[1].At(uint32(i)); got != rising[i] {
						t.Fatalf("rising at(%d) = %d, want %d", i, got, rising[i])
					}
				}
				for c, values := range [][]uint64{plain, rising} { // all cells at once: what cell by cell gives
					got, want := make([]uint32, rows), make([]uint32, rows)
					fill := format.Guard(func() error { columns[c].Fill(got); return nil })
					each := format.Guard(func() error {
						for i := range want {
							want[i] = columns[c].U32(uint32(i))
						}
						return nil
					})
					if (fill == nil) != (each == nil) || each == nil && !slices.Equal(got, want) {
						t.Fatalf("Fill = %v, %v, cell by cell %v, %v (%v)", got, fill, want, each, values)
					}
				}
				if err := format.Guard(func() error { columns[0].Fill(make([]uint32, rows+1)); return nil }); !errors.Is(err, format.ErrCorrupt) {
					t.Errorf("Fill of more rows than there are = %v, want a corrupt index", err)
				}
				for i := range rows - 1 {
					if from, to := columns[1].Pair(uint32(i), sum); from != rising[i] || to != rising[i+1] {
						t.Fatalf("pair(%d) = %d, %d, want %d, %d", i, from, to, rising[i], rising[i+1])
					}
				}
				for range min(rows, 50) {
					v := r.Uint64N(sum + 1)
					want := 0
					for i := range rising {
						if rising[i] <= v {
							want = i
						}
					}
					if got := columns[1].Search(v); got != uint32(want) {
						t.Fatalf("search(%d) = %d, want %d", v, got, want)
					}
				}
				for _, row := range []uint32{uint32(rows), uint32(rows) + 1, 1<<32 - 1} {
					if err := format.Guard(func() error { columns[0].At(row); return nil }); !errors.Is(err, format.ErrCorrupt) {
						t.Errorf("at(%d) of %d rows = %v, want a corrupt index", row, rows, err)
					}
				}
			})
		}
	}
}

// A cell that does not fit the type that it is read as is corrupt, and so is a range that falls or passes its limit.
func TestCellsThatDoNotFit(t *testing.T) {
	values := []uint64{0, 1<<8 - 1, 1 << 8, 1<<32 - 1, 1 << 32, 7}
	b := New(len(values))
	b.Plain(func(i int) uint64 { return values[i] })
	columns, err := Parse(format.Bare(testTag, b.Bytes()), []Spec{{"a", 0, false}})
	if err != nil {
		t.Fatal(err)
	}
	c := &columns[0]
	for row, v := range values {
		for _, read := range []struct {
			name string
			fits bool
			of   func(uint32) uint64
		}{
			{"u8", v < 1<<8, func(row uint32) uint64 { return uint64(c.U8(row)) }},
			{"u32", v < 1<<32, func(row uint32) uint64 { return uint64(c.U32(row)) }},
			{"pair", row < 4, func(row uint32) uint64 { from, _ := c.Pair(row, 1<<32); return from }},
			{"pair below a limit", row < 3, func(row uint32) uint64 { from, _ := c.Pair(row, 1<<32-1); return from }},
		} {
			var got uint64
			err := format.Guard(func() error { got = read.of(uint32(row)); return nil })
			if read.fits && (err != nil || got != v) || !read.fits && !errors.Is(err, format.ErrCorrupt) {
				t.Errorf("%s of row %d, %d = %d, %v; it fits: %t", read.name, row, v, got, err, read.fits)
			}
		}
	}
}

func TestParseTableRejects(t *testing.T) {
	spec := []Spec{{"a", 0, false}, {"b", 0, true}}
	b := New(100)
	b.Plain(func(i int) uint64 { return uint64(i) })
	b.Rising(func(i int) uint64 { return uint64(i) })
	good := b.Bytes()
	le := binary.LittleEndian
	tests := []struct {
		name string
		edit func(b []byte) []byte
	}{
		{"empty", func(b []byte) []byte { return nil }},
		{"half a header", func(b []byte) []byte { return b[:tableHeader-1] }},
		{"no column headers", func(b []byte) []byte { return b[:tableHeader+columnHeader] }},
		{"one byte short", func(b []byte) []byte { return b[:len(b)-1] }},
		{"eight bytes more", func(b []byte) []byte { return append(b, make([]byte, 8)...) }},
		{"columns", func(b []byte) []byte { b[0] = 3; return b }},
		{"2^32-1 columns", func(b []byte) []byte { le.PutUint32(b, 1<<32-1); return b }},
		{"reserved", func(b []byte) []byte { b[4] = 1; return b }},
		{"rows", func(b []byte) []byte { b[8]++; return b }},
		{"2^31 rows", func(b []byte) []byte { le.PutUint64(b[8:], 1<<31); return b }},
		{"2^64-1 rows", func(b []byte) []byte { le.PutUint64(b[8:], 1<<64-1); return b }},
		{"id", func(b []byte) []byte { b[tableHeader] = 1; return b }},
		{"width 57", func(b []byte) []byte { b[tableHeader+4] = 57; return b }},
		{"width 0 of column 0", func(b []byte) []byte { b[tableHeader+4] = 0; return b }},
		{"kind", func(b []byte) []byte { b[tableHeader+5] = 1; return b }},
		{"kind 2", func(b []byte) []byte { b[tableHeader+5] = 2; return b }},
		{"zero bytes of a header", func(b []byte) []byte { b[tableHeader+7] = 1; return b }},
		{"base beyond 64 bits", func(b []byte) []byte { le.PutUint64(b[tableHeader+8:], 1<<64-1); return b }},
		{"base of a rising column", func(b []byte) []byte { b[tableHeader+columnHeader+8] = 1; return b }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Parse(format.Bare(testTag, tt.edit(slices.Clone(good))), spec); !errors.Is(err, format.ErrCorrupt) {
				t.Errorf("Parse = %v, want a corrupt index", err)
			}
		})
	}
}

func FuzzTable(f *testing.F) {
	for _, rows := range []int{0, 1, 65, 100} {
		b := New(rows)
		b.Plain(func(i int) uint64 { return uint64(i * i) })
		b.Rising(func(i int) uint64 { return uint64(i * 3) })
		f.Add(b.Bytes())
	}
	spec := []Spec{{"a", 0, false}, {"b", 0, true}}
	f.Fuzz(func(t *testing.T, b []byte) {
		columns, err := Parse(format.Bare(testTag, b), spec)
		if err != nil {
			if !errors.Is(err, format.ErrCorrupt) {
				t.Fatalf("Parse = %v, want a corrupt index", err)
			}
			return
		}
		if columns[0].Rows > 8*uint64(len(b)) {
			t.Fatalf("%d rows in %d bytes", columns[0].Rows, len(b))
		}
		err = format.Guard(func() error {
			for row := range uint32(columns[0].Rows) {
				columns[0].At(row)
				columns[1].At(row)
			}
			columns[1].Search(columns[0].base)
			columns[1].Pair(0, 1<<63)
			return nil
		})
		var corrupt *format.CorruptError
		if err != nil && (!errors.As(err, &corrupt) || corrupt.Block != testTag) {
			t.Fatalf("at = %v, want a CorruptError of the table", err)
		}
	})
}

func BenchmarkColumn(b *testing.B) {
	t := New(100_000)
	t.Plain(func(i int) uint64 { return uint64(i*7919) % 5000 })
	t.Rising(func(i int) uint64 { return uint64(i) * 3 })
	columns, err := Parse(format.Bare(testTag, t.Bytes()), []Spec{{"a", 0, false}, {"b", 0, true}})
	if err != nil {
		b.Fatal(err)
	}
	for i, kind := range []string{"plain", "rising"} {
		b.Run("At/"+kind, func(b *testing.B) {
			row, sum := uint32(0), uint64(0)
			for b.Loop() {
				sum += columns[i].At(row)
				if row += 7; row >= 100_000 {
					row = 0
				}
			}
			if sum == 0 {
				b.Fatal("all cells are zero")
			}
		})
	}
}
