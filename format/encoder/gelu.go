package encoder

import (
	"math"
	"sync"

	"github.com/viterin/vek/vek32"
)

// gelu uses a table of the normal distribution function, or of its approximation by tanh, read by its Taylor series of
// three terms around the nearest of 256 steps a unit over [-6, 6], which is off by at most d³·|φ”|/6 < 1e-9. Beyond, the
// function is 0 or 1 to float32.
const (
	geluReach = 6
	geluSteps = 256
)

// geluTable has the series at each step: value, first derivative, half the second.
type geluTable [2*geluReach*geluSteps + 1][3]float32

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
	const h = 1e-3 // of differences, which are off by h² and by 1e-16/h²
	table := new(geluTable)
	for i := range table {
		x := float64(i)/geluSteps - geluReach
		low, mid, high := share(x-h), share(x), share(x+h)
		table[i] = [3]float32{float32(mid), float32((high - low) / (2 * h)), float32((high - 2*mid + low) / (2 * h * h))}
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
			k := int(at + 0.5)
			s := &table[k]
			d := v - (float32(k)/geluSteps - geluReach)
			x[i] = v * (s[0] + d*(s[1]+d*s[2]))
		case at < 0:
			x[i] = 0
		default: // not a number
		}
	}
}
