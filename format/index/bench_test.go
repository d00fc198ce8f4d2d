package index

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// benchList is a list of n of limit rows.
func benchList(n, limit int) *List {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	var p FieldPostings
	for row := range limit {
		if len(p.Rows) < n && r.IntN(limit-row) < n-len(p.Rows) {
			freq := 1 + uint32(r.ExpFloat64())
			p.Rows, p.Freqs = append(p.Rows, uint32(row)), append(p.Freqs, freq)
			at := uint32(r.IntN(60))
			for range freq {
				p.Positions = append(p.Positions, at)
				at += uint32(1 + r.IntN(20))
			}
		}
	}
	l := &List{Chunks: uint32(n)}
	l.Fields[BodyField] = p
	return l
}

func BenchmarkPostings(b *testing.B) {
	const limit = 100_000
	rows := [FieldCount]uint32{BodyField: limit}
	scales := [FieldCount]fieldScale{BodyField: {rows: limit}}
	for _, n := range []int{1, 15, 100, 5000} {
		l := benchList(n, limit)
		w := listWriter{scales: &scales}
		post, pos := w.record(nil, nil, l)
		b.Run(fmt.Sprintf("Decode/n=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(post)))
			var rowBuf, freqBuf [blockPostings]uint32
			got := 0
			for b.Loop() {
				rec := parseRecord(post, pos, &rows)
				p := &rec.Fields[BodyField]
				got = 0
				for i := range p.Blocks() {
					got += p.Decode(i, rowBuf[:], freqBuf[:])
				}
			}
			if got != n {
				b.Fatalf("decoded %d postings, want %d", got, n)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/posting")
		})
		b.Run(fmt.Sprintf("Positions/n=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(post) + len(pos)))
			var rowBuf, freqBuf [blockPostings]uint32
			var at []uint32
			for b.Loop() {
				rec := parseRecord(post, pos, &rows)
				p := &rec.Fields[BodyField]
				at = at[:0]
				for i := range p.Blocks() {
					k := p.Decode(i, rowBuf[:], freqBuf[:])
					at = p.Positions(at, i, freqBuf[:k])
				}
			}
			if len(at) != len(l.Fields[BodyField].Positions) {
				b.Fatalf("decoded %d positions, want %d", len(at), len(l.Fields[BodyField].Positions))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(at)), "ns/position")
		})
	}
}
