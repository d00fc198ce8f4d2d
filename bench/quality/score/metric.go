package score

import (
	"math"
	"slices"
)

// Cutoff is the rank down to which nDCG, MRR and recall look.
const Cutoff = 10

// Metrics is what one query, or the mean of many, reached; each value is in 0-1.
type Metrics struct {
	NDCG    float64 // nDCG@10 with linear gain and log2 discount (Järvelin & Kekäläinen 2002, as trec_eval has it)
	MRR     float64 // 1 / rank of the first relevant item among ten, else 0
	Hit1    float64 // 1 if the first item is relevant
	Hit3    float64 // 1 if one of the first three is
	Recall1 float64 // relevant items among the first 1, 5 and 10, over all relevant ones
	Recall5 float64
	Recall  float64
}

// measure scores a ranking: gains of the items found, best first, and of all relevant items, in any order.
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
	all := float64(len(ideal))
	m := Metrics{NDCG: dcg(gains) / dcg(ideal), Recall1: float64(found(1)) / all, Recall5: float64(found(5)) / all, Recall: float64(found(Cutoff)) / all}
	for i, g := range gains[:min(Cutoff, len(gains))] {
		if g > 0 {
			m.MRR = 1 / float64(i+1)
			break
		}
	}
	if found(1) > 0 {
		m.Hit1 = 1
	}
	if found(3) > 0 {
		m.Hit3 = 1
	}
	return m
}

func dcg(gains []int) float64 {
	var sum float64
	for i, g := range gains[:min(Cutoff, len(gains))] {
		sum += float64(g) / math.Log2(float64(i)+2)
	}
	return sum
}

// Scored is what the queries of a set reached on one level, in the set's order.
type Scored struct {
	Queries []string
	Metrics []Metrics
}

// Mean returns the mean over all queries; zero if there are none.
func (s *Scored) Mean() Metrics {
	var sum Metrics
	n := float64(len(s.Metrics))
	if n == 0 {
		return sum
	}
	for _, m := range s.Metrics {
		sum.NDCG += m.NDCG
		sum.MRR += m.MRR
		sum.Hit1 += m.Hit1
		sum.Hit3 += m.Hit3
		sum.Recall1 += m.Recall1
		sum.Recall5 += m.Recall5
		sum.Recall += m.Recall
	}
	return Metrics{sum.NDCG / n, sum.MRR / n, sum.Hit1 / n, sum.Hit3 / n, sum.Recall1 / n, sum.Recall5 / n, sum.Recall / n}
}
