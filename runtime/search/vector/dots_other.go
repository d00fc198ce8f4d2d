//go:build !amd64

package vector

// dots writes the dot products of q with consecutive int8 rows of dim bytes; see dotsPlain.
func dots(dst []int32, q []int16, rows []byte, dim int) { dotsPlain(dst, q, rows, dim) }
