package search

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"kdd/format"
	"kdd/format/index"
	"kdd/runtime/artifact"
	"kdd/runtime/search/fuse"
	"kdd/runtime/search/vector"
)

// Of an artifact that lies elsewhere each vector costs bytes of a network, and each step that waits for another one a
// round trip. So meaning comes from the signs of all vectors first, and then from the vectors of the documents that may
// have hits: rows of one document lie side by side. These are read together with the hits' texts. With these numbers
// all of two sets of questions about react's documents have the ten hits of the local file, for 345 kB of vectors; with
// 96 and 80 it is .988 and 1.000, for 270 kB (bench/runs/2026-11-24-epyc/elsewhere).
const (
	likelyElsewhere  = 112  // hits, by what the signs say, whose documents are compared
	nearestElsewhere = 112  // rows of each, those that the signs say are nearest
	mostElsewhere    = 2048 // rows of all
	allElsewhere     = 256  // of so few chunks all are compared
)

// probed is the share of the clusters whose sketches are looked at. With clusters of react's 6,008 vectors recall@10 of
// the hits is .995 and .996 for two sets of questions (bench/runs/2026-11-24-epyc/elsewhere).
const probed = .2

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
				if err != nil || s == nil || s.Fetch == nil {
					return err
				}
				if err := s.Fetch(text); err != nil {
					return err
				}
				if c := s.View.Clusters(); c != nil {
					vec := make([]float32, s.View.Dim)
					if _, err = s.Encode(vec, text); err == nil {
						_, err = fetchClusters(a, s, vector.NewQuery(vec), c)
					}
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
		q, admitted := vector.NewQuery(s.Vector), AdmittedRows(a, s)
		if err := estimate(ctx, a, sem, q, admitted, s); err != nil {
			return err
		}
		likely, _ := fuse.TopHits(a.Rows(), s.scorer.Allowed, &a.Meta.Weights, &s.Signals, max(want, likelyElsewhere), nil)
		rows := likelyRows(likely, a.DocChunks, s.Signals.Cosine)
		if err := a.File.Fetch(append(sem.View.Spans(rows), shownSpans(a, places(likely[:min(want, len(likely))]))...)...); err != nil {
			return err
		}
		return sem.View.Compare(ctx, q, admitted, rows, s.Signals.Cosine)
	})
}

// estimate writes what sketches say of the cosines: those of the nearest clusters, or of the admitted rows.
func estimate(ctx context.Context, a *artifact.Artifact, sem *artifact.Encoder, q *vector.Query, admitted vector.Ranges, s *Scores) error {
	if c := sem.View.Clusters(); c != nil && s.scorer.AllowsAll() {
		near, err := fetchClusters(a, sem, q, c)
		if err == nil {
			sem.View.EstimateNear(q, c, near, s.Signals.Cosine)
		}
		return err
	}
	var spans []format.Span
	for _, run := range admitted {
		spans = append(spans, sem.View.SketchSpan(run[0], run[1]))
	}
	if err := a.File.Fetch(spans...); err != nil {
		return err
	}
	return sem.View.Estimate(ctx, q, admitted, s.Signals.Cosine)
}

// fetchClusters reads the clusters that are nearest to a query.
func fetchClusters(a *artifact.Artifact, sem *artifact.Encoder, q *vector.Query, c *index.Clusters) ([]uint32, error) {
	near := sem.View.Near(q, c, int(math.Ceil(probed*float64(c.Count))))
	spans := make([]format.Span, len(near))
	for i, k := range near {
		spans[i] = c.Span(k)
	}
	return near, a.File.Fetch(spans...)
}

// likelyRows returns the rows, ascending, that are compared: of the documents of hits those whose estimates are highest.
// chunks returns a document's rows. Of few chunks it returns all.
func likelyRows(hits []fuse.Hit, chunks func(index.DocID) (from, to index.ChunkID), estimates []float32) (rows []uint32) {
	docs := map[index.DocID]bool{}
	if len(estimates) <= allElsewhere {
		for row := range estimates {
			rows = append(rows, uint32(row))
		}
		return rows
	}
	for _, h := range hits {
		if docs[h.Doc] {
			continue
		}
		docs[h.Doc] = true
		var own []uint32
		for from, to := chunks(h.Doc); from < to; from++ {
			own = append(own, uint32(from))
		}
		if len(own) > nearestElsewhere {
			slices.SortStableFunc(own, func(a, b uint32) int { return cmp.Compare(estimates[b], estimates[a]) })
			own = own[:nearestElsewhere]
		}
		if len(rows)+len(own) > mostElsewhere {
			break
		}
		rows = append(rows, own...)
	}
	slices.Sort(rows)
	return rows
}

// places returns where hits are.
func places(hits []fuse.Hit) []index.Shown {
	list := make([]index.Shown, len(hits))
	for i, h := range hits {
		list[i] = index.Shown{Doc: h.Doc, Section: h.Section, Chunk: h.Chunk}
	}
	return list
}

// shownSpans returns what is read next of hits that will be shown: their texts where their rows are there, else the rows.
func shownSpans(a *artifact.Artifact, list []index.Shown) []format.Span {
	if rows := a.PlaceSpans(list); !a.File.Has(rows...) {
		return rows
	}
	return a.TextSpans(list)
}

// fetchShown reads what is shown of hits that lie elsewhere, in two rounds at most for each artifact.
func fetchShown(set *artifact.Set, hits []Result) {
	for i, a := range set.Artifacts {
		if !a.File.Remote() {
			continue
		}
		var list []index.Shown
		for _, h := range hits {
			if h.Index == i {
				list = append(list, index.Shown{Doc: h.Doc, Section: h.Section, Chunk: h.Chunk})
			}
		}
		err := a.File.Fetch(a.PlaceSpans(list)...)
		if err == nil {
			err = a.File.Fetch(a.TextSpans(list)...)
		}
		if err != nil {
			panic(err) // as a read does
		}
	}
}
