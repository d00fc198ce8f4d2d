package search

import (
	"context"
	"slices"

	"kdd/format"
	"kdd/format/index"
	"kdd/runtime/artifact"
	"kdd/runtime/search/fuse"
	"kdd/runtime/search/lexical"
	"kdd/runtime/search/query"
	"kdd/runtime/wire"
)

// prepare decides how an artifact is searched, and embeds the query, unless vectors has it, if its meaning is compared.
func prepare(set *artifact.Set, a *artifact.Artifact, s *Scores, q *query.Query, vectors embedded) (warning string, err error) {
	w := &a.Meta.Weights
	s.Signals.Lexical = w.Lexical
	if s.mode == ModeLexical {
		return "", nil
	}
	why, err := vectors.query(a, s, EmbeddedText(a, q))
	switch {
	case err != nil:
		return "", err
	case s.Vector != nil:
		switch {
		case s.mode != ModeHybrid:
		case q.Into != "" && !q.Short():
			if !a.Meta.Model.Knows(string(q.Own)) || !a.Meta.Model.Knows(string(q.Into)) {
				s.Signals.Lexical = max(s.Signals.Lexical, w.LexicalText)
				s.scale = fuse.Usual(w, &s.Signals)
			}
		case leansLexical(a, q, q.Language):
			s.Signals.Lexical = w.LexicalOnly
			if leansLexical(a, q, q.Own) { // a filter changes no score
				s.scale = fuse.Usual(w, &s.Signals)
			}
		case a.Meta.StrangeText():
			s.Signals.Lexical = max(s.Signals.Lexical, w.LexicalText)
			s.scale = fuse.Usual(w, &s.Signals)
		}
		return "", nil
	case s.mode == ModeVector && why != unknownWords:
		return "", wire.NewError(wire.CodeNoVectors, "index "+a.Name+": "+why, "search with mode lexical, or build the index with a model and a query encoder")
	case s.mode == ModeHybrid:
		if s.mode = ModeLexical; why == noVectors && wordsOnly(set) {
			return "", nil
		}
		why += ": lexical only"
	}
	if set.Several() {
		why = "index " + a.Name + ": " + why
	}
	return why, nil
}

// wordsOnly says that no artifact has vectors: built so, they are searched by words, as the mode of the answer says.
func wordsOnly(set *artifact.Set) bool {
	return !slices.ContainsFunc(set.Artifacts, func(a *artifact.Artifact) bool { return a.File.Block(index.TagVectors) != nil })
}

// scoreWords computes the scores that come from words. Frequencies and lengths are those of all artifacts together.
func scoreWords(ctx context.Context, set *artifact.Set, r *Ranking) error {
	scorers := make([]*lexical.Scorer, len(set.Artifacts))
	err := format.Each(len(set.Artifacts), func(i int) error {
		a, s := set.Artifacts[i], r.Scored[i]
		s.Signals.BM25, s.Signals.Best = s.scorer.Floats(a.Chunks()), s.scorer.Best()
		s.Signals.Headings, s.Signals.Heading = s.scorer.Floats(a.Sections()), s.scorer.Floats(a.Docs())
		s.Signals.Anchors, s.Signals.Titles = s.scorer.Floats(a.Docs()), s.scorer.Floats(a.Docs())
		scorers[i] = s.scorer
		if err := s.scorer.BM25(ctx, r.Queries[i], s.Signals.BM25); err != nil {
			return err
		}
		s.scorer.Anchors(r.Queries[i], s.Signals.Anchors)
		s.scorer.Headings(r.Queries[i], s.Signals.Headings, s.Signals.Heading)
		s.scorer.Titles(r.Queries[i], s.Signals.Titles)
		return nil
	})
	if err != nil {
		return err
	}
	pairs, cut := lexical.NewPairs(scorers, r.Queries)
	for i, s := range r.Scored {
		if pairs[i] != nil {
			s.pairs, s.Signals.Order = pairs[i], pairs[i]
		}
	}
	if cut {
		r.warn("the query is long: the order of its first words counts, of the others their number")
	}
	return nil
}
