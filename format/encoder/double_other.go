//go:build !amd64

package encoder

// product64 writes x·panel for n rows of x to y.
func product64[W float32 | float64](y []float64, ldy int, x []float64, ldx, n, in int, panel []W) {
	product64Go(y, ldy, x, ldx, n, in, panel)
}
