package lexicon

import (
	"context"
	"slices"

	"kdd/compiler/parallel"
	"kdd/format"
)

// joined is what the runs have of one term.
type joined struct {
	stem   string // of a folded form and of one with accents: the term that stands wherever it stands; "" if there is none
	rows   [format.FieldCount]uint32
	places [format.FieldCount]uint32 // positions
}

// join sorts the terms of all runs and joins their lists in the runs' order.
func (lx *Lexicon) join(docs []Document, runs []*run) {
	lx.sortTerms(runs)
	n := len(lx.Terms)
	lx.Lists, lx.TermList = make([]format.List, n), make([]uint32, n)
	all := make([]joined, n)
	each(n, func(i int) { all[i] = measure(runs, lx.Terms[i]) })

	// All lists lie end to end.
	rowAt := make([]int, n+1)
	for i := range all {
		rowAt[i+1] = rowAt[i]
		for _, rows := range all[i].rows {
			rowAt[i+1] += int(rows)
		}
	}
	rows, freqs := make([]uint32, rowAt[n]), make([]uint32, rowAt[n])
	chunks := newPlaces(docs)
	each(n, func(i int) {
		l, at := &lx.Lists[i], rowAt[i]
		for f, size := range all[i].rows {
			if size > 0 {
				end := at + int(size)
				l.Fields[f].Rows, l.Fields[f].Freqs = rows[at:at:end], freqs[at:at:end]
				at = end
			}
		}
		for _, r := range runs {
			r.appendRows(l, lx.Terms[i])
		}
		l.Chunks = chunks.count(l)
	})

	// A folded form that stands just where its stem stands has the stem's list. One that always stands with the same
	// stem has no positions of its own: they are among the stem's. So it is with a form with accents and its stem, or
	// its folded form where there is no stem.
	each(n, func(i int) {
		lx.TermList[i] = uint32(i)
		if all[i].stem == "" {
			return
		}
		if at, ok := slices.BinarySearch(lx.Terms, all[i].stem); ok && samePostings(&lx.Lists[i], &lx.Lists[at]) {
			lx.TermList[i] = uint32(at)
		}
	})
	each(n, func(i int) {
		if all[i].stem != "" {
			return
		}
		l := &lx.Lists[i]
		for f, size := range all[i].places {
			if size > 0 {
				l.Fields[f].Positions = make([]uint32, 0, size)
			}
		}
		for _, r := range runs {
			r.appendPositions(l, lx.Terms[i])
		}
	})
	for i, at := range lx.TermList {
		lx.Lists[i] = lx.Lists[at]
	}
}

// sortTerms collects the terms of all runs.
func (lx *Lexicon) sortTerms(runs []*run) {
	most := 0
	for _, r := range runs {
		most = max(most, len(r.names))
	}
	all := make(map[string]struct{}, most)
	for _, r := range runs {
		for _, t := range r.names {
			all[t] = struct{}{}
		}
	}
	lx.Terms = make([]string, 0, len(all))
	for t := range all {
		lx.Terms = append(lx.Terms, t)
	}
	slices.Sort(lx.Terms)
}

// measure adds up what the runs have of a term.
func measure(runs []*run, term string) joined {
	var j joined
	first := true
	for _, r := range runs {
		id, ok := r.terms[term]
		if !ok {
			continue
		}
		for f := range j.rows {
			key := int(id)*fields + f
			j.rows[f] += r.rowAt[key+1] - r.rowAt[key]
			j.places[f] += r.posAt[key+1] - r.posAt[key]
		}
		if stem, seen := r.stem(id); seen {
			if !first && stem != j.stem {
				stem = ""
			}
			j.stem, first = stem, false
		}
	}
	return j
}

// appendRows appends what the run has of a term to its list.
func (r *run) appendRows(l *format.List, term string) {
	if id, ok := r.terms[term]; ok {
		for f := range l.Fields {
			from, to := r.rowAt[int(id)*fields+f], r.rowAt[int(id)*fields+f+1]
			p := &l.Fields[f]
			p.Rows, p.Freqs = append(p.Rows, r.rows[from:to]...), append(p.Freqs, r.freqs[from:to]...)
		}
	}
}

// appendPositions is appendRows for positions.
func (r *run) appendPositions(l *format.List, term string) {
	if id, ok := r.terms[term]; ok {
		for f := range l.Fields {
			from, to := r.posAt[int(id)*fields+f], r.posAt[int(id)*fields+f+1]
			l.Fields[f].Positions = append(l.Fields[f].Positions, r.positions[from:to]...)
		}
	}
}

// each calls f for 0 to n-1, in parallel.
func each(n int, f func(i int)) {
	_ = parallel.Each(context.Background(), 0, n, func(i int) error { f(i); return nil })
}

func samePostings(a, b *format.List) bool {
	for f := range a.Fields {
		if !slices.Equal(a.Fields[f].Rows, b.Fields[f].Rows) || !slices.Equal(a.Fields[f].Freqs, b.Fields[f].Freqs) {
			return false
		}
	}
	return true
}
