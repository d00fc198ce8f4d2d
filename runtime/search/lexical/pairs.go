package lexical

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"kdd/format"
	"kdd/format/index"
	"kdd/runtime/search/query"
)

// Pairs scores how much of a query's word order the chunks of one artifact keep: BM25 without length norm over adjacent
// pairs of the query's words, in body, heading path and title, over its own ideal.
//
//	score(c) = Σ_p idf(p) · f / (f + k1) / Σ_p idf(p)
//
// f counts where the second word follows the first directly. A pair's idf is over the chunks of all artifacts that
// hold it (index.PairChunks), whether a filter admits them or not; a pair that none has counts as if one had it.
//
// Positions cost more than all else in a search by words, so a document is scored only when it is asked for, and Bound
// says from the words of its chunks how much their pairs can be. It is for one goroutine and one query.
type Pairs struct {
	s      *Scorer
	scores []float32 // by chunk
	exact  []float32 // of the document at hand
	likely []*pair   // that it may have
	words  []placed
	pairs  []pair // by falling share
	byWord []pair // those of each first bit of marks together
	starts [33]int
	always float32 // bound of the pairs that no marks tell of
	bounds [256]markBound
	scored []uint64 // documents, a bit each
	left   int      // how often a pair may be looked up in a document, see leastLooked
	cut    bool     // that was not enough
	k1     float32
}

// maxPieces bounds the memory for decoded blocks, 128 KiB each: what is beyond begins anew.
const maxPieces = 64

// pair is two words of a query by their places in it, how often the query has them side by side, and what they count.
type pair struct {
	a, b, times int
	share       float32  // idf over that of all pairs
	present     uint64   // what the marks of a chunk have if it may hold the pair, see Scorer.marks
	often       uint64   // and if it may hold it more than once
	hashes      []uint32 // as index.DocPairs has it; nil if that cannot tell
}

// maxPairs bounds the pairs of a query that are looked for. In a text longer than a question, with frequent words, the
// pairs would take more time than all else.
const maxPairs = 48

// How often the pairs of a query may be looked up in a document, for an artifact: documents that are scored later have
// no word order. Documents come by what they can score at most, so these matter least; which they are depends on how
// many hits are asked for. A document that is asked for by itself (slack is nil) has its order, unless others went
// without. Questions look up less than a thousand pairs. Without a bound a text of frequent words looks up all of its
// pairs in all documents.
const (
	leastLooked  = 1 << 12
	lookedPerDoc = 0.0625
	// of an artifact that lies elsewhere, whose filters of pairs are not read: they leave out three of four or more
	lookedElsewhere = 8
)

// NewPairs prepares the pairs of a query, one for every artifact that answers, after their BM25; nil if it has none.
// cut says that the query has more than maxPairs, and that the first of them count. Cost: a look-up for each pair and
// artifact, for each two terms that stand for its words.
func NewPairs(scorers []*Scorer, queries []*query.Query) (list []*Pairs, cut bool) {
	list = make([]*Pairs, len(scorers))
	if len(scorers) == 0 {
		return list, false
	}
	pairs := adjacent(queries[0].All)
	if cut = len(pairs) > maxPairs; cut {
		pairs = pairs[:maxPairs]
	}
	var n, ideal float64
	for _, s := range scorers {
		n += float64(s.x.Chunks())
	}
	hashes := make([][][]uint32, len(scorers)) // by artifact and pair
	dfs := make([][]float64, len(scorers))
	each(len(scorers), func(k int) {
		s := scorers[k]
		hashes[k], dfs[k] = make([][]uint32, len(pairs)), make([]float64, len(pairs))
		names := make([][]string, len(queries[k].All))
		for i, p := range pairs {
			for _, w := range []int{p.a, p.b} {
				if names[w] == nil {
					names[w] = s.terms(&queries[k].All[w])
				}
			}
			hashes[k][i] = pairHashes(names[p.a], names[p.b])
		}
		if err := s.x.FetchTerms(nil, slices.Concat(hashes[k]...)); err != nil {
			panic(err) // as a read does
		}
		for i := range pairs {
			for _, h := range hashes[k][i] {
				dfs[k][i] += float64(s.x.PairChunks(h))
			}
		}
	})
	idfs := make([]float64, len(pairs))
	for i, p := range pairs {
		df := 0.0
		for k := range scorers {
			df += dfs[k][i]
		}
		idfs[i] = query.IDF(n, max(1, df)) * float64(p.times)
		ideal += idfs[i]
	}
	if ideal <= 0 {
		return list, cut
	}
	each(len(scorers), func(k int) {
		s := scorers[k]
		own := &Pairs{s: s, k1: float32(s.x.Meta.Weights.K1), words: make([]placed, len(queries[k].All))}
		own.left = leastLooked + int(lookedPerDoc*float64(s.x.Docs()))
		if s.x.File.Remote() {
			own.left *= lookedElsewhere
		}
		own.scores, own.scored = s.Floats(s.x.Chunks()), make([]uint64, (s.x.Docs()+63)/64)
		for i := range own.words {
			own.words[i].word = &queries[k].All[i]
		}
		for i, p := range pairs {
			a, b := own.words[p.a].word, own.words[p.b].word
			if !placeable(a) || !placeable(b) {
				continue
			}
			p.share = float32(idfs[i] / ideal)
			p.present = s.bit(a) | s.bit(b)
			p.often = p.present << 1
			if a.Filtered() && b.Filtered() {
				p.hashes = hashes[k][i]
			}
			own.pairs = append(own.pairs, p)
		}
		own.arrange()
		list[k] = own
	})
	return list, cut
}

// each calls do for each of n artifacts, see format.Each; what is wrong with a file panics as it does in do.
func each(n int, do func(k int)) {
	if err := format.Each(n, func(k int) error { do(k); return nil }); err != nil {
		panic(err)
	}
}

// arrange puts the pairs in the orders that Fill and bound need.
func (p *Pairs) arrange() {
	slices.SortStableFunc(p.pairs, func(a, b pair) int { return cmp.Compare(b.share, a.share) })
	first := func(pair *pair) int { return bits.TrailingZeros64(pair.present) / 2 } // 32: none
	p.byWord = slices.Clone(p.pairs)
	slices.SortStableFunc(p.byWord, func(a, b pair) int { return cmp.Compare(first(&a), first(&b)) })
	for i := range p.byWord {
		if at := first(&p.byWord[i]); at < len(p.starts)-1 {
			p.starts[at+1] = i + 1
		} else {
			p.always += p.byWord[i].share
		}
	}
	for i := range len(p.starts) - 1 {
		p.starts[i+1] = max(p.starts[i+1], p.starts[i])
	}
}

// adjacent returns the distinct pairs of neighbours among the words, in order of their first place.
func adjacent(words []query.Word) []pair {
	var pairs []pair
	index := map[[2]string]int{}
	for i := 1; i < len(words); i++ {
		for k := i - 1; k >= 0 && words[k].Pos+1 >= words[i].Pos; k-- {
			a, b := &words[k], &words[i]
			if a.Pos+1 != b.Pos || a.Whole || b.Whole {
				continue
			}
			key := [2]string{a.Text, b.Text}
			if at, ok := index[key]; ok {
				pairs[at].times++
				continue
			}
			index[key] = len(pairs)
			pairs = append(pairs, pair{a: k, b: i, times: 1})
		}
	}
	return pairs
}

// pairHashes returns the hashes of the pairs of terms that stand for two words.
func pairHashes(first, second []string) []uint32 {
	list := make([]uint32, 0, len(first)*len(second))
	for _, a := range first {
		start := index.PairPrefix(a)
		for _, b := range second {
			list = append(list, start.Hash(b))
		}
	}
	return list
}

// may says whether a document may have the pair.
func (p *pair) may(has index.DocPairs) bool {
	return p.hashes == nil || slices.ContainsFunc(p.hashes, has.May)
}

// terms returns the terms that stand for a word; none if it is in no pair.
func (s *Scorer) terms(w *query.Word) []string {
	if !placeable(w) {
		return []string{}
	}
	list := make([]string, 0, len(w.Terms)+len(w.Near))
	for _, ids := range [...][]index.TermID{w.Terms, w.Near} {
		for _, t := range ids {
			list = append(list, s.x.TermDict().At(uint32(t)))
		}
	}
	return list
}

// maxPlacedTerms bounds the terms of a word in a pair. A word has one term for each language and its folded form; a
// single character that stands for hundreds of terms tells nothing about word order.
const maxPlacedTerms = 32

func placeable(w *query.Word) bool {
	n := len(w.Terms) + len(w.Near)
	return n > 0 && n <= maxPlacedTerms
}

// bound returns the most that a chunk with these marks can score; of the marks of several chunks, the most of any. Cost:
// the pairs of the words that the marks say are there.
func (p *Pairs) bound(marks uint64) (most float32) {
	most = p.always
	for left := marks & firstBits; left != 0; left &= left - 1 {
		at := bits.TrailingZeros64(left) / 2
		for i := p.starts[at]; i < p.starts[at+1]; i++ {
			most += p.byWord[i].bound(marks, p.k1)
		}
	}
	return most
}

// firstBits are the bits of marks that say that a word is there.
const firstBits = 0x5555555555555555

// bound returns the most that a pair adds to the score of a chunk with these marks.
func (p *pair) bound(marks uint64, k1 float32) float32 {
	switch {
	case marks&p.present != p.present:
		return 0
	case marks&p.often == p.often:
		return p.share
	default:
		return p.share / (1 + k1)
	}
}

// Bound returns at least the score of each chunk of a document.
func (p *Pairs) Bound(d index.DocID) float32 {
	marks := p.s.docMarks[d]
	kept := &p.bounds[marks*0x9e3779b97f4a7c15>>56]
	if kept.marks != marks || !kept.known {
		*kept = markBound{marks, p.bound(marks), true}
	}
	return kept.bound
}

// markBound is the bound of some marks: many documents have the same.
type markBound struct {
	marks uint64
	bound float32
	known bool
}

// Cut says that pairs were looked up so often that documents were left without word order.
func (p *Pairs) Cut() bool { return p.cut }

// Scores returns the scores by chunk, of documents that Fill was called for.
func (p *Pairs) Scores() []float32 { return p.scores }

// Fill writes into the scores the scores of a document's chunks [from, to), pair by pair, those of most weight first. On
// the way the scores have the bounds of what is not known yet, and slack (nil: infinite) tells by how much they may fall
// before the document does not matter: once they have fallen so far, Fill asks again; below zero it stops and returns
// false. Cost: for each word of a pair that may be there the blocks of postings and positions that hold the document.
func (p *Pairs) Fill(d index.DocID, from, to uint32, slack func() float32) bool {
	if p.scored[d/64]>>(d%64)&1 == 1 {
		return true
	}
	scores := p.scores[from:to]
	p.cut = p.cut || slack != nil && p.left <= 0
	if p.cut || !p.s.Allowed(d) {
		clear(scores)
		p.scored[d/64] |= 1 << (d % 64)
		return true
	}
	if p.s.piece > maxPieces {
		p.s.forgetNumbers()
		for i := range p.words {
			p.words[i] = placed{word: p.words[i].word}
		}
	}
	marks := p.s.marks[from:to]
	p.likely = p.likely[:0]
	clear(scores)
	for i, has, all := 0, p.s.x.DocPairs(d), p.s.docMarks[d]; i < len(p.pairs); i++ {
		pair := &p.pairs[i]
		if all&pair.present != pair.present || !pair.may(has) {
			continue
		}
		some := false
		for k, m := range marks {
			bound := pair.bound(m, p.k1)
			scores[k] += bound
			some = some || bound > 0
		}
		if some {
			p.likely = append(p.likely, pair)
		}
	}
	p.exact = append(p.exact[:0], make([]float32, len(scores))...)
	freqs := p.s.term[from:to] // zero between uses
	left := float32(-1)        // of the slack
	if slack == nil {
		left = float32(math.Inf(1))
	}
	for _, pair := range p.likely {
		if left < 0 {
			if left = slack(); left < 0 {
				return false
			}
		}
		if slack != nil {
			p.left--
		}
		p.count(pair, d, from, to, freqs)
		fall := float32(0)
		for k, f := range freqs {
			part, bound := pair.share*f/(f+p.k1), pair.bound(marks[k], p.k1)
			p.exact[k] += part
			scores[k] -= bound - part
			fall = max(fall, bound-part)
			freqs[k] = 0
		}
		left -= fall
	}
	copy(scores, p.exact)
	p.scored[d/64] |= 1 << (d % 64)
	return true
}

// count adds to freqs how often a pair stands in each chunk [from, to) of a document, a title or heading by its weight.
func (p *Pairs) count(pair *pair, d index.DocID, from, to uint32, freqs []float32) {
	path, title := float32(p.s.x.Meta.Weights.Path), float32(p.s.x.Meta.Weights.Title)
	add := func(first, end uint32, f float32) {
		for c := max(first, from); c < min(end, to); c++ {
			freqs[c-from] += f
		}
	}
	a, b := p.word(pair.a, d, from, to), p.word(pair.b, d, from, to)
	together(a, b, index.BodyField, func(row, n uint32) { add(row, row+1, float32(n)) })
	together(a, b, index.PathField, func(row, n uint32) {
		first, end := p.s.x.SectionChunks(index.SectionID(row))
		add(uint32(first), uint32(end), float32(n)*path)
	})
	together(a, b, index.TitleField, func(_, n uint32) { add(from, to, float32(n)*title) })
}

// word returns a word of the query with its places in a document, whose chunks are [from, to).
func (p *Pairs) word(i int, d index.DocID, from, to uint32) *placed {
	w := &p.words[i]
	if w.fields[0] == nil {
		w.open(&p.s.records, p.s.Scratch)
	}
	if w.doc != d+1 {
		w.doc = d + 1
		w.find(index.BodyField, from, to)
		first, end := p.s.x.DocSections(d)
		w.find(index.PathField, uint32(first), uint32(end))
		w.find(index.TitleField, uint32(d), uint32(d)+1)
	}
	return w
}
