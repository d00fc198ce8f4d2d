package vector

import "golang.org/x/sys/cpu"

var hasAVX2 = cpu.X86.HasAVX2

// dotsAVX2 is dotsPlain for a dim that is a multiple of 16, with 16 products per step (VPMOVSXBW, VPMADDWD).
//
//go:noescape
func dotsAVX2(dst *int32, q *int16, rows *byte, n, dim int)

// dots writes the dot products of q with consecutive int8 rows of dim bytes; see dotsPlain.
func dots(dst []int32, q []int16, rows []byte, dim int) {
	if !hasAVX2 || dim%16 != 0 || len(dst) == 0 {
		dotsPlain(dst, q, rows, dim)
		return
	}
	_, _ = q[dim-1], rows[len(dst)*dim-1] // what the assembly reads
	dotsAVX2(&dst[0], &q[0], &rows[0], len(dst), dim)
}
