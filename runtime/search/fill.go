package search

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"kdd/format"
	"kdd/format/index"
	"kdd/runtime/artifact"
	"kdd/runtime/search/fuse"
	"kdd/runtime/wire"
)

// warnBelow warns that no hit reaches the threshold, and names the best score. Cost: that of fill.
func warnBelow(set *artifact.Set, r *Ranking) {
	all := *r
	if fill(set, &all, 1, 0); len(all.Hits) > 0 {
		r.warn(fmt.Sprintf("no section has the score %g or more; the best has %.4f", r.ask.threshold, wire.Round4(all.Hits[0].Calibrated)))
	}
}

// fill makes the list of the first want hits from the scores, of those that are at least threshold if that is above 0.
// Cost: that of fuse.TopHits.
func fill(set *artifact.Set, r *Ranking, want int, threshold float64) {
	r.Hits, r.more = nil, false
	best := &floor{want: want, off: threshold > 0 || !set.Several()}
	lists, more := make([][]Result, len(set.Artifacts)), make([]bool, len(set.Artifacts))
	err := format.Each(len(set.Artifacts), func(i int) error {
		lists[i], more[i] = rankOne(set.Artifacts[i], r, want, best, threshold, i)
		return nil
	})
	if err != nil {
		panic(err) // a file is not what its checksums say
	}
	for i, list := range lists {
		r.Hits, r.more = append(r.Hits, list...), r.more || more[i]
	}
	r.warnOrder()
	sortSeveral(set, r.Hits)
	if len(r.Hits) > want {
		r.Hits, r.more = r.Hits[:want], true
	}
}

// sortSeveral brings the hits of several artifacts, each with its hits in their order, into one order.
func sortSeveral(set *artifact.Set, hits []Result) {
	if len(set.Artifacts) > 1 {
		slices.SortStableFunc(hits, func(a, b Result) int {
			return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(b.Calibrated, a.Calibrated), cmp.Compare(a.Index, b.Index))
		})
	}
}

// warnOrder warns if there were too many documents for word order to be looked at in all of them.
func (r *Ranking) warnOrder() {
	if slices.ContainsFunc(r.Scored, func(s *Scores) bool { return s.pairs != nil && s.pairs.Cut() }) {
		r.warn("the words of the query stand in too many documents: their order counts in those that match best, in the others their number")
	}
}

// floor is the calibrated score that a hit of a further artifact needs, once those before have enough.
type floor struct {
	want   int
	off    bool
	mu     sync.Mutex
	scores []float64 // the best so far of hits that the query does not name, falling
}

func (f *floor) add(hits []Result) {
	if f.off {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, h := range hits {
		if h.class == notNamed {
			f.scores = append(f.scores, h.Calibrated)
		}
	}
	slices.SortFunc(f.scores, func(a, b float64) int { return cmp.Compare(b, a) })
	f.scores = f.scores[:min(len(f.scores), f.want)]
}

// least is the score that a hit needs now; 0 where any may be among the first.
func (f *floor) least() float64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.want <= 0 || len(f.scores) < f.want {
		return 0
	}
	return f.scores[f.want-1]
}

// rankOne returns the first hits of one artifact, at least want of them if there are so many that best keeps, and whether
// there are more. Hits that the query names come first.
func rankOne(a *artifact.Artifact, r *Ranking, want int, best *floor, threshold float64, artifactAt int) ([]Result, bool) {
	o := newOne(a, r, threshold, artifactAt)
	dropped, least := false, best.least()
	keep := func(raw float64) bool {
		if !o.keep(raw) {
			return false
		}
		enough := least == 0 || o.calibrate(raw) >= least
		dropped = dropped || !enough
		return enough
	}
	hits, more := fuse.TopHits(a.Rows(), o.s.scorer.Allowed, &a.Meta.Weights, &o.s.Signals, want+len(o.moved), keep)
	list := append(o.front, o.others(hits)...)
	best.add(list)
	return list, more || dropped
}

// one has the hits of one artifact that the query names, and what hits of it need.
type one struct {
	a         *artifact.Artifact
	at        int // of the artifact
	s         *Scores
	threshold float64
	front     []Result                 // named by the query
	moved     map[index.SectionID]bool // the sections of these, and of those below the threshold
}

func newOne(a *artifact.Artifact, r *Ranking, threshold float64, artifactAt int) *one {
	o := &one{a: a, at: artifactAt, s: r.Scored[artifactAt], threshold: threshold, moved: map[index.SectionID]bool{}}
	for _, h := range frontHits(a, r.ask, o.s, artifactAt) {
		o.moved[h.Section] = true
		if h.Calibrated = o.calibrate(h.Score); o.keep(h.Score) {
			o.front = append(o.front, h)
		}
	}
	return o
}

func (o *one) calibrate(raw float64) float64 { return o.s.calibrate(&o.a.Meta.Weights, raw) }

// keep says whether a raw score is at least the threshold.
func (o *one) keep(raw float64) bool { return o.threshold <= 0 || o.calibrate(raw) >= o.threshold }

// others makes results of the hits that the query does not name.
func (o *one) others(hits []fuse.Hit) []Result {
	list := make([]Result, 0, len(hits))
	for _, h := range hits {
		if !o.moved[h.Section] {
			list = append(list, Result{Hit: h, Index: o.at, Calibrated: o.calibrate(h.Score), class: notNamed})
		}
	}
	return list
}
