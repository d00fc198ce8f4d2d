package query

import (
	"fmt"
	"kdd/format/index"
	"kdd/format/text"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

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
//     only of words of five letters or more; two edits only of words of nine or more.
//   - The first letter is right: people rarely get it wrong (Yannakoudakis & Fawthrop 1983: 1 %). It may have changed
//     places with the second letter or, in words of six letters or more, have been left out.
//
// Measured on questions: the rules turn down half of the correct words that happen to be near a word of the index, and
// accept nine of ten misspellings. A query encoder's wordpieces tell more, where there is one (Options.IsWord).
func misspelling(word, of string, edits int) bool {
	a, b := []rune(word), []rune(of)
	same := a[0] == b[0]
	switch {
	case edits > 1:
		return same && len(a) >= twoEdits
	case len(a) == len(b):
		slices.Sort(a)
		slices.Sort(b)
		return slices.Equal(a, b) || same && len(a) >= 5
	case len(a) < len(b):
		return same || len(a) >= firstLeftOut
	}
	return same && len(a) >= 5
}

// misspelled returns the folded forms that are 1 to most edits away from a word and that it is likely to be a misspelling
// of. The rules allow another first letter in two places only, which are looked up, so that most of the dictionary need
// not be walked. Of a word that may have two edits, other first letters count only if there is nothing else.
func misspelled(x *index.Index, word string, most int) []index.Near {
	letters := []rune(word)
	walked := most
	if len(letters) < twoEdits {
		walked = 1
	}
	found, _ := x.TermDict().Near(word, string(letters[0]), string(letters[0]+1), walked, nil)
	found = slices.DeleteFunc(found, func(n index.Near) bool { return !misspelling(word, n.Key, n.Distance) })
	if most > 1 && len(found) > 0 {
		return found
	}
	look := func(key string) {
		if id, ok := x.Term(key); ok {
			found = append(found, index.Near{Ordinal: uint32(id), Key: key, Distance: 1})
		}
	}
	if len(letters) > 1 && letters[0] != letters[1] {
		look(string(letters[1]) + string(letters[0]) + string(letters[2:]))
	}
	if len(letters) >= firstLeftOut {
		for _, r := range x.FirstLetters() {
			if r != letters[0] {
				look(string(r) + word)
			}
		}
	}
	return found
}

// The letters that a word needs so that two edits of it, or a first letter that is left out, make a misspelling.
const (
	twoEdits     = 9
	firstLeftOut = 6
)

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
