package search

import (
	"cmp"
	"slices"

	"kdd/runtime/artifact"
	"kdd/runtime/search/fuse"
)

// dateFloor is the share of the best score that a hit needs to be in a list by date.
const dateFloor = 0.5

// byDate makes the list of the newest hits, more than want of them if there are so many: those that match by words or
// meaning, or that the query names, and that have at least half of the best score. Hits of one date keep their order.
// If the ranking is arranged, near duplicates are not among them; if it is grouped, only the first of each document is.
//
// Cost: the dates of the documents that may have such a hit, and the scores of the newest of them: those of the other
// documents decide nothing.
func byDate(set *artifact.Set, r *Ranking, want int) {
	floor := max(r.ask.threshold, dateFloor*bestScore(set, r))
	all := make([]*one, len(set.Artifacts))
	var dated []*datedHits
	for i, a := range set.Artifacts {
		o := newOne(a, r, floor, i)
		all[i] = o
		for k := range o.front {
			dated = append(dated, &datedHits{at: len(dated), date: a.DocDate(o.front[k].Doc), of: o, named: &o.front[k]})
		}
		for _, c := range fuse.Candidates(a.Rows(), o.s.scorer.Allowed, &a.Meta.Weights, &o.s.Signals, o.keep) {
			dated = append(dated, &datedHits{at: len(dated), date: a.DocDate(c.Doc), of: o, candidate: c})
		}
	}
	slices.SortFunc(dated, func(a, b *datedHits) int { return cmp.Or(cmp.Compare(b.date, a.date), cmp.Compare(a.at, b.at)) }) // undated last
	r.Hits, r.floor = nil, floor
	for len(dated) > 0 && len(r.Hits) <= want {
		n := 1
		for n < len(dated) && dated[n].date == dated[0].date {
			n++
		}
		r.Hits = ofDate(set, r, dated[:n], all, want)
		dated = dated[n:]
	}
	r.warnOrder()
}

// datedHits is a document with its date: with a hit that the query names, or else a candidate that may have others.
type datedHits struct {
	at        int
	date      string
	of        *one
	named     *Result
	candidate fuse.Candidate
}

// bestScore returns the score of the best hit that the query does not name: 0 if there is none. These hits come behind
// those that it names.
func bestScore(set *artifact.Set, r *Ranking) float64 {
	for {
		if at := slices.IndexFunc(r.Hits, func(h Result) bool { return h.class == notNamed }); at >= 0 {
			return r.Hits[at].Calibrated
		}
		if !r.more {
			return 0
		}
		fill(set, r, 4*max(1, len(r.Hits)), r.ask.threshold)
	}
}

// ofDate adds the hits of one date to those of the ranking, as many as are needed for more than want.
func ofDate(set *artifact.Set, r *Ranking, dated []*datedHits, all []*one, want int) []Result {
	with := func(more []Result) []Result {
		list := slices.Concat(r.Hits, more)
		if r.arranged {
			list = distinct(set, list)
		}
		if r.grouped {
			list = onePerDocument(list)
		}
		return list
	}
	var hits []Result
	for _, o := range all {
		var own []Result
		var candidates []fuse.Candidate
		for _, d := range dated {
			switch {
			case d.of != o:
			case d.named != nil:
				own = append(own, *d.named)
			default:
				candidates = append(candidates, d.candidate)
			}
		}
		for limit := want + 1; ; limit *= 4 {
			found, more := fuse.TopOf(slices.Clone(candidates), o.a.Rows(), &o.a.Meta.Weights, &o.s.Signals, limit, o.keep)
			others := slices.DeleteFunc(o.others(found), func(h Result) bool { return !matches(o.a, h.Chunk, &o.s.Signals) })
			if list := slices.Concat(own, others); !more || len(with(list)) > want {
				hits = append(hits, list...)
				break
			}
		}
	}
	sortSeveral(set, hits)
	return with(hits)
}
