package lexicon

import (
	"context"
	"math"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"kdd/format"
	"kdd/runtime/analyze"
)

// Document is what is indexed of one document. Its rows are numbered from the bases that come before it.
type Document struct {
	Language analyze.Lang
	Title    string
	Sections []Section
	Bytes    int // of its text: how runs are balanced
}

// Section is one section: the headings above it and its own, and the bodies of its chunks.
type Section struct {
	Path   []string
	Chunks []string
}

// Link is a distinct text of links that point at a node.
type Link struct {
	Target   format.NodeID
	Text     string
	Count    uint32
	Language analyze.Lang
}

// Lexicon is the inverted index, in the shapes of package format.
type Lexicon struct {
	Terms    []string
	TermList []uint32
	Lists    []format.List
	Links    []format.LinkText

	TitleTokens []uint32 // by document
	PathTokens  []uint32 // by section
	BodyTokens  []uint32 // by chunk
}

// Build inverts documents and links. It ends early with ctx's error. Cost: linear in the text, in parallel.
func Build(ctx context.Context, docs []Document, links []Link) (*Lexicon, error) {
	runs := cut(docs, 4*runtime.GOMAXPROCS(0))
	parts := make([]*run, len(runs))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	lx := &Lexicon{TitleTokens: make([]uint32, len(docs))}
	var sections, chunks int
	for i, r := range runs {
		parts[i] = &run{lexicon: lx, docs: docs[r.from:r.to], doc: r.from, section: sections, chunk: chunks, terms: map[string]uint32{}}
		for _, d := range docs[r.from:r.to] {
			sections += len(d.Sections)
			for _, s := range d.Sections {
				chunks += len(s.Chunks)
			}
		}
	}
	lx.PathTokens, lx.BodyTokens = make([]uint32, sections), make([]uint32, chunks)
	for _, p := range parts {
		group.Go(func() error { return p.invert(ctx) })
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	linkRun := &run{lexicon: lx, terms: map[string]uint32{}, analyzer: analyze.New()}
	lx.Links = make([]format.LinkText, len(links))
	for i, l := range links {
		n := linkRun.add(format.LinkField, uint32(i), l.Text, l.Language)
		lx.Links[i] = format.LinkText{Target: l.Target, Text: l.Text, Tokens: n, Count: l.Count}
	}
	lx.join(docs, append(parts, linkRun))
	lx.weighLinks(links)
	return lx, nil
}

type span struct{ from, to int }

// cut splits documents into at most n runs of about equal bytes.
func cut(docs []Document, n int) []span {
	var total int
	for _, d := range docs {
		total += d.Bytes
	}
	each := total/n + 1
	var runs []span
	at, size := 0, 0
	for i, d := range docs {
		if size += d.Bytes; size >= each {
			runs = append(runs, span{at, i + 1})
			at, size = i+1, 0
		}
	}
	if at < len(docs) {
		runs = append(runs, span{at, len(docs)})
	}
	return runs
}

// run is the inverted index of a run of documents.
type run struct {
	lexicon             *Lexicon
	docs                []Document
	doc, section, chunk int // numbers of the first ones
	terms               map[string]uint32
	names               []string // by number in lists
	lists               []list
	analyzer            *analyze.Analyzer
	tokens              []analyze.Token
}

// list is a term's postings in one run.
type list struct {
	format.List
	stem string // of a folded form: the stem term that stands wherever it stands; "" if there is none
}

// unstemmed marks a folded form that somewhere stands without a stem, or with another one.
const unstemmed = "\x00"

func (r *run) invert(ctx context.Context) error {
	r.analyzer = analyze.New()
	doc, section, chunk := r.doc, r.section, r.chunk
	for _, d := range r.docs {
		if err := ctx.Err(); err != nil {
			return err
		}
		r.lexicon.TitleTokens[doc] = r.add(format.TitleField, uint32(doc), d.Title, d.Language)
		for _, s := range d.Sections {
			r.lexicon.PathTokens[section] = r.add(format.PathField, uint32(section), strings.Join(s.Path, "\n"), d.Language)
			for _, body := range s.Chunks {
				r.lexicon.BodyTokens[chunk] = r.add(format.BodyField, uint32(chunk), body, d.Language)
				chunk++
			}
			section++
		}
		doc++
	}
	return nil
}

// add indexes a text as one row of a field and returns its length in tokens.
func (r *run) add(field format.FieldID, row uint32, text string, lang analyze.Lang) uint32 {
	r.tokens = r.analyzer.Tokens(r.tokens[:0], text)
	var n uint32
	for i := range r.tokens {
		t := &r.tokens[i]
		if t.Counts() && !t.IndexOnly() {
			n++
		}
		stem := unstemmed
		if !t.Whole && !t.CJK && lang != "" {
			if s := r.analyzer.Stem(lang, t.Lower); s != "" {
				stem = r.intern(analyze.StemTerm(lang, s))
				r.post(field, row, stem, t.Pos)
			}
		}
		if fold := r.post(field, row, t.Fold, t.Pos); fold.stem == "" {
			fold.stem = stem
		} else if fold.stem != stem {
			fold.stem = unstemmed
		}
	}
	return n
}

// intern returns the run's own copy of a term that it already has, else the term.
func (r *run) intern(term string) string {
	if id, ok := r.terms[term]; ok {
		return r.names[id]
	}
	return term
}

func (r *run) post(field format.FieldID, row uint32, term string, pos uint32) *list {
	id, ok := r.terms[term]
	if !ok {
		id = uint32(len(r.lists))
		term = strings.Clone(term)
		r.terms[term] = id
		r.names = append(r.names, term)
		r.lists = append(r.lists, list{})
	}
	l := &r.lists[id]
	p := &l.Fields[field]
	if n := len(p.Rows); n > 0 && p.Rows[n-1] == row {
		p.Freqs[n-1]++
	} else {
		p.Rows, p.Freqs = append(p.Rows, row), append(p.Freqs, 1)
	}
	if field != format.LinkField {
		p.Positions = append(p.Positions, pos)
	}
	return l
}

// join sorts the terms of all runs and joins their lists in the runs' order.
func (lx *Lexicon) join(docs []Document, runs []*run) {
	all := map[string]struct{}{}
	for _, r := range runs {
		for t := range r.terms {
			all[t] = struct{}{}
		}
	}
	lx.Terms = make([]string, 0, len(all))
	for t := range all {
		lx.Terms = append(lx.Terms, t)
	}
	slices.Sort(lx.Terms)
	lx.Lists = make([]format.List, len(lx.Terms))
	lx.TermList = make([]uint32, len(lx.Terms))

	places := newPlaces(docs)
	stems := make([]string, len(lx.Terms))
	each(len(lx.Terms), func(i int) {
		lx.TermList[i] = uint32(i)
		all := &lx.Lists[i]
		for _, r := range runs {
			id, ok := r.terms[lx.Terms[i]]
			if !ok {
				continue
			}
			from := &r.lists[id]
			for f := range all.Fields {
				join(&all.Fields[f], &from.Fields[f])
			}
			if stems[i] == "" {
				stems[i] = from.stem
			} else if stems[i] != from.stem {
				stems[i] = unstemmed
			}
		}
		all.Chunks = places.count(all)
	})
	// A folded form that stands just where its stem stands has the stem's list. One that always stands with the same
	// stem has no positions of its own: they are among the stem's.
	each(len(lx.Terms), func(i int) {
		if stems[i] == "" || stems[i] == unstemmed {
			return
		}
		at, ok := slices.BinarySearch(lx.Terms, stems[i])
		if ok && samePostings(&lx.Lists[i], &lx.Lists[at]) {
			lx.TermList[i] = uint32(at)
		}
	})
	for i := range lx.Terms {
		if stems[i] == "" || stems[i] == unstemmed {
			continue
		}
		if lx.TermList[i] != uint32(i) {
			lx.Lists[i] = lx.Lists[lx.TermList[i]]
			continue
		}
		for f := range lx.Lists[i].Fields {
			lx.Lists[i].Fields[f].Positions = nil
		}
	}
}

// each calls f for 0 to n-1, in parallel.
func each(n int, f func(i int)) {
	var group errgroup.Group
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		group.Go(func() error {
			for i := w; i < n; i += workers {
				f(i)
			}
			return nil
		})
	}
	group.Wait()
}

// join appends a run's postings of one field.
func join(to, from *format.FieldPostings) {
	if to.Rows == nil {
		*to = *from
		return
	}
	to.Rows = append(to.Rows, from.Rows...)
	to.Freqs = append(to.Freqs, from.Freqs...)
	to.Positions = append(to.Positions, from.Positions...)
}

func samePostings(a, b *format.List) bool {
	for f := range a.Fields {
		if !slices.Equal(a.Fields[f].Rows, b.Fields[f].Rows) || !slices.Equal(a.Fields[f].Freqs, b.Fields[f].Freqs) {
			return false
		}
	}
	return true
}

// places knows which chunks a title's and a heading path's words stand for.
type places struct {
	docs     []span // by document: its chunks
	sections []span // by section: its own chunks
}

func newPlaces(docs []Document) *places {
	p := &places{}
	chunk := 0
	for _, d := range docs {
		first := chunk
		for _, s := range d.Sections {
			p.sections = append(p.sections, span{chunk, chunk + len(s.Chunks)})
			chunk += len(s.Chunks)
		}
		p.docs = append(p.docs, span{first, chunk})
	}
	return p
}

// count returns in how many chunks a term stands, through title, heading path or body.
func (p *places) count(l *format.List) uint32 {
	title, path, body := l.Fields[format.TitleField].Rows, l.Fields[format.PathField].Rows, l.Fields[format.BodyField].Rows
	n, done := 0, 0 // chunks below done are counted
	for len(title) > 0 || len(path) > 0 || len(body) > 0 {
		next := span{math.MaxInt, 0}
		var take *[]uint32
		if len(title) > 0 {
			next, take = p.docs[title[0]], &title
		}
		if len(path) > 0 && p.sections[path[0]].from < next.from {
			next, take = p.sections[path[0]], &path
		}
		if len(body) > 0 && int(body[0]) < next.from {
			next, take = span{int(body[0]), int(body[0]) + 1}, &body
		}
		if take == nil { // only an empty span is left at the end
			break
		}
		*take = (*take)[1:]
		if next.to > done {
			n += next.to - max(next.from, done)
			done = next.to
		}
	}
	return uint32(n)
}

// weighLinks gives each link text the sum of the idf of its distinct stems.
func (lx *Lexicon) weighLinks(links []Link) {
	a := analyze.New()
	var tokens []analyze.Token
	n := float64(len(lx.BodyTokens))
	for i, l := range links {
		tokens = a.Tokens(tokens[:0], l.Text)
		seen := map[string]bool{}
		var sum float64
		for _, t := range tokens {
			if t.Whole || t.IndexOnly() || analyze.IsStop(l.Language, t.Fold) {
				continue
			}
			term := t.Fold
			if !t.CJK && l.Language != "" {
				if s := a.Stem(l.Language, t.Lower); s != "" {
					term = analyze.StemTerm(l.Language, s)
				}
			}
			if seen[term] {
				continue
			}
			seen[term] = true
			df := 0.0
			if at, ok := slices.BinarySearch(lx.Terms, term); ok {
				df = float64(lx.Lists[at].Chunks)
			}
			sum += math.Log(1 + (n-df+0.5)/(df+0.5))
		}
		lx.Links[i].IDF = float32(sum)
	}
}
