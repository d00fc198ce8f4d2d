package index

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestRoundUp(t *testing.T) {
	const step = 1. / 1024
	for _, tt := range []struct{ x, want float64 }{
		{0, 0}, {1, 1}, {1 + 1e-15, 1 + step}, {1 + step, 1 + step}, {1 + step + 1e-15, 1 + 2*step}, {1 + 1.5*step, 1 + 2*step},
		{2 - 1e-15, 2}, {0.001, math.Ceil(0.001*(1<<20)) / (1 << 20)}, {0.3, math.Ceil(0.3*4096) / 4096},
	} {
		if got := roundUp(tt.x); got != tt.want {
			t.Errorf("roundUp(%.17g) = %.17g, want %.17g", tt.x, got, tt.want)
		}
	}
}

// What was rounded once is rounded to itself, and no row's largest value is below 127.
func TestQuantiseTwice(t *testing.T) {
	const dim = 48
	rng := rand.New(rand.NewPCG(1, 3))
	v := make([]float32, 3000*dim)
	for i := range v {
		v[i] = float32(rng.NormFloat64() * math.Exp2(float64(i/dim%40-30)))
	}
	rows, scales := QuantiseRows(v, dim)
	again, same := QuantiseRows(DequantiseRows(rows, scales, dim), dim)
	if !bytes.Equal(rows, again) || !slices.Equal(scales, same) {
		t.Error("rows times their scales give other rows or scales")
	}
	for i := range scales {
		top := 0
		for _, b := range rows[i*dim : (i+1)*dim] {
			top = max(top, int(int8(b)), -int(int8(b)))
		}
		if top != 127 {
			t.Fatalf("row %d has %d as its largest magnitude, want 127", i, top)
		}
	}
}

// At the edges of the band: what a difference below it could change is told, what none can is not.
func TestNearTie(t *testing.T) {
	const band, scale = 1. / 1024, 1. / 512
	for _, tt := range []struct {
		name string
		top  float64 // in units of the scale
		x    float64
		want bool
	}{
		{"neither", 126.95, 5.25, false},
		{"a value at a boundary", 126.95, 5.5, true},
		{"a value just inside", 126.95, 5.5 + band*0.99, true},
		{"a value just outside", 126.95, 5.5 + band*1.01, false},
		{"a value just inside, below", 126.95, 5.5 - band*0.99, true},
		{"a value just outside, below", 126.95, 5.5 - band*1.01, false},
		{"a negative value inside", 126.95, -5.5 + band*0.99, true},
		{"a negative value outside", 126.95, -5.5 - band*1.01, false},
		{"a negative value at a boundary", 126.95, -0.5, true},
		{"a scale at the grid", 127, 5.25, true},
		{"a scale just inside", 127 - band*0.99, 5.25, true},
		{"a scale just outside", 127 - band*1.02, 5.25, false},
		{"a scale just above the grid", 127 + band*0.9, 5.25, true},
	} {
		if got := NearTie([]float32{0, float32(tt.x * scale), float32(-tt.top * scale)}, band); got != tt.want {
			t.Errorf("%s: NearTie = %v, want %v", tt.name, got, tt.want)
		}
	}
	if !NearTie([]float32{0, 0}, band) {
		t.Error("NearTie of zeros = false, want true")
	}
}

// Vectors that differ by less than the band have the same rows and scales, unless one of them is near a tie.
func TestNearTieOfNoise(t *testing.T) {
	const dim, band = 384, 2e-4
	rng := rand.New(rand.NewPCG(5, 7))
	a, b := make([]float32, dim), make([]float32, dim)
	settled := 0
	for range 20_000 {
		sum := 0.0
		for k := range a {
			a[k] = float32(rng.NormFloat64())
			sum += float64(a[k]) * float64(a[k])
		}
		for k := range a {
			a[k] /= float32(math.Sqrt(sum))
		}
		noise := 0.95 * band * largest(a) / 127
		for k := range a {
			b[k] = a[k] + float32(noise*(2*rng.Float64()-1))
		}
		if NearTie(a, band) {
			continue
		}
		settled++
		rows, scales := QuantiseRows(a, dim)
		other, factors := QuantiseRows(b, dim)
		if !bytes.Equal(rows, other) || scales[0] != factors[0] {
			t.Fatal("vectors with one row by NearTie have two")
		}
	}
	if settled < 10_000 {
		t.Errorf("%d of 20000 vectors are near no tie, want most", settled)
	}
}
