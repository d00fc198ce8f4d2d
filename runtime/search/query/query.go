package query

import (
	"fmt"
	"slices"
	"strings"

	"kdd/format"
	"kdd/format/index"
	"kdd/format/text"
	"kdd/runtime/wire"
)

// Query is a parsed query.
type Query struct {
	Text     string // what is looked for: without operators and words that must not be there
	Language text.Lang
	Own      text.Lang // by the words alone; Language also heeds the one language that a filter asks for
	Words    []Word    // stop words dropped; a word that is asked twice is there twice
	All      []Word    // every word, stop words too, for snippets and adjacency
	Rarity   float64   // mean idf of Words over that of a word in one chunk; above 1 if the index lacks most of them
	Clauses  *Clause   // what a section must hold to be a hit; nil = nothing
	Unsure   bool      // it has a word or an identifier that no artifact has
	Notes    []string  // what the reader should know about how the query was read

	// The query in the language of the documents, as far as its words are in a glossary, and that language. Both are ""
	// if they share a language, or no word is.
	Translated string
	Into       text.Lang
}

// Short says whether the query is one or two words with an identifier.
func (q *Query) Short() bool {
	words := 0
	identifier := false
	for _, w := range q.All {
		identifier = identifier || w.Whole
		if !w.Part {
			words++
		}
	}
	return identifier && words <= 2
}

// maxWords bounds the words of a query that are read; more are ignored, with a note, the rarest are not preferred.
const maxWords = 256

// Parse analyses text as plain words against the lexicons of one or more artifacts of one analyzer version and returns
// a query for each: the same words, as they are typed, with that artifact's terms and the weights of all artifacts
// together. At most maxText bytes of text are read.
//
// Cost: a dictionary look-up per artifact, word, form and language of the index.
func Parse(xs []*index.Index, text string) []*Query {
	return Read(xs, text, Options{Plain: true, AsTyped: true})
}

// Options say how a query is read.
type Options struct {
	Plain bool // it has no operators
	// languages of the documents that are asked for; one alone is also taken for the query's where its words do not say
	Asked  []text.Lang
	IsWord func(word string) bool // a word that no lexicon has, but that is none the less no misspelling; nil = none is

	// AsTyped takes words for what they are: none is a misspelling, and none is translated.
	AsTyped bool
}

// Read reads a query with its operators (the grammar is at read, in grammar.go) and analyses its words as Parse does. A
// query that is the name of a document or section has no operators.
//
// Cost: that of Parse; a walk over the dictionary for each of the first words that no artifact knows (maxWalks); a
// look-up in a glossary per word of a query in another language than the documents; for prefix* at most maxPrefixWalk
// terms are looked at, for fuzzy~ a walk over the dictionary.
func Read(xs []*index.Index, text string, o Options) []*Query {
	p := newParse(xs, text)
	defer p.a.Return()
	p.isWord, p.asTyped = o.IsWord, o.AsTyped
	if len(o.Asked) == 1 {
		p.asked = o.Asked[0]
	}
	p.language = p.detect(p.text)
	if o.Plain || p.isName() {
		p.reading = &reading{text: p.text, plain: true}
	} else if p.reading = read(p.text, p.language, p.a); !p.plain && p.reading.text != p.text {
		p.language = p.detect(p.reading.text)
	}
	for _, n := range p.reading.notes {
		p.note(n)
	}
	p.own = p.language
	if p.asked != "" {
		p.asked = ""
		p.own = p.detect(p.reading.text)
	}
	p.translations()
	return p.queries()
}

// parse is what analysing one query needs.
type parse struct {
	*reading
	xs       []*index.Index
	text     string // as it was given, cut
	isWord   func(word string) bool
	asTyped  bool
	language text.Lang
	own      text.Lang         // language, but for what asked says of it
	asked    text.Lang         // of the documents; "" = any
	known    []text.Lang       // languages of all artifacts
	each     [][]text.Lang     // and of each
	docs     map[text.Lang]int // that are in a language
	a        *text.Analyzer
	chunks   float64
	notes    []string
	expanded int      // terms that prefixes stand for
	wide     []string // prefixes that stand for more terms than are used
	walks    int      // over dictionaries
	similar  bool     // a walk found something
	walked   int      // terms that prefixes were looked for among
	marks    map[markedAt]Word
	// corrected has, by unknown word, what it is read as in each artifact.
	corrected map[string][][]candidate
	into      []*translation // by artifact; nil = none
}

func newParse(xs []*index.Index, raw string) *parse {
	p := &parse{xs: xs, a: text.Borrow(), marks: map[markedAt]Word{}, corrected: map[string][][]candidate{}}
	var cut bool
	if p.text, cut = Clip(raw); cut {
		p.note(ClipNote(len(raw)))
	}
	p.known, p.each, p.docs = languages(xs)
	for _, x := range xs {
		p.chunks += float64(x.Chunks())
	}
	if slices.ContainsFunc(xs, func(x *index.Index) bool { return x.File.Remote() }) {
		tokens := p.a.Tokens(nil, p.text)
		p.fetchKeys(tokens)
		p.fetch(tokens)
	}
	return p
}

func (p *parse) note(text string) {
	if !slices.Contains(p.notes, text) {
		p.notes = append(p.notes, text)
	}
}

// Clip returns what is read of a query, at most maxText bytes and whole characters, and whether that is less than all.
func Clip(raw string) (string, bool) {
	return text.CutRunes(raw, maxText), len(raw) > maxText
}

// ClipNote says that a query of so many bytes is too long.
func ClipNote(bytes int) string {
	return fmt.Sprintf("the query has %d bytes, the first %d are read", bytes, maxText)
}

// isName says whether the whole query is a name that an artifact has.
func (p *parse) isName() bool {
	const longest = 1024 // no name is longer
	name := strings.TrimSpace(p.text)
	if len(name) > longest {
		return false
	}
	key := text.Fold(name)
	return slices.ContainsFunc(p.xs, func(x *index.Index) bool { return len(x.FindName(key)) > 0 })
}

// queries analyses the text that was read.
func (p *parse) queries() []*Query {
	list := make([]*Query, len(p.xs))
	for i := range p.xs {
		list[i] = &Query{Text: p.reading.text, Language: p.language, Own: p.own}
	}
	words := make([]Word, len(p.xs)) // one word, by artifact
	used := 0
	content, unsure := false, false
	end := 0 // of the marked word at hand
	parts := p.parts
	tokens := p.a.Tokens(nil, p.reading.text)
	roles := text.Roles(p.language, tokens)
	p.fetch(tokens)
	for at := 0; at < len(tokens); at++ {
		t := tokens[at]
		if t.IndexOnly() || t.Start < end {
			continue
		}
		if used == maxWords {
			p.note(fmt.Sprintf("the query has more than %d words, the first ones are read", maxWords))
			break
		}
		for len(parts) > 0 && parts[0].end <= t.Start {
			parts = parts[1:]
		}
		var it *item
		if len(parts) > 0 && parts[0].start <= t.Start {
			it = parts[0].item
		}
		known := false
		plain := it == nil || it.mark == exactly
		if plain {
			p.everywhere(words, t, roles[at])
		}
		for i := range p.xs {
			if !plain {
				words[i], end = p.marked(i, it), parts[0].end
				words[i].Pos = t.Pos
			} else {
				p.translate(i, &words[i], tokens[at:])
			}
			if it != nil && it.asked {
				words[i].Stop = false
			}
			known = known || len(words[i].Terms) > 0
		}
		unsure = unsure || !known
		if t.Whole && !known && end <= t.Start {
			continue // its parts say all that is known of it
		}
		if !known && end <= t.Start && (it == nil || it.kind != phrase) {
			p.correctAll(words, t)
			if it == nil && !p.asTyped && !slices.ContainsFunc(words, func(w Word) bool { return len(w.Near) > 0 }) {
				if parts := p.compound(&t); parts != nil {
					tokens, roles = p.unfold(tokens, roles, at, parts)
					continue
				}
			}
		}
		used++
		content = content || !words[0].Stop
		var df float64
		for i := range words {
			df += float64(words[i].DF)
		}
		for i := range words {
			words[i].IDF = IDF(p.chunks, df)
			if words[i].Whole {
				words[i].IDF *= p.xs[i].Meta.Weights.Whole
			}
			if roles[at] == text.Grammar {
				words[i].IDF *= p.xs[i].Meta.Weights.Grammar
			}
			list[i].All = append(list[i].All, words[i])
			if tr := p.into[i]; tr != nil {
				tr.say(p.reading.text, &words[i], t)
			}
		}
	}
	left := p.unscored(list, !content, uint64(leastPostings+postingsPerChunk*p.chunks))
	for i, q := range list {
		for _, w := range q.All {
			if w.Stop && content || left[w.Text] {
				continue
			}
			q.Words = append(q.Words, w)
			q.Rarity += w.IDF
		}
		q.Rarity /= IDF(p.chunks, 1) * float64(max(1, len(q.Words)))
		q.Clauses = p.clauses(i)
	}
	for i, q := range list {
		p.finish(i, q)
	}
	if n := len(p.wide) - maxWide; n > 0 {
		p.note(fmt.Sprintf("%d more words with * stand for too many words", n))
	}
	for _, q := range list {
		q.Notes, q.Unsure = p.notes, unsure
	}
	return list
}

// word returns the word of a token in an artifact.
func (p *parse) word(i int, t text.Token, role text.Role) Word {
	w := p.blank(t)
	w.look(p.xs[i], stemsOf(p.a, p.each[i], t), p.each[i], t, role)
	return w
}

// blank is the word of a token before its terms are found.
func (p *parse) blank(t text.Token) Word {
	return Word{Text: t.Fold, Pos: t.Pos, Whole: t.Whole, Part: t.Part, Stop: text.IsStop(p.language, t.Fold)}
}

// everywhere sets words, by artifact, to the word of a token.
func (p *parse) everywhere(words []Word, t text.Token, role text.Role) {
	blank, stems := p.blank(t), stemsOf(p.a, p.known, t)
	err := format.Each(len(words), func(i int) error {
		words[i] = blank
		words[i].look(p.xs[i], stems, p.each[i], t, role)
		return nil
	})
	if err != nil {
		panic(err) // a file is not what its checksums say
	}
}

// languages returns the languages of all artifacts, most frequent first, those of each, and how many documents are in
// each.
func languages(xs []*index.Index) (all []text.Lang, each [][]text.Lang, docs map[text.Lang]int) {
	docs = map[text.Lang]int{}
	for _, x := range xs {
		var list []text.Lang
		for _, l := range x.Meta.Languages {
			if l.Language != "" {
				list = append(list, text.Lang(l.Language))
				docs[text.Lang(l.Language)] += l.Documents
			}
		}
		each = append(each, list)
	}
	return wire.ByCount(docs), each, docs
}
