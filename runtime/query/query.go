package query

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"unicode/utf8"

	"kdd/format"
	"kdd/runtime/analyze"
)

// Word is one word of a query: the terms that stand for it in the lexicon, and its weight.
type Word struct {
	Text  string          // folded
	Terms []format.TermID // its folded form and its stems in the languages of the index; those that the index has
	Pos   uint32          // position in the query
	Stop  bool            // a stop word of the query's language; only kept if all words are
	Whole bool            // an identifier whose parts are words too
	Part  bool            // a part of such an identifier
	DF    uint32          // chunks that hold one of the terms, at most
	IDF   float64         // ln(1 + (N - df + .5) / (df + .5)), Lucene's; of a whole by its weight
}

// Query is a parsed query.
type Query struct {
	Text     string
	Language analyze.Lang
	Words    []Word // stop words dropped; a word that is asked twice is there twice
	All      []Word // every word, stop words too, for snippets and adjacency
}

// maxWords bounds the words of a query that are scored; more are ignored, the rarest are not preferred.
const maxWords = 256

// Parse analyses text against the lexicons of one or more artifacts of one analyzer version and returns a query for
// each: the same words, with that artifact's terms and the weights of all artifacts together.
//
// Cost: a dictionary look-up per artifact, word, form and language of the index.
func Parse(xs []*format.Index, text string) []*Query {
	known, perIndex := languages(xs)
	language := analyze.DetectQuery(text, known)
	a := analyze.New()
	tokens := a.Tokens(nil, text)
	var n float64
	queries := make([]*Query, len(xs))
	for i, x := range xs {
		n += float64(x.Chunks())
		queries[i] = &Query{Text: text, Language: language}
	}
	words := make([]Word, len(xs)) // one word, by artifact
	used := 0
	content := false
	for _, t := range tokens {
		if t.IndexOnly() {
			continue
		}
		if used == maxWords {
			break
		}
		var df float64
		known := false
		for i, x := range xs {
			words[i] = Word{Text: t.Fold, Pos: t.Pos, Whole: t.Whole, Part: t.Part, Stop: analyze.IsStop(language, t.Fold)}
			words[i].look(x, a, perIndex[i], t)
			df += float64(words[i].DF)
			known = known || len(words[i].Terms) > 0
		}
		if t.Whole && !known {
			continue // its parts say all that is known of it
		}
		used++
		content = content || !words[0].Stop
		for i := range words {
			words[i].IDF = IDF(n, df)
			if t.Whole {
				words[i].IDF *= xs[i].Meta.Weights.Whole
			}
			queries[i].All = append(queries[i].All, words[i])
		}
	}
	for i := range queries {
		for _, w := range queries[i].All {
			if w.Stop && content {
				continue
			}
			queries[i].Words = append(queries[i].Words, w)
		}
	}
	return queries
}

// languages returns the languages of all artifacts, most frequent first, and those of each.
func languages(xs []*format.Index) (all []analyze.Lang, each [][]analyze.Lang) {
	docs := map[analyze.Lang]int{}
	for _, x := range xs {
		var list []analyze.Lang
		for _, l := range x.Meta.Languages {
			if l.Language != "" {
				list = append(list, analyze.Lang(l.Language))
				docs[analyze.Lang(l.Language)] += l.Documents
			}
		}
		each = append(each, list)
	}
	all = slices.SortedFunc(maps.Keys(docs), func(a, b analyze.Lang) int {
		return cmp.Or(cmp.Compare(docs[b], docs[a]), cmp.Compare(a, b))
	})
	return all, each
}

// look finds the terms of a word.
func (w *Word) look(x *format.Index, a *analyze.Analyzer, known []analyze.Lang, t analyze.Token) {
	lists := map[uint32]bool{}
	add := func(key string) {
		id, ok := x.Term(key)
		if !ok || lists[x.ListOf(id)] {
			return
		}
		lists[x.ListOf(id)] = true
		w.Terms = append(w.Terms, id)
		w.DF = max(w.DF, x.Postings(id).Chunks)
	}
	if !t.Whole && !t.CJK {
		stems := map[string]bool{}
		for _, lang := range known {
			key := analyze.StemTerm(lang, a.Stem(lang, t.Lower))
			if !stems[key] {
				stems[key] = true
				add(key)
			}
		}
	}
	add(t.Fold)
	if t.CJK && utf8.RuneCountInString(t.Fold) == 1 {
		w.expand(x, t.Fold, lists)
	}
}

// maxExpanded bounds the terms that a lone character stands for.
const maxExpanded = 1000

// expand adds the terms that begin with a lone character of a script that is indexed in pairs: a text that has the
// character has one of them.
func (w *Word) expand(x *format.Index, char string, lists map[uint32]bool) {
	var sum uint32
	for id := range x.TermDict().Prefix(char) {
		if len(w.Terms) >= maxExpanded {
			break
		}
		if t := format.TermID(id); !lists[x.ListOf(t)] {
			lists[x.ListOf(t)] = true
			w.Terms = append(w.Terms, t)
			sum += x.Postings(t).Chunks
		}
	}
	w.DF = min(w.DF+sum, uint32(x.Chunks()))
}

// IDF is Lucene's: ln(1 + (n - df + .5) / (df + .5)), for n chunks of which df hold the term.
func IDF(n, df float64) float64 { return math.Log(1 + (n-min(df, n)+0.5)/(min(df, n)+0.5)) }
