package search

import (
	"fmt"
	"slices"
	"strings"

	"kdd/format/index"
	"kdd/format/text"
	"kdd/runtime/artifact"
	"kdd/runtime/names"
	"kdd/runtime/search/fuse"
	"kdd/runtime/search/query"
	"kdd/runtime/search/snippet"
	"kdd/runtime/wire"
)

// Show fills a search answer with the hits [from, from+limit).
func Show(set *artifact.Set, resp *wire.SearchResponse, r *Ranking, from, limit int, explain bool) {
	resp.Results = []wire.Hit{}
	locators := map[int]*artifact.Locator{}
	readers := map[int]*index.Reader{}
	explainers := map[int]*fuse.Explainer{}
	terms := map[int]map[string]int{}
	analyzer := text.Borrow()
	defer analyzer.Return()
	for i := from; i < len(r.Hits) && i < from+limit; i++ {
		h := &r.Hits[i]
		a, scored := set.Artifacts[h.Index], r.Scored[h.Index]
		if locators[h.Index] == nil {
			locators[h.Index], readers[h.Index] = set.Where(a), a.Text.Reader()
			terms[h.Index] = askedTerms(a, r.Queries[h.Index])
			explainers[h.Index] = fuse.NewExplainer(a.Rows(), scored.scorer.Allowed, &a.Meta.Weights, &scored.Signals)
		}
		hit := wireHit(a, h, &scored.Signals, locators[h.Index], readers[h.Index], analyzer, r.Queries[h.Index], terms[h.Index])
		hit.Rank, hit.Index = i+1, set.IndexName(a)
		if r.arranged {
			hit.Duplicates = duplicatesOf(a, h, scored.scorer.Allowed)
		}
		if explain {
			hit.Explain = explainHit(a, h, explainers[h.Index], scored.scale)
		}
		resp.Results = append(resp.Results, hit)
	}
	resp.Count = len(resp.Results)
}

// matchedBy says what speaks for a hit by itself: that it has a word of the query, that it is near in meaning.
func matchedBy(a *artifact.Artifact, h *Result, s *fuse.Signals) (words, meaning bool) {
	return s.BM25 != nil && s.BM25[h.Chunk] > 0, s.Cosine != nil && s.Cosine[h.Chunk] >= float32(a.Meta.Weights.Near)
}

// wireHit turns a ranked section into its wire form.
func wireHit(a *artifact.Artifact, h *Result, signals *fuse.Signals, where *artifact.Locator, reader *index.Reader, analyzer *text.Analyzer, q *query.Query, terms map[string]int) wire.Hit {
	sec, chunk := a.Section(h.Section), a.Chunk(h.Chunk)
	first, _ := a.SectionChunks(h.Section)
	path := a.DocPath(h.Doc)
	hit := wire.Hit{
		Score: wire.Round4(h.Calibrated), Path: path, Anchor: sec.Anchor,
		Lines: [2]int{int(chunk.LineStart), int(chunk.LineEnd)}, SectionLines: [2]int{int(sec.LineStart), int(sec.LineEnd)},
		Title: a.DocTitle(h.Doc), Chunk: ChunkName(path, sec.Anchor, int(h.Chunk-first)+1),
		Type: a.DocChunkType(h.Doc), Kind: a.DocKind(h.Doc), Domain: a.DocDomain(h.Doc), Status: a.DocStatus(h.Doc), Date: a.DocDate(h.Doc), Version: a.DocVersion(h.Doc), SupersededBy: a.Successors(h.Doc),
		NodeID: a.DocNodeID(h.Doc), Match: []string{},
	}
	if sec.Level > 0 {
		hit.Section = sec.Heading
	}
	if h.class != notNamed {
		hit.Match = append(hit.Match, names.ClassName(h.class))
	}
	words, meaning := matchedBy(a, h, signals)
	if words {
		hit.Match = append(hit.Match, ModeLexical)
	}
	if meaning {
		hit.Match = append(hit.Match, ModeVector)
	}
	if h.note != nil {
		hit.Neighbour, hit.Match = h.note, append(hit.Match, "neighbour")
	}
	hit.URL, hit.Stale = where.URL(h.Doc, sec.Anchor)
	text := string(a.AppendText(nil, reader, h.Doc, chunk.Start, chunk.End))
	if a.ChunkTokens(h.Chunk) == 0 && strings.Contains(text, sec.Heading) {
		text = sec.Heading // the section has no text of its own: without the heading's markup
	}
	hit.Snippet = wire.CleanLines(snippet.Snippet(text, highlights(a, analyzer, text, h.Doc, q, terms), snippet.SnippetRunes))
	hit.Marked = snippet.Marks(hit.Snippet, highlights(a, analyzer, hit.Snippet, h.Doc, q, terms))
	return hit
}

// ChunkName is the stable name of a chunk: PATH#ANCHOR~N, N from 1 within the section.
func ChunkName(path, anchor string, n int) string {
	if anchor != "" {
		path += "#" + anchor
	}
	return fmt.Sprintf("%s~%d", path, n)
}

// askedTerms returns the words of a query by what they are called in the dictionary. Cost: a look-up for each term that
// they stand for.
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

// highlights finds the words of the query in a chunk's text, by the same terms that scored it. It leaves out words in
// addresses, unless the query has an address: "CORS" at the end of a link's target, or in the name of a file that the
// page includes, says nothing.
func highlights(a *artifact.Artifact, analyzer *text.Analyzer, raw string, d index.DocID, q *query.Query, terms map[string]int) []snippet.Span {
	lang := text.Lang(a.DocLanguage(d))
	prose := !strings.Contains(q.Text, "/")
	var spans []snippet.Span
	for _, t := range analyzer.Tokens(nil, raw) {
		i, ok := terms[t.Fold]
		if !ok && lang != "" && !t.Whole && !t.CJK {
			i, ok = terms[text.StemTerm(lang, analyzer.Stem(lang, t.Lower))]
		}
		if !ok {
			continue
		}
		if prose && snippet.InAddress(raw, t.Start, t.End) {
			continue
		}
		spans = append(spans, snippet.Span{Start: t.Start, End: t.End, Term: i, Weight: q.Words[i].IDF})
	}
	return spans
}

// explainHit shows the parts of a hit's raw score: the sum of their values by their weights.
func explainHit(a *artifact.Artifact, h *Result, e *fuse.Explainer, scale float64) *wire.Explain {
	x := &wire.Explain{Raw: wire.Round4(h.Score)}
	if scale != 1 {
		x.Scale = wire.Round4(scale)
	}
	if h.class != notNamed {
		name := names.ClassName(h.class)
		if h.class < names.NearName {
			name = "exact " + name
		}
		x.Parts = append(x.Parts, wire.ExplainPart{Name: name, Value: 1, Weight: h.bonus})
	}
	from, to := a.DocChunks(h.Doc)
	for _, p := range e.Parts(&h.Hit, from, to) {
		x.Parts = append(x.Parts, wire.ExplainPart{Name: p.Name, Value: wire.Round4(p.Value), Weight: p.Weight, Rank: p.Rank})
	}
	return x
}
