package main

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/viterin/vek/vek32"

	"kdd/compiler/chunk"
	"kdd/compiler/markdown"
	"kdd/compiler/source"
	"kdd/format/index"
	"kdd/runtime/eval"
)

// collection is a set: its chunks with their vectors, and what is asked of it.
type collection struct {
	bytes   int
	paths   []string // of the documents
	doc     []int    // document of each chunk
	anchor  []string // anchor of each chunk's section
	ids     [][]int32
	bodies  []string
	vectors []float32 // int8 row × scale

	queries []eval.Question
}

// loadSet reads, cuts and embeds a set.
func loadSet(ctx context.Context, t *embedder, folder, queries string) (*collection, error) {
	corpus := filepath.Join(folder, "corpus")
	if _, err := os.Stat(corpus); err != nil {
		corpus = folder
	}
	tree, err := source.Walk(ctx, source.Options{Dirs: []string{corpus}})
	if err != nil {
		return nil, err
	}
	c := &collection{}
	limit := chunk.Limit{Max: t.model.MaxTokens, Count: t.vocab.Count}
	var texts []string
	for _, f := range tree.Files {
		d := markdown.Parse(f.Path, f.Data)
		c.paths, c.bytes = append(c.paths, f.Path), c.bytes+len(f.Data)
		for _, part := range chunk.Split(d, limit) {
			text := chunk.Embedded(d, part)
			ids := t.vocab.Encode(nil, text)
			c.ids = append(c.ids, ids[:min(len(ids), t.model.MaxTokens-2)])
			c.bodies, c.doc = append(c.bodies, part.Text), append(c.doc, len(c.paths)-1)
			c.anchor = append(c.anchor, d.Sections[part.Section].Anchor)
			texts = append(texts, t.model.Prefixes.Document+text)
		}
	}
	exact, err := t.embed(ctx, texts)
	if err != nil {
		return nil, err
	}
	rows, scales := index.QuantiseRows(exact, t.model.Dim)
	c.vectors = index.DequantiseRows(rows, scales, t.model.Dim)
	return c, c.loadQueries(filepath.Join(folder, queries), filepath.Join(folder, "qrels.tsv"))
}

func (c *collection) queryTexts() []string {
	texts := make([]string, len(c.queries))
	for i, q := range c.queries {
		texts[i] = q.Text
	}
	return texts
}

// loadQueries reads the questions and their judgements. A set without questions is one to train on only.
func (c *collection) loadQueries(queries, qrels string) error {
	asked, err := os.ReadFile(queries)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	judged, err := os.ReadFile(qrels)
	if err != nil {
		return err
	}
	parsed := eval.Parse(eval.File{Name: queries, Data: asked}, &eval.File{Name: qrels, Data: judged}, "")
	c.queries = parsed.Set.Questions
	return eval.Err(parsed.Faults)
}

// rank adds nDCG@10 of ranking documents, and sections, by the cosine of their best chunk; each over the queries that
// have an answer of the kind.
func (c *collection) rank(vectors []float32, dim int, r *result) {
	scores := make([]float32, len(c.ids))
	order := make([]int, len(c.ids))
	for i := range c.queries {
		q, v := &c.queries[i], vectors[i*dim:(i+1)*dim]
		for k := range scores {
			order[k], scores[k] = k, vek32.Dot(v, c.vectors[k*dim:(k+1)*dim])
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
		scored := eval.Score(c.queries[i:i+1], eval.Run{q.ID: c.places(q, order)})
		r.docs, r.doc = r.docs+float64(len(scored.Document.Queries)), r.doc+scored.Document.Mean().NDCG
		r.sections, r.section = r.sections+float64(len(scored.Section.Queries)), r.section+scored.Section.Mean().NDCG
	}
}

// places are those of chunks in order, as many as nDCG@10 looks at: of ten documents that count.
func (c *collection) places(q *eval.Question, order []int) []eval.Place {
	var places []eval.Place
	documents := map[string]bool{}
	for _, k := range order {
		path := c.paths[c.doc[k]]
		places = append(places, eval.Place{Path: path, Anchor: c.anchor[k]})
		if !slices.Contains(q.Exclude, path) {
			documents[path] = true
		}
		if len(documents) == eval.Cutoff {
			break
		}
	}
	return places
}

// split deals the documents out to n collections, each with the queries that it can answer.
func (c *collection) split(n int) []*collection {
	if n < 2 {
		return []*collection{c}
	}
	dim := len(c.vectors) / max(len(c.ids), 1)
	parts := make([]*collection, n)
	for p := range parts {
		part := &collection{paths: c.paths}
		in := map[string]bool{}
		for i, doc := range c.doc {
			if doc%n == p {
				in[c.paths[doc]] = true
				part.doc, part.anchor = append(part.doc, doc), append(part.anchor, c.anchor[i])
				part.ids, part.bodies = append(part.ids, c.ids[i]), append(part.bodies, c.bodies[i])
				part.vectors = append(part.vectors, c.vectors[i*dim:(i+1)*dim]...)
			}
		}
		for _, q := range c.queries {
			q.Relevant = slices.DeleteFunc(slices.Clone(q.Relevant), func(r index.Relevant) bool { return !in[r.Path] || slices.Contains(q.Exclude, r.Path) })
			if len(q.Relevant) > 0 {
				part.queries = append(part.queries, q)
			}
		}
		parts[p] = part
	}
	return parts
}
