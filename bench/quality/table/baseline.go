package main

import (
	"bytes"
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kdd/bench/quality/score"
	"kdd/format"
	"kdd/runtime/analyze"
	"kdd/runtime/embed"
	"kdd/runtime/lexical"
	"kdd/runtime/query"
	"kdd/runtime/vector"
)

// grep ranks documents as somebody does who looks for each word of the question with a tool like ripgrep, case ignored.
type grep struct {
	paths []string
	lines [][][]byte // in lower case
}

// newGrep reads the documents that x was made of.
func newGrep(corpus string, x *format.Index) (*grep, error) {
	g := &grep{}
	for d := range format.DocID(x.Docs()) {
		path := x.DocPath(d)
		data, err := os.ReadFile(filepath.Join(corpus, filepath.FromSlash(path)))
		if err != nil {
			return nil, err
		}
		g.paths, g.lines = append(g.paths, path), append(g.lines, bytes.Split(bytes.ToLower(data), []byte("\n")))
	}
	return g, nil
}

// ask returns the documents that hold a word: most different words first, then most lines that hold one, then by path.
// Stop words are not looked for unless there are no others.
func (g *grep) ask(text string) []score.Place {
	var words, all [][]byte
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		word = strings.Trim(word, `.,;:!?()"'`)
		if word == "" || slices.ContainsFunc(all, func(w []byte) bool { return string(w) == word }) {
			continue
		}
		all = append(all, []byte(word))
		if !analyze.IsStop("en", word) {
			words = append(words, []byte(word))
		}
	}
	if len(words) == 0 {
		words = all
	}
	type found struct {
		path         string
		words, lines int
	}
	var hits []found
	for i, path := range g.paths {
		hit := found{path: path}
		seen := make([]bool, len(words))
		for _, line := range g.lines[i] {
			any := false
			for k, w := range words {
				if bytes.Contains(line, w) {
					seen[k], any = true, true
				}
			}
			if any {
				hit.lines++
			}
		}
		for _, yes := range seen {
			if yes {
				hit.words++
			}
		}
		if hit.words > 0 {
			hits = append(hits, hit)
		}
	}
	slices.SortFunc(hits, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.words, a.words), cmp.Compare(b.lines, a.lines), strings.Compare(a.path, b.path))
	})
	places := make([]score.Place, len(hits))
	for i, h := range hits {
		places[i].Path = h.path
	}
	return places
}

// plainWeights makes BM25 over x count title, headings and text alike.
func plainWeights(x *format.Index) {
	w := &x.Meta.Weights
	w.K1, w.B, w.Title, w.Path = 1.2, 0.75, 1, 1
}

// plainRows returns the lengths of chunks by the weights that plainWeights set, and their mean.
func plainRows(x *format.Index) (rows *lexical.Rows, average float32) {
	rows = lexical.NewRows(x)
	var sum float64
	for _, n := range rows.Length {
		sum += float64(n)
	}
	return rows, float32(max(1, sum/float64(max(1, len(rows.Length)))))
}

// bm25 ranks sections by their best chunk.
func bm25(ctx context.Context, x *format.Index, rows *lexical.Rows, average float32, text string) ([]score.Place, error) {
	q := query.Parse([]*format.Index{x}, text)[0]
	scores := make([]float32, x.Chunks())
	if err := lexical.NewScorer(x, rows, average, nil).BM25(ctx, q, scores); err != nil {
		return nil, err
	}
	return rank(x, scores, 0), nil
}

// rank lists the sections whose best chunk scores more than least, best first.
func rank(x *format.Index, scores []float32, least float32) []score.Place {
	type hit struct {
		section format.SectionID
		score   float32
	}
	var hits []hit
	for s := range format.SectionID(x.Sections()) {
		from, to := x.SectionChunks(s)
		if from == to {
			continue
		}
		if best := slices.Max(scores[from:to]); best > least {
			hits = append(hits, hit{s, best})
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(b.score, a.score) })
	places := make([]score.Place, len(hits))
	for i, h := range hits {
		places[i] = score.Place{Path: x.DocPath(x.DocOfSection(h.section)), Anchor: x.SectionAnchor(h.section)}
	}
	return places
}

// vectors ranks by cosine alone.
type vectors struct {
	x      *format.Index
	view   vector.View
	encode func(dst []float32, text string) error
}

// openVectors opens the vectors of x and its query encoder.
func openVectors(x *format.Index) (*vectors, error) {
	v := &vectors{x: x}
	var err error
	if v.view.Vectors, err = x.Vectors(); err != nil {
		return nil, err
	}
	vocab, err := embed.OpenVocab(x.File.Block(format.TagVocab).All())
	if err != nil {
		return nil, err
	}
	if b := x.File.Block(format.TagExact); b != nil {
		t, err := embed.OpenQuantized(b.All())
		v.encode = func(dst []float32, text string) error {
			return t.Embed(dst, vocab.EncodeWithSpecials(nil, x.Meta.Model.Query+text, x.Meta.Model.MaxTokens))
		}
		return v, err
	}
	t, err := embed.OpenTable(x.File.Block(format.TagTable).All())
	v.encode = func(dst []float32, text string) error {
		t.Embed(dst, vocab.Encode(nil, text))
		return nil
	}
	return v, err
}

// ask ranks all sections by their best chunk's cosine.
func (v *vectors) ask(ctx context.Context, text string) ([]score.Place, error) {
	vec := make([]float32, v.view.Dim)
	if err := v.encode(vec, text); err != nil {
		return nil, err
	}
	cosines := make([]float32, v.x.Chunks())
	everything := vector.Ranges{{0, uint32(v.x.Chunks())}}
	if err := v.view.Cosines(ctx, vector.NewQuery(vec), everything, nil, cosines); err != nil {
		return nil, err
	}
	return rank(v.x, cosines, -2), nil
}

// documents lists the documents of places in their order, each once.
func documents(places []score.Place) []score.Place {
	var docs []score.Place
	seen := map[string]bool{}
	for _, p := range places {
		if !seen[p.Path] {
			seen[p.Path] = true
			docs = append(docs, score.Place{Path: p.Path})
		}
	}
	return docs
}

// reciprocal fuses rankings by Σ 1/(60 + rank) (Cormack, Clarke & Büttcher 2009).
func reciprocal(rankings ...[]score.Place) []score.Place {
	sums := map[score.Place]float64{}
	var fused []score.Place
	for _, places := range rankings {
		for i, p := range places {
			if _, known := sums[p]; !known {
				fused = append(fused, p)
			}
			sums[p] += 1 / float64(60+i+1)
		}
	}
	slices.SortStableFunc(fused, func(a, b score.Place) int { return cmp.Compare(sums[b], sums[a]) })
	return fused
}
