package search

import (
	"slices"
	"testing"

	"kdd/format/index"
	"kdd/runtime/search/fuse"
)

// TestLikelyRows asks for whole small documents, for the nearest rows of a large one, and for no more than the limit.
func TestLikelyRows(t *testing.T) {
	starts := []index.ChunkID{0, 3, 3 + 2*nearestElsewhere, 3 + 2*nearestElsewhere + 5}
	for range 2 * mostElsewhere / nearestElsewhere {
		starts = append(starts, starts[len(starts)-1]+nearestElsewhere)
	}
	chunks := func(d index.DocID) (from, to index.ChunkID) { return starts[d], starts[d+1] }
	estimates := make([]float32, starts[len(starts)-1])
	for row := 4; row < 3+2*nearestElsewhere; row += 2 { // of the second document every other row is near
		estimates[row] = .5
	}
	hit := func(docs ...index.DocID) (hits []fuse.Hit) {
		for _, d := range docs {
			hits = append(hits, fuse.Hit{Doc: d})
		}
		return hits
	}
	const third = 3 + 2*nearestElsewhere
	small := []uint32{0, 1, 2, third, third + 1, third + 2, third + 3, third + 4}
	if got := likelyRows(hit(2, 0, 2), chunks, estimates); !slices.Equal(got, small) {
		t.Errorf("two small documents: %v", got)
	}
	got := likelyRows(hit(1), chunks, estimates)
	least := func(row uint32) bool { return estimates[row] == 0 }
	if len(got) != nearestElsewhere || !slices.IsSorted(got) || slices.ContainsFunc(got, least) {
		t.Errorf("a large document: %v", got)
	}
	if got := likelyRows(hit(0), chunks, estimates[:allElsewhere]); len(got) != allElsewhere {
		t.Errorf("few chunks: %d rows of %d", len(got), allElsewhere)
	}
	var all []index.DocID
	for d := range len(starts) - 1 {
		all = append(all, index.DocID(d))
	}
	if got := likelyRows(hit(all...), chunks, estimates); len(got) > mostElsewhere || len(got) < mostElsewhere-nearestElsewhere {
		t.Errorf("all documents: %d rows", len(got))
	}
}
