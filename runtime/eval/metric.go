package eval

import (
	"math"
	"slices"
)

// Cutoff is the last rank that nDCG, MRR and recall look at; DeepCutoff that of the deep recall.
const (
	Cutoff     = 10
	DeepCutoff = 100
)

// Metrics are the values of one query, or the means of many; each value is in 0-1.
type Metrics struct {
	NDCG    float64 // nDCG@10 with linear gain and log2 discount (Järvelin & Kekäläinen 2002, as trec_eval has it)
	MRR     float64 // 1 / rank of the first relevant item among ten, else 0
	Hit1    float64 // 1 if the first item is relevant
	Hit3    float64 // 1 if one of the first three is
	Recall1 float64 // relevant items among the first 1, 5, 10 and 100, over all relevant ones
	Recall5 float64
	Recall  float64
	Deep    float64
}

// Metric is one of the values of Metrics, with its usual name.
type Metric struct {
	Name string
	Of   func(*Metrics) *float64
}

// NDCG is the metric that systems are compared by.
var NDCG = Metric{"nDCG@10", func(m *Metrics) *float64 { return &m.NDCG }}

// All has the metrics in the order in which they are shown.
var All = []Metric{
	NDCG,
	{"MRR@10", func(m *Metrics) *float64 { return &m.MRR }},
	{"hit@1", func(m *Metrics) *float64 { return &m.Hit1 }},
	{"hit@3", func(m *Metrics) *float64 { return &m.Hit3 }},
	{"recall@1", func(m *Metrics) *float64 { return &m.Recall1 }},
	{"recall@5", func(m *Metrics) *float64 { return &m.Recall5 }},
	{"recall@10", func(m *Metrics) *float64 { return &m.Recall }},
	{"recall@100", func(m *Metrics) *float64 { return &m.Deep }},
}

// measure scores a ranking by the gains of the items found, best first, and of all relevant items, in any order.
func measure(gains []int, relevant []int) Metrics {
	ideal := slices.Clone(relevant)
	slices.SortFunc(ideal, func(a, b int) int { return b - a })
	found := func(n int) (hits int) {
		for _, g := range gains[:min(n, len(gains))] {
			if g > 0 {
				hits++
			}
		}
		return hits
	}
	recall := func(n int) float64 { return float64(found(n)) / float64(len(ideal)) }
	m := Metrics{NDCG: dcg(gains) / dcg(ideal), Recall1: recall(1), Recall5: recall(5), Recall: recall(Cutoff), Deep: recall(DeepCutoff)}
	if first := firstRelevant(gains); first > 0 && first <= Cutoff {
		m.MRR = 1 / float64(first)
	}
	m.Hit1, m.Hit3 = float64(min(1, found(1))), float64(min(1, found(3)))
	return m
}

// firstRelevant returns the rank of the first item with a gain, from 1; 0 if there is none.
func firstRelevant(gains []int) int {
	return 1 + slices.IndexFunc(gains, func(g int) bool { return g > 0 })
}

// dcg is Σ gain / log2(rank + 1) over the first Cutoff items.
func dcg(gains []int) float64 {
	var sum float64
	for i, g := range gains[:min(Cutoff, len(gains))] {
		sum += float64(g) / math.Log2(float64(i)+2)
	}
	return sum
}

// Scored has the metrics of each query of a set on one level, in the set's order.
type Scored struct {
	Queries []string
	Metrics []Metrics
	First   []int // rank of the first relevant item, from 1; 0 if it was not found
}

// Mean returns the mean over all queries; zero if there are none.
func (s *Scored) Mean() Metrics {
	var mean Metrics
	n := float64(len(s.Metrics))
	if n == 0 {
		return mean
	}
	for _, metric := range All {
		sum := metric.Of(&mean)
		for i := range s.Metrics {
			*sum += *metric.Of(&s.Metrics[i])
		}
		*sum /= n
	}
	return mean
}

// Of returns the queries for which keep says yes.
func (s *Scored) Of(keep func(query string) bool) *Scored {
	part := &Scored{}
	for i, q := range s.Queries {
		if keep(q) {
			part.Queries, part.Metrics, part.First = append(part.Queries, q), append(part.Metrics, s.Metrics[i]), append(part.First, s.First[i])
		}
	}
	return part
}
