package query

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"kdd/format/index"
	"kdd/format/text"
)

// The bounds of what a word stands for.
const (
	maxPrefixWalk  = 20_000 // terms that are looked at for the prefixes of a query
	maxPrefixTerms = 100    // that one prefix stands for: those in most chunks
	maxExpansions  = 300    // terms that all prefixes of a query stand for
	maxFuzzyTerms  = 20
	maxCorrections = 3
	maxWalks       = 4 // over a dictionary, for the words of one query
	maxWide        = 5 // prefixes that stand for too many words and are named in notes
)

// folded is where the folded forms of a lexicon begin: stems and forms with accents sort before.
const folded = text.FirstFold

// marked returns the word of prefix* or fuzzy~ in an artifact.
func (p *parse) marked(i int, it *item) Word {
	at := markedAt{it.text, it.mark, it.edits, i}
	w, ok := p.marks[at]
	if !ok {
		w = p.expand(i, it)
		p.marks[at] = w
	}
	return w
}

// markedAt is a word with a mark in an artifact.
type markedAt struct {
	text     string
	mark     mark
	edits, i int
}

func (p *parse) expand(i int, it *item) Word {
	x := p.xs[i]
	t := p.a.Tokens(nil, it.text)[0]
	if it.mark == fuzzy {
		w := p.word(i, t, text.Subject)
		edits := it.edits
		if edits == 0 {
			edits = max(1, Edits(utf8.RuneCountInString(t.Fold)))
		}
		w.Text, w.Stop, w.Whole = w.Text+"~"+strconv.Itoa(edits), false, false
		w.near(x, p.near(i, t.Fold, edits, false), maxFuzzyTerms)
		return w
	}
	key := text.Fold(it.text)
	w := Word{Text: key + "*", Pos: t.Pos}
	var list []candidate
	whole := true
	for id := range x.TermDict().Prefix(key) {
		if p.walked++; p.walked > maxPrefixWalk*len(p.xs) {
			whole = false
			break
		}
		if df := x.Postings(index.TermID(id)).Chunks; df > 0 {
			list = append(list, candidate{id: index.TermID(id), df: df})
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Or(cmp.Compare(b.df, a.df), cmp.Compare(a.id, b.id)) })
	most := min(maxPrefixTerms, max(1, maxExpansions-p.expanded))
	if len(list) > most || !whole {
		if !slices.Contains(p.wide, it.text) {
			p.wide = append(p.wide, it.text)
		}
		if slices.Index(p.wide, it.text) < maxWide {
			p.note(fmt.Sprintf("%s stands for too many words, the %d most frequent are used", quote(it.text+"*"), min(most, len(list))))
		}
		list = list[:min(most, len(list))]
	}
	p.expanded += len(list)
	lists := termLists{}
	var sum uint64
	for _, c := range list {
		if lists.add(x, c.id) {
			w.Terms = append(w.Terms, c.id)
			sum += uint64(c.df)
		}
	}
	w.DF = uint32(min(sum, uint64(x.Chunks())))
	return w
}

// candidate is a term that a word may stand for.
type candidate struct {
	id       index.TermID
	text     string
	distance int
	other    bool // another first letter
	df       uint32
}

// near returns the folded forms that are 1 to most edits away from a word, best first: fewer edits before more, then
// the same first letter before another, then forms that more chunks hold. With misspelt it returns only those that the
// word is likely to be a misspelling of.
func (p *parse) near(i int, word string, most int, misspelt bool) []candidate {
	if p.walks++; p.walks > maxWalks*len(p.xs) {
		if !misspelt || p.similar { // else there is nothing that the other words could be expected to be read as
			p.note(fmt.Sprintf("the first %d words that are unknown or end in ~ are read as similar words too, the others as they stand", maxWalks))
		}
		return nil
	}
	x := p.xs[i]
	first, _ := utf8.DecodeRuneInString(word)
	var found []index.Near
	if misspelt {
		found = misspelled(x, word, most)
	} else {
		found, _ = x.TermDict().Near(word, folded, "", most, nil)
	}
	if x.File.Remote() {
		terms := make([]index.TermID, len(found))
		for k, n := range found {
			terms[k] = index.TermID(n.Ordinal)
		}
		fetchTerms(x, terms, nil)
	}
	var list []candidate
	for _, n := range found {
		if n.Distance == 0 {
			continue
		}
		r, _ := utf8.DecodeRuneInString(n.Key)
		if df := x.Postings(index.TermID(n.Ordinal)).Chunks; df > 0 {
			list = append(list, candidate{index.TermID(n.Ordinal), n.Key, n.Distance, r != first, df})
		}
	}
	p.similar = p.similar || len(list) > 0
	slices.SortStableFunc(list, func(a, b candidate) int {
		if a.other != b.other && a.distance == b.distance {
			if b.other {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(b.df, a.df), cmp.Compare(a.id, b.id))
	})
	return list
}

// near adds the first candidates as terms that the word may be a misspelling of.
func (w *Word) near(x *index.Index, list []candidate, most int) {
	lists := termLists{}
	for _, t := range w.Terms {
		lists.add(x, t)
	}
	sum := uint64(w.DF)
	for _, c := range list[:min(most, len(list))] {
		if lists.add(x, c.id) {
			w.Near = append(w.Near, c.id)
			sum += uint64(c.df)
		}
	}
	w.DF = uint32(min(sum, uint64(x.Chunks())))
}
