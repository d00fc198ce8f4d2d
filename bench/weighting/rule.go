package main

import (
	"hash/crc32"
	"math"
	"math/rand/v2"

	"kdd/runtime/eval"
)

// sample is what one question reached at each fixed weight.
type sample struct {
	id       string
	document []float64 // nDCG@10, by fixed weight
	section  []float64 // nil if no section is judged
	features [features]float64
	z        [features]float64 // features in standard deviations from the mean
	half     uint32
}

// fill makes the samples of what was asked.
func (g *group) fill(found map[string][features]float64) {
	section := map[string]int{}
	for i, id := range g.at[0].Section.Queries {
		section[id] = i
	}
	for i, id := range g.at[0].Document.Queries {
		s := sample{id: id, features: found[id], half: crc32.ChecksumIEEE([]byte(id)) % 2}
		at, judged := section[id]
		for _, r := range g.at {
			s.document = append(s.document, r.Document.Metrics[i].NDCG)
			if judged {
				s.section = append(s.section, r.Section.Metrics[at].NDCG)
			}
		}
		g.samples = append(g.samples, s)
	}
}

// standardise sets z of all samples by mean and deviation over those of the groups that are learned from.
func standardise(groups []*group) {
	for f := range features {
		var n, sum, squares float64
		for _, g := range groups {
			for i := range g.samples {
				if v := g.samples[i].features[f]; !g.guard {
					n, sum, squares = n+1, sum+v, squares+v*v
				}
			}
		}
		mean := sum / max(1, n)
		deviation := math.Sqrt(max(0, squares/max(1, n)-mean*mean))
		for _, g := range groups {
			for i := range g.samples {
				if s := &g.samples[i]; deviation > 1e-9 {
					s.z[f] = (s.features[f] - mean) / deviation
				}
			}
		}
	}
}

// logs are the logarithms of fixed.
var logs = func() (l []float64) {
	for _, w := range fixed {
		l = append(l, math.Log(w))
	}
	return l
}()

// nearest returns the fixed weight, by number, that is nearest to a weight in logarithms.
func nearest(log float64) int {
	best := 0
	for i, l := range logs {
		if math.Abs(l-log) < math.Abs(logs[best]-log) {
			best = i
		}
	}
	return best
}

// rule gives a question the fixed weight, by number, that is to be used.
type rule func(s *sample) int

// always is the rule of one fixed weight.
func always(weight int) rule { return func(*sample) int { return weight } }

// byRarity is fuse.LexicalWeight.
func byRarity(lexical, steepness, usual float64) rule {
	return func(s *sample) int {
		return nearest(math.Log(lexical) + steepness*(min(max(s.features[rarity], 0), 1)-usual))
	}
}

// linear is the rule log weight = c + Σ w·z over some features.
func linear(c float64, w []float64, used []int) rule {
	return func(s *sample) int {
		log := c
		for i, f := range used {
			log += w[i] * s.z[f]
		}
		return nearest(log)
	}
}

// oracle takes the fixed weight that is best by document and section.
func oracle(s *sample) int {
	best := 0
	value := func(i int) float64 {
		v := s.document[i]
		if s.section != nil {
			v += sectionShare * s.section[i]
		}
		return v
	}
	for i := range fixed {
		if value(i) > value(best) {
			best = i
		}
	}
	return best
}

// sectionShare is what nDCG@10 by section counts beside that by document where a rule is chosen: fewer questions have it.
const sectionShare = 0.25

// both are the halves of the questions.
const both = 2

// means returns what a rule reaches on one half of a group, or on both.
func (g *group) means(r rule, half uint32) (document, section float64) {
	var n, m float64
	for i := range g.samples {
		s := &g.samples[i]
		if half != both && s.half != half {
			continue
		}
		at := r(s)
		document, n = document+s.document[at], n+1
		if s.section != nil {
			section, m = section+s.section[at], m+1
		}
	}
	return document / max(1, n), section / max(1, m)
}

// value is what a rule is chosen by: the mean over the groups that are learned from.
func value(groups []*group, r rule, half uint32) float64 {
	var sum float64
	for _, g := range groups {
		if !g.guard {
			document, section := g.means(r, half)
			sum += document + sectionShare*section
		}
	}
	return sum
}

// bestFixed returns the fixed weight, by number, with the largest value.
func bestFixed(groups []*group, half uint32) int {
	best := 0
	for i := range fixed {
		if value(groups, always(i), half) > value(groups, always(best), half) {
			best = i
		}
	}
	return best
}

// tries is how many rules are tried: the first third anywhere, the others near the best so far.
const tries = 600

// learn returns the best rule over some features that a random search finds on one half. The search is seeded.
func learn(groups []*group, used []int, half uint32) rule {
	random := rand.New(rand.NewPCG(1, 2))
	bestC, bestW := logs[bestFixed(groups, half)], make([]float64, len(used))
	best := value(groups, linear(bestC, bestW, used), half)
	for try := range tries {
		c, w := math.Log(0.3+0.9*random.Float64()), make([]float64, len(used))
		for i := range w {
			w[i] = random.NormFloat64() * 0.4
		}
		if try > tries/3 {
			c = bestC + random.NormFloat64()*0.1
			for i := range w {
				w[i] = bestW[i] + random.NormFloat64()*0.1
			}
		}
		if v := value(groups, linear(c, w, used), half); v > best {
			best, bestC, bestW = v, c, w
		}
	}
	return linear(bestC, bestW, used)
}

// chosen are the rules that were learned on a half, for the questions of the other.
type chosen [2]rule

func (c chosen) of(s *sample) int { return c[1-s.half](s) }

// crossValidate learns a rule over some features on each half.
func crossValidate(groups []*group, used []int) chosen {
	return chosen{learn(groups, used, 0), learn(groups, used, 1)}
}

// results is what a rule reaches on each question of a group.
func (g *group) results(r rule) *eval.Result {
	picked := &eval.Result{}
	for i := range g.samples {
		s := &g.samples[i]
		at := r(s)
		add(&picked.Document, s.id, s.document[at])
		if s.section != nil {
			add(&picked.Section, s.id, s.section[at])
		}
	}
	return picked
}

// pooled is what a rule reaches on each question of all groups.
func pooled(groups []*group, r rule) *eval.Result {
	return pool(groups, func(g *group) *eval.Result { return g.results(r) })
}

func add(s *eval.Scored, id string, ndcg float64) {
	s.Queries, s.Metrics = append(s.Queries, id), append(s.Metrics, eval.Metrics{NDCG: ndcg})
}

// pool returns the results of each question of the groups that are learned from: one that was asked with several encoders
// or in several wordings is there once, with the mean.
func pool(groups []*group, of func(*group) *eval.Result) *eval.Result {
	all := &eval.Result{}
	for _, level := range levels {
		to, at, times := level.of(all), map[string]int{}, []float64{}
		for _, g := range groups {
			if g.guard {
				continue
			}
			from := level.of(of(g))
			for i, id := range from.Queries {
				id = g.set + " " + id
				if _, ok := at[id]; !ok {
					at[id] = len(times)
					times = append(times, 0)
					add(to, id, 0)
				}
				to.Metrics[at[id]].NDCG += from.Metrics[i].NDCG
				times[at[id]]++
			}
		}
		for i := range to.Metrics {
			to.Metrics[i].NDCG /= times[i]
		}
	}
	return all
}
