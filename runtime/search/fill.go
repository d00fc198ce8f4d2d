package search

import (
	"cmp"
	"fmt"
	"slices"

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
	for i, a := range set.Artifacts {
		hits, more := rankOne(a, r, want, threshold, i)
		r.Hits, r.more = append(r.Hits, hits...), r.more || more
	}
	if len(set.Artifacts) > 1 {
		slices.SortStableFunc(r.Hits, func(a, b Result) int {
			return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(b.Calibrated, a.Calibrated), cmp.Compare(a.Index, b.Index))
		})
	}
	if len(r.Hits) > want {
		r.Hits, r.more = r.Hits[:want], true
	}
}

// rankOne returns the first hits of one artifact, at least want of them if there are so many, and whether there are
// more. Hits that the query names come first.
func rankOne(a *artifact.Artifact, r *Ranking, want int, threshold float64, artifactAt int) ([]Result, bool) {
	w, s := &a.Meta.Weights, r.Scored[artifactAt]
	keep := func(raw float64) bool { return threshold <= 0 || s.calibrate(w, raw) >= threshold }
	front := frontHits(a, r.ask, s, artifactAt)
	hits, more := fuse.TopHits(a.Rows(), s.scorer.Allowed, w, &s.Signals, want+len(front), keep)
	moved := make(map[index.SectionID]bool, len(front))
	list := make([]Result, 0, len(front)+len(hits))
	for _, h := range front {
		moved[h.Section] = true
		if keep(h.Score) {
			h.Calibrated = s.calibrate(w, h.Score)
			list = append(list, h)
		}
	}
	for _, h := range hits {
		if !moved[h.Section] {
			list = append(list, Result{Hit: h, Index: artifactAt, Calibrated: s.calibrate(w, h.Score), class: notNamed})
		}
	}
	return list, more
}
