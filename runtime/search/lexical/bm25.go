package lexical

import (
	"context"

	"github.com/RoaringBitmap/roaring/v2"

	"kdd/format/index"
	"kdd/runtime/search/query"
)

// Scorer scores one query against one artifact. It is for one goroutine and one query.
type Scorer struct {
	*Scratch
	records
	rows    *Rows
	average float32
	allow   []bool // by document; nil = all

	freq    []float32 // weighted frequency of the word at hand, by chunk; nil until a word has several terms
	term    []float32 // the same of one of its terms
	variant []float32 // of its forms with other accents than the query's; nil until a word has some

	// Two bits for each of the first scored words of the query: a chunk has the word; it may have it more than once.
	marks []uint64 // by chunk
	bits  map[spelling]uint64

	best     []float32 // by document, the largest BM25 of its chunks
	docMarks []uint64  // by document, the marks of all its chunks
}

// NewScorer returns a scorer for the documents in allowed; nil means all. average is the mean length of a chunk, over
// all artifacts that answer together (AverageLength). Release may be called at the end.
func NewScorer(x *index.Index, rows *Rows, average float32, allowed *roaring.Bitmap) *Scorer {
	n := x.Chunks()
	s := &Scorer{Scratch: rows.scratches.take(), records: records{x: x}, rows: rows, average: average}
	s.term, s.best = s.Floats(n), s.Floats(x.Docs())
	all := s.words(n + x.Docs())
	s.marks, s.docMarks = all[:n], all[n:]
	if allowed != nil {
		s.allow = make([]bool, x.Docs())
		for it := allowed.Iterator(); it.HasNext(); {
			if d := it.Next(); int(d) < len(s.allow) {
				s.allow[d] = true
			}
		}
	}
	return s
}

// Allowed says whether a document is admitted.
func (s *Scorer) Allowed(d index.DocID) bool { return s.allow == nil || s.allow[d] }

// AllowsAll says that every document is admitted, since nothing is filtered.
func (s *Scorer) AllowsAll() bool { return s.allow == nil }

// BM25 adds to dst, by chunk, the query's score over its ideal: BM25 (Robertson & Zaragoza 2009) with Lucene's idf,
// title and heading path counting by their weights in frequency and length (BM25F, Robertson, Zaragoza & Taylor 2004,
// with one length for all fields).
//
//	score(c) = Σ_w idf(w) · f·(k1+1) / (f + k1·(1 - b + b·len(c)/avg)) / Σ_w idf(w)·(k1+1)
//
// A word that no chunk holds counts in the ideal, so a query that is half unknown scores half. Where a chunk has the
// word with other accents than the query, the word counts by the weight OtherAccents or PlainAccents; where it has
// both, in proportion. Cost: one pass over the postings of the query's terms.
func (s *Scorer) BM25(ctx context.Context, q *query.Query, dst []float32) error {
	w := &s.x.Meta.Weights
	k1, b := float32(w.K1), float32(w.B)
	var ideal float64
	for i := range q.Words {
		ideal += q.Words[i].IDF * (w.K1 + 1)
	}
	if ideal <= 0 {
		return nil
	}
	for i, word := range distinct(q) {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		add := adder{s: s, dst: dst, idf: float32(float64(word.times) * word.IDF * (w.K1 + 1) / ideal), k: k1 * (1 - b),
			length: k1 * b / s.average, bit: s.mark(word.Word, i), often: 1}
		if len(word.Terms) == 1 && len(word.Near) == 0 && len(word.Exact) == 0 {
			s.single(word.Terms[0], &add)
			continue
		}
		if s.severalPlaced(word.Word) {
			add.often = 0
		}
		for _, t := range word.Terms {
			s.weighted(t)
			s.merge(1)
		}
		if typo := float32(w.Typo); typo > 0 {
			for _, t := range word.Near {
				s.weighted(t)
				s.merge(typo)
			}
		}
		less := s.variants(word.Word)
		for _, c := range s.touched {
			f, part := s.freq[c], float32(1)
			if less > 0 {
				part = 1 - less*min(s.variant[c]/f, 1)
				s.variant[c] = 0
			}
			add.chunk(c, f, part)
			s.freq[c] = 0
		}
		s.touched = s.touched[:0]
	}
	return nil
}

// adder adds the part of one word to the scores of chunks.
type adder struct {
	s      *Scorer
	dst    []float32
	idf, k float32
	length float32 // what a token of a chunk's length counts beside k
	bit    uint64
	often  float32 // a word that a chunk has more often may stand there twice
}

// chunk adds a share of what a word gives a chunk that has it f times.
func (a *adder) chunk(c uint32, f, share float32) {
	s := a.s
	mark, doc := a.bit, s.rows.Doc[c]
	if f > a.often {
		mark |= a.bit << 1
	}
	s.marks[c] |= mark
	s.docMarks[doc] |= mark
	a.dst[c] += a.idf * f / (f + a.k + a.length*s.rows.Length[c]) * share
	s.best[doc] = max(s.best[doc], a.dst[c])
}

// single adds a word of one term: its titles and headings first, which are few, and then chunk by chunk.
func (s *Scorer) single(t index.TermID, add *adder) {
	rec, w := s.record(t), &s.x.Meta.Weights
	s.count(rec, index.PathField, float32(w.Path))
	s.count(rec, index.TitleField, float32(w.Title))
	body := &rec.Fields[index.BodyField]
	var rows, freqs [128]uint32 // of one block
	for i := range body.Blocks() {
		n := body.Decode(i, rows[:], freqs[:])
		for k, c := range rows[:n] {
			if s.allow != nil && !s.allow[s.rows.Doc[c]] {
				continue
			}
			f := float32(freqs[k])
			if s.term[c] > 0 {
				f += s.term[c]
				s.term[c] = 0
			}
			add.chunk(c, f, 1)
		}
	}
	for _, c := range s.fresh { // those without the word in their text
		if f := s.term[c]; f > 0 {
			add.chunk(c, f, 1)
			s.term[c] = 0
		}
	}
	s.fresh = s.fresh[:0]
}

// Best returns the largest BM25 of the chunks of each document, once that is computed.
func (s *Scorer) Best() []float32 { return s.best }

// spelling is how the accents of a query's word count.
type spelling struct {
	text       string
	exact      index.TermID
	own, whole bool
}

func spellingOf(w *query.Word) spelling {
	if !w.Accented {
		return spelling{text: w.Text, whole: w.Whole}
	}
	return spelling{w.Text, w.Exact[0], true, w.Whole}
}

// counted is a word of a query and how often the query has it.
type counted struct {
	*query.Word
	times int
}

// distinct returns the distinct words of a query, in order of their first place, with their numbers. A word that occurs
// n times counts n times but is looked up once.
func distinct(q *query.Query) []counted {
	words := make([]counted, 0, len(q.Words))
	place := make(map[spelling]int, len(q.Words))
	for i := range q.Words {
		key := spellingOf(&q.Words[i])
		at, known := place[key]
		if !known {
			at = len(words)
			place[key] = at
			words = append(words, counted{&q.Words[i], 0})
		}
		words[at].times++
	}
	return words
}

// variants fills variant with the weighted frequency of the forms of a word that have its letters and other accents. It
// returns by how much these forms count less; if there are none it returns 0 and fills nothing.
func (s *Scorer) variants(word *query.Word) (less float32) {
	if len(word.Exact) == 0 {
		return 0
	}
	if s.variant == nil {
		s.variant = s.Floats(len(s.term))
	}
	sum := func(t index.TermID, sign float32) {
		s.weighted(t)
		for _, c := range s.fresh {
			s.variant[c] += sign * s.term[c]
			s.term[c] = 0
		}
		s.fresh = s.fresh[:0]
	}
	if word.Accented { // all that folds alike but the form itself
		sum(word.Fold, 1)
		sum(word.Exact[0], -1)
		return 1 - float32(s.x.Meta.Weights.OtherAccents)
	}
	for _, t := range word.Exact {
		sum(t, 1)
	}
	return 1 - float32(s.x.Meta.Weights.PlainAccents)
}

// merge raises freq and touched to the weighted frequency of the current term times weight: in each chunk a word has
// the largest frequency of its terms.
func (s *Scorer) merge(weight float32) {
	if s.freq == nil {
		s.freq = s.Floats(len(s.term))
	}
	for _, c := range s.fresh {
		if s.freq[c] == 0 {
			s.touched = append(s.touched, c)
		}
		s.freq[c] = max(s.freq[c], weight*s.term[c])
		s.term[c] = 0
	}
	s.fresh = s.fresh[:0]
}

// weighted fills term and fresh with the weighted frequency of a term: a title counts in each chunk of its document, a
// heading in each chunk below it.
func (s *Scorer) weighted(t index.TermID) {
	rec, w := s.record(t), &s.x.Meta.Weights
	s.count(rec, index.BodyField, 1)
	s.count(rec, index.PathField, float32(w.Path))
	s.count(rec, index.TitleField, float32(w.Title))
}

// count adds to term the frequencies of a field by its weight.
func (s *Scorer) count(rec *index.Record, field index.FieldID, weight float32) {
	list := &rec.Fields[field]
	var rows, freqs [128]uint32 // of one block
	for i := range list.Blocks() {
		n := list.Decode(i, rows[:], freqs[:])
		for k, row := range rows[:n] {
			from, to := s.chunks(field, row)
			for c := from; c < to; c++ {
				s.add(c, weight*float32(freqs[k]))
			}
		}
	}
}

// chunks returns the chunks [from, to) of a row of a field: those of a document or a section, or the chunk itself.
func (s *Scorer) chunks(field index.FieldID, row uint32) (from, to uint32) {
	switch field {
	case index.TitleField:
		if !s.Allowed(index.DocID(row)) {
			return 0, 0
		}
		first, end := s.x.DocChunks(index.DocID(row))
		return uint32(first), uint32(end)
	case index.PathField:
		first, end := s.x.SectionChunks(index.SectionID(row))
		return uint32(first), uint32(end)
	default:
		return row, row + 1
	}
}

func (s *Scorer) add(c uint32, f float32) {
	if s.allow != nil && !s.allow[s.rows.Doc[c]] {
		return
	}
	if s.term[c] == 0 {
		s.fresh = append(s.fresh, c)
	}
	s.term[c] += f
}

// mark gives the distinct word i of the query its bit of marks, 0 if it has none.
func (s *Scorer) mark(w *query.Word, i int) (bit uint64) {
	if i >= 32 || len(w.Near) > 0 && s.x.Meta.Weights.Typo <= 0 {
		return 0
	}
	if s.bits == nil {
		s.bits = map[spelling]uint64{}
	}
	bit = 1 << (2 * i)
	s.bits[spellingOf(w)] = bit
	return bit
}

// bit returns the bit of marks that says that a chunk has a word, 0 if none does.
func (s *Scorer) bit(w *query.Word) uint64 { return s.bits[spellingOf(w)] }

// severalPlaced says that a word's frequency in a chunk, which is the largest of its terms', may be less than the number
// of its places there.
func (s *Scorer) severalPlaced(w *query.Word) bool {
	n := 0
	for _, t := range w.Terms {
		if s.record(t).Fields[index.BodyField].Placed() {
			n++
		}
	}
	return n > 1 || len(w.Near) > 0
}
