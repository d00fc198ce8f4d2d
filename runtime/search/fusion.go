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
	all, every := *r, *r.ask
	every.threshold = 0
	all.ask = &every
	if fill(set, &all, 1); len(all.Hits) > 0 {
		r.warn(fmt.Sprintf("no section has the score %g or more; the best has %.4f", r.ask.threshold, wire.Round4(all.Hits[0].Calibrated)))
	}
}

// fill makes the list of the first want hits from the scores. Cost: one pass over the chunks.
func fill(set *artifact.Set, r *Ranking, want int) {
	q := *r.ask
	q.Want = want
	r.Hits, r.total = nil, 0
	for i, a := range set.Artifacts {
		hits, total := rankOne(a, &q, r.Scored[i], i)
		r.Hits, r.total = append(r.Hits, hits...), r.total+total
	}
	if len(set.Artifacts) > 1 {
		slices.SortStableFunc(r.Hits, func(a, b Result) int {
			return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(b.Calibrated, a.Calibrated), cmp.Compare(a.Index, b.Index))
		})
	}
	r.Hits = r.Hits[:min(want, len(r.Hits))]
}

// rankOne returns the first hits of one artifact, and how many there are. Hits that the query names come first.
func rankOne(a *artifact.Artifact, q *Request, s *Scores, artifactAt int) ([]Result, int) {
	w := &a.Meta.Weights
	calibrate := func(raw float64) float64 { return s.calibrate(w, raw) }
	keep := func(raw float64) bool { return q.threshold <= 0 || calibrate(raw) >= q.threshold }
	front := frontHits(a, q, s, artifactAt)
	hits, total := fuse.TopHits(a.Rows(), s.scorer.Allowed, w, &s.Signals, q.Want+len(front), keep)
	moved := make(map[index.SectionID]bool, len(front))
	list := make([]Result, 0, len(front)+len(hits))
	for _, h := range front {
		moved[h.Section] = true
		if h.evidence && keep(s.Signals.Total(w, h.Doc, h.Own, h.File)) {
			total--
		}
		if h.Calibrated = calibrate(h.Score); q.threshold <= 0 || h.Calibrated >= q.threshold {
			list = append(list, h.Result)
			total++
		}
	}
	for _, h := range hits {
		if !moved[h.Section] {
			list = append(list, Result{Hit: h, Index: artifactAt, Calibrated: calibrate(h.Score), class: notNamed})
		}
	}
	return list, total
}
