package runtime

import (
	"cmp"
	"context"
	"slices"

	"kdd/format"
	"kdd/runtime/render"
	"kdd/runtime/wire"
)

// The values of diversity and sort.
const (
	diversityOn   = "on"
	diversityOff  = "off"
	sortRelevance = "relevance"
	sortDate      = "date"
)

const (
	ahead       = 24  // how many hits are looked at beyond those that are shown, before more are fetched
	firstPlaces = 5   // among the first hits ...
	perDocument = 2   // ... a document has at most so many
	dateFloor   = 0.5 // sorted by date are the hits with at least this part of the best one's score
)

// arrange turns a ranking into the list that is read, at least its first want hits if there are so many, and says whether
// more follow. Scores stay as they are. The beginning of the list does not depend on want, so pages neither lose nor repeat
// a hit.
//
// The base ranking is what rank gives: a filter takes hits out of it and changes nothing else. Diversity off shows it as it
// is. Else, in this order:
//
//   - documents that are related with a hit come below it (expand);
//   - of hits that say nearly the same the best stays; the others leave the list, and it names them. Only hits are compared,
//     so what a filter keeps out hides nothing;
//   - of the first five places a document has two at most: its other sections move down behind the fifth. They stay if there are
//     too few documents to fill five places, so that a search in one document shows its sections in their order.
//
// Sorted by date, the newest hit comes first and those without a date last; hits of one date keep their order. Only hits that have
// a word of the query or are near to it in meaning are in that list, and only those at least half as good as the best one that
// the query does not name. Near duplicates leave it too.
//
// Cost: one pass over the chunks for every four times as many hits that have to be looked at.
func (set *set) arrange(ctx context.Context, r *ranking, q *wire.SearchRequest, want int) (more bool, err error) {
	if q.Sort == sortDate {
		set.fill(r, set.sections())
		set.byDate(r)
		if r.arranged = q.Diversity != diversityOff; r.arranged {
			r.hits = set.distinct(r.hits)
		}
		return len(r.hits) > want, nil
	}
	for {
		complete := r.total <= len(r.hits)
		hits := r.hits
		if q.Diversity != diversityOff || q.Expand > 0 {
			if hits, err = set.expand(ctx, r, q.Expand); err != nil {
				return false, err
			}
		}
		settled := complete || namedHits(r.hits) < len(r.hits)
		if q.Diversity != diversityOff {
			var full bool
			hits, full = spread(set.distinct(hits))
			settled = settled && (full || complete)
		}
		if complete || settled && len(hits) > want {
			r.hits, r.arranged = hits, q.Diversity != diversityOff
			return len(hits) > want, nil
		}
		set.fill(r, 4*max(len(r.hits), want))
	}
}

// sections is how many sections the artifacts have: there are no more hits.
func (set *set) sections() int {
	n := 0
	for _, a := range set.artifacts {
		n += a.Sections()
	}
	return n
}

// distinct leaves out each hit whose chunk says nearly the same as that of a hit above it.
func (set *set) distinct(hits []ranked) []ranked {
	seen := map[spot]bool{}
	kept := make([]ranked, 0, len(hits))
	for _, h := range hits {
		if leader, ok := set.artifacts[h.index].DuplicateLeader(h.Chunk); ok {
			at := spot{h.index, uint32(leader)}
			if seen[at] {
				continue
			}
			seen[at] = true
		}
		kept = append(kept, h)
	}
	return kept
}

// spread moves the third and later hit of a document behind the first five places, all others keeping their order. It says
// whether these places are full of hits that stay there however the list goes on.
func spread(hits []ranked) (list []ranked, full bool) {
	var late []ranked
	docs := map[spot]int{}
	list = make([]ranked, 0, len(hits))
	for i, h := range hits {
		if len(list) == firstPlaces {
			return append(append(list, late...), hits[i:]...), true
		}
		at := spot{h.index, uint32(h.Doc)}
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
func (set *set) byDate(r *ranking) {
	best := 0.0
	for i := range r.hits {
		if h := &r.hits[i]; h.class == notNamed {
			best = max(best, h.score)
		}
	}
	dates := map[spot]string{}
	kept := r.hits[:0]
	for _, h := range r.hits {
		a, scored := set.artifacts[h.index], r.scored[h.index]
		if words, meaning := a.found(&h, &scored.signals); h.class == notNamed && !words && !meaning || h.score < dateFloor*best {
			continue
		}
		dates[spot{h.index, uint32(h.Doc)}] = a.DocDate(h.Doc)
		kept = append(kept, h)
	}
	slices.SortStableFunc(kept, func(a, b ranked) int {
		return newest(dates[spot{a.index, uint32(a.Doc)}], dates[spot{b.index, uint32(b.Doc)}])
	})
	r.hits, r.total = kept, len(kept)
}

// newest compares dates as documents have them: the later one first, none last.
func newest(a, b string) int { return cmp.Compare(b, a) }

// maxDuplicates bounds the near duplicates that a hit names.
const maxDuplicates = 3

// duplicates names the sections that say nearly the same as a hit, among the documents that the filter admits.
func (a *artifact) duplicates(h *ranked, allowed func(format.DocID) bool) []string {
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
