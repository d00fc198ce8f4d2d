package lexicon

import (
	"context"
	"strings"

	"kdd/format/index"
	"kdd/format/text"
)

// run is the inverted index of a run of documents. While it is made it is a log, in order of the text, which is sorted by
// term into one segment after another.
type run struct {
	lexicon             *Lexicon
	docs                []Document
	doc, section, chunk int // numbers of the first ones

	terms map[string]uint32
	names []string // by number
	// by number, of a folded form and of one with accents: the stem term that stands wherever it stands
	stems    []uint32
	words    map[text.Lang]map[string]word
	analyzer *text.Analyzer
	*scratch

	segments []segment
	counted  []pairList // pairs of terms, of each segment
	filters  [][]byte   // of pairs, by document
}

// scratch is memory that one run after another uses.
type scratch struct {
	tokens []text.Token
	row    []pairWord
	log    []posting
	sorter sorter
	pairs  pairCounter
}

// word is what a word of one language is indexed as.
type word struct{ fold, stem, exact uint32 }

// fields is the number of fields, to number a term's fields by.
const fields = int(index.FieldCount)

// What run.stems may hold beside numbers of terms.
const (
	unseen    = ^uint32(0)     // no folded form yet, or a stem term
	unstemmed = ^uint32(0) - 1 // somewhere it stands without a stem, or with another one
)

// plain is the exact of a word without accents.
const plain = ^uint32(0)

func newRun(lx *Lexicon) *run {
	return &run{scratch: &scratch{}, lexicon: lx, terms: map[string]uint32{}, words: map[text.Lang]map[string]word{}}
}

func (r *run) invert(ctx context.Context) error {
	r.analyzer = text.New()
	doc, section, chunk := r.doc, r.section, r.chunk
	r.pairs.reset()
	base := [...]uint32{index.TitleField: uint32(doc), index.PathField: uint32(section), index.BodyField: uint32(chunk), index.LinkField: 0}
	for i, d := range r.docs {
		if err := ctx.Err(); err != nil {
			return err
		}
		r.lexicon.TitleTokens[doc] = r.add(index.TitleField, uint32(doc), d.Title, d.Language)
		for _, s := range d.Sections {
			r.lexicon.PathTokens[section] = r.add(index.PathField, uint32(section), strings.Join(s.Path, "\n"), d.Language)
			for _, body := range s.Chunks {
				r.lexicon.BodyTokens[chunk] = r.add(index.BodyField, uint32(chunk), body, d.Language)
				chunk++
			}
			section++
		}
		r.pairs.endDoc()
		doc++
		r.docs[i] = Document{}
		if len(r.log) >= segmentPostings || i == len(r.docs)-1 {
			r.pack(base)
			base[index.TitleField], base[index.PathField], base[index.BodyField] = uint32(doc), uint32(section), uint32(chunk)
		}
	}
	r.filters = r.pairs.filters
	r.release()
	return nil
}

// pack makes a segment of the log and forgets it.
func (r *run) pack(base [index.FieldCount]uint32) {
	r.segments = append(r.segments, r.sorter.pack(r.log, len(r.names), base))
	r.log = r.log[:0]
	if pairs := r.pairs.pack(); len(pairs.bytes) > 0 {
		r.counted = append(r.counted, pairs)
	}
}

// release frees what only indexing needs.
func (r *run) release() { r.terms, r.words, r.analyzer, r.docs, r.scratch = nil, nil, nil, nil, nil }

// add indexes a text as one row of a field and returns its length in tokens.
func (r *run) add(field index.FieldID, row uint32, text string, lang text.Lang) uint32 {
	known := r.words[lang]
	if known == nil {
		known = map[string]word{}
		r.words[lang] = known
	}
	r.tokens = r.analyzer.Tokens(r.tokens[:0], text)
	r.row = r.row[:0]
	var n uint32
	for i := range r.tokens {
		t := &r.tokens[i]
		if t.Counts() && !t.IndexOnly() {
			n++
		}
		// A word is always indexed in the same way: all its forms follow from Lower.
		single := !t.Whole && !t.CJK
		w, ok := known[t.Lower]
		if !ok || !single {
			w = r.forms(t, lang)
			if name := r.names[w.fold]; single && name == t.Lower {
				known[name] = w
			} else if single {
				known[strings.Clone(t.Lower)] = w
			}
		}
		if w.exact != plain {
			r.log = append(r.log, posting{keyOf(w.exact, field), row, t.Pos})
		}
		if w.stem != unstemmed {
			r.log = append(r.log, posting{keyOf(w.stem, field), row, t.Pos})
		}
		r.log = append(r.log, posting{keyOf(w.fold, field), row, t.Pos})
		own := w.stem
		if own == unstemmed {
			own = w.fold
		}
		r.row = append(r.row, pairWord{own, t.Pos, false})
		if own != w.fold && t.Fold != t.Lower {
			r.row = append(r.row, pairWord{w.fold, t.Pos, true})
		}
	}
	r.pairs.row(field, row, r.row, r.names)
	return n
}

// forms returns the terms of a token: its folded form, its stem or unstemmed, and the form with accents or plain.
func (r *run) forms(t *text.Token, lang text.Lang) word {
	w := word{fold: r.number(t.Fold), stem: unstemmed, exact: plain}
	if !t.Whole && !t.CJK && lang != "" {
		if s := r.analyzer.Stem(lang, t.Lower); s != "" {
			w.stem = r.number(text.StemTerm(lang, s))
		}
	}
	r.pair(w.fold, w.stem)
	if exact := t.ExactTerm(); exact != "" {
		w.exact = r.number(exact)
		if w.stem == unstemmed {
			r.pair(w.exact, w.fold)
		} else {
			r.pair(w.exact, w.stem)
		}
	}
	return w
}

// pair notes that one term stands where another stands too.
func (r *run) pair(term, with uint32) { pairUp(&r.stems[term], with) }

// pairUp notes another term, or unstemmed, that stands where one stands.
func pairUp(companion *uint32, with uint32) {
	if *companion == unseen {
		*companion = with
	} else if *companion != with {
		*companion = unstemmed
	}
}

// number returns the run's number of a term.
func (r *run) number(term string) uint32 {
	id, ok := r.terms[term]
	if !ok {
		id = uint32(len(r.names))
		term = strings.Clone(term)
		r.terms[term] = id
		r.names = append(r.names, term)
		r.stems = append(r.stems, unseen)
	}
	return id
}
