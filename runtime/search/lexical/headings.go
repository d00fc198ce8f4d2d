package lexical

import (
	"slices"

	"kdd/format/index"
	"kdd/runtime/search/query"
)

// Headings raises dst, by section, to how well the headings of a section, its own and those above it, say what the
// query says:
//
//	(Σ idf of the query's words that they hold / Σ idf of the query) · (number of those words / number of their words)
//
// in [0, 1]: recall of the query by weight times precision of the headings. BM25 alone cannot tell a section whose
// heading is the question from one whose long heading path happens to hold its words. Cost: the postings of the query's
// words over headings.
//
// docs gets, by document, the largest of its sections.
func (s *Scorer) Headings(q *query.Query, dst, docs []float32) {
	total := mass(q)
	if total == 0 {
		return
	}
	shared := s.Floats(len(dst)) // words of the query that the headings hold
	var touched []uint32
	for _, word := range distinct(q) {
		share := float32(float64(word.times) * word.IDF / total)
		if share == 0 && word.Whole {
			continue
		}
		for _, row := range s.rowsOf(word.Word, index.PathField) {
			if !s.Allowed(index.DocID(s.rows.SectionDoc[row])) {
				continue
			}
			if dst[row] == 0 && shared[row] == 0 {
				touched = append(touched, row)
			}
			dst[row] += share
			if !word.Whole { // headings are counted without wholes too
				shared[row] += float32(word.times)
			}
		}
	}
	for _, row := range touched {
		words := max(1, s.x.SectionPathTokens(index.SectionID(row)))
		dst[row] = min(1, dst[row]) * min(1, shared[row]/float32(words))
		d := s.rows.SectionDoc[row]
		docs[d] = max(docs[d], dst[row])
	}
}

// Titles raises dst, by document, to the part of the query that the document's title holds, by idf, in [0, 1]. Cost:
// the postings of the query's words over titles.
func (s *Scorer) Titles(q *query.Query, dst []float32) {
	total := mass(q)
	if total == 0 {
		return
	}
	for _, word := range distinct(q) {
		share := float32(float64(word.times) * word.IDF / total)
		for _, row := range s.rowsOf(word.Word, index.TitleField) {
			if s.Allowed(index.DocID(row)) {
				dst[row] = min(1, dst[row]+share)
			}
		}
	}
}

// mass is Σ idf of the query.
func mass(q *query.Query) (sum float64) {
	for i := range q.Words {
		sum += q.Words[i].IDF
	}
	return sum
}

// rowsOf returns the rows of a field that have a word, distinct and ascending. They are valid until the next call.
func (s *Scorer) rowsOf(word *query.Word, field index.FieldID) []uint32 {
	var freqs [128]uint32
	s.found = s.found[:0]
	for _, t := range slices.Concat(word.Terms, word.Near) {
		list := &s.record(t).Fields[field]
		for i := range list.Blocks() {
			at := len(s.found)
			s.found = append(s.found, freqs[:]...)
			s.found = s.found[:at+list.Decode(i, s.found[at:], freqs[:])]
		}
	}
	slices.Sort(s.found)
	s.found = slices.Compact(s.found)
	return s.found
}
