//go:build !amd64

package distil

// gather writes Σ values[k]·x[index[k]] to dst; index is not empty, and as long as values.
func gather(dst *lane, x []lane, index []int32, values []float32) { gatherGo(dst, x, index, values) }
