package main

import (
	"context"
	"fmt"

	"kdd/bench/quality/score"
	"kdd/bench/record"
	"kdd/format"
	"kdd/runtime"
	"kdd/runtime/eval"
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
type answers struct{ docs, sections eval.Run }

// systems are the open artifacts of one corpus.
type systems struct {
	grep     *eval.Grep
	bm25     *eval.BM25
	vectors  map[string]*vectors         // by encoder
	services map[string]*runtime.Service // by encoder; words only from the distilled artifact if there is one
	depth    int
	indexes  []*format.Index
}

// open opens what was built of a set: paths by form.
func open(set *score.Set, built map[string]string, depth int) (*systems, error) {
	var plain *format.Index // for the baselines: with vectors if there is one, else without
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
			plain = x
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
	s.grep, s.bm25 = eval.NewGrep(plain), eval.NewBM25(plain)
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
func search(ctx context.Context, svc *runtime.Service, text, mode string, depth int) ([]eval.Place, error) {
	request := shape.SearchRequest{Query: text, Mode: mode, Limit: 100, Page: shape.Page{MaxBytes: -1}}
	var places []eval.Place
	seen := map[string]bool{}
	for {
		resp, err := svc.Search(ctx, request)
		if err != nil {
			return nil, err
		}
		for _, h := range resp.Results {
			seen[h.Path] = true
			places = append(places, eval.Place{Path: h.Path, Anchor: h.Anchor})
		}
		if resp.Cursor == "" || len(seen) >= depth {
			return places, nil
		}
		request.Cursor = resp.Cursor
	}
}
