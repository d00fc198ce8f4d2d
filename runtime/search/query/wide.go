package query

import (
	"cmp"
	"fmt"
	"slices"

	"kdd/format/index"
)

// The postings that the words of a query may have together: beyond them, the words with the most are not scored. Every
// posting is read, and a word that stands nearly everywhere tells nothing apart. Questions have up to three or four
// postings for each chunk.
const (
	leastPostings    = 1 << 20
	postingsPerChunk = 8
)

// unscored returns the words that are left out of the score of a query, by their text, if all have more postings than
// most: those with the most, down to one word, with a note. Stop words are passed over unless they are scored. Cost: a
// look at the terms of a query that may have too many.
func (p *parse) unscored(list []*Query, stops bool, most uint64) map[string]bool {
	type counted struct {
		text     string
		postings uint64
	}
	count := func(of func(x *index.Index, w *Word) uint64) (words []counted, sum uint64) {
		seen := map[string]bool{}
		for k := range list[0].All {
			one := counted{text: list[0].All[k].Text}
			if seen[one.text] || !stops && list[0].All[k].Stop {
				continue
			}
			seen[one.text] = true
			for i, q := range list {
				one.postings += of(p.xs[i], &q.All[k])
			}
			words, sum = append(words, one), sum+one.postings
		}
		return words, sum
	}
	if _, sum := count(func(_ *index.Index, w *Word) uint64 { return uint64(w.DF) * uint64(len(w.Terms)+len(w.Near)) }); sum <= most {
		return nil
	}
	words, sum := count(func(x *index.Index, w *Word) uint64 { return w.postings(x) })
	slices.SortStableFunc(words, func(a, b counted) int { return cmp.Compare(b.postings, a.postings) })
	left := map[string]bool{}
	for i := 0; i < len(words)-1 && sum > most; i++ {
		left[words[i].text] = true
		sum -= words[i].postings
	}
	switch n := len(left); {
	case n == 1:
		p.note("the query is wide: " + quote(words[0].text) + " is not scored, since it stands in too many sections")
	case n > 1:
		p.note(fmt.Sprintf("the query is wide: %s and %d more words are not scored, since they stand in too many sections", quote(words[0].text), n-1))
	}
	return left
}

// postings returns how many chunks the terms of a word have, a chunk counting for each.
func (w *Word) postings(x *index.Index) (n uint64) {
	for _, terms := range [...][]index.TermID{w.Terms, w.Near} {
		for _, t := range terms {
			n += uint64(x.Postings(t).Chunks)
		}
	}
	return n
}
