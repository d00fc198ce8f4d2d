package search

import (
	"context"
	"slices"
	"sync"

	"kdd/format"
	"kdd/format/index"
	"kdd/runtime/artifact"
	"kdd/runtime/search/fuse"
	"kdd/runtime/search/vector"
)

// Of an artifact that lies elsewhere each vector costs bytes of a network, and each step that waits for another one a
// round trip. So meaning comes from the signs of all vectors first, and from the vectors of those chunks that may be
// hits; these are read together with the hits' texts.
const (
	nearestElsewhere = 64 // chunks that are compared because their signs are nearest
	likelyElsewhere  = 24 // and because they are the best by all that is known without vectors
)

// elsewhere says whether the artifact's vectors are compared as those of an artifact elsewhere.
func elsewhere(a *artifact.Artifact) bool {
	if !a.File.Remote() {
		return false
	}
	v, err := a.Vectors()
	return err == nil && v != nil && v.HasSketches()
}

// fetchMeaning begins to read what the encoders of artifacts that lie elsewhere have of a query, while its words are read.
// wait waits for the end of that; what fails is read again where it is needed.
func fetchMeaning(set *artifact.Set, text string) (wait func()) {
	var group sync.WaitGroup
	for _, a := range set.Artifacts {
		if !elsewhere(a) {
			continue
		}
		group.Go(func() {
			format.Guard(func() error {
				s, err := a.Encoder()
				if err == nil && s != nil && s.Fetch != nil {
					err = s.Fetch(text)
				}
				return err
			})
		})
	}
	return group.Wait
}

// scoreElsewhere computes the cosines of the artifacts that lie elsewhere, after all other scores.
func scoreElsewhere(ctx context.Context, set *artifact.Set, r *Ranking, want int) error {
	return format.Each(len(set.Artifacts), func(i int) error {
		a, s := set.Artifacts[i], r.Scored[i]
		if s.Vector == nil || !elsewhere(a) {
			return nil
		}
		sem, err := a.Encoder()
		if err != nil {
			return err
		}
		s.Signals.Cosine = s.scorer.Floats(a.Chunks())
		q := vector.NewQuery(s.Vector)
		rows, err := sem.View.Estimate(ctx, q, AdmittedRows(a, s), nearestElsewhere, s.Signals.Cosine)
		if err != nil {
			return err
		}
		likely, _ := fuse.TopHits(a.Rows(), s.scorer.Allowed, &a.Meta.Weights, &s.Signals, max(want, likelyElsewhere), nil)
		var texts []index.Passage
		for k, h := range likely {
			rows = append(rows, uint32(h.Chunk))
			if k < want {
				c := a.Chunk(h.Chunk)
				texts = append(texts, index.Passage{Doc: h.Doc, From: c.Start, To: c.End})
			}
		}
		slices.Sort(rows)
		rows = slices.Compact(rows)
		if err := a.File.Fetch(append(sem.View.Spans(rows), a.TextSpans(texts)...)...); err != nil {
			return err
		}
		return sem.View.Compare(ctx, q, rows, s.Signals.Cosine)
	})
}
