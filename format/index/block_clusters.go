package index

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"runtime"
	"slices"
	"sync"

	"kdd/format"
)

// The clusters of vectors, FORMAT.md §11: a reader of a file that lies elsewhere looks at the sketches of the clusters
// that are nearest to a query, in place of all sketches.

// clusterRows is how many vectors a file has to have for clusters: the sketches of fewer are read whole. Tests change it.
var clusterRows = ExactRows

// The constants of k-means.
const (
	clustersPerRoot = 1.6 // clusters for each square root of the number of rows
	sampledRows     = 64  // for each cluster, from which the clusters are made
	clusterRounds   = 8
)

// clusterBlocks groups rows by their sketches, and encodes the groups; none for few rows. It is k-means (Lloyd 1982) in
// Hamming space, a centroid having each bit that more than half of its rows have: all numbers are whole, so the result
// does not depend on the machine or the number of its processors. Cost: rows · clusters · dim/64 steps, in parallel.
func clusterBlocks(rows []byte, scales []float32, sketches []byte, dim int) []format.RawBlock {
	n, size := len(scales), sketchBytes(dim)
	if n <= clusterRows {
		return nil
	}
	words := make([]uint64, len(sketches)/8)
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(sketches[i*8:])
	}
	g := grouping{words: words, width: size / 8, k: int(clustersPerRoot * math.Sqrt(float64(n)))}
	g.learn(n)
	of := make([]uint32, n)
	g.assign(of, 1)
	members := make([][]uint32, g.k)
	for row, k := range of {
		members[k] = append(members[k], uint32(row))
	}
	lists := appendVectorHeader(nil, dim, size+4, n)
	means := make([]float32, g.k*dim)
	for k, list := range members {
		for _, row := range list {
			lists = binary.LittleEndian.AppendUint32(lists, row)
		}
		for _, row := range list {
			lists = append(lists, sketches[int(row)*size:int(row+1)*size]...)
			for i, b := range rows[int(row)*dim : int(row+1)*dim] {
				means[k*dim+i] += float32(float32(int8(b)) * scales[row]) // rounded, not fused with the sum
			}
		}
		normalise(means[k*dim : (k+1)*dim])
	}
	centres, factors := QuantiseRows(means, dim)
	data := append(appendVectorHeader(nil, dim, dim, g.k), centres...)
	for _, f := range factors {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(f))
	}
	for _, list := range members {
		data = binary.LittleEndian.AppendUint32(data, uint32(len(list)))
	}
	return []format.RawBlock{
		{Tag: tagCentroids, Rows: uint64(g.k), Data: data},
		{Tag: tagClusters, Rows: uint64(n), Data: lists},
	}
}

// normalise gives a vector the length 1, unless it is zero.
func normalise(v []float32) {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		return
	}
	scale := float32(1 / math.Sqrt(sum))
	for i := range v {
		v[i] *= scale
	}
}

// grouping is k-means of sketches of width words each.
type grouping struct {
	words   []uint64
	width   int
	k       int
	centres []uint64
}

// learn makes the centroids from rows that lie evenly among n.
func (g *grouping) learn(n int) {
	step := max(1, n/(g.k*sampledRows))
	sample := n / step
	g.centres = make([]uint64, 0, g.k*g.width)
	for k := range g.k {
		row := k * sample / g.k * step
		g.centres = append(g.centres, g.words[row*g.width:(row+1)*g.width]...)
	}
	of, counts := make([]uint32, sample), make([]uint32, g.width*64)
	for range clusterRounds {
		g.assign(of, step)
		order := make([]uint32, sample)
		for i := range order {
			order[i] = uint32(i)
		}
		slices.SortStableFunc(order, func(a, b uint32) int { return int(of[a]) - int(of[b]) })
		for len(order) > 0 {
			k, members := of[order[0]], 0
			clear(counts)
			for members < len(order) && of[order[members]] == k {
				at := int(order[members]) * step * g.width
				for w, word := range g.words[at : at+g.width] {
					for ; word != 0; word &= word - 1 {
						counts[w*64+bits.TrailingZeros64(word)]++
					}
				}
				members++
			}
			order = order[members:]
			centre := g.centres[int(k)*g.width : int(k+1)*g.width]
			clear(centre)
			for bit, c := range counts {
				if int(c)*2 > members {
					centre[bit/64] |= 1 << (bit % 64)
				}
			}
		}
	}
}

// assign writes to of[i] the cluster nearest to row i·step; of equally near ones the first.
func (g *grouping) assign(of []uint32, step int) {
	workers := runtime.GOMAXPROCS(0)
	var group sync.WaitGroup
	for part := range workers {
		group.Go(func() {
			for i := part * len(of) / workers; i < (part+1)*len(of)/workers; i++ {
				row := i * step * g.width
				own := g.words[row : row+g.width]
				best, nearest := uint32(0), math.MaxInt
				for k := range g.k {
					far := 0
					for w, word := range g.centres[k*g.width : (k+1)*g.width] {
						far += bits.OnesCount64(word ^ own[w])
					}
					if far < nearest {
						best, nearest = uint32(k), far
					}
				}
				of[i] = best
			}
		})
	}
	group.Wait()
}

// Clusters is a view of the clusters of vectors.
type Clusters struct {
	Count   int // of clusters
	dim     int
	rows    uint32
	starts  []uint64 // rows of the clusters before, and of all
	centres *format.Block
	lists   *format.Block
}

// Clusters returns the clusters of the vectors, nil if there are none. It fails (see Guard) where they do not have as
// many rows as there are vectors. Cost: a number for each cluster.
func (v *Vectors) Clusters() *Clusters {
	if v.centres == nil || v.lists == nil {
		return nil
	}
	k := v.clusters
	c := &Clusters{Count: k, dim: v.Dim, rows: uint32(v.Count), starts: make([]uint64, k+1), centres: v.centres, lists: v.lists}
	counts := c.centres.Range(vectorHeader+uint64(k)*uint64(v.Dim+4), uint64(k)*4)
	for i := range k {
		c.starts[i+1] = c.starts[i] + uint64(binary.LittleEndian.Uint32(counts[i*4:]))
	}
	if c.starts[k] != uint64(v.Count) {
		format.Fail(tagCentroids, "clusters of %d rows, there are %d", c.starts[k], v.Count)
	}
	return c
}

// Centroids returns the centroids [from, from+n): int8 rows and their scales, as Rows and Scales have them.
func (c *Clusters) Centroids(from, n int) (rows, scales []byte) {
	return c.centres.Range(vectorHeader+uint64(from*c.dim), uint64(n*c.dim)),
		c.centres.Range(vectorHeader+uint64(c.Count*c.dim+from*4), uint64(n*4))
}

// Span returns where a cluster lies, for File.Fetch.
func (c *Clusters) Span(k uint32) format.Span {
	size := uint64(sketchBytes(c.dim) + 4)
	return format.Span{Block: c.lists, At: vectorHeader + c.starts[k]*size, N: (c.starts[k+1] - c.starts[k]) * size}
}

// List returns the rows of a cluster, ascending, and their sketches. It fails (see Guard) where a row does not exist.
func (c *Clusters) List(k uint32) (rows []uint32, sketches []byte) {
	s := c.Span(k)
	data := c.lists.Range(s.At, s.N)
	rows = make([]uint32, c.starts[k+1]-c.starts[k])
	for i := range rows {
		if rows[i] = binary.LittleEndian.Uint32(data[i*4:]); rows[i] >= c.rows {
			format.Fail(tagClusters, "cluster %d has row %d of %d", k, rows[i], c.rows)
		}
	}
	return rows, data[len(rows)*4:]
}

// clusters checks that each row is in one cluster, with its sketch.
func (v *verifier) clusters(view *Vectors) {
	c := view.Clusters()
	if c == nil {
		return
	}
	seen := make([]bool, view.Count)
	for k := range uint32(c.Count) {
		rows, sketches := c.List(k)
		size := sketchBytes(view.Dim)
		for i, row := range rows {
			switch {
			case seen[row] || i > 0 && rows[i-1] >= row:
				v.Add(tagClusters, "cluster %d: row %d is there twice or out of order", k, row)
				return
			case view.HasSketches() && !bytes.Equal(sketches[i*size:(i+1)*size], view.Sketches(row, 1)):
				v.Add(tagClusters, "cluster %d: row %d does not have its sketch", k, row)
				return
			}
			seen[row] = true
		}
	}
}
