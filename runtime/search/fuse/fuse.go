package fuse

import (
	"math"

	"kdd/format/index"
	"kdd/runtime/search/lexical"
)

// Signals are the scores of one query. Slices by chunk are nil where a signal is not used.
type Signals struct {
	BM25    []float32 // by chunk, [0, 1]
	Best    []float32 // by document, the largest BM25 of its chunks
	Cosine  []float32 // by chunk, [-1, 1]
	Anchors []float32 // by document, [0, 1]
	Titles  []float32 // by document, [0, 1]
	Lexical float64   // weight of BM25 for this query

	Headings []float32 // by section, [0, 1]
	Heading  []float32 // by document, the largest of its sections

	Order Order // of the query's words; nil if not used
	Rest  Rest  // of the cosines; nil if all are known

	// Only has the sections that may be hits, nil = all. The others count in the scores of their documents as ever, so
	// what a query requires takes hits out and changes no score.
	Only *lexical.Sections

	Stale func(index.DocID) bool // documents that are no longer in force; nil = none
	// documents in another language than the query, where others are in its own; nil = none
	Foreign func(index.DocID) bool
	// documents, and sections of documents, that stand behind others where scores are near; nil = none
	Aside        func(index.DocID) bool
	AsideSection func(index.DocID, index.SectionID) bool
}

// Order is a signal by chunk, [0, 1], that costs more than the others, so that documents get it when they are looked at.
// Documents are named with their chunks [from, to).
type Order interface {
	Scores() []float32           // by chunk: what was filled in
	Bound(d index.DocID) float32 // at least the score of each chunk of a document
	// Fill fills in the scores of a document, in steps from bounds on them to the scores. slack (nil = infinite) tells by
	// how much they may fall before the document does not matter; Fill asks again once they have fallen so far, and
	// returns false if it gets less than zero.
	Fill(d index.DocID, from, to uint32, slack func() float32) bool
}

// Rest are the chunks whose cosine is a bound on what it is. Fill makes those of chunks [from, to) what they are.
type Rest interface{ Fill(from, to uint32) }

// Hit is one section in the ranked list.
type Hit struct {
	Section index.SectionID
	Doc     index.DocID
	Chunk   index.ChunkID // the section's best
	Score   float64       // section + file, less what a stale document or an aside loses: raw
	Own     float64       // the section's own part
	File    float64       // the document's part, unweighted
}

// Document returns the sections of one document that have any evidence, in their order. Its chunks are [from, to).
func Document(rows *lexical.Rows, w *index.Weights, s *Signals, doc index.DocID, from, to index.ChunkID) []Hit {
	s.complete(doc, from, to)
	return s.document(nil, rows, w, doc, int(from), int(to))
}

// complete makes the scores of a document whose chunks are [from, to) that are made when they are needed.
func (s *Signals) complete(doc index.DocID, from, to index.ChunkID) {
	if s.Rest != nil {
		s.Rest.Fill(uint32(from), uint32(to))
	}
	if s.Order != nil {
		s.Order.Fill(doc, uint32(from), uint32(to), nil)
	}
}

// signal is one score by chunk and its weight.
type signal struct {
	name   string
	scores []float32
	weight float64
}

const wordPairs = "word pairs"

// order returns the scores of word order by chunk; nil if they are not used.
func (s *Signals) order() []float32 {
	if s.Order == nil {
		return nil
	}
	return s.Order.Scores()
}

// signals returns the signals by chunk. Unused signals have nil scores.
func (s *Signals) signals(w *index.Weights) [3]signal {
	return [3]signal{{"bm25", s.BM25, s.Lexical}, {wordPairs, s.order(), w.Pairs}, {"cosine", s.Cosine, 1}}
}

// document adds the sections of one document, whose chunks are [from, to).
func (s *Signals) document(hits []Hit, rows *lexical.Rows, w *index.Weights, doc index.DocID, from, to int) []Hit {
	first := len(hits)
	for c := from; c < to; c++ {
		section := index.SectionID(rows.Section[c])
		own, evidence := s.chunk(c, w)
		if !evidence || !s.Only.Has(section) {
			continue
		}
		if len(hits) > first && hits[len(hits)-1].Section == section {
			if last := &hits[len(hits)-1]; own > last.Own {
				last.Own, last.Chunk = own, index.ChunkID(c)
			}
			continue
		}
		hits = append(hits, Hit{Section: section, Doc: doc, Chunk: index.ChunkID(c), Own: own})
	}
	if len(hits) == first {
		return hits
	}
	file := s.File(w, doc, from, to)
	for i := first; i < len(hits); i++ {
		hits[i].Own += s.heading(w, hits[i].Section)
		hits[i].File = file
		hits[i].Score = s.Score(w, &hits[i])
	}
	return hits
}

// OtherLanguage is the factor of the weight Stale that a document in another language than the query loses. Of a page
// and its translation, it puts the page in the reader's language first, and changes little else.
const OtherLanguage = 2

// Score returns the raw score of a hit: Total, less the weight Aside if the section is an aside in its document.
func (s *Signals) Score(w *index.Weights, h *Hit) float64 {
	score := s.Total(w, h.Doc, h.Own, h.File)
	if s.AsideSection != nil && s.AsideSection(h.Doc, h.Section) {
		score -= w.Aside
	}
	return score
}

// Total returns the raw score of a section whose document says nothing against it: its own part plus that of its
// document, less the weight Stale if the document is no longer in force, the weight Aside if it is an aside, and
// OtherLanguage times the weight Stale if it is in another language than the query. So of two sections that say the
// same, the one in force, in the documentation and in the reader's language comes first, and little else changes.
func (s *Signals) Total(w *index.Weights, doc index.DocID, own, file float64) float64 {
	score := own + w.File*file
	if s.Stale != nil && s.Stale(doc) {
		score -= w.Stale
	}
	if s.Aside != nil && s.Aside(doc) {
		score -= w.Aside
	}
	if s.Foreign != nil && s.Foreign(doc) {
		score -= OtherLanguage * w.Stale
	}
	return score
}

// File returns the unweighted part of a document whose chunks are [from, to).
func (s *Signals) File(w *index.Weights, doc index.DocID, from, to int) float64 {
	var file float64
	for _, g := range s.signals(w) {
		if g.scores != nil {
			file += g.weight * pool(g.scores[from:to], w)
		}
	}
	if s.Anchors != nil {
		file += w.Anchor * float64(s.Anchors[doc])
	}
	if s.Titles != nil {
		file += w.TitleMatch * float64(s.Titles[doc])
	}
	return file
}

// heading returns the part of a section's score that comes from its headings.
func (s *Signals) heading(w *index.Weights, section index.SectionID) float64 {
	if s.Headings == nil {
		return 0
	}
	return w.Heading * float64(s.Headings[section])
}

// MaxScore returns a bound on the scores of all hits, for signals in their ranges. A hit that gains so much comes
// before all others.
func MaxScore(w *index.Weights, s *Signals) float64 {
	rest := max(w.Pairs, 0) + 1
	chunk := max(s.Lexical, 0) + rest
	return chunk + w.Heading + w.File*((w.Best+w.Top3)*chunk+w.Anchor+w.TitleMatch)
}

// Own returns a section's own score, by the chunk that represents it.
func (s *Signals) Own(w *index.Weights, section index.SectionID, c index.ChunkID) float64 {
	score, _ := s.chunk(int(c), w)
	return score + s.heading(w, section)
}

// chunk returns the part of a chunk in its section's own score, and whether any signal is above zero.
func (s *Signals) chunk(c int, w *index.Weights) (score float64, evidence bool) {
	if s.BM25 != nil && s.BM25[c] > 0 {
		score, evidence = score+s.Lexical*float64(s.BM25[c]), true
	}
	if s.Order != nil {
		score += w.Pairs * float64(s.Order.Scores()[c])
	}
	if s.Cosine != nil {
		score, evidence = score+float64(s.Cosine[c]), true
	}
	return score, evidence
}

// pool returns 0.6 · best + 0.4 · mean of the best three of a document's chunks.
func pool(scores []float32, w *index.Weights) float64 {
	n := min(3, len(scores))
	if n == 0 {
		return 0
	}
	none := float32(math.Inf(-1))
	first, second, third := none, none, none
	for _, v := range scores {
		switch {
		case v <= third:
		case v <= second:
			third = v
		case v <= first:
			second, third = v, second
		default:
			first, second, third = v, first, second
		}
	}
	sum := float64(first)
	if n > 1 {
		sum += float64(second)
	}
	if n > 2 {
		sum += float64(third)
	}
	return w.Best*float64(first) + w.Top3*sum/float64(n)
}

// Calibrate turns a raw score of a mode into [0, 1]: logistic(a·raw + b + c·ln(Many/docs)), with the artifact's a, b
// and c for the mode. From Many documents on the last term is zero. It is there because among few documents the best
// one has few rivals, so at the same score it is more often right than the best of thousands.
func Calibrate(w *index.Weights, mode string, raw float64, docs int) float64 {
	for _, c := range w.Calibration {
		if c.Mode == mode {
			few := max(0, math.Log(w.Many/float64(max(1, docs))))
			return 1 / (1 + math.Exp(-(c.A*raw + c.B + c.C*few)))
		}
	}
	return 1 / (1 + math.Exp(-raw))
}

// Usual returns the factor for a query's raw scores before they are calibrated. It is 1 unless BM25 has another weight
// than Lexical (LexicalOnly, LexicalText). Then scores are larger without meaning more, and the
// factor brings the largest possible score back to the usual one.
func Usual(w *index.Weights, s *Signals) float64 {
	usual := *s
	usual.Lexical = w.Lexical
	return MaxScore(w, &usual) / MaxScore(w, s)
}
