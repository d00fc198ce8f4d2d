// Package glossary translates words, one by one, between English and the languages that it has, so that a question in
// one language meets documents in another: query translation by a bilingual word list with all alternatives of a word
// as synonyms (Pirkola 1998, "The effects of query structure and dictionary setups in dictionary-based cross-language
// information retrieval").
//
// The lists are kdd's own: es.tsv and others have a line for a word of the language, with the English words that
// documentation uses for it, the best first. They hold common words and those of software, some thousands each, and
// phrases that are one word in English. Names, and words that are spelt alike in both languages, are not in them. They
// are in the program: what of them leads to an artifact's words would make files of 1,000 sections 3 to 10 % larger,
// and small ones 20 % (bench/runs/2026-11-26-epyc/terms).
//
// Between two of these languages words go through English (Gollins & Sanderson 2001, "Improving cross language
// retrieval with triangulated translation", where several ways to a word speak for it).
package glossary

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"kdd/format/text"
)

// English is the language that each list has on one side.
const English text.Lang = "en"

// Languages returns the languages that there is a list of, sorted.
func Languages() []text.Lang { return []text.Lang{"de", "es", "fr", "ja", "ko", "pt", "zh"} }

// Glossary translates words of one language into another. It does not change, and is for any number of goroutines.
type Glossary struct {
	from  text.Lang
	forms map[string][]string              // words of the other language by folded form
	stems func(form, stem string) []string // the forms of a stem; form is one that is asked for

	phrases map[string][]phrase // by the stem of their first word, the longest first

	on *Glossary // from English, where the words of the other language are not what is asked for
}

// phrase is several words that are one in the other language.
type phrase struct {
	stems []string // folded
	words []string
}

// Open returns the glossary from one language to another; nil if there is none. Cost: 2 to 4 ms and 1 MB the first
// time, for each list and direction, of which one that goes through English has two.
func Open(from, to text.Lang) *Glossary {
	if !Between(from, to) {
		return nil
	}
	if open := opened[[2]text.Lang{from, to}]; open != nil {
		return open()
	}
	g := *Open(from, English)
	g.on = Open(English, to)
	return &g
}

var opened = func() map[[2]text.Lang]func() *Glossary {
	all := map[[2]text.Lang]func() *Glossary{}
	for _, lang := range Languages() {
		all[[2]text.Lang{lang, English}] = sync.OnceValue(func() *Glossary { return forth(lang) })
		all[[2]text.Lang{English, lang}] = sync.OnceValue(func() *Glossary { return back(lang) })
	}
	return all
}()

// Between says whether there is a glossary from one language to another.
func Between(from, to text.Lang) bool {
	return from != to && (from == English || lists[from] != nil) && (to == English || lists[to] != nil)
}

// Direct says whether there is one that does not go through English.
func Direct(from, to text.Lang) bool {
	return Between(from, to) && (from == English || to == English)
}

// Through says whether words go through English, which is no side of the glossary.
func (g *Glossary) Through() bool { return g.on != nil }

// Count returns how many of the words, in small letters, the list of a language has in just this form; of English what
// any list has. It is for finding out what language words are of. Cost: .5 µs a word; of English 4 ms the first time,
// for a pass over all lists.
func Count(lang text.Lang, words []string) int {
	if lang != English && lists[lang] == nil {
		return 0
	}
	has := func(word string) bool { return listed(lists[lang](), word) }
	if lang == English {
		has = func(word string) bool { return englishWords()[word] }
	}
	n := 0
	for i, word := range words {
		if !slices.Contains(words[:i], word) && has(word) {
			n++
		}
	}
	return n
}

// Words returns what a word may be in the other language, the most likely first; none if the glossary lacks it. The
// word is a token of package text: its own form decides, else all words with its stem, those first that begin most like
// it, then the shortest.
//
// On a way through English a word that the first list lacks is taken for an English one: it is a name or spelt alike
// there.
func (g *Glossary) Words(a *text.Analyzer, t text.Token) []string {
	words := g.lookUp(a, t)
	if len(words) == 0 && g.on != nil {
		words = []string{t.Fold}
	}
	return g.goOn(a, words)
}

// lookUp is Words without the way on from English.
func (g *Glossary) lookUp(a *text.Analyzer, t text.Token) []string {
	if words, ok := g.forms[t.Fold]; ok {
		return words
	}
	forms := g.stems(t.Fold, stemOf(a, g.from, t.Lower))
	if len(forms) == 1 {
		return g.forms[forms[0]]
	}
	forms = slices.Clone(forms)
	slices.SortStableFunc(forms, func(a, b string) int {
		return cmp.Or(shared(b, t.Fold)-shared(a, t.Fold), len(a)-len(b))
	})
	var words []string
	for _, form := range forms {
		for _, word := range g.forms[form] {
			if !slices.Contains(words, word) {
				words = append(words, word)
			}
		}
	}
	return words
}

// mostThrough is how many words a word may be on the other side of English, where senses multiply.
const mostThrough = 8

// untranslated is what an English word counts as it stands, against its best translation.
const untranslated = 0.5

// goOn returns what English words, the best first, are in the language that they go on to, the most likely first: each
// way to a word counts by its places in the two lists. The English words are among them, with half the weight: they are
// what stands there if the second list lacks them, and documents on software have many as they are. Without a language
// to go on to it returns the words.
func (g *Glossary) goOn(a *text.Analyzer, english []string) []string {
	if g.on == nil {
		return english
	}
	likely := map[string]float64{}
	var words []string
	for i, e := range english {
		for k, word := range append(slices.Clip(g.on.lookUp(a, text.Token{Fold: e, Lower: e})), e) {
			if likely[word] == 0 {
				words = append(words, word)
			}
			by := 1 / float64((1+i)*(1+k))
			if word == e {
				by = untranslated / float64(1+i)
			}
			likely[word] += by
		}
	}
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(likely[b], likely[a]) })
	return words[:min(mostThrough, len(words))]
}

// shared is how many bytes two words begin with alike.
func shared(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// longest is how many characters a word of a language without spaces has at most.
const longest = 8

// Longest returns what Words would for the longest word that a text begins with, in a language without spaces, and the
// bytes of that word; none and 0 if the glossary has no word there.
func (g *Glossary) Longest(a *text.Analyzer, text string) (words []string, n int) {
	ends := 0
	for at, r := range text {
		if ends++; ends > longest || !unicode.IsLetter(r) && !unicode.IsMark(r) {
			break
		}
		end := at + utf8.RuneLen(r)
		if found, ok := g.forms[text[:end]]; ok {
			words, n = found, end
		}
	}
	return g.goOn(a, words), n
}

// Phrase returns what the longest phrase that a text begins with may be in the other language, and how many of its
// tokens the phrase is; none and 0 if the glossary has no phrase there. Words meet those of a phrase by their stems.
func (g *Glossary) Phrase(a *text.Analyzer, tokens []text.Token) (words []string, n int) {
	if len(tokens) < 2 || len(g.phrases) == 0 {
		return nil, 0
	}
	for _, p := range g.phrases[stemOf(a, g.from, tokens[0].Lower)] {
		if len(p.stems) <= len(tokens) && !slices.ContainsFunc(tokens[:len(p.stems)], func(t text.Token) bool { return t.Whole || t.Part }) {
			n = 1
			for n < len(p.stems) && stemOf(a, g.from, tokens[n].Lower) == p.stems[n] {
				n++
			}
			if n == len(p.stems) {
				return g.goOn(a, p.words), n
			}
		}
	}
	return nil, 0
}

func (g *Glossary) addPhrase(a *text.Analyzer, e entry) {
	p := phrase{words: strings.Split(e.english, ",")}
	for _, t := range a.Tokens(nil, e.word) {
		p.stems = append(p.stems, stemOf(a, g.from, t.Lower))
	}
	list := append(g.phrases[p.stems[0]], p)
	slices.SortStableFunc(list, func(a, b phrase) int { return len(b.stems) - len(a.stems) })
	g.phrases[p.stems[0]] = list
}

func stemOf(a *text.Analyzer, lang text.Lang, lower string) string {
	return text.Fold(a.Stem(lang, lower))
}

// entry is a line of a list.
type entry struct {
	word    string // as the language writes it
	english string // words with commas between, the best first
}

func (e entry) isPhrase() bool { return strings.Contains(e.word, " ") }

// forth makes the glossary from a list's language to English.
func forth(lang text.Lang) *Glossary {
	list := read(lang)
	g := fill(lang, func(add func(word, translation string)) {
		for _, e := range list {
			if !e.isPhrase() {
				for english := range strings.SplitSeq(e.english, ",") {
					add(e.word, english)
				}
			}
		}
	})
	g.phrases = map[string][]phrase{}
	a := text.New()
	for _, e := range list {
		if e.isPhrase() {
			g.addPhrase(a, e)
		}
	}
	return g
}

// back makes the glossary from English to a list's language. The first English word of a line speaks for the line more
// than the second.
func back(lang text.Lang) *Glossary {
	return fill(English, func(add func(word, translation string)) {
		rest := slices.DeleteFunc(read(lang), entry.isPhrase)
		for len(rest) > 0 {
			for i := range rest {
				english, others, _ := strings.Cut(rest[i].english, ",")
				add(english, rest[i].word)
				rest[i].english = others
			}
			rest = slices.DeleteFunc(rest, func(e entry) bool { return e.english == "" })
		}
	})
}

// fill makes a glossary of the pairs that each gives to add.
func fill(from text.Lang, each func(add func(word, translation string))) *Glossary {
	g := &Glossary{from: from, forms: map[string][]string{}}
	stems := &stemIndex{lang: from, words: map[rune][]string{}, made: map[rune]map[string][]string{}}
	g.stems = stems.forms
	each(func(word, translation string) {
		form := text.Fold(word)
		if g.forms[form] == nil {
			first, _ := utf8.DecodeRuneInString(form)
			stems.words[first] = append(stems.words[first], word)
		}
		if !slices.Contains(g.forms[form], translation) {
			g.forms[form] = append(g.forms[form], translation)
		}
	})
	return g
}

// stemIndex finds words by their stem. To stem a whole list takes 6 ms, as long as all else of a search in a new
// process, so only words are stemmed that begin with the letter of one that is asked for: no stemmer changes the first
// letter (bench/runs/2026-11-23-xeon/start).
type stemIndex struct {
	lang  text.Lang
	words map[rune][]string // by the first letter of their folded form, in the order of the list
	mu    sync.Mutex
	made  map[rune]map[string][]string // folded forms by folded stem
}

// forms returns the forms that have a stem, in the order of the list.
func (s *stemIndex) forms(form, stem string) []string {
	first, _ := utf8.DecodeRuneInString(form)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.made[first] == nil {
		stems, a := map[string][]string{}, text.New()
		for _, word := range s.words[first] {
			key := stemOf(a, s.lang, word)
			stems[key] = append(stems[key], text.Fold(word))
		}
		s.made[first] = stems
	}
	return s.made[first][stem]
}
