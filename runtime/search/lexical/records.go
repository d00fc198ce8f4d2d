package lexical

import "kdd/format/index"

// records keeps the posting records of a query's terms, whose heads and skip entries are decoded once.
type records struct {
	x    *index.Index
	open map[index.TermID]*index.Record
}

func (r *records) record(t index.TermID) *index.Record {
	if rec := r.open[t]; rec != nil {
		return rec
	}
	if r.open == nil {
		r.open = map[index.TermID]*index.Record{}
	}
	rec := r.x.Postings(t)
	r.open[t] = &rec
	return &rec
}
