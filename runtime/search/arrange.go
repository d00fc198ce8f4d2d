package search

import (
	"cmp"
	"context"
	"slices"

	"kdd/format/index"
	"kdd/runtime/artifact"
	"kdd/runtime/render"
	"kdd/runtime/wire"
)

const (
	ahead       = 24  // how many hits are looked at beyond those that are shown, before more are fetched
	firstPlaces = 5   // among the first hits ...
	perDocument = 2   // ... a document has at most so many
	dateFloor   = 0.5 // sorted by date are the hits with at least this part of the best one's score
)

// arrange turns a ranking into the list that is read, at least its first want hits if there are so many, and says
// whether more follow. Scores stay as they are. The beginning of the list does not depend on want, so pages neither
// lose nor repeat a hit.
//
// The base ranking is what rank gives: a filter takes hits out of it and changes nothing else. Diversity off shows it
// as it is. Else, in this order:
//
//   - documents that are related with a hit come below it (expand);
//   - of hits that say nearly the same the best stays; the others leave the list, and it names them. Only hits are
//     compared,
//     so what a filter keeps out hides nothing;
//   - of the first five places a document has two at most: its other sections move down behind the fifth. They stay if
//     there are
//     too few documents to fill five places, so that a search in one document shows its sections in their order.
//
// Sorted by date, the newest hit comes first and those without a date last; hits of one date keep their order. Only
// hits that have a word of the query or are near to it in meaning are in that list, and only those at least half as
// good as the best one that the query does not name. Near duplicates leave it too.
//
// Cost: one pass over the chunks for every four times as many hits that have to be looked at.
func arrange(ctx context.Context, set *artifact.Set, r *Ranking, q *wire.SearchRequest, want int) (more bool, err error) {
	if q.Sort == SortDate {
		fill(set, r, set.Sections())
		byDate(set, r)
		if r.arranged = q.Diversity != DiversityOff; r.arranged {
			r.Hits = distinct(set, r.Hits)
		}
		return len(r.Hits) > want, nil
	}
	for {
		complete := r.total <= len(r.Hits)
		hits := r.Hits
		if q.Diversity != DiversityOff || q.Expand > 0 {
			if hits, err = Expand(ctx, set, r, q.Expand); err != nil {
				return false, err
			}
		}
		settled := complete || namedHits(r.Hits) < len(r.Hits)
		if q.Diversity != DiversityOff {
			var full bool
			hits, full = Spread(distinct(set, hits))
			settled = settled && (full || complete)
		}
		if complete || settled && len(hits) > want {
			r.Hits, r.arranged = hits, q.Diversity != DiversityOff
			return len(hits) > want, nil
		}
		fill(set, r, 4*max(len(r.Hits), want))
	}
}

// distinct leaves out each hit whose chunk says nearly the same as that of a hit above it.
func distinct(set *artifact.Set, hits []Result) []Result {
	seen := map[spot]bool{}
	kept := make([]Result, 0, len(hits))
	for _, h := range hits {
		if leader, ok := set.Artifacts[h.Index].DuplicateLeader(h.Chunk); ok {
			at := spot{h.Index, uint32(leader)}
			if seen[at] {
				continue
			}
			seen[at] = true
		}
		kept = append(kept, h)
	}
	return kept
}

// Spread moves the third and later hit of a document behind the first five places, all others keeping their order. It
// says whether these places are full of hits that stay there however the list goes on.
func Spread(hits []Result) (list []Result, full bool) {
	var late []Result
	docs := map[spot]int{}
	list = make([]Result, 0, len(hits))
	for i, h := range hits {
		if len(list) == firstPlaces {
			return append(append(list, late...), hits[i:]...), true
		}
		at := spot{h.Index, uint32(h.Doc)}
		if docs[at]++; docs[at] > perDocument {
			late = append(late, h)
		} else {
			list = append(list, h)
		}
	}
	full = len(list) == firstPlaces
	return append(list, late...), full
}

// byDate keeps the hits that speak for themselves and are half as good as the best, newest first.
func byDate(set *artifact.Set, r *Ranking) {
	best := 0.0
	for i := range r.Hits {
		if h := &r.Hits[i]; h.class == notNamed {
			best = max(best, h.Calibrated)
		}
	}
	dates := map[spot]string{}
	kept := r.Hits[:0]
	for _, h := range r.Hits {
		a, scored := set.Artifacts[h.Index], r.Scored[h.Index]
		if words, meaning := matchedBy(a, &h, &scored.Signals); h.class == notNamed && !words && !meaning || h.Calibrated < dateFloor*best {
			continue
		}
		dates[spot{h.Index, uint32(h.Doc)}] = a.DocDate(h.Doc)
		kept = append(kept, h)
	}
	slices.SortStableFunc(kept, func(a, b Result) int {
		return newest(dates[spot{a.Index, uint32(a.Doc)}], dates[spot{b.Index, uint32(b.Doc)}])
	})
	r.Hits, r.total = kept, len(kept)
}

// newest compares dates as documents have them: the later one first, none last.
func newest(a, b string) int { return cmp.Compare(b, a) }

// maxDuplicates bounds the near duplicates that a hit names.
const maxDuplicates = 3

// duplicatesOf names the sections that say nearly the same as a hit, among the documents that the filter admits.
func duplicatesOf(a *artifact.Artifact, h *Result, allowed func(index.DocID) bool) []string {
	var list []string
	last := h.Section
	for c := range a.Duplicates(h.Chunk) {
		section := a.SectionOfChunk(c)
		if section == h.Section || section == last {
			continue
		}
		if d := a.DocOfSection(section); allowed(d) {
			last = section
			if list = append(list, render.Address("", a.DocPath(d), a.SectionAnchor(section))); len(list) == maxDuplicates {
				break
			}
		}
	}
	return list
}
