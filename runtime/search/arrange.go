package search

import (
	"context"

	"kdd/format/index"
	"kdd/runtime/artifact"
	"kdd/runtime/render"
	"kdd/runtime/wire"
)

// ahead is how many hits beyond the shown ones are ranked at first.
const ahead = 24

// arrange turns a ranking into the list that is read, with at least want hits if there are so many, and says whether
// more follow. Scores stay. The beginning of the list does not depend on want, so pages neither lose nor repeat a hit.
//
// A filter takes hits out of the ranking and changes nothing else. Diversity off shows the ranking as it is. Else, in
// this order:
//
//   - documents that are related with a hit come below it (Expand);
//   - of hits that say nearly the same, the best stays and names the others. Only hits are compared, so documents that
//     the filter leaves out hide nothing;
//   - each further hit of a document counts a little less than the one before it (Spread).
//
// Sorted by date, the newest hit comes first and hits without a date last; hits of one date keep their order. That list
// has only hits with a word of the query or with a similar meaning, and with at least half of the score of the best hit
// that the query does not name. Near duplicates leave it too.
//
// Cost: one pass over the chunks each time that four times as many hits are needed.
func arrange(ctx context.Context, set *artifact.Set, r *Ranking, q *wire.SearchRequest, want int) (more bool, err error) {
	r.arranged, r.grouped = q.Diversity != DiversityOff, q.Group == GroupDocument
	if q.Sort == SortDate {
		byDate(set, r, want)
		return len(r.Hits) > want, nil
	}
	for {
		complete := !r.more
		hits, err := listed(ctx, set, r, q.Expand)
		if err != nil {
			return false, err
		}
		settled := complete || namedHits(r.Hits) < len(r.Hits)
		if r.arranged && !r.grouped {
			hits = Spread(hits, complete)
		}
		if complete || settled && len(hits) > want {
			r.Hits = hits
			return len(hits) > want, nil
		}
		fill(set, r, 4*max(len(r.Hits), want), r.ask.threshold)
	}
}

// listed returns the hits of a ranking with their neighbours, without near duplicates, and, if it is grouped, the first
// hit of each document.
func listed(ctx context.Context, set *artifact.Set, r *Ranking, neighbours int) (hits []Result, err error) {
	of := *r
	if r.grouped { // only hits that are shown have neighbours
		if r.arranged {
			of.Hits = distinct(set, of.Hits)
		}
		of.Hits = onePerDocument(of.Hits)
	}
	hits = of.Hits
	if r.arranged || neighbours > 0 {
		if hits, err = Expand(ctx, set, &of, neighbours); err != nil {
			return nil, err
		}
	}
	if r.arranged {
		hits = distinct(set, hits)
	}
	if r.grouped {
		hits = onePerDocument(hits)
	}
	return hits, nil
}

// onePerDocument leaves out each hit whose document has a hit above it.
func onePerDocument(hits []Result) []Result {
	seen := map[spot]bool{}
	kept := make([]Result, 0, len(hits))
	for _, h := range hits {
		if at := (spot{h.Index, uint32(h.Doc)}); !seen[at] {
			seen[at] = true
			kept = append(kept, h)
		}
	}
	return kept
}

// distinct leaves out each hit whose chunk says nearly the same as the chunk of a hit above it.
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

// maxDuplicates bounds the near duplicates that a hit names.
const maxDuplicates = 3

// duplicatesOf returns the addresses of sections that say nearly the same as a hit, in documents that the filter
// admits.
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
