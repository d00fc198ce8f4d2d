package encoder

import "golang.org/x/sys/cpu"

// useAVX2 is a variable so that tests can compare both paths.
var useAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// multiply writes x·panel·scale + bias for n rows of x, as multiplyGo does, but adds in another order.
func multiply(y []float32, ldy int, x []float32, ldx, n, in int, panel []float32, scale, bias *[panelWidth]float32) {
	if !useAVX2 {
		multiplyGo(y, ldy, x, ldx, n, in, panel, scale, bias)
		return
	}
	w := &panel[:in*panelWidth][0]
	tiles(n, func(row, height int) {
		// Bounds check: the kernels read height rows of in floats and write height rows of 16 without one.
		xs, ys := x[row*ldx:(row+height-1)*ldx+in], y[row*ldy:(row+height-1)*ldy+panelWidth]
		floatTiles[height-1](in, &xs[0], ldx, w, scale, bias, &ys[0], ldy)
	})
}

// multiplyInt8 is multiply for an int8 panel.
func multiplyInt8(y []float32, ldy int, x []float32, ldx, n, in int, panel []byte, scale, bias *[panelWidth]float32) {
	if !useAVX2 {
		multiplyInt8Go(y, ldy, x, ldx, n, in, panel, scale, bias)
		return
	}
	w := &panel[:in*panelWidth][0]
	tiles(n, func(row, height int) {
		xs, ys := x[row*ldx:(row+height-1)*ldx+in], y[row*ldy:(row+height-1)*ldy+panelWidth]
		int8Tiles[height-1](in, &xs[0], ldx, w, scale, bias, &ys[0], ldy)
	})
}

// The kernels by height, in gemm_amd64.s. They read height rows of k floats from x, rows ldx floats apart, and 16·k
// weights; they write 16 floats to each of height rows of y. k is at least 1.
var (
	floatTiles = [tileRows]func(int, *float32, int, *float32, *[panelWidth]float32, *[panelWidth]float32, *float32, int){
		floatTile1, floatTile2, floatTile3, floatTile4, floatTile5, floatTile6,
	}
	int8Tiles = [tileRows]func(int, *float32, int, *byte, *[panelWidth]float32, *[panelWidth]float32, *float32, int){
		int8Tile1, int8Tile2, int8Tile3, int8Tile4, int8Tile5, int8Tile6,
	}
)

//go:noescape
func floatTile1(k int, x *float32, ldx int, w *float32, scale, bias *[16]float32, y *float32, ldy int)

//go:noescape
func floatTile2(k int, x *float32, ldx int, w *float32, scale, bias *[16]float32, y *float32, ldy int)

//go:noescape
func floatTile3(k int, x *float32, ldx int, w *float32, scale, bias *[16]float32, y *float32, ldy int)

//go:noescape
func floatTile4(k int, x *float32, ldx int, w *float32, scale, bias *[16]float32, y *float32, ldy int)

//go:noescape
func floatTile5(k int, x *float32, ldx int, w *float32, scale, bias *[16]float32, y *float32, ldy int)

//go:noescape
func floatTile6(k int, x *float32, ldx int, w *float32, scale, bias *[16]float32, y *float32, ldy int)

//go:noescape
func int8Tile1(k int, x *float32, ldx int, w *byte, scale, bias *[16]float32, y *float32, ldy int)

//go:noescape
func int8Tile2(k int, x *float32, ldx int, w *byte, scale, bias *[16]float32, y *float32, ldy int)

//go:noescape
func int8Tile3(k int, x *float32, ldx int, w *byte, scale, bias *[16]float32, y *float32, ldy int)

//go:noescape
func int8Tile4(k int, x *float32, ldx int, w *byte, scale, bias *[16]float32, y *float32, ldy int)

//go:noescape
func int8Tile5(k int, x *float32, ldx int, w *byte, scale, bias *[16]float32, y *float32, ldy int)

//go:noescape
func int8Tile6(k int, x *float32, ldx int, w *byte, scale, bias *[16]float32, y *float32, ldy int)
