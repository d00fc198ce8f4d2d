package index

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"kdd/format"
)

// clustered returns a file with clusters, of which a real one has many more rows.
func clustered(t *testing.T, dim int) []byte {
	t.Helper()
	before := clusterRows
	clusterRows = 100
	t.Cleanup(func() { clusterRows = before })
	c := generate(12, 120)
	r := rand.New(rand.NewPCG(3, 4))
	vectors := make([]float32, len(c.Chunks)*dim)
	for i := range vectors {
		vectors[i] = float32(r.NormFloat64())
	}
	rows, scales := QuantiseRows(vectors, dim)
	c.Extra = append(c.Extra, VectorBlocks(rows, scales, nil, dim)...)
	return image(t, c)
}

// TestClusters asks that each row is in the cluster of which the sketch is nearest, that verify has nothing to say, and
// that the same rows give the same bytes.
func TestClusters(t *testing.T) {
	for _, dim := range []int{20, 64, 100} {
		data := clustered(t, dim)
		if !slices.Equal(data, clustered(t, dim)) {
			t.Errorf("dimension %d: the same rows give other bytes", dim)
		}
		if problems, err := verifyBytes(data); err != nil || len(problems) > 0 {
			t.Errorf("dimension %d: Verify = %v, %v", dim, problems, err)
		}
		v, err := open(t, data).Vectors()
		if err != nil {
			t.Fatal(err)
		}
		c := v.Clusters()
		rows, used := 0, 0
		for k := range uint32(c.Count) {
			list, sketches := c.List(k)
			if len(sketches) != len(list)*sketchBytes(dim) {
				t.Fatalf("cluster %d: %d bytes of sketches for %d rows", k, len(sketches), len(list))
			}
			rows += len(list)
			used += min(1, len(list))
		}
		if rows != v.Count || used < c.Count/2 {
			t.Errorf("dimension %d: %d of %d rows in %d of %d clusters", dim, rows, v.Count, used, c.Count)
		}
	}
}

// TestFewRowsHaveNoClusters asks for the blocks of a usual file.
func TestFewRowsHaveNoClusters(t *testing.T) {
	rows, scales := QuantiseRows(make([]float32, 500*8), 8)
	for _, b := range VectorBlocks(rows, scales, nil, 8) {
		if b.Tag == tagCentroids || b.Tag == tagClusters {
			t.Errorf("500 rows have a block %s", b.Tag)
		}
	}
}

// TestVerifyClusters changes the clusters of a file whose hashes are right.
func TestVerifyClusters(t *testing.T) {
	const dim = 64
	data := clustered(t, dim)
	v, err := open(t, data).Vectors()
	if err != nil {
		t.Fatal(err)
	}
	first := v.Clusters().Span(0)
	counts := vectorHeader + v.clusters*(dim+4)
	tests := []struct {
		name  string
		tag   format.Tag
		edit  func(b *format.RawBlock)
		block string // VECS where the vectors cannot be opened
		want  string
	}{
		{"a row of another number", tagClusters, func(b *format.RawBlock) {
			copy(b.Data[first.At+4:], b.Data[first.At:first.At+4])
		}, "VCLU", "twice or out of order"},
		{"a row that is not there", tagClusters, func(b *format.RawBlock) {
			binary.LittleEndian.PutUint32(b.Data[first.At:], 1<<30)
		}, "VECS", "VCLU: cluster 0 has row"},
		{"another sketch", tagClusters, func(b *format.RawBlock) {
			b.Data[first.At+first.N-1] ^= 1
		}, "VCLU", "does not have its sketch"},
		{"cut", tagClusters, func(b *format.RawBlock) { b.Data = b.Data[:len(b.Data)-12] }, "VECS", "rows in"},
		{"more rows", tagCentroids, func(b *format.RawBlock) { b.Data[counts]++ }, "VECS", "there are"},
		{"another dimension", tagCentroids, func(b *format.RawBlock) { b.Data[0]++ }, "VECS", "VCEN: rows of"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			verifyTells(t, changed(t, data, tt.tag, tt.edit), tt.block, tt.want)
		})
	}
}
