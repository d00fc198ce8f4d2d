package query

import (
	"math"
	"slices"
	"unicode/utf8"

	"kdd/format/index"
	"kdd/format/text"
)

// Word is one word of a query: the terms that stand for it in the lexicon, and its weight.
type Word struct {
	Text string // folded; of a prefix* and of a fuzzy~1 with its mark
	// its folded form, its stems in the languages of the index, and its translations; those that the index has
	Terms []index.TermID
	Near  []index.TermID // terms that it may be a misspelling of; an occurrence counts Weights.Typo times
	Means string         // what it is in the language that the query is translated into; "" = not translated
	Pos   uint32         // position in the query
	Stop  bool           // a stop word of the query's language; only kept if all words are
	Whole bool           // an identifier whose parts are words too
	Part  bool           // a part of such an identifier
	DF    uint32         // chunks that hold one of the terms, at most
	IDF   float64        // ln(1 + (N - df + .5) / (df + .5)), Lucene's; of a whole and of grammar by their weight

	// The forms in the index that differ from the word in accents alone. A word with accents has only its own form
	// here; one without has every form with accents. Empty if accents tell nothing apart.
	Exact    []index.TermID
	Fold     index.TermID // the folded form, if Exact is not empty
	Accented bool         // the word has accents

	plain bool // all places of it have one of Terms as the filters of pairs name them
}

// Filtered says whether the filters of pairs know the word wherever it stands: not what may be a misspelling, a
// translation or the beginning of it, nor a word with accents.
func (w *Word) Filtered() bool { return w.plain && len(w.Near) == 0 && w.Means == "" }

// termLists are the posting lists of terms that were taken: terms that have one in common count once.
type termLists map[uint32]bool

// add says whether the list of a term is new, and takes it.
func (l termLists) add(x *index.Index, t index.TermID) bool {
	n := x.ListOf(t)
	if l[n] {
		return false
	}
	l[n] = true
	return true
}

// stemsOf returns the terms of a token's stems in some languages; none where it is looked up as it is.
func stemsOf(a *text.Analyzer, languages []text.Lang, t text.Token) map[text.Lang]string {
	if t.Whole || t.CJK {
		return nil
	}
	stems := make(map[text.Lang]string, len(languages))
	for _, lang := range languages {
		stems[lang] = text.StemTerm(lang, a.Stem(lang, t.Lower))
	}
	return stems
}

// look finds the terms of a word; stems are those of the artifact's languages, known.
func (w *Word) look(x *index.Index, stems map[text.Lang]string, known []text.Lang, t text.Token, role text.Role) {
	lists := termLists{}
	add := func(key string) (index.TermID, bool) {
		id, ok := x.Term(key)
		if ok && lists.add(x, id) {
			w.Terms = append(w.Terms, id)
			w.DF = max(w.DF, x.Postings(id).Chunks)
		}
		return id, ok
	}
	if stems != nil {
		seen := make([]string, 0, 8)
		for _, lang := range known {
			if key := stems[lang]; !slices.Contains(seen, key) {
				seen = append(seen, key)
				add(key)
			}
		}
	}
	stemmed := len(w.Terms)
	fold, folded := add(t.Fold)
	switch {
	case t.Lone:
		w.expand(x, t.Fold, lists)
	case role == text.Particle, role == text.Perhaps && len(w.Terms) == 0:
		_, size := utf8.DecodeRuneInString(t.Fold)
		w.expand(x, t.Fold[:size], lists)
	case t.CJK:
		w.plain = true
	case !t.Whole:
		w.plain = t.Fold == t.Lower
		if folded {
			w.Fold = fold
			w.accents(x, t)
		}
		if n := len(w.Terms) - 1; stemmed > 0 && n == stemmed && t.Fold == t.Lower && len(w.Exact) == 0 && covered(x, w.Terms[n]) {
			w.Terms = w.Terms[:n]
		}
	}
}

// covered says whether a folded form always stands with the same stem: then it is written without positions, and where
// all that folds to it is spelled alike, the word's own stem is the one. Its rows and numbers are among the stem's.
func covered(x *index.Index, fold index.TermID) bool {
	rec := x.Postings(fold)
	some := false
	for f := range index.LinkField {
		if p := &rec.Fields[f]; p.Placed() {
			return false
		} else if p.N > 0 {
			some = true
		}
	}
	return some
}

// maxAccents bounds the forms with accents that a word without is told apart from.
const maxAccents = 16

// accents fills Exact.
func (w *Word) accents(x *index.Index, t text.Token) {
	if exact := t.ExactTerm(); exact != "" {
		if id, ok := x.Term(exact); ok && x.ListOf(id) != x.ListOf(w.Fold) {
			w.Exact, w.Accented = append(w.Exact, id), true
		}
		return
	}
	for id := range x.TermDict().Prefix(text.ExactPrefix(t.Fold)) {
		if len(w.Exact) == maxAccents {
			break
		}
		w.Exact = append(w.Exact, index.TermID(id))
	}
}

// maxExpanded bounds the terms that a lone character stands for.
const maxExpanded = 1000

// expand adds the terms that begin with a lone character of a script that is indexed in pairs: a text that has the
// character has one of them.
func (w *Word) expand(x *index.Index, char string, lists termLists) {
	var sum uint32
	for id := range x.TermDict().Prefix(char) {
		if len(w.Terms) >= maxExpanded {
			break
		}
		if t := index.TermID(id); lists.add(x, t) {
			w.Terms = append(w.Terms, t)
			sum += x.Postings(t).Chunks
		}
	}
	w.DF = min(w.DF+sum, uint32(x.Chunks()))
}

// IDF is Lucene's: ln(1 + (n - df + .5) / (df + .5)), for n chunks of which df hold the term.
func IDF(n, df float64) float64 { return math.Log(1 + (n-min(df, n)+0.5)/(min(df, n)+0.5)) }
