package lexicon

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"kdd/format/index"
	"kdd/format/text"
)

// place is where a term stands.
type place struct {
	field    index.FieldID
	row, pos uint32
}

// naive is the inverted index by maps, one place at a time: what Build must say.
type naive struct {
	pairs  map[[2]string]map[uint32]bool // chunks that have two terms side by side
	places map[string][]place
	stems  map[string]map[string]bool // folded form → the stem terms that it stands with; "" for without one
	chunks map[string]map[uint32]bool // through title, path and body

	filters [][]uint32 // by document, hashes of its pairs

	title, path, body, link []uint32 // lengths
	idf                     []float64
}

func newNaive(docs []Document, links []Link) *naive {
	n := &naive{pairs: map[[2]string]map[uint32]bool{}, places: map[string][]place{}, stems: map[string]map[string]bool{}, chunks: map[string]map[uint32]bool{}}
	doc, section, chunk := uint32(0), uint32(0), uint32(0)
	for _, d := range docs {
		first := chunk
		var all []uint32
		for _, s := range d.Sections {
			var own []uint32
			for _, body := range s.Chunks {
				n.body = append(n.body, n.add(index.BodyField, chunk, body, d.Language, []uint32{chunk}))
				own = append(own, chunk)
				chunk++
			}
			n.path = append(n.path, n.add(index.PathField, section, strings.Join(s.Path, "\n"), d.Language, own))
			section++
		}
		for c := first; c < chunk; c++ {
			all = append(all, c)
		}
		n.filters = append(n.filters, filtered(d))
		n.title = append(n.title, n.add(index.TitleField, doc, d.Title, d.Language, all))
		doc++
	}
	for i, l := range links {
		n.link = append(n.link, n.add(index.LinkField, uint32(i), l.Text, l.Language, nil))
	}
	for _, l := range links {
		n.idf = append(n.idf, n.weight(l, float64(chunk)))
	}
	return n
}

// forms returns the terms of a token: its folded form, and its stem or "". (Token.ExactTerm is the third.)
func forms(t text.Token, lang text.Lang) (fold, stem string) {
	if t.Whole || t.CJK || lang == "" {
		return t.Fold, ""
	}
	if s := text.New().Stem(lang, t.Lower); s != "" {
		return t.Fold, text.StemTerm(lang, s)
	}
	return t.Fold, ""
}

// own is what a word is in a pair: its stem, or its folded form where it has none.
func own(t text.Token, lang text.Lang) string {
	fold, stem := forms(t, lang)
	return cmp.Or(stem, fold)
}

// filtered returns the hashes of the pairs of a document's filter.
func filtered(d Document) (hashes []uint32) {
	texts := []string{d.Title}
	for _, s := range d.Sections {
		texts = append(append(texts, strings.Join(s.Path, "\n")), s.Chunks...)
	}
	names := func(t text.Token) []string {
		list := []string{own(t, d.Language)}
		if t.Fold != t.Lower {
			list = append(list, t.Fold)
		}
		return list
	}
	for _, raw := range texts {
		tokens := text.New().Tokens(nil, raw)
		for _, a := range tokens {
			for _, b := range tokens {
				if a.Pos+1 != b.Pos {
					continue
				}
				for _, first := range names(a) {
					for _, second := range names(b) {
						hashes = append(hashes, index.PairHash(first, second))
					}
				}
			}
		}
	}
	return hashes
}

func (n *naive) add(field index.FieldID, row uint32, raw string, lang text.Lang, chunks []uint32) uint32 {
	var length uint32
	tokens := text.New().Tokens(nil, raw)
	for _, a := range tokens {
		for _, b := range tokens {
			if a.Pos+1 != b.Pos {
				continue
			}
			pair := [2]string{own(a, lang), own(b, lang)}
			if n.pairs[pair] == nil {
				n.pairs[pair] = map[uint32]bool{}
			}
			for _, c := range chunks {
				n.pairs[pair][c] = true
			}
		}
	}
	for _, t := range tokens {
		if !t.Whole && !t.IndexOnly() {
			length++
		}
		fold, stem := forms(t, lang)
		if n.stems[fold] == nil {
			n.stems[fold] = map[string]bool{}
		}
		n.stems[fold][stem] = true
		exact := t.ExactTerm()
		if n.stems[exact] == nil {
			n.stems[exact] = map[string]bool{}
		}
		n.stems[exact][cmp.Or(stem, fold)] = true
		for _, term := range []string{fold, stem, exact} {
			if term == "" {
				continue
			}
			n.places[term] = append(n.places[term], place{field, row, t.Pos})
			if n.chunks[term] == nil {
				n.chunks[term] = map[uint32]bool{}
			}
			for _, c := range chunks {
				n.chunks[term][c] = true
			}
		}
	}
	return length
}

func (n *naive) weight(l Link, chunks float64) float64 {
	terms := map[string]bool{}
	for _, t := range text.New().Tokens(nil, l.Text) {
		if t.Whole || t.IndexOnly() || text.IsStop(l.Language, t.Fold) {
			continue
		}
		fold, stem := forms(t, l.Language)
		if stem != "" {
			fold = stem
		}
		terms[fold] = true
	}
	sum := 0.0
	for t := range terms {
		df := float64(len(n.chunks[t]))
		sum += math.Log(1 + (chunks-df+0.5)/(df+0.5))
	}
	return sum
}

// list returns a term's postings.
func (n *naive) list(term string) index.List {
	all := slices.Clone(n.places[term])
	slices.SortStableFunc(all, func(a, b place) int {
		if a.field != b.field {
			return int(a.field) - int(b.field)
		}
		if a.row != b.row {
			return int(a.row) - int(b.row)
		}
		return int(a.pos) - int(b.pos)
	})
	l := index.List{Chunks: uint32(len(n.chunks[term]))}
	for _, p := range all {
		f := &l.Fields[p.field]
		if k := len(f.Rows); k > 0 && f.Rows[k-1] == p.row {
			f.Freqs[k-1]++
		} else {
			f.Rows, f.Freqs = append(f.Rows, p.row), append(f.Freqs, 1)
		}
		if p.field != index.LinkField {
			f.Positions = append(f.Positions, p.pos)
		}
	}
	return l
}

// companion returns the stem that a folded form stands with wherever it stands, or "".
func (n *naive) companion(term string) string {
	if len(n.stems[term]) == 1 {
		for s := range n.stems[term] {
			return s
		}
	}
	return ""
}

// samePostings says whether two lists have the same rows and frequencies.
func samePostings(a, b *index.List) bool {
	for f := range a.Fields {
		if !slices.Equal(a.Fields[f].Rows, b.Fields[f].Rows) || !slices.Equal(a.Fields[f].Freqs, b.Fields[f].Freqs) {
			return false
		}
	}
	return true
}
