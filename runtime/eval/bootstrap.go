package eval

import (
	"math/rand/v2"
	"slices"
)

// resamples is the number of samples of the queries that are drawn for an interval.
const resamples = 10000

// Difference is the mean paired difference of a metric between two systems and its 95 % interval.
type Difference struct{ Mean, Low, High float64 }

// Compare draws the queries of a against b with replacement: the paired bootstrap (Efron & Tibshirani 1993), percentile
// interval. The draws are seeded, so equal input gives equal output. It panics if the queries differ.
func Compare(a, b *Scored, metric Metric) Difference {
	changes := deltas(a, b, metric)
	n := len(changes)
	if n == 0 {
		return Difference{}
	}
	var sum float64
	for _, d := range changes {
		sum += d
	}
	random := rand.New(rand.NewPCG(1, 2))
	means := make([]float64, resamples)
	for i := range means {
		var drawn float64
		for range n {
			drawn += changes[random.IntN(n)]
		}
		means[i] = drawn / float64(n)
	}
	slices.Sort(means)
	return Difference{Mean: sum / float64(n), Low: means[resamples*25/1000], High: means[resamples*975/1000]}
}

// deltas returns, for each query, a's value of a metric minus b's. It panics if the queries differ.
func deltas(a, b *Scored, metric Metric) []float64 {
	if !slices.Equal(a.Queries, b.Queries) {
		panic("eval: compared runs answer different queries")
	}
	changes := make([]float64, len(a.Metrics))
	for i := range changes {
		changes[i] = *metric.Of(&a.Metrics[i]) - *metric.Of(&b.Metrics[i])
	}
	return changes
}
