package lexical

import (
	"kdd/format"
	"kdd/runtime/search/query"
)

// Headings raises dst, by section, to how well the headings of a section, its own and those above it, say what the query
// says:
//
//	(Σ idf of the query's words that they hold / Σ idf of the query) · (number of those words / number of their words)
//
// in [0, 1]: recall of the query by weight times precision of the headings. BM25 alone cannot tell a section whose
// heading is the question from one whose long heading path happens to hold its words. Cost: the postings of the query's
// words over headings.
func (s *Scorer) Headings(q *query.Query, dst []float32) {
	total := mass(q)
	if total == 0 {
		return
	}
	shared := make([]uint32, len(dst)) // words of the query that the headings hold
	for word, n := range distinct(q) {
		share := float32(float64(n) * word.IDF / total)
		s.rowsOf(word, format.PathField, func(row uint32) {
			if s.Allowed(s.x.DocOfSection(format.SectionID(row))) {
				dst[row] += share
				if !word.Whole { // headings are counted without wholes too
					shared[row] += uint32(n)
				}
			}
		})
	}
	for row, n := range shared {
		if dst[row] > 0 {
			words := max(1, s.x.SectionPathTokens(format.SectionID(row)))
			dst[row] = min(1, dst[row]) * min(1, float32(n)/float32(words))
		}
	}
}

// Titles raises dst, by document, to the part of the query that the document's title holds, by idf, in [0, 1]. Cost: the
// postings of the query's words over titles.
func (s *Scorer) Titles(q *query.Query, dst []float32) {
	total := mass(q)
	if total == 0 {
		return
	}
	for word, n := range distinct(q) {
		share := float32(float64(n) * word.IDF / total)
		s.rowsOf(word, format.TitleField, func(row uint32) {
			if s.Allowed(format.DocID(row)) {
				dst[row] = min(1, dst[row]+share)
			}
		})
	}
}

// mass is Σ idf of the query.
func mass(q *query.Query) (sum float64) {
	for i := range q.Words {
		sum += q.Words[i].IDF
	}
	return sum
}

// rowsOf calls each once for each row of a field that holds a word.
func (s *Scorer) rowsOf(word *query.Word, field format.FieldID, each func(row uint32)) {
	several := len(word.Terms)+len(word.Near) > 1
	var once *Sections // or documents, or link texts
	if several {
		once = newSections(max(s.x.Sections(), s.x.Docs(), s.x.LinkTexts()))
	}
	for _, terms := range [][]format.TermID{word.Terms, word.Near} {
		for _, t := range terms {
			rec := s.x.Postings(t)
			s.field(&rec.Fields[field], func(row uint32, _ float32) {
				if several {
					if once.Has(format.SectionID(row)) {
						return
					}
					once.add(format.SectionID(row))
				}
				each(row)
			})
		}
	}
}
