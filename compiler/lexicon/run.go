package lexicon

import (
	"context"
	"strings"

	"kdd/format/index"
	"kdd/format/text"
)

// run is the inverted index of a run of documents. While it is made it is a log, in order of the text; pack sorts that
// by term.
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
	pairs    pairCounter
	*scratch

	// What pack makes: rows and freqs of a term's field at rowAt[key] to rowAt[key+1], positions likewise.
	rowAt, posAt           []uint32
	rows, freqs, positions []uint32

	counted []index.PairCount // pairs of terms, by hash
	filters [][]byte          // of pairs, by document
}

// scratch is memory that one run after another uses: the log is larger than what is made of it.
type scratch struct {
	tokens []text.Token
	row    []pairWord
	log    []posting
}

// posting is a term at a place.
type posting struct {
	key      uint32 // term and field
	row, pos uint32
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
	return &run{scratch: &scratch{}, lexicon: lx, terms: map[string]uint32{}, words: map[text.Lang]map[string]word{}, pairs: pairCounter{counts: map[uint32]pairCount{}}}
}

func (r *run) invert(ctx context.Context) error {
	r.analyzer = text.New()
	doc, section, chunk := r.doc, r.section, r.chunk
	for _, d := range r.docs {
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
	}
	r.pack()
	r.counted, r.filters = r.pairs.sorted(), r.pairs.filters
	return nil
}

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
func (r *run) pair(term, with uint32) {
	if companion := &r.stems[term]; *companion == unseen {
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

// pack sorts the log by term and field. Rows and positions ascend in the log already.
func (r *run) pack() {
	n := len(r.names) * fields
	r.rowAt, r.posAt = make([]uint32, n+1), make([]uint32, n+1)
	last := make([]uint32, n) // the row before, plus one
	for i := range r.log {
		p := &r.log[i]
		key := p.key
		if last[key] != p.row+1 {
			last[key] = p.row + 1
			r.rowAt[key+1]++
		}
		if p.placed() {
			r.posAt[key+1]++
		}
	}
	for key := range n {
		r.rowAt[key+1] += r.rowAt[key]
		r.posAt[key+1] += r.posAt[key]
	}
	r.rows, r.freqs = make([]uint32, r.rowAt[n]), make([]uint32, r.rowAt[n])
	r.positions = make([]uint32, r.posAt[n])
	clear(last)
	rowEnd, posEnd := make([]uint32, n), make([]uint32, n)
	copy(rowEnd, r.rowAt)
	copy(posEnd, r.posAt)
	for i := range r.log {
		p := &r.log[i]
		key := p.key
		if last[key] != p.row+1 {
			last[key] = p.row + 1
			r.rows[rowEnd[key]] = p.row
			rowEnd[key]++
		}
		r.freqs[rowEnd[key]-1]++
		if p.placed() {
			r.positions[posEnd[key]] = p.pos
			posEnd[key]++
		}
	}
	r.terms, r.words, r.analyzer, r.docs, r.scratch = nil, nil, nil, nil, nil
}

// keyOf numbers a term's field. A run has as many terms as its text has words, at most, so 30 bits of them are enough.
func keyOf(term uint32, field index.FieldID) uint32 { return term*uint32(fields) + uint32(field) }

// placed says whether the posting's field has positions.
func (p *posting) placed() bool { return index.FieldID(p.key%uint32(fields)) != index.LinkField }

// part points l's fields at what the run has of a term.
func (r *run) part(term uint32, l *index.List) {
	for f := range l.Fields {
		key := keyOf(term, index.FieldID(f))
		from, to := r.rowAt[key], r.rowAt[key+1]
		l.Fields[f] = index.FieldPostings{Rows: r.rows[from:to], Freqs: r.freqs[from:to], Positions: r.positions[r.posAt[key]:r.posAt[key+1]]}
	}
}
