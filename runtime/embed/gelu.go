package embed

import (
	"math"
	"sync"
)

// gelu uses a table of the normal distribution function, read with linear interpolation: 256 steps a unit over [-6, 6],
// which is off by at most ¼·φ'·step²/2 < 5e-7. Beyond, the function is 0 or 1 to float32.
const (
	geluReach = 6
	geluSteps = 256
)

var geluTable = sync.OnceValue(func() *[2*geluReach*geluSteps + 2]float32 {
	var table [2*geluReach*geluSteps + 2]float32
	for i := range table {
		x := float64(i)/geluSteps - geluReach
		table[i] = float32(0.5 * math.Erfc(-x/math.Sqrt2))
	}
	return &table
})

// gelu replaces x by x·Φ(x) (Hendrycks & Gimpel 2016), the exact form that BERT uses, not the one by tanh.
func gelu(x []float32) {
	table := geluTable()
	for i, v := range x {
		at := (v + geluReach) * geluSteps
		switch {
		case at >= 2*geluReach*geluSteps:
		case at >= 0:
			k := int(at)
			low := table[k]
			x[i] = v * (low + (table[k+1]-low)*(at-float32(k)))
		case at < 0:
			x[i] = 0
		default: // not a number
		}
	}
}
