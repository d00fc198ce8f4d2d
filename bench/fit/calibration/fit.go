package calibration

import (
	"cmp"
	"errors"
	"hash/crc32"
	"math"
	"slices"

	"kdd/bench/internal/harness"
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

// ridge keeps the constants finite where a raw score parts the points without an error; else it changes no digit that
// is shown.
const ridge = 1e-6

var errOneLabel = errors.New("all points have the same label, or there are none: there is nothing to fit")

// fit returns a and b of Logistic(a·raw + b) that make the labels of points likeliest.
func fit(points []point) (a, b float64, err error) {
	cases := make([]harness.Case, len(points))
	relevant := 0
	for i := range points {
		p := &points[i]
		cases[i] = harness.Case{X: []float64{p.clipped(), 1}, Yes: p.relevant, Weight: 1 / float64(len(points))}
		if p.relevant {
			relevant++
		}
	}
	if relevant == 0 || relevant == len(points) {
		return 0, 0, errOneLabel
	}
	w := harness.FitLogistic(cases, []float64{ridge, ridge})
	return w[0], w[1], nil
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
