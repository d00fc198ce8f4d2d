package index

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"kdd/format"
)

// decodeList reads a record back, and checks what Block says.
func decodeList(t testing.TB, post, pos []byte, rows *[FieldCount]uint32) List {
	t.Helper()
	rec := parseRecord(post, pos, rows)
	l := List{Chunks: rec.Chunks}
	var rowBuf, freqBuf [blockPostings]uint32
	for f := range rec.Fields {
		p, to := &rec.Fields[f], &l.Fields[f]
		for i := range p.Blocks() {
			n := p.Decode(i, rowBuf[:], freqBuf[:])
			if last, _ := p.Block(i); rowBuf[n-1] > last || p.N > blockPostings && rowBuf[n-1] != last {
				t.Errorf("Block(%d) says last row %d, Decode gives %d", i, last, rowBuf[n-1])
			}
			to.Rows, to.Freqs = append(to.Rows, rowBuf[:n]...), append(to.Freqs, freqBuf[:n]...)
			if p.Placed() {
				to.Positions = p.Positions(to.Positions, i, freqBuf[:n])
			}
		}
	}
	return l
}

// randomField makes n postings of limit rows: evenly spread, clustered, or at the end.
func randomField(r *rand.Rand, n, limit int, placed bool) FieldPostings {
	set := map[uint32]bool{}
	cluster := r.IntN(3)
	for len(set) < n {
		row := r.IntN(limit)
		switch cluster {
		case 1:
			row = min(limit-1, r.IntN(4)*(limit/4)+r.IntN(2*n))
		case 2:
			row = limit - 1 - len(set)
		}
		if set[uint32(row)] {
			row = r.IntN(limit)
		}
		set[uint32(row)] = true
	}
	var p FieldPostings
	for row := range set {
		p.Rows = append(p.Rows, row)
	}
	slices.Sort(p.Rows)
	ones := r.IntN(4) == 0
	for range p.Rows {
		freq := uint32(1)
		if !ones {
			freq += uint32(r.ExpFloat64() * 3)
		}
		p.Freqs = append(p.Freqs, freq)
		if placed {
			at := uint32(r.IntN(1 << r.IntN(9)))
			for range freq {
				p.Positions = append(p.Positions, at)
				at += uint32(r.IntN(1 << r.IntN(7))) // two may stand at one place
			}
		}
	}
	return p
}

func TestPostings(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, n := range []int{1, 2, 14, 15, 16, 17, 127, 128, 129, 255, 256, 257, 384, 5000} {
		for _, limit := range []int{n, n + 1, 3 * n, 100_000} {
			t.Run(fmt.Sprintf("n=%d/limit=%d", n, limit), func(t *testing.T) {
				for fields := 1; fields < 1<<FieldCount; fields++ {
					rows := [FieldCount]uint32{}
					scales := [FieldCount]fieldScale{}
					var want List
					for f := range want.Fields {
						rows[f], scales[f].rows = uint32(limit), uint32(limit)
						if fields>>f&1 == 1 {
							k := n
							if f != int(BodyField) && n > 1 {
								k = 1 + r.IntN(n)
							}
							want.Fields[f] = randomField(r, k, limit, f != int(LinkField) && r.IntN(4) > 0)
						}
					}
					want.Chunks = uint32(len(want.Fields[BodyField].Rows))
					if fields&3 != 0 {
						want.Chunks += uint32(r.IntN(300))
					}
					w := listWriter{scales: &scales}
					post, pos := w.record(nil, nil, &want)
					got := decodeList(t, post, pos, &rows)
					if !reflect.DeepEqual(got, want) {
						t.Fatalf("fields %#x: decoded %+v, want %+v", fields, got, want)
					}
				}
			})
		}
	}
}

// Numbers near 32 bits, in rows, frequencies and positions.
func TestPostingsLimits(t *testing.T) {
	const most = math.MaxUint32
	tests := []struct {
		name string
		p    FieldPostings
	}{
		{"last row", FieldPostings{Rows: []uint32{most - 1}, Freqs: []uint32{1}}},
		{"first and last row", FieldPostings{Rows: []uint32{0, most - 1}, Freqs: []uint32{1, 1}}},
		{"large frequencies", FieldPostings{Rows: []uint32{0, 1, 2}, Freqs: []uint32{1, most - 1, most}}},
		{"large positions", FieldPostings{Rows: []uint32{5}, Freqs: []uint32{3}, Positions: []uint32{0, 1, most}}},
		{"equal positions", FieldPostings{Rows: []uint32{5}, Freqs: []uint32{3}, Positions: []uint32{most, most, most}}},
		{"large gaps in a long list", spaced(20, most/21)},
		{"large gaps in blocks", spaced(300, most/301)},
		{"one large gap", FieldPostings{Rows: append(spaced(200, 1).Rows, most-1), Freqs: append(spaced(200, 1).Freqs, most)}},
	}
	rows := [FieldCount]uint32{most, most, most, most}
	scales := [FieldCount]fieldScale{{rows: most}, {rows: most}, {rows: most}, {rows: most}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := List{Chunks: uint32(len(tt.p.Rows))}
			want.Fields[BodyField] = tt.p
			w := listWriter{scales: &scales}
			post, pos := w.record(nil, nil, &want)
			if got := decodeList(t, post, pos, &rows); !reflect.DeepEqual(got, want) {
				t.Errorf("decoded %+v, want %+v", got, want)
			}
		})
	}
}

func spaced(n int, gap uint32) (p FieldPostings) {
	for i := range n {
		p.Rows, p.Freqs = append(p.Rows, uint32(i)*gap), append(p.Freqs, 1)
	}
	return p
}

func TestRecordPanics(t *testing.T) {
	tests := []struct {
		name string
		p    FieldPostings
	}{
		{"rows out of order", FieldPostings{Rows: []uint32{2, 1}, Freqs: []uint32{1, 1}}},
		{"a row twice", FieldPostings{Rows: []uint32{2, 2}, Freqs: []uint32{1, 1}}},
		{"a row too high", FieldPostings{Rows: []uint32{10}, Freqs: []uint32{1}}},
		{"frequency 0", FieldPostings{Rows: []uint32{1}, Freqs: []uint32{0}}},
		{"too few positions", FieldPostings{Rows: []uint32{1}, Freqs: []uint32{2}, Positions: []uint32{1}}},
		{"positions out of order", FieldPostings{Rows: []uint32{1}, Freqs: []uint32{2}, Positions: []uint32{2, 1}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("record does not panic")
				}
			}()
			w := listWriter{scales: &[FieldCount]fieldScale{BodyField: {rows: 10}}}
			l := List{}
			l.Fields[BodyField] = tt.p
			w.record(nil, nil, &l)
		})
	}
}

// Records cut short anywhere, and with a byte changed anywhere, end with a corrupt index or give rows in range.
func TestRecordHostile(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	rows := [FieldCount]uint32{400, 400, 400, 400}
	scales := [FieldCount]fieldScale{{rows: 400}, {rows: 400}, {rows: 400}, {rows: 400}}
	var l List
	for f, n := range []int{3, 20, 300, 140} {
		l.Fields[f] = randomField(r, n, 400, f != int(LinkField))
	}
	w := listWriter{scales: &scales}
	post, pos := w.record(nil, nil, &l)
	try := func(what string, post, pos []byte) {
		err := format.Guard(func() error {
			got := decodeList(t, post, pos, &rows)
			for f := range got.Fields {
				p := &got.Fields[f]
				for i, row := range p.Rows {
					if row >= 400 || i > 0 && row <= p.Rows[i-1] || p.Freqs[i] == 0 {
						t.Errorf("%s: field %d: row %d after %d", what, f, row, p.Rows[max(0, i-1)])
					}
				}
			}
			return nil
		})
		var corrupt *format.CorruptError
		if err != nil && (!errors.As(err, &corrupt) || corrupt.Block == (format.Tag{})) {
			t.Errorf("%s: %v, want a CorruptError of a block", what, err)
		}
	}
	for n := range post {
		try(fmt.Sprintf("%d bytes of postings", n), post[:n], pos)
	}
	for n := range pos {
		try(fmt.Sprintf("%d bytes of positions", n), post, pos[:n])
	}
	for range 5_000 {
		a, b := slices.Clone(post), slices.Clone(pos)
		if k := r.IntN(len(a) + len(b)); k < len(a) {
			a[k] = byte(r.Uint32())
		} else {
			b[k-len(a)] = byte(r.Uint32())
		}
		try("a byte changed", a, b)
	}
}

// Impacts bound what BM25 gives a posting of the block.
func TestImpacts(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	p := randomField(r, 1000, 3000, false)
	lengths := make([]uint32, 3000)
	var sum float64
	for i := range lengths {
		lengths[i] = uint32(r.IntN(200))
		sum += float64(lengths[i])
	}
	avg := sum / 3000
	scales := [FieldCount]fieldScale{BodyField: {3000, func(row uint32) uint32 { return lengths[row] }, avg}}
	l := List{}
	l.Fields[BodyField] = p
	w := listWriter{scales: &scales}
	post, pos := w.record(nil, nil, &l)
	rec := parseRecord(post, pos, &[FieldCount]uint32{BodyField: 3000})
	for i := range rec.Fields[BodyField].Blocks() {
		_, impact := rec.Fields[BodyField].Block(i)
		var most float64
		for k := i * blockPostings; k < min((i+1)*blockPostings, len(p.Rows)); k++ {
			f := float64(p.Freqs[k])
			most = max(most, 255*f/(f+1.2*(1-.75+.75*float64(lengths[p.Rows[k]])/avg)))
		}
		if float64(impact) < most || float64(impact) > most+1 {
			t.Errorf("Block(%d) has impact %d, its largest is %g", i, impact, most)
		}
	}
}

func FuzzRecord(f *testing.F) {
	r := rand.New(rand.NewPCG(8, 8))
	rows := [FieldCount]uint32{1000, 1000, 1000, 1000}
	scales := [FieldCount]fieldScale{{rows: 1000}, {rows: 1000}, {rows: 1000}, {rows: 1000}}
	for _, n := range []int{1, 15, 16, 128, 129, 300} {
		var l List
		for k := range l.Fields {
			l.Fields[k] = randomField(r, n, 1000, k != int(LinkField))
		}
		w := listWriter{scales: &scales}
		post, pos := w.record(nil, nil, &l)
		f.Add(post, pos)
	}
	f.Fuzz(func(t *testing.T, post, pos []byte) {
		var l List
		err := format.Guard(func() error { l = decodeList(t, post, pos, &rows); return nil })
		if err != nil {
			var corrupt *format.CorruptError
			if !errors.As(err, &corrupt) || corrupt.Block == (format.Tag{}) {
				t.Fatalf("decode = %v, want a CorruptError of a block", err)
			}
			return
		}
		// What is accepted encodes to something that gives the same again.
		w := listWriter{scales: &scales}
		again, againPos := w.record(nil, nil, &l)
		if got := decodeList(t, again, againPos, &rows); !reflect.DeepEqual(got, l) {
			t.Fatalf("decoded %+v, again %+v", l, got)
		}
	})
}
