package main

import (
	"context"
	"fmt"

	"kdd/bench/quality/score"
	"kdd/bench/record"
	"kdd/format"
	"kdd/runtime"
	"kdd/runtime/lexical"
	"kdd/runtime/shape"
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
type answers struct{ docs, sections score.Run }

// systems are the open artifacts of one corpus.
type systems struct {
	grep     *grep
	index    *format.Index // for BM25: with vectors if there is one, else without
	rows     *lexical.Rows
	average  float32                     // length of a chunk
	vectors  map[string]*vectors         // by encoder
	services map[string]*runtime.Service // by encoder; words only from the distilled artifact if there is one
	depth    int
	indexes  []*format.Index
}

// open opens what was built of a set: paths by form.
func open(set *score.Set, built map[string]string, depth int) (*systems, error) {
	s := &systems{vectors: map[string]*vectors{}, services: map[string]*runtime.Service{}, depth: depth}
	for _, form := range []string{record.Lexical, record.Distilled, record.Exact} {
		path := built[form]
		if path == "" {
			continue
		}
		x, err := format.OpenIndex(path)
		if err != nil {
			s.close()
			return nil, err
		}
		s.indexes = append(s.indexes, x)
		s.services[form] = runtime.New(runtime.Config{Index: []string{path}})
		if form == record.Lexical || form == record.Distilled {
			s.index = x
		}
		if form == record.Distilled {
			s.services[record.Lexical].Close()
			s.services[record.Lexical] = runtime.New(runtime.Config{Index: []string{path}})
		}
		if form == record.Lexical {
			continue
		}
		if s.vectors[form], err = openVectors(x); err != nil {
			s.close()
			return nil, err
		}
	}
	var err error
	if s.grep, err = newGrep(set.Corpus, s.index); err != nil {
		s.close()
		return nil, err
	}
	plainWeights(s.index)
	s.rows, s.average = plainRows(s.index)
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
func (s *systems) ask(ctx context.Context, queries []score.Query) (map[string]answers, error) {
	all := map[string]answers{}
	put := func(system, id string, docs, sections []score.Place) {
		a, ok := all[system]
		if !ok {
			a = answers{score.Run{}, score.Run{}}
			all[system] = a
		}
		a.docs[id], a.sections[id] = docs, sections
	}
	for _, q := range queries {
		put(grepName, q.ID, s.grep.ask(q.Text), nil)
		words, err := bm25(ctx, s.index, s.rows, s.average, q.Text)
		if err != nil {
			return nil, fmt.Errorf("query %s: %w", q.ID, err)
		}
		put(bm25Name, q.ID, words, words)
		for form, name := range map[string]string{record.Distilled: distilledName, record.Exact: exactName} {
			if s.vectors[form] == nil {
				continue
			}
			places, err := s.vectors[form].ask(ctx, q.Text)
			if err != nil {
				return nil, fmt.Errorf("query %s: %w", q.ID, err)
			}
			put(name, q.ID, places, places)
			if form == record.Distilled {
				put(rrfName, q.ID, reciprocal(documents(words), documents(places)), reciprocal(words, places))
			}
		}
		for form, name := range map[string]string{record.Lexical: kddLexical, record.Distilled: kddDistilled, record.Exact: kddExact} {
			if s.services[form] == nil {
				continue
			}
			mode := "hybrid"
			if form == record.Lexical {
				mode = "lexical"
			}
			places, err := search(ctx, s.services[form], q.Text, mode, s.depth+len(q.Exclude))
			if err != nil {
				return nil, fmt.Errorf("query %s: %w", q.ID, err)
			}
			put(name, q.ID, places, places)
		}
	}
	return all, nil
}

// search asks kdd until it has named depth documents, or all that it finds.
func search(ctx context.Context, svc *runtime.Service, text, mode string, depth int) ([]score.Place, error) {
	request := shape.SearchRequest{Query: text, Mode: mode, Limit: 100, Page: shape.Page{MaxBytes: -1}}
	var places []score.Place
	seen := map[string]bool{}
	for {
		resp, err := svc.Search(ctx, request)
		if err != nil {
			return nil, err
		}
		for _, h := range resp.Results {
			seen[h.Path] = true
			places = append(places, score.Place{Path: h.Path, Anchor: h.Anchor})
		}
		if resp.Cursor == "" || len(seen) >= depth {
			return places, nil
		}
		request.Cursor = resp.Cursor
	}
}
