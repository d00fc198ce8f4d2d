package encoder

import (
	"math"
	"sync"

	"github.com/viterin/vek/vek32"
)

// gelu uses a table of the normal distribution function, or of its approximation by tanh, read with linear
// interpolation: 256 steps a unit over [-6, 6], which is off by at most ¼·φ'·step²/2 < 5e-7. Beyond, the function is 0
// or 1 to float32.
const (
	geluReach = 6
	geluSteps = 256
)

type geluTable [2*geluReach*geluSteps + 2]float32

var (
	geluErf = sync.OnceValue(func() *geluTable {
		return newGELU(func(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) })
	})
	geluTanh = sync.OnceValue(func() *geluTable {
		return newGELU(func(x float64) float64 {
			return 0.5 * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x)))
		})
	})
)

func newGELU(share func(x float64) float64) *geluTable {
	table := new(geluTable)
	for i := range table {
		table[i] = float32(share(float64(i)/geluSteps - geluReach))
	}
	return table
}

// apply replaces each value of x by the activation of it.
func (a Activation) apply(x []float32) {
	switch a {
	case ReLU:
		vek32.MaximumNumber_Inplace(x, 0)
	case GELUTanh:
		gelu(x, geluTanh())
	default:
		gelu(x, geluErf())
	}
}

// gelu replaces x by x·Φ(x) (Hendrycks & Gimpel 2016), with Φ read from the table.
func gelu(x []float32, table *geluTable) {
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
