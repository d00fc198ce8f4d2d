package search

import (
	"fmt"
	"slices"
	"strings"

	"kdd/format/index"
	"kdd/format/plain"
	"kdd/format/text"
	"kdd/runtime/artifact"
	"kdd/runtime/names"
	"kdd/runtime/search/fuse"
	"kdd/runtime/search/query"
	"kdd/runtime/search/snippet"
	"kdd/runtime/wire"
)

// Show puts the hits [from, from+limit) into a search answer.
func Show(set *artifact.Set, resp *wire.SearchResponse, r *Ranking, from, limit int, explain bool) {
	resp.Results = []wire.Hit{}
	sources := make([]*hitSource, len(set.Artifacts))
	analyzer := text.Borrow()
	defer analyzer.Return()
	fetchShown(set, r.Hits[min(from, len(r.Hits)):min(from+limit, len(r.Hits))])
	for i := from; i < len(r.Hits) && i < from+limit; i++ {
		h := &r.Hits[i]
		src := sources[h.Index]
		if src == nil {
			src = newHitSource(set, r, h.Index, analyzer)
			sources[h.Index] = src
		}
		hit := src.hit(h)
		hit.Rank, hit.Index, hit.Moved = i+1, set.IndexName(src.a), h.moved
		if r.arranged {
			hit.Duplicates = duplicatesOf(src.a, h, src.scores.scorer.Allowed)
		}
		if r.grouped {
			hit.More = src.more(h, r.floor)
		}
		if explain {
			hit.Explain = src.explain(h)
		}
		resp.Results = append(resp.Results, hit)
	}
	resp.Count = len(resp.Results)
}

// detailed gives hits the detail that was asked for, and says whether that is brief.
func detailed(hits []wire.Hit, detail string) bool {
	switch detail {
	case wire.DetailBrief:
		wire.ShowBrief(hits)
	case wire.DetailFull:
		for i := range hits {
			hits[i].Highlights = hits[i].Marked
		}
	}
	return detail == wire.DetailBrief
}

// badDetail is the error of a value that detail does not take.
func badDetail(detail string) error {
	switch detail {
	case "", wire.DetailBrief, wire.DetailFull:
		return nil
	}
	return wire.BadChoice("detail", detail, "brief or full")
}

// matchedBy says whether a chunk has a word of the query, and whether it is similar in meaning.
func matchedBy(a *artifact.Artifact, c index.ChunkID, s *fuse.Signals) (words, meaning bool) {
	return s.BM25 != nil && s.BM25[c] > 0, s.Cosine != nil && s.Cosine[c] >= float32(a.Meta.Weights.Near)
}

// matches says whether a chunk has a word of the query or is similar in meaning.
func matches(a *artifact.Artifact, c index.ChunkID, s *fuse.Signals) bool {
	words, meaning := matchedBy(a, c, s)
	return words || meaning
}

// hitSource turns hits of one artifact into their wire form.
type hitSource struct {
	a         *artifact.Artifact
	scores    *Scores
	query     *query.Query
	terms     map[string]int // see askedTerms
	where     *artifact.Locator
	reader    *index.Reader
	raw       []byte         // text of the hit at hand
	spans     []snippet.Span // of highlights
	analyzer  *text.Analyzer
	explainer *fuse.Explainer
}

func newHitSource(set *artifact.Set, r *Ranking, artifactAt int, analyzer *text.Analyzer) *hitSource {
	a, s := set.Artifacts[artifactAt], r.Scored[artifactAt]
	return &hitSource{
		a: a, scores: s, query: r.Queries[artifactAt], terms: askedTerms(a, r.Queries[artifactAt]), where: set.Where(a), reader: set.Reader(a), analyzer: analyzer,
		explainer: fuse.NewExplainer(a.Rows(), s.scorer.Allowed, &a.Meta.Weights, &s.Signals),
	}
}

// maxShownBytes is how much of a chunk a snippet is chosen from. A chunk of a few hundred words may span megabytes of
// comments or pictures between them.
const maxShownBytes = 64 << 10

// hit turns a ranked section into its wire form.
func (x *hitSource) hit(h *Result) wire.Hit {
	a := x.a
	sec, chunk := a.Section(h.Section), a.Chunk(h.Chunk)
	first, _ := a.SectionChunks(h.Section)
	path := a.DocPath(h.Doc)
	hit := wire.Hit{
		Score: wire.Round4(h.Calibrated), Path: path, Anchor: sec.Anchor,
		Lines:        a.OwnLines(h.Doc, int(chunk.LineStart), int(chunk.LineEnd)),
		SectionLines: a.OwnLines(h.Doc, int(sec.LineStart), int(sec.LineEnd)),
		Included:     a.IncludedIn(h.Doc, int(chunk.LineStart), int(chunk.LineEnd)),
		Title:        a.DocTitle(h.Doc), Chunk: ChunkName(path, sec.Anchor, int(h.Chunk-first)+1),
		Type: a.DocChunkType(h.Doc), Kind: a.DocKind(h.Doc), Domain: a.DocDomain(h.Doc), Status: a.DocStatus(h.Doc), Date: a.DocDate(h.Doc), Version: a.DocVersion(h.Doc), SupersededBy: a.Successors(h.Doc),
		NodeID: a.DocNodeID(h.Doc), Match: []string{},
	}
	if sec.Level > 0 {
		hit.Section = sec.Heading
	}
	if h.class != notNamed {
		hit.Match = append(hit.Match, names.ClassName(h.class))
	}
	words, meaning := matchedBy(a, h.Chunk, &x.scores.Signals)
	if words {
		hit.Match = append(hit.Match, ModeLexical)
	}
	if meaning {
		hit.Match = append(hit.Match, ModeVector)
	}
	if h.note != nil {
		hit.Neighbour, hit.Match = h.note, append(hit.Match, "neighbour")
	}
	hit.URL, hit.Stale = x.where.URL(h.Doc, sec.Anchor)
	text := x.shownText(h)
	hit.Snippet = wire.CleanLines(snippet.Snippet(text, x.highlights(text.String, h.Doc), snippet.SnippetRunes))
	hit.Marked = snippet.Marks(hit.Snippet, x.highlights(hit.Snippet, h.Doc))
	return hit
}

// shownText returns what a reader sees of a hit's chunk, or, if it has no text of its own, of the first one below its
// section; if there is none, the heading.
func (x *hitSource) shownText(h *Result) *plain.Text {
	a, heading := x.a, x.a.Section(h.Section).Heading
	below := a.SectionEnd(h.Section)
	_, end := a.DocChunks(h.Doc)
	for c, tries := h.Chunk, 0; c < end && tries < maxBelow && (c == h.Chunk || a.SectionOfChunk(c) < below); c, tries = c+1, tries+1 {
		if c > h.Chunk && a.ChunkTokens(c) == 0 {
			continue
		}
		if text := x.readingOf(c, h.Doc); len(text.Lines) > 0 {
			return text
		}
	}
	return &plain.Text{String: heading, Lines: []plain.Line{{Kind: plain.Prose, Start: 0, End: len(heading)}}}
}

// maxBelow bounds the chunks in which text is looked for.
const maxBelow = 8

// readingOf returns what a reader sees of a chunk.
func (x *hitSource) readingOf(c index.ChunkID, d index.DocID) *plain.Text {
	a := x.a
	chunk, sec := a.Chunk(c), a.Section(a.SectionOfChunk(c))
	options := plain.Options{Heading: sec.Heading, Scenario: strings.HasSuffix(a.DocPath(d), ".feature"), Addresses: !x.prose()}
	if first, _ := a.SectionChunks(a.SectionOfChunk(c)); c > first { // it may begin inside a block of code
		from := max(a.Chunk(first).Start, chunk.Start-min(chunk.Start, maxShownBytes))
		x.raw = a.AppendText(x.raw[:0], x.reader, d, from, chunk.Start)
		options.InCode = plain.EndsInCode(string(x.raw))
	}
	x.raw = a.AppendText(x.raw[:0], x.reader, d, chunk.Start, min(chunk.End, chunk.Start+maxShownBytes))
	return plain.Read(string(x.raw), options)
}

// ChunkName is the stable name of a chunk: PATH#ANCHOR~N, N from 1 within the section.
func ChunkName(path, anchor string, n int) string {
	if anchor != "" {
		path += "#" + anchor
	}
	return fmt.Sprintf("%s~%d", path, n)
}

// askedTerms returns, for each term that the query's words stand for, the index of the word. Cost: a look-up for each
// term.
func askedTerms(a *artifact.Artifact, q *query.Query) map[string]int {
	terms := map[string]int{}
	for i, w := range q.Words {
		if at, ok := terms[w.Text]; ok && slices.Equal(q.Words[at].Terms, w.Terms) && slices.Equal(q.Words[at].Near, w.Near) {
			continue // asked twice
		}
		terms[w.Text] = i
		for _, list := range [][]index.TermID{w.Terms, w.Near} {
			for _, t := range list {
				terms[a.TermDict().At(uint32(t))] = i
			}
		}
	}
	return terms
}

// highlights finds the words of the query in a text, by the terms that scored it. It leaves out words in addresses,
// unless the query has an address: "CORS" at the end of a link's target, or in the name of an included file, says
// nothing. The next call writes over the list.
func (x *hitSource) highlights(raw string, d index.DocID) []snippet.Span {
	lang := text.Lang(x.a.StemLanguage(d))
	prose := x.prose()
	x.spans = x.spans[:0]
	for _, t := range x.analyzer.Scan(raw) {
		i, ok := x.terms[t.Fold]
		if !ok && lang != "" && !t.Whole && !t.CJK {
			i, ok = x.terms[text.StemTerm(lang, x.analyzer.Stem(lang, t.Lower))]
		}
		if ok && !(prose && snippet.InAddress(raw, t.Start, t.End)) {
			x.spans = append(x.spans, snippet.Span{Start: t.Start, End: t.End, Term: i, Weight: x.query.Words[i].IDF})
		}
	}
	return x.spans
}

// prose reports whether the query has no address.
func (x *hitSource) prose() bool { return !strings.Contains(x.query.Text, "/") }

// explain shows the parts of a hit's raw score, which is the sum of their values times their weights.
func (x *hitSource) explain(h *Result) *wire.Explain {
	shown := &wire.Explain{Raw: wire.Round4(h.Score)}
	if scale := x.scores.scale; scale != 1 {
		shown.Scale = wire.Round4(scale)
	}
	if h.class != notNamed {
		name := names.ClassName(h.class)
		if h.class < names.NearName {
			name = "exact " + name
		}
		shown.Parts = append(shown.Parts, wire.ExplainPart{Name: name, Value: 1, Weight: h.bonus})
	}
	from, to := x.a.DocChunks(h.Doc)
	for _, p := range x.explainer.Parts(&h.Hit, from, to) {
		shown.Parts = append(shown.Parts, wire.ExplainPart{Name: p.Name, Value: wire.Round4(p.Value), Weight: p.Weight, Rank: p.Rank})
	}
	return shown
}
