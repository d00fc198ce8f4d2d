//go:build !amd64

package encoder

const useAVX2 = false

func multiply(y []float32, ldy int, x []float32, ldx, n, in int, panel []float32, scale, bias *[panelWidth]float32) {
	multiplyGo(y, ldy, x, ldx, n, in, panel, scale, bias)
}

func multiplyInt8(y []float32, ldy int, x []float32, ldx, n, in int, panel []byte, scale, bias *[panelWidth]float32) {
	multiplyInt8Go(y, ldy, x, ldx, n, in, panel, scale, bias)
}
