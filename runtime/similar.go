package runtime

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"time"

	"kdd/format"
	"kdd/format/text"
	"kdd/runtime/fuse"
	"kdd/runtime/lexical"
	"kdd/runtime/query"
	"kdd/runtime/vector"
	"kdd/runtime/wire"
)

// similarTerms is how many words of a text stand for it where words are compared.
const similarTerms = 24

// Similar finds the sections that are nearest in meaning to a document, section or chunk, nearest first. Those of its own
// document come after all others, and what is asked about is not among them.
//
// With vectors a section's score is the largest cosine of its chunks with the mean of what is asked about; sections below
// the weight Near are not similar. Nothing is stored for this: comparing every row is exact under each filter, which stored neighbours
// are not, takes a millisecond for 32,768 chunks, and is 2 % of what an answer takes (bench/neighbours). Without vectors the rarest frequent words are searched for.
//
// Several artifacts answer together where they have vectors of one model; others are left out with a warning.
//
// Errors: not_found with suggestions, invalid_input for a malformed filter. Cost: one pass over the vectors, and over the
// chunks.
func (s *Service) Similar(ctx context.Context, q wire.SimilarRequest) (*wire.SimilarResponse, error) {
	start := time.Now()
	q.Limit = cmp.Or(q.Limit, 5)
	switch {
	case strings.TrimSpace(q.File) == "":
		return nil, empty("file", "give a path, path#anchor, chunk, id or title")
	case q.Limit < 0:
		return nil, negative("limit", q.Limit)
	}
	var resp *wire.SimilarResponse
	err := s.with(ctx, func(set *set) error {
		pages, err := newPager(set.id(), "similar", q.Cursor, q)
		if err != nil {
			return err
		}
		of, err := set.origin(q.File)
		if err != nil {
			return err
		}
		r, err := set.similar(ctx, of, &q.Filter)
		if err != nil {
			return err
		}
		a := of.a
		resp = &wire.SimilarResponse{
			Envelope: set.envelope("similar_response.v1"), File: q.File, Path: a.DocPath(of.doc), Anchor: a.SectionAnchor(of.section), Title: a.DocTitle(of.doc),
			Mode: r.mode, Index: set.indexName(a),
		}
		if of.isChunk {
			first, _ := a.SectionChunks(of.section)
			resp.Chunk = chunkName(resp.Path, resp.Anchor, int(of.chunk-first)+1)
		}
		resp.Warnings = r.warnings
		shown := &wire.SearchResponse{}
		set.show(shown, r, pages.from, q.Limit, false)
		resp.Results, resp.Count = shown.Results, shown.Count
		resp.Truncated, resp.Cursor = pages.more(len(r.hits), q.Limit)
		resp.TimeMS = wire.Milliseconds(time.Since(start))
		wire.FitSimilar(resp, pages.budget(q.MaxBytes))
		return nil
	})
	return resp, err
}

// origin finds what is asked about: a path, section or chunk, else what has that id, title or other name.
func (set *set) origin(file string) (*place, error) {
	if p, err := set.place(file, ""); err == nil {
		return p, nil
	}
	a, m, _, err := set.entity(file)
	if err != nil {
		return nil, err
	}
	return &place{a: a, doc: a.NodeDoc(m.Node), section: a.NodeSection(m.Node)}, nil
}

// sections returns the sections [from, to) of a place, its sub-sections among them.
func (p *place) sections() (from, to format.SectionID) { return p.section, p.a.SectionEnd(p.section) }

// chunks returns the chunks [from, to) of a place.
func (p *place) chunks() (from, to format.ChunkID) {
	if p.isChunk {
		return p.chunk, p.chunk + 1
	}
	first, end := p.sections()
	from, _ = p.a.SectionChunks(first)
	_, to = p.a.SectionChunks(end - 1)
	return from, to
}

// similar ranks all sections by their likeness to a place.
func (set *set) similar(ctx context.Context, of *place, filter *wire.Filter) (*ranking, error) {
	terms := of.terms()
	vec, err := of.vector()
	if err != nil {
		return nil, err
	}
	var r *ranking
	if vec == nil {
		if r, err = set.rank(ctx, &ask{text: terms, typed: true, mode: modeLexical, filter: filter, names: noNames, want: set.sections()}); err != nil {
			return nil, err
		}
		r.warn("no vectors in this index: by common words only")
	} else if r, err = set.nearest(ctx, of, vec, terms, filter); err != nil {
		return nil, err
	}
	r.arranged = true
	first, end := of.sections()
	own := slices.Index(set.artifacts, of.a)
	var list, late []ranked
	for _, h := range r.hits {
		switch {
		case h.index != own || h.Doc != of.doc:
			list = append(list, h)
		case h.Section < first || h.Section >= end:
			late = append(late, h)
		}
	}
	list, _ = spread(set.distinct(list))
	r.hits = append(list, late...)
	return r, nil
}

// nearest ranks sections by the cosine of their best chunk.
func (set *set) nearest(ctx context.Context, of *place, vec []float32, terms string, filter *wire.Filter) (*ranking, error) {
	admitted, warnings, err := set.admit(filter)
	if err != nil {
		return nil, err
	}
	r := &ranking{queries: query.Parse(set.indexes(), terms), mode: modeVector, warnings: warnings}
	for i, a := range set.artifacts {
		s := &scored{mode: modeVector, scorer: lexical.NewScorer(a.Index, a.rows(), 1, admitted[i])}
		r.scored = append(r.scored, s)
		vectors, err := a.Vectors()
		if err != nil {
			return nil, err
		}
		if vectors == nil || a.Meta.Model == nil || a.Meta.Model.SHA256 != of.a.Meta.Model.SHA256 || vectors.Dim != len(vec) {
			r.warn("index " + a.name + " has no vectors of the same model: left out")
			continue
		}
		s.signals.Cosine = make([]float32, a.Chunks())
		view := &vector.View{Vectors: vectors}
		if err := view.Cosines(ctx, vector.NewQuery(vec), a.candidates(s), nil, s.signals.Cosine); err != nil {
			return nil, err
		}
		r.hits = append(r.hits, a.nearHits(s, i)...)
	}
	slices.SortStableFunc(r.hits, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.index, b.index), cmp.Compare(a.Section, b.Section))
	})
	r.total = len(r.hits)
	return r, nil
}

// nearHits returns the sections of admitted documents that have a chunk that is near.
func (a *artifact) nearHits(s *scored, index int) []ranked {
	var hits []ranked
	rows, near := a.rows(), float32(a.Meta.Weights.Near)
	for c, cosine := range s.signals.Cosine {
		doc := format.DocID(rows.Doc[c])
		if cosine < near || !s.scorer.Allowed(doc) {
			continue
		}
		section := format.SectionID(rows.Section[c])
		if n := len(hits); n > 0 && hits[n-1].Section == section {
			if float64(cosine) <= hits[n-1].Score {
				continue
			}
			hits = hits[:n-1]
		}
		score := float64(cosine)
		hits = append(hits, ranked{Hit: fuse.Hit{Section: section, Doc: doc, Chunk: format.ChunkID(c), Score: score, Own: score}, index: index, score: min(score, 1), class: notNamed})
	}
	return hits
}

// vector returns the unit vector of the mean of a place's chunks; nil if its artifact has none, or if they cancel out.
func (p *place) vector() ([]float32, error) {
	from, to := p.chunks()
	v, err := p.a.Vectors()
	if err != nil || v == nil || p.a.Meta.Model == nil || from >= to {
		return nil, err
	}
	sum := make([]float64, v.Dim)
	scales := v.Scales()
	for c := uint32(from); c < uint32(to); c++ {
		scale := float64(math.Float32frombits(binary.LittleEndian.Uint32(scales[4*c:])))
		for k, b := range v.Rows(c, 1) {
			sum[k] += float64(int8(b)) * scale
		}
	}
	var length float64
	for _, x := range sum {
		length += x * x
	}
	if !(length > 0) || math.IsInf(length, 0) {
		return nil, nil
	}
	vec := make([]float32, v.Dim)
	for k, x := range sum {
		vec[k] = float32(x / math.Sqrt(length))
	}
	return vec, nil
}

// maxSimilarBytes is how much of a text is looked at for its words.
const maxSimilarBytes = 64 << 10

// terms returns the words that tell a place's text from others: the first by (1 + ln tf) · idf (Salton & Buckley 1988),
// among those that stand in other chunks too.
func (p *place) terms() string {
	a := p.a
	sec := a.Section(p.section)
	from, to := p.bounds()
	raw := a.AppendText([]byte(sec.Heading+"\n"), a.Text.Reader(), p.doc, from, min(to, from+maxSimilarBytes))
	lang := text.Lang(a.DocLanguage(p.doc))
	count := map[string]int{}
	analyzer := text.Borrow()
	defer analyzer.Return()
	for _, t := range analyzer.Tokens(nil, string(raw)) {
		if !t.IndexOnly() && !text.IsStop(lang, t.Fold) {
			count[t.Fold]++
		}
	}
	first, last := p.chunks()
	type term struct {
		text   string
		weight float64
	}
	var list []term
	for word, tf := range count {
		id, ok := a.Term(word)
		if !ok {
			continue
		}
		if df := a.Postings(id).Chunks; df > 1 && uint64(df) > uint64(min(int(last-first), tf)) {
			list = append(list, term{word, (1 + math.Log(float64(tf))) * query.IDF(float64(a.Chunks()), float64(df))})
		}
	}
	slices.SortStableFunc(list, func(a, b term) int { return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.text, b.text)) })
	words := make([]string, 0, similarTerms)
	for _, t := range list[:min(similarTerms, len(list))] {
		words = append(words, t.text)
	}
	return strings.Join(words, " ")
}
