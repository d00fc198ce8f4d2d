package calibration

import (
	"cmp"
	"errors"
	"hash/crc32"
	"math"
	"slices"
)

// point is the first hit of one question.
type point struct {
	id         string  // of the question; "" for one that was made up
	raw, score float64 // score is what the artifact makes of raw
	relevant   bool
	docs       int // that it is the first of; 0 where they are many
}

// maxRaw is what a raw score counts at most: a hit that the query names has a bonus.
const maxRaw = 6

func (p *point) clipped() float64 { return min(p.raw, maxRaw) }

// label is 1 if the hit is relevant, else 0.
func (p *point) label() float64 {
	if p.relevant {
		return 1
	}
	return 0
}

// halves parts points by the CRC-32 of their question's id: even ones are fitted to.
func halves(points []point) (fitted, other []point) {
	for _, p := range points {
		if crc32.ChecksumIEEE([]byte(p.id))%2 == 0 {
			fitted = append(fitted, p)
		} else {
			other = append(other, p)
		}
	}
	return fitted, other
}

// without returns n points that have no evidence and are not relevant.
func without(n int) []point { return make([]point, n) }

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// ridge keeps the constants finite where a raw score parts the points without an error; else it changes no digit that
// is shown.
const ridge = 1e-6

var errOneLabel = errors.New("all points have the same label, or there are none: there is nothing to fit")

// fit returns a and b of logistic(a·raw + b) that make the labels of points likeliest: logistic regression, by Newton's
// method with steps that are halved until they help.
//
// Cost: some ten passes over the points.
func fit(points []point) (a, b float64, err error) {
	if !slices.ContainsFunc(points, func(p point) bool { return p.relevant }) || !slices.ContainsFunc(points, func(p point) bool { return !p.relevant }) {
		return 0, 0, errOneLabel
	}
	n := float64(len(points))
	loss := func(a, b float64) float64 {
		sum := ridge / 2 * n * (a*a + b*b)
		for i := range points {
			z := a*points[i].clipped() + b
			// ln(1 + eᶻ) - label·z, without an overflow
			sum += max(z, 0) + math.Log1p(math.Exp(-math.Abs(z))) - points[i].label()*z
		}
		return sum / n
	}
	for range 100 {
		ga, gb := ridge*a, ridge*b
		haa, hab, hbb := ridge, 0.0, ridge
		for i := range points {
			x := points[i].clipped()
			p := logistic(a*x + b)
			e, w := (p-points[i].label())/n, p*(1-p)/n
			ga, gb = ga+e*x, gb+e
			haa, hab, hbb = haa+w*x*x, hab+w*x, hbb+w
		}
		det := haa*hbb - hab*hab
		da, db := (hbb*ga-hab*gb)/det, (haa*gb-hab*ga)/det
		step, before := 1.0, loss(a, b)
		for step > 1e-9 && !(loss(a-step*da, b-step*db) <= before) {
			step /= 2
		}
		a, b = a-step*da, b-step*db
		if math.Abs(da)+math.Abs(db) < 1e-9 {
			break
		}
	}
	return a, b, nil
}

// bins is into how many parts of equal count the points go for their calibration error.
const bins = 10

// ece is the expected calibration error: the points, sorted by score, are divided into bins of equal count, the first
// ones one larger where that does not come out even; it is the mean over the points of the distance between their
// bin's mean score and its share of relevant ones. 0 if there are no points.
func ece(points []point, score func(*point) float64) float64 {
	if len(points) == 0 {
		return 0
	}
	type scored struct{ score, label float64 }
	list := make([]scored, len(points))
	for i := range points {
		list[i] = scored{score(&points[i]), points[i].label()}
	}
	slices.SortStableFunc(list, func(a, b scored) int { return cmp.Compare(a.score, b.score) })
	var sum float64
	from := 0
	for bin := range bins {
		to := from + len(list)/bins
		if bin < len(list)%bins {
			to++
		}
		var off float64
		for _, s := range list[from:to] {
			off += s.score - s.label
		}
		sum += math.Abs(off)
		from = to
	}
	return sum / float64(len(list))
}
