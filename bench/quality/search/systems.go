package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"kdd/bench/internal/harness"
	"kdd/bench/internal/sets"
	"kdd/format/index"
	"kdd/runtime"
	"kdd/runtime/eval"
	"kdd/runtime/wire"
)

// The systems, as the tables name them, in the tables' order.
const (
	grepName      = "keyword grep"
	bm25Name      = "BM25"
	exactName     = "vector, exact encoder"
	distilledName = "vector, distilled encoder"
	rrfName       = "RRF of BM25 and distilled"
	kddLexical    = "kdd, words only"
	kddDistilled  = "kdd, distilled encoder"
	kddExact      = "kdd, exact encoder"
)

var systemNames = []string{grepName, bm25Name, exactName, distilledName, rrfName, kddLexical, kddDistilled, kddExact}

// answers are a system's rankings of documents and of sections; for most systems one is the other.
type answers struct{ docs, sections eval.Run }

// systems are the open artifacts of one corpus.
type systems struct {
	grep     *eval.Grep
	bm25     *eval.BM25
	vectors  map[string]*vectors         // by encoder
	services map[string]*runtime.Service // by encoder; words only from the distilled artifact if there is one
	indexes  []*index.Index
}

// depth is how many documents kdd is asked for, besides those that a question excludes.
const depth = 30

// open opens the artifacts of a set.
func open(c *sets.Corpus) (s *systems, err error) {
	s = &systems{vectors: map[string]*vectors{}, services: map[string]*runtime.Service{}}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	for form, path := range c.Paths {
		x, err := index.Open(path)
		if err != nil {
			return s, err
		}
		s.indexes = append(s.indexes, x)
		s.services[form] = runtime.New(runtime.Config{Index: []string{path}})
		v, err := openVectors(x)
		if err != nil {
			return s, err
		}
		if v != nil {
			s.vectors[form] = v
		}
		if path == c.Words() {
			s.grep, s.bm25 = eval.NewGrep(x), eval.NewBM25(x)
		}
	}
	if s.services[harness.Lexical] == nil {
		s.services[harness.Lexical] = runtime.New(runtime.Config{Index: []string{c.Words()}})
	}
	return s, nil
}

func (s *systems) close() {
	for _, svc := range s.services {
		svc.Close()
	}
	for _, x := range s.indexes {
		x.File.Close()
	}
}

// ask puts every question to every system.
func (s *systems) ask(ctx context.Context, queries []eval.Question) (map[string]answers, error) {
	all := map[string]answers{}
	put := func(system, id string, docs, sections []eval.Place) {
		a, ok := all[system]
		if !ok {
			a = answers{eval.Run{}, eval.Run{}}
			all[system] = a
		}
		a.docs[id], a.sections[id] = docs, sections
	}
	for _, q := range queries {
		lines, err := s.grep.Rank(ctx, q.Text)
		if err != nil {
			return nil, fmt.Errorf("query %s: %w", q.ID, err)
		}
		put(grepName, q.ID, lines, nil)
		words, err := s.bm25.Rank(ctx, q.Text)
		if err != nil {
			return nil, fmt.Errorf("query %s: %w", q.ID, err)
		}
		put(bm25Name, q.ID, words, words)
		for form, name := range map[string]string{harness.Distilled: distilledName, harness.Exact: exactName} {
			if s.vectors[form] == nil {
				continue
			}
			places, err := s.vectors[form].rank(q.Text)
			if err != nil {
				return nil, fmt.Errorf("query %s: %w", q.ID, err)
			}
			put(name, q.ID, places, places)
			if form == harness.Distilled {
				put(rrfName, q.ID, reciprocal(documents(words), documents(places)), reciprocal(words, places))
			}
		}
		for form, name := range map[string]string{harness.Lexical: kddLexical, harness.Distilled: kddDistilled, harness.Exact: kddExact} {
			if s.services[form] == nil {
				continue
			}
			mode := "hybrid"
			if form == harness.Lexical {
				mode = "lexical"
			}
			hits, err := sets.Hits(ctx, s.services[form], wire.SearchRequest{Query: q.Text, Mode: mode}, depth+len(q.Exclude))
			if err != nil {
				return nil, fmt.Errorf("query %s: %w", q.ID, err)
			}
			places := sets.Places(hits)
			put(name, q.ID, places, places)
		}
	}
	return all, nil
}

// documents lists the documents of places in their order, each once.
func documents(places []eval.Place) []eval.Place {
	var docs []eval.Place
	seen := map[string]bool{}
	for _, p := range places {
		if !seen[p.Path] {
			seen[p.Path] = true
			docs = append(docs, eval.Place{Path: p.Path})
		}
	}
	return docs
}

// reciprocal fuses rankings by Σ 1/(60 + rank) (Cormack, Clarke & Büttcher 2009).
func reciprocal(rankings ...[]eval.Place) []eval.Place {
	sums := map[eval.Place]float64{}
	var fused []eval.Place
	for _, places := range rankings {
		for i, p := range places {
			if _, known := sums[p]; !known {
				fused = append(fused, p)
			}
			sums[p] += 1 / float64(60+i+1)
		}
	}
	slices.SortStableFunc(fused, func(a, b eval.Place) int { return cmp.Compare(sums[b], sums[a]) })
	return fused
}
