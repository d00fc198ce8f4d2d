package search

import (
	"cmp"
	"context"
	"encoding/binary"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"kdd/format/index"
	"kdd/format/text"
	"kdd/runtime/artifact"
	"kdd/runtime/names"
	"kdd/runtime/render"
	"kdd/runtime/search/fuse"
	"kdd/runtime/search/lexical"
	"kdd/runtime/search/query"
	"kdd/runtime/search/vector"
	"kdd/runtime/wire"
)

// similarTerms is how many words of a text are searched for if there are no vectors.
const similarTerms = 24

// Similar is the operation of that name; runtime.Service says what it does.
func Similar(ctx context.Context, open artifact.Opener, q wire.SimilarRequest) (resp *wire.SimilarResponse, err error) {
	start := time.Now()
	q.Limit = cmp.Or(q.Limit, 5)
	switch {
	case strings.TrimSpace(q.File) == "":
		return nil, wire.Empty("file", "give a path, path#anchor, chunk, id or title")
	case q.Limit < 0:
		return nil, wire.Negative("limit", q.Limit)
	}
	if err := badDetail(q.Detail); err != nil {
		return nil, err
	}
	set, err := open(ctx)
	if err != nil {
		return nil, err
	}
	defer set.Done(ctx, &err)
	pages, err := render.NewPages(set.ID(), "similar", q.Cursor, q)
	if err != nil {
		return nil, err
	}
	of, err := originOf(set, q.File)
	if err != nil {
		return nil, err
	}
	r, err := similarTo(ctx, set, of, &q.Filter)
	if err != nil {
		return nil, err
	}
	defer r.Release()
	a := of.Artifact
	resp = &wire.SimilarResponse{
		Envelope: set.Envelope("similar_response.v1"), File: q.File, Path: a.DocPath(of.Doc), Anchor: a.SectionAnchor(of.Section), Title: a.DocTitle(of.Doc),
		Mode: r.Mode, Index: set.IndexName(a),
	}
	if of.IsChunk {
		first, _ := a.SectionChunks(of.Section)
		resp.Chunk = ChunkName(resp.Path, resp.Anchor, int(of.Chunk-first)+1)
	}
	resp.Warnings = r.Warnings
	shown := &wire.SearchResponse{}
	Show(set, shown, r, pages.From, q.Limit, false)
	resp.Results, resp.Count = shown.Results, shown.Count
	for i := range resp.Results {
		resp.Results[i].Marked = nil // nothing was asked for by its words
	}
	resp.Brief = detailed(resp.Results, q.Detail)
	resp.Truncated, resp.Cursor = pages.More(len(r.Hits), q.Limit)
	resp.TimeMS = wire.Milliseconds(time.Since(start))
	wire.FitSimilar(resp, pages.Budget(q.MaxBytes))
	return resp, nil
}

// originOf finds the place that similar sections are wanted for: a path, section or chunk, or a node with that id,
// title or other name.
func originOf(set *artifact.Set, file string) (*names.Place, error) {
	if p, err := names.FindPlace(set, file, ""); err == nil {
		return p, nil
	}
	a, m, _, err := names.FindNode(set, file)
	if err != nil {
		return nil, err
	}
	return &names.Place{Artifact: a, Doc: a.NodeDoc(m.Node), Section: a.NodeSection(m.Node)}, nil
}

// similarTo ranks all sections by their similarity to a place.
func similarTo(ctx context.Context, set *artifact.Set, of *names.Place, filter *wire.Filter) (*Ranking, error) {
	terms := typicalTerms(of)
	vec, err := meanVector(of)
	if err != nil {
		return nil, err
	}
	var r *Ranking
	if vec == nil {
		if r, err = Rank(ctx, set, &Request{Text: terms, typed: true, Mode: ModeLexical, Filter: filter, Names: NoNames, Want: set.Sections()}); err != nil {
			return nil, err
		}
		r.warn("no vectors in this index: by common words only")
	} else if r, err = nearestTo(ctx, set, of, vec, terms, filter); err != nil {
		return nil, err
	}
	r.arranged = true
	first, end := of.Sections()
	own := slices.Index(set.Artifacts, of.Artifact)
	var list, late []Result
	for _, h := range r.Hits {
		switch {
		case h.Index != own || h.Doc != of.Doc:
			list = append(list, h)
		case h.Section < first || h.Section >= end:
			late = append(late, h)
		}
	}
	list = Spread(distinct(set, list), true)
	r.Hits = append(list, late...)
	return r, nil
}

// nearestTo ranks sections by the cosine of their best chunk.
func nearestTo(ctx context.Context, set *artifact.Set, of *names.Place, vec []float32, terms string, filter *wire.Filter) (*Ranking, error) {
	admitted, warnings, err := admit(set, filter)
	if err != nil {
		return nil, err
	}
	r := &Ranking{Queries: query.Parse(set.Indexes(), terms), Mode: ModeVector, Warnings: warnings}
	for i, a := range set.Artifacts {
		s := &Scores{mode: ModeVector, scorer: lexical.NewScorer(a.Index, a.Rows(), 1, admitted[i])}
		r.Scored = append(r.Scored, s)
		vectors, err := a.Vectors()
		if err != nil {
			return nil, err
		}
		if vectors == nil || a.Meta.Model == nil || a.Meta.Model.SHA256 != of.Artifact.Meta.Model.SHA256 || vectors.Dim != len(vec) {
			r.warn("index " + a.Name + " has no vectors of the same model: left out")
			continue
		}
		s.Signals.Cosine = make([]float32, a.Chunks())
		view := &vector.View{Vectors: vectors}
		if _, err := view.Cosines(ctx, vector.NewQuery(vec), AdmittedRows(a, s), s.Signals.Cosine); err != nil {
			return nil, err
		}
		r.Hits = append(r.Hits, nearHits(a, s, i)...)
	}
	slices.SortStableFunc(r.Hits, func(a, b Result) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Index, b.Index), cmp.Compare(a.Section, b.Section))
	})
	return r, nil
}

// nearHits returns the sections of admitted documents that have a similar chunk.
func nearHits(a *artifact.Artifact, s *Scores, artifactAt int) []Result {
	var hits []Result
	rows, near := a.Rows(), float32(a.Meta.Weights.Near)
	for c, cosine := range s.Signals.Cosine {
		doc := index.DocID(rows.Doc[c])
		if cosine < near || !s.scorer.Allowed(doc) {
			continue
		}
		section := index.SectionID(rows.Section[c])
		if n := len(hits); n > 0 && hits[n-1].Section == section {
			if float64(cosine) <= hits[n-1].Score {
				continue
			}
			hits = hits[:n-1]
		}
		score := float64(cosine)
		hits = append(hits, Result{Hit: fuse.Hit{Section: section, Doc: doc, Chunk: index.ChunkID(c), Score: score, Own: score}, Index: artifactAt, Calibrated: min(score, 1), class: notNamed})
	}
	return hits
}

// meanVector returns the unit vector of the mean of a place's chunks. It is nil if the artifact has no vectors, or if
// the mean is zero.
func meanVector(p *names.Place) ([]float32, error) {
	from, to := p.Chunks()
	v, err := p.Artifact.Vectors()
	if err != nil || v == nil || p.Artifact.Meta.Model == nil || from >= to {
		return nil, err
	}
	sum := make([]float64, v.Dim)
	scales := v.Scales(uint32(from), uint32(to-from))
	for c := uint32(from); c < uint32(to); c++ {
		scale := float64(math.Float32frombits(binary.LittleEndian.Uint32(scales[4*(c-uint32(from)):])))
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

// maxSimilarBytes bounds the text that typicalTerms reads.
const maxSimilarBytes = 64 << 10

// typicalTerms returns the words that are most typical of a place's text: the first by (1 + ln tf) · idf (Salton &
// Buckley 1988), among words that other chunks have too.
func typicalTerms(p *names.Place) string {
	a := p.Artifact
	sec := a.Section(p.Section)
	from, to := p.Bounds()
	raw := a.AppendText([]byte(sec.Heading+"\n"), a.Text.Reader(), p.Doc, from, min(to, from+maxSimilarBytes))
	lang := text.Lang(a.DocLanguage(p.Doc))
	count := map[string]int{}
	analyzer := text.Borrow()
	defer analyzer.Return()
	for _, t := range analyzer.Tokens(nil, string(raw)) {
		if !t.IndexOnly() && !text.IsStop(lang, t.Fold) {
			count[t.Fold]++
		}
	}
	query.Fetch(a.Index, slices.Collect(maps.Keys(count)))
	first, last := p.Chunks()
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
