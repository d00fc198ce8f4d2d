package search

import (
	"cmp"
	"slices"

	"kdd/runtime/search/fuse"
	"kdd/runtime/wire"
)

// maxMore bounds the further sections of a document that a hit names.
const maxMore = 3

// more returns the sections of a hit's document that match the query and stand behind the hit, the best first; nil if
// there are none. Those that stand above it say nearly the same as a hit above. Cost: the chunks of the document.
func (x *hitSource) more(h *Result, floor float64) *wire.MoreSections {
	a := x.a
	w := &a.Meta.Weights
	from, to := a.DocChunks(h.Doc)
	hits := slices.DeleteFunc(fuse.Document(a.Rows(), w, &x.scores.Signals, h.Doc, from, to), func(o fuse.Hit) bool {
		above := h.class == notNamed && (o.Score > h.Score || o.Score == h.Score && o.Section < h.Section)
		return o.Section == h.Section || above || !matches(a, o.Chunk, &x.scores.Signals) ||
			floor > 0 && x.scores.calibrate(w, o.Score) < floor
	})
	if len(hits) == 0 {
		return nil
	}
	slices.SortStableFunc(hits, func(a, b fuse.Hit) int { return cmp.Compare(b.Score, a.Score) }) // ties by section
	more := &wire.MoreSections{Count: len(hits)}
	for _, o := range hits[:min(maxMore, len(hits))] {
		sec, chunk := a.Section(o.Section), a.Chunk(o.Chunk)
		one := wire.MoreSection{Anchor: sec.Anchor, Score: wire.Round4(x.scores.calibrate(w, o.Score)),
			Lines: a.OwnLines(h.Doc, int(chunk.LineStart), int(chunk.LineEnd))}
		if sec.Level > 0 {
			one.Section = sec.Heading
		}
		more.Sections = append(more.Sections, one)
	}
	return more
}
