package lexicon

import (
	"bytes"
	"context"
	"slices"

	"kdd/compiler/parallel"
	"kdd/format/index"
)

// Lists has the posting lists of all terms, by the terms' order, in the pieces that segments have of them. A list is
// joined when it is asked for: all of them would take much more memory than the segments.
type Lists struct {
	segments []segment // of all runs, in the order of their documents
	from     []uint32  // by term: where its pieces begin; one more for the end
	pieces   []piece
	chunks   []uint32 // by term
	unplaced []bool   // by term: its positions are among those of another term
}

// piece is the place of a term's postings in a segment.
type piece struct{ segment, term uint32 }

// Len returns the number of lists.
func (l *Lists) Len() int { return len(l.chunks) }

// Reader returns what joins a list; it is for one goroutine, and each list is good until the next one is asked for.
func (l *Lists) Reader() func(i int) *index.List {
	var list, made index.List // made keeps the memory of positions where list has none
	return func(i int) *index.List {
		l.read(i, &made, !l.unplaced[i])
		list = made
		for f := range list.Fields {
			if len(list.Fields[f].Positions) == 0 {
				list.Fields[f].Positions = nil
			}
		}
		list.Chunks = l.chunks[i]
		return &list
	}
}

// read makes to the list of a term, in the memory it has; positions only if they are wanted.
func (l *Lists) read(i int, to *index.List, positions bool) {
	for f := range to.Fields {
		p := &to.Fields[f]
		p.Rows, p.Freqs, p.Positions = p.Rows[:0], p.Freqs[:0], p.Positions[:0]
	}
	for _, p := range l.of(i) {
		l.segments[p.segment].read(p.term, to, positions)
	}
}

// of returns the pieces of a term, in the order of their segments.
func (l *Lists) of(i int) []piece { return l.pieces[l.from[i]:l.from[i+1]] }

// same says whether two terms, one of which stands wherever the other stands, stand in the same places. Equal postings
// have equal bytes.
func (l *Lists) same(i, k int) bool {
	return slices.EqualFunc(l.of(i), l.of(k), func(a, b piece) bool {
		return a.segment == b.segment && bytes.Equal(l.segments[a.segment].of(a.term), l.segments[b.segment].of(b.term))
	})
}

// join sorts the terms of all runs, and finds what shares a list or positions.
func (lx *Lexicon) join(places *places, runs []*run) {
	ids := lx.sortTerms(runs)
	n := len(lx.Terms)
	l := gatherPieces(runs, ids, n)
	lx.Lists, lx.TermList = l, make([]uint32, n)
	companions := joinCompanions(runs, ids, n)
	_ = parallel.With(context.Background(), 0, n, func() func(i int) error {
		var list index.List
		return func(i int) error {
			// A folded form that stands just where its stem stands has the stem's list. One that always stands with
			// the same stem has no positions of its own: they are among the stem's. So it is with a form with accents
			// and its stem, or its folded form where there is no stem.
			lx.TermList[i] = uint32(i)
			if stem := companions[i]; stem != unseen && stem != unstemmed {
				l.unplaced[i] = true
				if l.same(i, int(stem)) {
					lx.TermList[i] = stem
					return nil
				}
			}
			l.read(i, &list, false)
			l.chunks[i] = places.count(&list)
			return nil
		}
	})
	for i, list := range lx.TermList {
		l.chunks[i] = l.chunks[list]
	}
}

// gatherPieces takes the segments from the runs and finds the pieces of n terms; ids are the terms by run and the run's
// number.
func gatherPieces(runs []*run, ids [][]uint32, n int) *Lists {
	l := &Lists{from: make([]uint32, n+1), chunks: make([]uint32, n), unplaced: make([]bool, n)}
	for r, run := range runs {
		for _, s := range run.segments {
			for _, number := range s.terms {
				l.from[ids[r][number]+1]++
			}
		}
	}
	for i := range n {
		l.from[i+1] += l.from[i]
	}
	l.pieces = make([]piece, l.from[n])
	next := slices.Clone(l.from[:n])
	for r, run := range runs {
		for _, s := range run.segments {
			for i, number := range s.terms {
				id := ids[r][number]
				l.pieces[next[id]] = piece{uint32(len(l.segments)), uint32(i)}
				next[id]++
			}
			s.terms = nil
			l.segments = append(l.segments, s)
		}
		run.segments = nil
	}
	return l
}

// joinCompanions returns, by term, what run.stems says for all runs: the term that stands wherever a folded form or one
// with accents stands, its stem mostly, or unseen, or unstemmed.
func joinCompanions(runs []*run, ids [][]uint32, n int) []uint32 {
	with := slices.Repeat([]uint32{unseen}, n)
	for r, run := range runs {
		for number, stem := range run.stems {
			if stem == unseen {
				continue
			}
			if stem != unstemmed {
				stem = ids[r][stem]
			}
			pairUp(&with[ids[r][number]], stem)
		}
		run.stems = nil
	}
	return with
}

// sortTerms collects the terms of all runs, which forget them. It returns the terms' ids by run and the run's number.
func (lx *Lexicon) sortTerms(runs []*run) [][]uint32 {
	most := 0
	for _, r := range runs {
		most = max(most, len(r.names))
	}
	all := make(map[string]uint32, most)
	for _, r := range runs {
		for _, t := range r.names {
			all[t] = 0
		}
	}
	lx.Terms = make([]string, 0, len(all))
	for t := range all {
		lx.Terms = append(lx.Terms, t)
	}
	slices.Sort(lx.Terms)
	for i, t := range lx.Terms {
		all[t] = uint32(i)
	}
	ids := make([][]uint32, len(runs))
	for i, r := range runs {
		ids[i] = make([]uint32, len(r.names))
		for number, t := range r.names {
			ids[i][number] = all[t]
		}
		r.names = nil
	}
	return ids
}
