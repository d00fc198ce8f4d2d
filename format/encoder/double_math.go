package encoder

import (
	"math"
	"sync"
)

// Functions of float64 by tables and short series, which are some times quicker than those of package math and are off
// by 1e-12 at most: it matters only that they are the same everywhere.

const expSteps = 256 // for a factor of 2

// exp64Table has 2^(i/256).
var exp64Table = sync.OnceValue(func() *[expSteps]float64 {
	t := new([expSteps]float64)
	for i := range t {
		t[i] = math.Exp2(float64(i) / expSteps)
	}
	return t
})

// exp64 returns e^x for x ≤ 0, and 0 for x below -700.
func exp64(x float64) float64 {
	if !(x > -700) {
		return 0 * x // not a number stays
	}
	k := int(x*(expSteps/math.Ln2) - 0.5) // the nearest
	r := x - float64(k)*(math.Ln2/expSteps)
	series := 1 + r*(1+r*(0.5+r*(1./6+r*(1./24))))
	power := math.Float64frombits(uint64(k>>8+1023) << 52)
	return exp64Table()[k&(expSteps-1)] * power * series
}

const (
	normalReach = 8
	normalSteps = 256 // a unit
)

// normal64 has the normal distribution function Φ and its density φ at each step.
var normal64 = sync.OnceValue(func() *[2*normalReach*normalSteps + 1][2]float64 {
	t := new([2*normalReach*normalSteps + 1][2]float64)
	for i := range t {
		x := float64(i)/normalSteps - normalReach
		t[i] = [2]float64{0.5 * math.Erfc(-x/math.Sqrt2), math.Exp(-x*x/2) / math.Sqrt(2*math.Pi)}
	}
	return t
})

// apply64 replaces each value of x by the activation of it.
func (a Activation) apply64(x []float64) {
	switch a {
	case ReLU:
		for i, v := range x {
			x[i] = max(v, 0)
		}
	case GELUTanh:
		for i, v := range x {
			u := 2 * math.Sqrt(2/math.Pi) * (v + 0.044715*v*v*v)
			e := exp64(-math.Abs(u))
			if u < 0 {
				x[i] = v * e / (1 + e)
			} else {
				x[i] = v / (1 + e)
			}
		}
	default:
		table := normal64()
		for i, v := range x {
			switch {
			case v >= normalReach:
			case v > -normalReach:
				k := int((v+normalReach)*normalSteps + 0.5)
				at := float64(k)/normalSteps - normalReach
				d := v - at
				// Taylor's series: Φ' = φ, Φ'' = -xφ, Φ''' = (x²-1)φ.
				x[i] = v * (table[k][0] + table[k][1]*d*(1+d*(-at/2+d*(at*at-1)/6)))
			case v <= -normalReach:
				x[i] = 0
			}
		}
	}
}
