package query

import (
	"slices"
	"strings"

	"kdd/format/index"
	"kdd/format/text"
)

// fetchKeys reads in one round what look-ups of a text's words, and of all of it as a name, read of artifacts that lie
// elsewhere.
func (p *parse) fetchKeys(tokens []text.Token) {
	var terms, prefixes []string
	for _, t := range tokens {
		terms = append(terms, t.Fold)
		for _, stem := range stemsOf(p.a, p.known, t) {
			terms = append(terms, stem)
		}
		prefixes = append(prefixes, text.ExactPrefix(t.Fold))
	}
	names := []string{text.Fold(strings.TrimSpace(p.text))}
	for _, x := range p.xs {
		if err := x.FetchKeys(terms, prefixes, names); err != nil {
			panic(err) // as a read does
		}
	}
}

// fetch reads what the words of a text and its neighbours have in an artifact that lies elsewhere, in one round. It may
// read a list that is not needed, and what it leaves out is read when it is needed.
func (p *parse) fetch(tokens []text.Token) {
	for i, x := range p.xs {
		if !x.File.Remote() {
			continue
		}
		f := fetcher{x: x}
		forms := make([]string, len(tokens)) // a stem where there is one: pairs are of them, mostly
		for k, t := range tokens {
			if t.IndexOnly() {
				continue
			}
			if f.add(t.Fold) {
				forms[k] = t.Fold
			}
			stems := stemsOf(p.a, p.each[i], t)
			for _, lang := range slices.Backward(p.each[i]) {
				if f.add(stems[lang]) {
					forms[k] = stems[lang]
				}
			}
			f.accents(t)
			for before := k - 1; before >= 0 && tokens[before].Pos+1 >= t.Pos; before-- {
				if tokens[before].Pos+1 == t.Pos && forms[before] != "" && forms[k] != "" {
					f.pairs = append(f.pairs, index.PairHash(forms[before], forms[k]))
				}
			}
		}
		fetchTerms(x, f.terms, f.pairs)
	}
}

// Fetch reads in two rounds what terms have in an artifact that lies elsewhere.
func Fetch(x *index.Index, terms []string) {
	if !x.File.Remote() {
		return
	}
	if err := x.FetchKeys(terms, nil, nil); err != nil {
		panic(err) // as a read does
	}
	f := fetcher{x: x}
	for _, t := range terms {
		f.add(t)
	}
	fetchTerms(x, f.terms, nil)
}

// fetchTerms is FetchTerms for one who goes on to read.
func fetchTerms(x *index.Index, terms []index.TermID, pairs []uint32) {
	if err := x.FetchTerms(terms, pairs); err != nil {
		panic(err) // as a read does
	}
}

// fetcher collects what to fetch of an artifact.
type fetcher struct {
	x     *index.Index
	terms []index.TermID
	pairs []uint32
}

// add takes a term, if there is one.
func (f *fetcher) add(key string) bool {
	id, ok := f.x.Term(key)
	if ok && !slices.Contains(f.terms, id) {
		f.terms = append(f.terms, id)
	}
	return ok
}

// accents takes the forms of a word that differ in accents.
func (f *fetcher) accents(t text.Token) {
	n := 0
	for id := range f.x.TermDict().Prefix(text.ExactPrefix(t.Fold)) {
		if n++; n > maxAccents {
			return
		}
		f.terms = append(f.terms, index.TermID(id))
	}
}
