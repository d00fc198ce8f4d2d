package fuse

import (
	"math"

	"kdd/format/index"
	"kdd/runtime/search/lexical"
)

// Signals are the scores of one query. Slices by chunk are nil where a signal is not used.
type Signals struct {
	BM25    []float32 // by chunk, [0, 1]
	Pairs   []float32 // by chunk, [0, 1]
	Cosine  []float32 // by chunk, [-1, 1]
	Anchors []float32 // by document, [0, 1]
	Titles  []float32 // by document, [0, 1]
	Lexical float64   // weight of BM25 for this query

	Headings []float32 // by section, [0, 1]

	// Only has the sections that may be hits, nil = all. The others count in the scores of their documents as ever, so
	// what a query requires takes hits out and changes no score.
	Only *lexical.Sections

	Stale func(index.DocID) bool // documents that are no longer in force; nil = none
	// documents in another language than the query, where others are in its own; nil = none
	Foreign func(index.DocID) bool
}

// Hit is one section in the ranked list.
type Hit struct {
	Section index.SectionID
	Doc     index.DocID
	Chunk   index.ChunkID // the section's best
	Score   float64       // section + file, less what a stale document loses: raw
	Own     float64       // the section's own part
	File    float64       // the document's part, unweighted
}

// TopHits returns the best sections of the allowed documents, at most most of them, best first and ties by section
// number, and how many there are in all. Sections without any evidence are left out, and so are scores that keep, if it
// is not nil, says no to.
//
// Cost: one pass over the chunks, and the logarithm of most for each section that is among the best so far.
func TopHits(rows *lexical.Rows, allowed func(index.DocID) bool, w *index.Weights, s *Signals, most int, keep func(score float64) bool) (best []Hit, total int) {
	list := top{most: most}
	var hits []Hit
	n := len(rows.Doc)
	for from := 0; from < n; {
		doc := rows.Doc[from]
		to := from
		for to < n && rows.Doc[to] == doc {
			to++
		}
		if allowed(index.DocID(doc)) {
			hits = s.document(hits[:0], rows, w, index.DocID(doc), from, to)
			for _, h := range hits {
				if keep == nil || keep(h.Score) {
					total++
					list.add(h)
				}
			}
		}
		from = to
	}
	return list.sorted(), total
}

// Document returns the sections of one document, whose chunks are [from, to), that have any evidence, in their order.
func Document(rows *lexical.Rows, w *index.Weights, s *Signals, doc index.DocID, from, to index.ChunkID) []Hit {
	return s.document(nil, rows, w, doc, int(from), int(to))
}

// signal is one score by chunk and its weight.
type signal struct {
	name   string
	scores []float32
	weight float64
}

// signals returns those by chunk, with BM25 of a weight; of a signal that is not used scores is nil.
func (s *Signals) signals(w *index.Weights, lexical float64) [3]signal {
	return [3]signal{{"bm25", s.BM25, lexical}, {"word pairs", s.Pairs, w.Pairs}, {"cosine", s.Cosine, 1}}
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
		hits[i].Score = s.Total(w, doc, hits[i].Own, file)
	}
	return hits
}

// OtherLanguage is how many times the weight Stale a document loses that is not in the query's language: enough that of
// a page and its translation the one in the reader's language is first, and no more.
const OtherLanguage = 2

// Total returns the raw score of a section by its own part and its document's: their sum, less the weight Stale where
// the document is no longer in force, and OtherLanguage times as much where it is in another language than the query.
// So of two that say the same the one in force, and in the reader's language, comes first, and nothing else changes
// much.
func (s *Signals) Total(w *index.Weights, doc index.DocID, own, file float64) float64 {
	score := own + w.File*file
	if s.Stale != nil && s.Stale(doc) {
		score -= w.Stale
	}
	if s.Foreign != nil && s.Foreign(doc) {
		score -= OtherLanguage * w.Stale
	}
	return score
}

// File returns the unweighted part of a document whose chunks are [from, to).
func (s *Signals) File(w *index.Weights, doc index.DocID, from, to int) float64 {
	var file float64
	for _, g := range s.signals(w, s.Lexical) {
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

// heading is what a section's headings add to its own score.
func (s *Signals) heading(w *index.Weights, section index.SectionID) float64 {
	if s.Headings == nil {
		return 0
	}
	return w.Heading * float64(s.Headings[section])
}

// MaxScore returns what no hit's score is above, for scores in their ranges: what a hit must gain to stand before all
// others.
func MaxScore(w *index.Weights, s *Signals) float64 {
	rest := max(w.Pairs, 0) + 1
	own, chunk := max(s.ownLexical(w), 0)+rest, max(s.Lexical, 0)+rest
	return own + w.Heading + w.File*((w.Best+w.Top3)*chunk+w.Anchor+w.TitleMatch)
}

// Own returns what a section's own score is, of the chunk that stands for it.
func (s *Signals) Own(w *index.Weights, section index.SectionID, c index.ChunkID) float64 {
	score, _ := s.chunk(int(c), w)
	return score + s.heading(w, section)
}

// LexicalWeight is the weight of BM25 for a query whose words' mean idf is rarity times the largest there is, beside
// cosines or alone: beside them LexicalBeside, if that is set, else
//
//	Lexical · exp(Rarity · (rarity − UsualRarity)), with rarity in [0, 1]
//
// The idea: a query of rare words is better answered by those words, one of common words by its meaning. Against the
// best fixed weight it gains nothing that can be told from noise on the questions that it was tuned on. UsualRarity is
// what the queries of documentation have on average; what other features gave is in
// bench/runs/2026-11-21-xeon/weighting.
func LexicalWeight(w *index.Weights, rarity float64, beside bool) float64 {
	if beside && w.LexicalBeside > 0 {
		return w.LexicalBeside
	}
	return w.Lexical * math.Exp(w.Rarity*(min(max(rarity, 0), 1)-w.UsualRarity))
}

// ownLexical is the weight of BM25 in a section's own score: of the sections of a document that has the query's words,
// those that have most of them are meant.
func (s *Signals) ownLexical(w *index.Weights) float64 { return s.Lexical * w.OwnLexical }

// chunk returns a chunk's score as a section's own, and whether any signal speaks for it.
func (s *Signals) chunk(c int, w *index.Weights) (score float64, evidence bool) {
	if s.BM25 != nil && s.BM25[c] > 0 {
		score, evidence = score+s.ownLexical(w)*float64(s.BM25[c]), true
	}
	if s.Pairs != nil {
		score += w.Pairs * float64(s.Pairs[c])
	}
	if s.Cosine != nil {
		score, evidence = score+float64(s.Cosine[c]), true
	}
	return score, evidence
}

// pool is 0.6 · best + 0.4 · mean of the best three, of the chunks that a document has.
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

// Calibrate turns a raw score of a mode among docs documents into [0, 1]: logistic(a·raw + b + c·ln(Many/docs)), with
// the artifact's a, b and c; from Many documents on the last term is zero. Of few documents each has few rivals, so the
// best one is more often right than one that is best of thousands by the same score.
func Calibrate(w *index.Weights, mode string, raw float64, docs int) float64 {
	for _, c := range w.Calibration {
		if c.Mode == mode {
			few := max(0, math.Log(w.Many/float64(max(1, docs))))
			return 1 / (1 + math.Exp(-(c.A*raw + c.B + c.C*few)))
		}
	}
	return 1 / (1 + math.Exp(-raw))
}

// Usual returns the factor of a query's raw scores before they are calibrated. It is 1 unless BM25 has another weight
// than the query's words would give it (LexicalOnly, LexicalText): scores are larger then without saying more, and the
// factor brings the largest possible score back to the usual one.
func Usual(w *index.Weights, s *Signals, rarity float64) float64 {
	usual := *s
	usual.Lexical = LexicalWeight(w, rarity, true)
	return MaxScore(w, &usual) / MaxScore(w, s)
}
