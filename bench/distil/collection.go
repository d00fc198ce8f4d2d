package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/viterin/vek/vek32"

	"kdd/compiler/chunk"
	"kdd/compiler/markdown"
	"kdd/compiler/source"
	"kdd/format"
)

// collection is a set: its chunks with their vectors, and what is asked of it.
type collection struct {
	bytes   int
	paths   []string // of the documents
	doc     []int    // document of each chunk
	anchor  []string // anchor of each chunk's section, "-" before the first heading
	ids     [][]int32
	bodies  []string
	vectors []float32 // int8 row × scale

	queries []query
}

// query is a question and the gains of its answers.
type query struct {
	id, text string
	exclude  map[string]bool
	docs     map[string]float64
	sections map[[2]string]float64
}

// loadSet reads, cuts and embeds a set.
func loadSet(ctx context.Context, t *encoder, folder, queries string) (*collection, error) {
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
			c.anchor = append(c.anchor, cmp.Or(d.Sections[part.Section].Anchor, "-"))
			texts = append(texts, t.model.Prefixes.Document+text)
		}
	}
	exact, err := t.embed(ctx, texts)
	if err != nil {
		return nil, err
	}
	rows, scales := format.QuantiseRows(exact, t.model.Dim)
	c.vectors = format.DequantiseRows(rows, scales, t.model.Dim)
	if err := c.loadQueries(filepath.Join(folder, queries)); err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	return c, c.loadGains(filepath.Join(folder, "qrels.tsv"))
}

func (c *collection) queryTexts() []string {
	texts := make([]string, len(c.queries))
	for i, q := range c.queries {
		texts[i] = q.text
	}
	return texts
}

// lines returns the fields of each line of a TSV file.
func lines(path string) ([][]string, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var all [][]string
	for line := range strings.Lines(string(b)) {
		if line = strings.TrimRight(line, "\r\n"); line != "" {
			all = append(all, strings.Split(line, "\t"))
		}
	}
	return all, nil
}

func (c *collection) loadQueries(path string) error {
	rows, err := lines(path)
	for _, f := range rows {
		if len(f) < 2 {
			return fmt.Errorf("%s: %q, want an id and a text", filepath.Base(path), f)
		}
		q := query{id: f[0], text: f[1], exclude: map[string]bool{}, docs: map[string]float64{}, sections: map[[2]string]float64{}}
		if len(f) > 2 {
			for p := range strings.SplitSeq(f[2], ";") {
				q.exclude[p] = true
			}
		}
		c.queries = append(c.queries, q)
	}
	return err
}

// loadGains reads the judgements. Excluded paths are no answers.
func (c *collection) loadGains(path string) error {
	rows, err := lines(path)
	if os.IsNotExist(err) && len(c.queries) == 0 {
		return nil
	}
	at := map[string]*query{}
	for i := range c.queries {
		at[c.queries[i].id] = &c.queries[i]
	}
	for _, f := range rows {
		if len(f) < 4 {
			return fmt.Errorf("%s: %q, want query, path, anchor and gain", filepath.Base(path), f)
		}
		gain, err := strconv.ParseFloat(f[3], 64)
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(path), err)
		}
		q := at[f[0]]
		if q == nil || gain <= 0 || q.exclude[f[1]] {
			continue
		}
		q.docs[f[1]] = max(q.docs[f[1]], gain)
		if f[2] != "-" {
			key := [2]string{f[1], f[2]}
			q.sections[key] = max(q.sections[key], gain)
		}
	}
	return err
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
		if len(q.docs) > 0 {
			r.docs++
			r.doc += ndcg(c, q, order, q.docs, func(k int) string { return c.paths[c.doc[k]] })
		}
		if len(q.sections) > 0 {
			r.sections++
			r.section += ndcg(c, q, order, q.sections, func(k int) [2]string { return [2]string{c.paths[c.doc[k]], c.anchor[k]} })
		}
	}
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
			q.docs, q.sections = maps.Clone(q.docs), maps.Clone(q.sections)
			maps.DeleteFunc(q.docs, func(path string, _ float64) bool { return !in[path] })
			maps.DeleteFunc(q.sections, func(key [2]string, _ float64) bool { return !in[key[0]] })
			if len(q.docs) > 0 {
				part.queries = append(part.queries, q)
			}
		}
		parts[p] = part
	}
	return parts
}

// ndcg is nDCG@10 with linear gain over the distinct keys of chunks in order.
func ndcg[K comparable](c *collection, q *query, order []int, gains map[K]float64, key func(chunk int) K) float64 {
	seen := map[K]bool{}
	got := 0.0
	for _, k := range order {
		id := key(k)
		if seen[id] || q.exclude[c.paths[c.doc[k]]] {
			continue
		}
		got += gains[id] / math.Log2(float64(len(seen)+2))
		if seen[id] = true; len(seen) == 10 {
			break
		}
	}
	ideal, best := 0.0, []float64{}
	for _, g := range gains {
		best = append(best, g)
	}
	slices.Sort(best)
	slices.Reverse(best)
	for i, g := range best[:min(10, len(best))] {
		ideal += g / math.Log2(float64(i+2))
	}
	return got / ideal
}
