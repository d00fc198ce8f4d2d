package distil

import "golang.org/x/sys/cpu"

// useAVX2 is a variable so that tests can compare both paths.
var useAVX2 = cpu.X86.HasAVX2

// gather writes Σ values[k]·x[index[k]] to dst, with the bits of gatherGo; index is not empty, and as long as values.
func gather(dst *lane, x []lane, index []int32, values []float32) {
	if !useAVX2 {
		gatherGo(dst, x, index, values)
		return
	}
	// The indices come from newMatrix and transpose, which give none outside.
	gatherAVX2(dst, &x[0], &index[0], &values[0], len(index))
}

//go:noescape
func gatherAVX2(dst, x *lane, index *int32, values *float32, n int)
