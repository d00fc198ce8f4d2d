// Package ranking is what the measurements of ranking share: the artifacts of sets, all hits of a search, and cosines alone.
//
//	corpora, done, err := options.Corpora(ctx, stderr)
//	defer done()
//	hits, err := ranking.Hits(ctx, service, wire.SearchRequest{Query: question}, 10)
//
// It scores nothing: kdd/runtime/eval does.
package ranking
