package lexical

import (
	"kdd/format/index"
	"kdd/runtime/search/query"
)

// Anchors raises dst, by document, to how well the text of a link that points at the document says what the query says:
// the best over its link texts of
//
//	(Σ idf of the words they share)² / (Σ idf of the query · Σ idf of the link text)
//
// in [0, 1]. Links to a section count for its document. Cost: the postings of the query's words over link texts.
func (s *Scorer) Anchors(q *query.Query, dst []float32) {
	var total float64
	shared := map[uint32]float64{}
	for _, word := range distinct(q) {
		if word.Whole {
			continue
		}
		part := float64(word.times) * word.IDF
		total += part
		for _, row := range s.rowsOf(word.Word, index.LinkField) {
			shared[row] += part
		}
	}
	if total == 0 {
		return
	}
	for row, sum := range shared {
		link := s.x.LinkStats(row)
		if link.IDF <= 0 {
			continue
		}
		d := s.x.NodeDoc(link.Target)
		if s.Allowed(d) {
			dst[d] = max(dst[d], float32(min(1, sum*sum/(total*float64(link.IDF)))))
		}
	}
}
