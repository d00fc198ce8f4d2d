package vector

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"kdd/format/index"
)

// TestEstimate compares the sums of the tables with those that signs and values give one by one, in dimensions that
// fill their last byte and that do not, and asks that rows that are no candidates are left alone.
func TestEstimate(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, dim := range []int{3, 8, 61, 64, 100, 384} {
		const rows = 50
		vectors := randomUnits(rng, rows, dim)
		v := open(t, vectors, dim, false)
		q := NewQuery(randomUnits(rng, 1, dim))
		dst := make([]float32, rows)
		for i := range dst {
			dst[i] = 7
		}
		if err := v.Estimate(context.Background(), q, Ranges{{2, 20}, {30, 50}}, dst); err != nil {
			t.Fatal(err)
		}
		for row, got := range dst {
			want := 7.
			if row >= 2 && row < 20 || row >= 30 {
				want = 0
				for k, x := range v.Rows(uint32(row), 1) {
					if int8(x) > 0 {
						want += float64(q.values[k])
					} else {
						want -= float64(q.values[k])
					}
				}
				want = min(1, max(-1, want*float64(q.scale)*math.Sqrt(math.Pi/2/float64(dim))))
			}
			if math.Abs(float64(got)-want) > 1e-4 {
				t.Errorf("dimension %d, row %d: %v, want %v", dim, row, got, want)
			}
		}
	}
}

// TestEstimateIsNear asks that estimates tell more of the cosine than the signs of both do: their error over rows that
// lie near the query and far from it, with the factor that Compare finds.
func TestEstimateIsNear(t *testing.T) {
	const rows, dim = 2000, 384
	rng := rand.New(rand.NewPCG(7, 8))
	vectors := randomUnits(rng, rows, dim)
	query := randomUnits(rng, 1, dim)
	for row := range rows { // cosines from 0 to .7
		own, sum := vectors[row*dim:(row+1)*dim], 0.
		for k := range own {
			own[k] += query[k] * float32(row) / rows
			sum += float64(own[k]) * float64(own[k])
		}
		for k := range own {
			own[k] /= float32(math.Sqrt(sum))
		}
	}
	v, q, all := open(t, vectors, dim, false), NewQuery(query), Ranges{{0, rows}}
	want, got := make([]float32, rows), make([]float32, rows)
	if err := v.exact(context.Background(), q, 0, rows, want); err != nil {
		t.Fatal(err)
	}
	if err := v.Estimate(context.Background(), q, all, got); err != nil {
		t.Fatal(err)
	}
	compared := []uint32{5, 900, 901, 1500, 1999}
	if err := v.Compare(context.Background(), q, all, compared, got); err != nil {
		t.Fatal(err)
	}
	for _, row := range compared {
		if got[row] != want[row] {
			t.Errorf("row %d was compared: %v, want %v", row, got[row], want[row])
		}
	}
	var square, signs float64
	far := make([]uint16, rows)
	hamming(far, q.bits, v.Sketches(0, rows))
	for row := range want {
		square += math.Pow(float64(got[row]-want[row]), 2)
		signs += math.Pow(math.Cos(math.Pi*float64(far[row])/dim)-float64(want[row]), 2)
	}
	if error, plain := math.Sqrt(square/rows), math.Sqrt(signs/rows); error > .05 || error > .8*plain {
		t.Errorf("error %.4f, that of the signs of both %.4f", error, plain)
	}
}

// TestNear looks for rows near a query in the clusters whose centroids are nearest, and asks that rows of other clusters
// get the lowest estimate.
func TestNear(t *testing.T) {
	const dim, n, topics = 64, index.ExactRows + 5000, 300
	rng := rand.New(rand.NewPCG(9, 10))
	vectors, about := randomUnits(rng, n, dim), randomUnits(rng, topics, dim)
	for row := range n { // of some topic each
		topic := about[row%topics*dim : (row%topics+1)*dim]
		for k := range dim {
			vectors[row*dim+k] = .45*vectors[row*dim+k] + .9*topic[k]
		}
	}
	v := open(t, vectors, dim, false)
	clusters := v.Clusters()
	if clusters == nil {
		t.Fatal("there are no clusters")
	}
	all := Ranges{{0, n}}
	found := 0
	const questions = 20
	for i := range questions {
		query := append([]float32(nil), about[i*dim:(i+1)*dim]...)
		for k := range query {
			query[k] += float32(rng.NormFloat64()) * .03
		}
		q := NewQuery(query)
		want, got := make([]float32, n), make([]float32, n)
		if err := v.exact(context.Background(), q, 0, n, want); err != nil {
			t.Fatal(err)
		}
		near := v.Near(q, clusters, clusters.Count/5)
		v.EstimateNear(q, clusters, near, got)
		listed := map[uint32]bool{}
		for _, k := range near {
			rows, _ := clusters.List(k)
			for _, row := range rows {
				listed[row] = true
			}
		}
		lowest := slices.Min(got)
		for row, estimate := range got {
			if !listed[uint32(row)] && estimate != lowest {
				t.Fatalf("row %d is in no near cluster and has the estimate %v, the lowest is %v", row, estimate, lowest)
			}
		}
		for _, row := range best(want, all, 10) {
			if listed[row] {
				found++
			}
		}
	}
	if found < 99*questions/10 {
		t.Errorf("%d of %d nearest rows are in the clusters that are looked at", found, 10*questions)
	}
}
