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
	return CompareMeans([]*Scored{a}, []*Scored{b}, metric)
}

// CompareMeans is Compare for the mean of several sources, of which each counts the same however many queries it has:
// the queries of each are drawn for themselves. Sources without queries do not count. It panics if a and b differ in
// their number of sources or in the queries of one.
func CompareMeans(a, b []*Scored, metric Metric) Difference {
	if len(a) != len(b) {
		panic("eval: compared means are of different sources")
	}
	var sources [][]float64
	for i := range a {
		if changes := deltas(a[i], b[i], metric); len(changes) > 0 {
			sources = append(sources, changes)
		}
	}
	if len(sources) == 0 {
		return Difference{}
	}
	d := Difference{}
	random := rand.New(rand.NewPCG(1, 2))
	means := make([]float64, resamples)
	for _, changes := range sources {
		n, share := len(changes), 1/float64(len(changes)*len(sources))
		for _, change := range changes {
			d.Mean += change * share
		}
		for i := range means {
			var drawn float64
			for range n {
				drawn += changes[random.IntN(n)]
			}
			means[i] += drawn * share
		}
	}
	slices.Sort(means)
	d.Low, d.High = means[resamples*25/1000], means[resamples*975/1000]
	return d
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
