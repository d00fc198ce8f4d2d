package query

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
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
		p.note(fmt.Sprintf("%s stands for too many words, the %d most frequent are used", quote(it.text+"*"), min(most, len(list))))
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
// word is likely to be a misspelling of (see misspelling).
//
// A misspelling by two edits keeps the first letter, so most of the dictionary need not be looked at.
func (p *parse) near(i int, word string, most int, misspelt bool) []candidate {
	if p.walks++; p.walks > maxWalks*len(p.xs) {
		return nil
	}
	x := p.xs[i]
	first, _ := utf8.DecodeRuneInString(word)
	var found []index.Near
	if misspelt && most > 1 {
		found, _ = x.TermDict().Near(word, string(first), string(first+1), most, nil)
		found = slices.DeleteFunc(found, func(n index.Near) bool { return !misspelling(word, n.Key, n.Distance) })
		most = 1
	}
	if len(found) == 0 {
		found, _ = x.TermDict().Near(word, folded, "", most, nil)
	}
	var list []candidate
	for _, n := range found {
		if n.Distance == 0 || misspelt && !misspelling(word, n.Key, n.Distance) {
			continue
		}
		r, _ := utf8.DecodeRuneInString(n.Key)
		if df := x.Postings(index.TermID(n.Ordinal)).Chunks; df > 0 {
			list = append(list, candidate{index.TermID(n.Ordinal), n.Key, n.Distance, r != first, df})
		}
	}
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

// correct gives a word that artifact i does not know the terms of the first candidates, as if one of them had been
// typed: their stems too.
func (p *parse) correct(i int, w *Word, list []candidate) {
	list = list[:min(maxCorrections, len(list))]
	x := p.xs[i]
	w.near(x, list, maxCorrections)
	has := func(t index.TermID) bool {
		same := func(of index.TermID) bool { return x.ListOf(of) == x.ListOf(t) }
		return slices.ContainsFunc(w.Terms, same) || slices.ContainsFunc(w.Near, same)
	}
	for _, c := range list {
		for _, lang := range p.each[i] {
			if id, ok := x.Term(text.StemTerm(lang, p.a.Stem(lang, c.text))); ok && !has(id) {
				w.Near = append(w.Near, id)
				w.DF = max(w.DF, x.Postings(id).Chunks)
			}
		}
	}
}

// Edits is how many edits a word of n letters may have that nobody knows: none below four letters, 1 below eight, else
// 2.
func Edits(n int) int {
	switch {
	case n < 4:
		return 0
	case n < 8:
		return 1
	}
	return 2
}

// correctable says whether a word that is unknown may be a misspelling: a word of letters, which is no stop word.
func correctable(w *Word, t *text.Token) bool {
	return !t.Whole && !t.CJK && !w.Stop && strings.IndexFunc(t.Fold, func(r rune) bool { return !unicode.IsLetter(r) }) < 0
}

// misspelling says whether word, which no artifact knows, is more likely typed wrong than a word that the index merely
// lacks: a small index lacks most words of its language, so that "stop" is no misspelling of "step", nor "validity" of
// "validate". The rules:
//
//   - Two letters that changed places, or a letter left out, make a misspelling of any word; an extra or a wrong letter
//     only of
//     words of five letters or more; two edits only of words of nine or more.
//   - The first letter is right: people rarely get it wrong (Yannakoudakis & Fawthrop 1983: 1 %). It may have changed
//     places with
//     the second letter or, in words of six letters or more, have been left out.
//
// Measured on questions: the rules turn down half of the correct words that happen to be near a word of the index, and
// accept nine of ten misspellings. A query encoder's wordpieces tell more, where there is one (Options.IsWord).
func misspelling(word, of string, edits int) bool {
	a, b := []rune(word), []rune(of)
	same := a[0] == b[0]
	switch {
	case edits > 1:
		return same && len(a) >= 9
	case len(a) == len(b):
		slices.Sort(a)
		slices.Sort(b)
		return slices.Equal(a, b) || same && len(a) >= 5
	case len(a) < len(b):
		return same || len(a) >= 6
	}
	return same && len(a) >= 5
}

// best returns the candidates that an unknown word is read as: those with the fewest edits and the same first letter.
func best(list []candidate) []candidate {
	same := slices.DeleteFunc(slices.Clone(list), func(c candidate) bool { return c.other })
	if len(same) == 0 {
		same = list
	}
	same = slices.DeleteFunc(same, func(c candidate) bool { return c.distance > same[0].distance })
	return same[:min(maxCorrections, len(same))]
}

// correctAll gives a word that no artifact knows the terms that it may be a misspelling of: in each artifact those with
// the fewest edits of all.
func (p *parse) correctAll(words []Word, t text.Token) {
	edits := Edits(utf8.RuneCountInString(t.Fold))
	if edits == 0 || !correctable(&words[0], &t) || p.xs[0].Meta.Weights.Typo <= 0 {
		return
	}
	if p.asTyped || p.isWord != nil && p.isWord(t.Fold) {
		return
	}
	if lists, ok := p.corrected[t.Fold]; ok { // asked twice
		for i := range words {
			p.correct(i, &words[i], lists[i])
		}
		return
	}
	lists := make([][]candidate, len(words))
	fewest := edits
	for i := range words {
		if lists[i] = best(p.near(i, t.Fold, edits, true)); len(lists[i]) > 0 {
			fewest = min(fewest, lists[i][0].distance)
		}
	}
	var read []string
	for i := range words {
		if len(lists[i]) == 0 || lists[i][0].distance > fewest {
			lists[i] = nil
			continue
		}
		p.correct(i, &words[i], lists[i])
		for _, c := range lists[i] {
			if text := spelled(p.xs[i], c.id, c.text); !slices.Contains(read, text) {
				read = append(read, text)
			}
		}
	}
	p.corrected[t.Fold] = lists
	if len(read) > 0 {
		p.note(fmt.Sprintf("%s is not in the index: read as %s", quote(t.Lower), alternativesOf(read)))
	}
}

// spelled returns a folded form as most chunks that have it spell it, with accents or without.
func spelled(x *index.Index, id index.TermID, fold string) string {
	best, most := fold, x.Postings(id).Chunks/2
	walked := 0
	for id, key := range x.TermDict().Prefix(text.ExactPrefix(fold)) {
		if walked++; walked > maxAccents {
			break
		}
		if n := x.Postings(index.TermID(id)).Chunks; n > most {
			best, most = strings.TrimPrefix(string(key), text.ExactPrefix(fold)), n
		}
	}
	return best
}

// alternativesOf names words: "a" or "b".
func alternativesOf(words []string) string {
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = quote(w)
	}
	return strings.Join(list, " or ")
}
