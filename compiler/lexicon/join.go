package lexicon

import (
	"context"
	"slices"

	"kdd/compiler/parallel"
	"kdd/format/index"
)

// Lists has the posting lists of all terms, by the terms' order, in the parts that the runs have of them. A list is
// joined when it is asked for: all of them would take the memory of the runs once more.
type Lists struct {
	runs     []*run
	at       []uint32 // [terms, runs]: 1 + the run's number of the term; 0 if it has none
	chunks   []uint32 // by term
	unplaced []bool   // by term: its positions are among those of another term
}

// Len returns the number of lists.
func (l *Lists) Len() int { return len(l.chunks) }

// Reader returns what joins a list; it is for one goroutine, and each list is good until the next one is asked for.
func (l *Lists) Reader() func(i int) *index.List {
	var list index.List
	var positions [index.FieldCount][]uint32
	return func(i int) *index.List {
		for f := range list.Fields {
			p := &list.Fields[f]
			p.Rows, p.Freqs, positions[f] = p.Rows[:0], p.Freqs[:0], positions[f][:0]
		}
		for part := range l.parts(i) {
			for f := range list.Fields {
				p, of := &list.Fields[f], &part.Fields[f]
				p.Rows, p.Freqs = append(p.Rows, of.Rows...), append(p.Freqs, of.Freqs...)
				if !l.unplaced[i] {
					positions[f] = append(positions[f], of.Positions...)
				}
			}
		}
		for f := range list.Fields {
			if list.Fields[f].Positions = nil; len(positions[f]) > 0 {
				list.Fields[f].Positions = positions[f]
			}
		}
		list.Chunks = l.chunks[i]
		return &list
	}
}

// parts yields what each run has of a term, in order. The slices are the runs'.
func (l *Lists) parts(i int) func(yield func(part *index.List) bool) {
	return func(yield func(part *index.List) bool) {
		var part index.List
		for r, id := range l.numbers(i) {
			if id > 0 {
				l.runs[r].part(id-1, &part)
				if !yield(&part) {
					return
				}
			}
		}
	}
}

// numbers returns what the runs call a term, plus one.
func (l *Lists) numbers(i int) []uint32 { return l.at[i*len(l.runs) : (i+1)*len(l.runs)] }

// same says whether two terms stand in the same rows as often.
func (l *Lists) same(i, k int) bool {
	others := l.numbers(k)
	var a, b index.List
	for r, id := range l.numbers(i) {
		if (id == 0) != (others[r] == 0) {
			return false
		}
		if id > 0 {
			l.runs[r].part(id-1, &a)
			l.runs[r].part(others[r]-1, &b)
			if !samePostings(&a, &b) {
				return false
			}
		}
	}
	return true
}

// join sorts the terms of all runs, and finds what shares a list or positions.
func (lx *Lexicon) join(docs []Document, runs []*run) {
	ids := lx.sortTerms(runs)
	n := len(lx.Terms)
	l := &Lists{runs: runs, at: make([]uint32, n*len(runs)), chunks: make([]uint32, n), unplaced: make([]bool, n)}
	for r := range runs {
		for number, id := range ids[r] {
			l.at[int(id)*len(runs)+r] = uint32(number) + 1
		}
	}
	lx.Lists, lx.TermList = l, make([]uint32, n)
	places := newPlaces(docs)
	each(n, func(i int) {
		for part := range l.parts(i) { // no chunk is in two runs
			l.chunks[i] += places.count(part)
		}
		// A folded form that stands just where its stem stands has the stem's list. One that always stands with the
		// same stem has no positions of its own: they are among the stem's. So it is with a form with accents and its
		// stem, or its folded form where there is no stem.
		lx.TermList[i] = uint32(i)
		stem, ok := l.stem(i, ids)
		if !ok {
			return
		}
		l.unplaced[i] = true
		if l.same(i, stem) {
			lx.TermList[i] = uint32(stem)
		}
	})
	for _, r := range runs {
		r.stems = nil
	}
}

// stem returns the term that stands wherever a folded form or one with accents stands, its stem mostly, if there is
// one.
func (l *Lists) stem(i int, ids [][]uint32) (stem int, ok bool) {
	seen := false
	for r, number := range l.numbers(i) {
		if number == 0 {
			continue
		}
		switch s := l.runs[r].stems[number-1]; {
		case s == unseen:
			continue
		case s == unstemmed, seen && int(ids[r][s]) != stem:
			return 0, false
		default:
			stem, seen = int(ids[r][s]), true
		}
	}
	return stem, seen
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

// each calls f for 0 to n-1, in parallel.
func each(n int, f func(i int)) {
	_ = parallel.Each(context.Background(), 0, n, func(i int) error { f(i); return nil })
}

func samePostings(a, b *index.List) bool {
	for f := range a.Fields {
		if !slices.Equal(a.Fields[f].Rows, b.Fields[f].Rows) || !slices.Equal(a.Fields[f].Freqs, b.Fields[f].Freqs) {
			return false
		}
	}
	return true
}
