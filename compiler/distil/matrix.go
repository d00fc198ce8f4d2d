package distil

import (
	"context"
	"math"
	"slices"

	"kdd/compiler/parallel"
)

// sparse is a sparse matrix by rows: row i has values[k] in column index[k], for k from starts[i] to starts[i+1].
type sparse struct {
	starts []int
	index  []int32
	values []float32
}

func (m *sparse) rows() int { return len(m.starts) - 1 }

// newMatrix returns the matrix of the texts, [len(texts), c.count()]: frequency × weight, over the L2 norm of the
// text's wordpieces (of 1 if that is 0). Columns ascend within a row.
func newMatrix(ctx context.Context, c *columns, texts [][]int32, workers int) (*sparse, error) {
	const block = 256
	parts := make([]sparse, (len(texts)+block-1)/block)
	err := share(ctx, workers, len(parts), func(p int) {
		part := &parts[p]
		part.starts = append(part.starts, 0)
		var row []int32
		for _, ids := range texts[p*block : min((p+1)*block, len(texts))] {
			row = c.appendRow(row[:0], ids)
			part.add(c, row)
		}
	})
	if err != nil {
		return nil, err
	}
	m := &sparse{starts: make([]int, 1, len(texts)+1)}
	entries := 0
	for i := range parts {
		entries += len(parts[i].index)
	}
	m.index, m.values = make([]int32, 0, entries), make([]float32, 0, entries)
	for i := range parts {
		for _, s := range parts[i].starts[1:] {
			m.starts = append(m.starts, len(m.index)+s)
		}
		m.index, m.values = append(m.index, parts[i].index...), append(m.values, parts[i].values...)
	}
	return m, nil
}

// appendRow appends the columns of a text's wordpieces and pairs, ascending, as often as they occur.
func (c *columns) appendRow(dst []int32, ids []int32) []int32 {
	for k, id := range ids {
		dst = append(dst, c.index[id])
		if k > 0 && len(c.pairOf) > 0 {
			if column, ok := c.pairOf[pairKey(ids[k-1], id)]; ok {
				dst = append(dst, column)
			}
		}
	}
	slices.Sort(dst)
	return dst
}

// add adds a row, given as its columns in ascending order, each as often as it occurs.
func (m *sparse) add(c *columns, row []int32) {
	first, norm := len(m.index), 0.0
	for k := 0; k < len(row); {
		end := k + 1
		for end < len(row) && row[end] == row[k] {
			end++
		}
		value := float64(end - k)
		if int(row[k]) < len(c.seen) {
			value *= c.weights[c.seen[row[k]]]
			norm += float64(value * value)
		} else {
			value *= c.pairW
		}
		m.index, m.values = append(m.index, row[k]), append(m.values, float32(value))
		k = end
	}
	if norm > 0 {
		for k := first; k < len(m.values); k++ {
			m.values[k] = float32(float64(m.values[k]) / math.Sqrt(norm))
		}
	}
	m.starts = append(m.starts, len(m.index))
}

// transpose returns the matrix by columns; rows ascend within one.
func (m *sparse) transpose(columns int) *sparse {
	t := &sparse{starts: make([]int, columns+1), index: make([]int32, len(m.index)), values: make([]float32, len(m.values))}
	for _, c := range m.index {
		t.starts[c+1]++
	}
	for c := range columns {
		t.starts[c+1] += t.starts[c]
	}
	at := slices.Clone(t.starts[:columns])
	for row := range m.rows() {
		for k := m.starts[row]; k < m.starts[row+1]; k++ {
			c := m.index[k]
			t.index[at[c]], t.values[at[c]] = int32(row), m.values[k]
			at[c]++
		}
	}
	return t
}

// share calls do for 0 to n-1 from several goroutines, 0 workers for GOMAXPROCS, and returns the cause if ctx ends.
func share(ctx context.Context, workers, n int, do func(i int)) error {
	return parallel.Each(ctx, workers, n, func(i int) error { do(i); return nil })
}
