package encoder

// product64 writes x·panel for n rows of x to y, as product64Go does, but adds in another order. x and y have their
// rows padded to a multiple of tileRows.
func product64[W float32 | float64](y []float64, ldy int, x []float64, ldx, n, in int, panel []W) {
	if !useAVX2 {
		product64Go(y, ldy, x, ldx, n, in, panel)
		return
	}
	for row := 0; row < n; row += tileRows {
		// Bounds check: the kernels read tileRows rows of in numbers and write tileRows rows of 8 without one.
		xs, ys := x[row*ldx:(row+tileRows-1)*ldx+in], y[row*ldy:(row+tileRows-1)*ldy+panel64]
		switch w := any(panel[:(in-1)*panelStride(panel)+panel64]).(type) {
		case []float32:
			tileFloat32(in, &xs[0], ldx, &w[0], &ys[0], ldy)
		case []float64:
			tileFloat64(in, &xs[0], ldx, &w[0], &ys[0], ldy)
		}
	}
}

// The kernels in double_amd64.s: tileRows rows of k numbers of x, ldx apart, times k·8 weights, 64 bytes from one k to
// the next.

//go:noescape
func tileFloat32(k int, x *float64, ldx int, w *float32, y *float64, ldy int)

//go:noescape
func tileFloat64(k int, x *float64, ldx int, w *float64, y *float64, ldy int)
