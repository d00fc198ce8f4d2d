package query

import (
	"slices"
	"strings"
	"unicode/utf8"

	"kdd/format/index"
	"kdd/format/text"
	"kdd/runtime/search/glossary"
	"kdd/runtime/wire"
)

// translation is how a query is read in the language of an artifact's documents.
type translation struct {
	into  text.Lang
	words *glossary.Glossary
	text  []string // the words of the query so far, translated as far as the glossary and the artifact have them
	some  bool     // one of them is
	end   int      // in the query, of the identifier at hand
	cut   int      // and of the phrase at hand, or of the word that was cut out of text without spaces
}

// translations decides for each artifact whether the query is translated: where more of its documents are in another
// language than in the query's, and there is a glossary between the two. Of several such languages that of most
// documents is taken. What a filter asks for changes nothing, so that it changes no score.
func (p *parse) translations() {
	p.into = make([]*translation, len(p.xs))
	if p.own == "" || p.asTyped {
		return
	}
	for i, x := range p.xs {
		docs := map[text.Lang]int{}
		for _, l := range x.Meta.Languages {
			docs[text.Lang(l.Language)] += l.Documents
		}
		for _, lang := range p.each[i] {
			if docs[lang] > docs[p.own] && glossary.Between(p.own, lang) {
				p.into[i] = &translation{into: lang, words: glossary.Open(p.own, lang)}
				break
			}
		}
	}
}

// translate adds to a word of the query, the first of the rest, the terms of its translations, as synonyms: a section
// that has one of them has the word. Of a phrase that the glossary has, the first word stands for all; the others are
// dropped where the documents lack them.
//
// Text without spaces is cut into the longest words that the glossary has, from the left. Where the documents have such
// a word, pairs of characters that they lack are dropped if they are of it, or of the one character before it.
func (p *parse) translate(i int, w *Word, rest []text.Token) {
	tr, t := p.into[i], rest[0]
	if tr == nil || t.Whole || t.Part || w.Stop {
		return
	}
	x := p.xs[i]
	var terms []index.TermID
	switch {
	case t.CJK:
		if terms, w.Means = p.segment(x, tr, t); len(terms) == 0 {
			w.Stop = len(w.Terms) == 0 && t.Start < tr.cut
			return
		}
	case t.Start < tr.cut:
		w.Stop = len(w.Terms) == 0
		return
	default:
		words, n := tr.words.Phrase(p.a, rest)
		if terms, w.Means = p.meanings(x, tr, words); w.Means != "" {
			tr.cut = rest[n-1].End
		} else {
			terms, w.Means = p.meanings(x, tr, tr.words.Words(p.a, t))
			if w.Means == t.Fold && tr.words.Through() {
				w.Means = "" // a name, or spelt alike
			}
		}
	}
	lists := termLists{}
	for _, id := range w.Terms {
		lists.add(x, id)
	}
	sum, most := uint64(w.DF), w.DF
	for _, id := range terms {
		if lists.add(x, id) {
			w.Terms = append(w.Terms, id)
			n := x.Postings(id).Chunks
			sum, most = sum+uint64(n), max(most, n)
		}
	}
	if w.DF = uint32(min(sum, uint64(x.Chunks()))); tr.words.Through() {
		w.DF = most // of so many senses most are wrong, and would make each word look common
	}
}

// usual is how many senses of a word that went through English the documents may choose from.
const usual = 3

// meanings returns the terms of the words that the documents have, and the first of these words; where words went
// through English that of the first few which most chunks have, by its place.
func (p *parse) meanings(x *index.Index, tr *translation, words []string) (terms []index.TermID, first string) {
	best := 0.0
	for i, word := range words {
		for _, key := range []string{text.StemTerm(tr.into, p.a.Stem(tr.into, word)), p.rarest(x, text.Fold(word))} {
			if id, ok := x.Term(key); ok {
				terms = append(terms, id)
				likely := 1 / float64(1+i)
				if i < usual && tr.words.Through() {
					likely *= float64(x.Postings(id).Chunks)
				}
				if likely > best {
					first, best = word, likely
				}
			}
		}
	}
	return terms, first
}

// rarest returns, of the pairs of characters of a folded word, the one that the fewest chunks have: text without spaces
// is indexed in such pairs, and in a longer word one that is across its parts is hardly in another word. If a pair is
// missing, or the word has none, it returns the word.
func (p *parse) rarest(x *index.Index, word string) string {
	rarest, fewest := word, ^uint32(0)
	for _, t := range p.a.Tokens(nil, word) {
		if t.IndexOnly() {
			continue
		}
		id, ok := x.Term(t.Fold)
		if !ok || !t.CJK {
			return word
		}
		if n := x.Postings(id).Chunks; n < fewest {
			rarest, fewest = t.Fold, n
		}
	}
	return rarest
}

// segment is meanings for the word that begins with a pair of characters in text without spaces; none if the pair is
// within a word, or no word that the documents have begins there.
func (p *parse) segment(x *index.Index, tr *translation, t text.Token) (terms []index.TermID, first string) {
	if t.Start < tr.cut {
		return nil, ""
	}
	text := p.reading.text[t.Start:]
	words, n := tr.words.Longest(p.a, text)
	if terms, first = p.meanings(x, tr, words); first != "" {
		tr.cut = t.Start + n
		return terms, first
	}
	_, one := utf8.DecodeRuneInString(text)
	words, _ = tr.words.Longest(p.a, text[one:])
	if _, next := p.meanings(x, tr, words); next != "" {
		tr.cut = t.Start + one
	}
	return nil, ""
}

// say adds a word to the text of the query in the language of an artifact's documents.
func (tr *translation) say(text string, w *Word, t text.Token) {
	switch {
	case t.Start < tr.end || w.Stop:
		return
	case t.Whole:
		tr.end = t.End
	}
	switch {
	case w.Means != "":
		tr.text, tr.some = append(tr.text, w.Means), true
	case !t.CJK:
		tr.text = append(tr.text, text[t.Start:t.End])
	}
}

// finish gives a query its text in the language of an artifact's documents, if a word of it is translated.
func (p *parse) finish(i int, q *Query) {
	if tr := p.into[i]; tr != nil && tr.some {
		q.Translated, q.Into = strings.Join(tr.text, " "), tr.into
		p.note("read in the language of the documents too: " + quote(wire.Shorten(q.Translated, mostTranslated)))
	}
}

// mostTranslated is how many bytes of a translated query a note has.
const mostTranslated = 120

// fromGlossary returns the language of a query of which too few words tell: the one whose glossary has most of the
// words that no document has. One at least must be in it, and with the stop words of the language they must be half of
// the words that no document has, and two, or half of all. Or all that is no identifier is a stop word of the language,
// and of none of the documents', as in "qué es useState". A language from which words go through English comes after
// those that do not, and needs more of the words than the languages of the documents have.
func (p *parse) fromGlossary(raw string) text.Lang {
	if p.asTyped {
		return ""
	}
	unknown, others := p.unknown(raw)
	all := len(unknown) + len(others)
	best, most := text.Lang(""), 0
	if len(unknown) == 0 {
		return best
	}
	look := func(between func(from, to text.Lang) bool) {
		for _, from := range append(glossary.Languages(), glossary.English) {
			reaches := func(to text.Lang) bool { return between(from, to) }
			if slices.Contains(p.known, from) || !slices.ContainsFunc(p.known, reaches) {
				continue
			}
			n, words := p.count(from, unknown)
			n += p.foreign(from, others)
			if (words > 0 && 2*n >= len(unknown) && (n > 1 || 2*n >= all) || n == all) && n > most {
				best, most = from, n
			}
		}
	}
	if look(glossary.Direct); best == "" {
		for _, lang := range p.known {
			n, _ := p.count(lang, unknown)
			most = max(most, n)
		}
		look(glossary.Between)
	}
	return best
}

// kin returns the language of a query that was taken for one of the documents', where function words that the two share
// may speak for the wrong one, as of French and Spanish: the one that the words alone speak for, if its glossary has
// more of the words that no document has. English is neither of them; a text that was only taken for English because
// the documents are may be in a language whose glossary has its words, as "apagar a pasta".
func (p *parse) kin(raw string, language text.Lang) text.Lang {
	if p.asTyped || !slices.Contains(p.known, language) {
		return language
	}
	unknown, _ := p.unknown(raw)
	if len(unknown) == 0 {
		return language
	}
	from, _ := text.DetectQuery(raw, nil)
	switch {
	case language == glossary.English && from == "":
		from = p.fromGlossary(raw)
	case language == glossary.English, from == glossary.English, slices.Contains(p.known, from):
		return language
	}
	own, _ := p.count(language, unknown)
	if all, words := p.count(from, unknown); words > 0 && all > own {
		return from
	}
	return language
}

// count returns how many of the words a language has, and how many of these are no stop words.
func (p *parse) count(lang text.Lang, of []text.Token) (all, words int) {
	var content []string
	for _, t := range of {
		if !text.IsStop(lang, t.Fold) {
			content = append(content, t.Lower)
		}
	}
	words = glossary.Count(lang, content)
	return len(of) - len(content) + words, words
}

// foreign returns how many of the words are stop words of a language and of none that the documents are in.
func (p *parse) foreign(lang text.Lang, words []text.Token) (n int) {
	for _, t := range words {
		if text.IsStop(lang, t.Fold) && !slices.ContainsFunc(p.known, func(own text.Lang) bool { return text.IsStop(own, t.Fold) }) {
			n++
		}
	}
	return n
}

// unknown returns those of the first words of a text that no artifact has, and the others.
func (p *parse) unknown(text string) (unknown, others []text.Token) {
	for _, t := range p.a.Tokens(nil, text) {
		if t.Whole || t.Part || t.CJK {
			continue
		}
		if len(unknown)+len(others) == maxVoters {
			break
		}
		if p.has(t) {
			others = append(others, t)
		} else {
			unknown = append(unknown, t)
		}
	}
	return unknown, others
}

// has says whether an artifact has a word: its form, a stem of it, or a term that begins with a lone character.
func (p *parse) has(t text.Token) bool {
	for i, x := range p.xs {
		if _, ok := x.Term(t.Fold); ok {
			return true
		}
		for _, lang := range p.each[i] {
			if _, ok := x.Term(text.StemTerm(lang, p.a.Stem(lang, t.Lower))); ok {
				return true
			}
		}
		if t.Lone {
			for range x.TermDict().Prefix(t.Fold) {
				return true
			}
		}
	}
	return false
}
