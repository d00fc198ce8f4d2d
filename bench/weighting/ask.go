package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	goruntime "runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"kdd/bench/quality/ranking"
	"kdd/bench/record"
	"kdd/format/index"
	"kdd/runtime"
	"kdd/runtime/eval"
	"kdd/runtime/search/lexical"
	"kdd/runtime/search/query"
	"kdd/runtime/wire"
)

// fixed are the weights of BM25 that every question is asked at.
var fixed = []float64{0.25, 0.35, 0.5, 0.6, 0.7, 0.85, 1, 1.4, 2, 2.8}

// The weights whose difference features are compared with.
const low, high = 1, 7

// group is the questions of one file with one query encoder.
type group struct {
	set, name string
	guard     bool
	at        []*eval.Result // by fixed weight
	stored    *eval.Result   // with the artifact's rule
	before    *eval.Result
	samples   []sample
}

// The features of a question, as a search has them: documents that it excludes from scoring are in the corpus too.
const (
	words     = iota // how many are scored
	rarity           // mean idf over the largest there is: query.Query.Rarity
	coverage         // share of the question's idf that the best chunk has
	agreement        // share of the first five documents by BM25 that are among those by cosine
	contrast         // of the best document's cosine: standard deviations above the mean
	known            // share of the wordpieces that the query encoder knows
	features         // how many there are
)

var featureNames = [features]string{"words", "rarity", "coverage", "agreement", "contrast", "known"}

// before turns the weights into those of before headings, titles and rarity counted.
func before(w *index.Weights) {
	w.Lexical, w.LexicalBeside, w.Rarity, w.Pairs, w.Heading, w.TitleMatch = 1.25, 0, 0, 0.5, 0, 0
}

// askCorpus asks all questions of a corpus at all weights.
func askCorpus(ctx context.Context, c *ranking.Corpus) ([]*group, error) {
	var groups []*group
	for _, form := range []string{record.Distilled, record.Exact, record.Lexical} {
		path := c.Paths[form]
		if path == "" {
			continue
		}
		for _, q := range c.Questions() {
			g := &group{set: c.Set.Name, name: q.Name + ", " + form, guard: c.Guard}
			for _, weight := range fixed {
				r, err := ask(ctx, path, q.List, func(w *index.Weights) { w.Lexical, w.Rarity, w.LexicalBeside = weight, 0, 0 })
				if err != nil {
					return nil, err
				}
				g.at = append(g.at, r)
			}
			var err error
			if g.stored, err = ask(ctx, path, q.List, nil); err != nil {
				return nil, err
			}
			if g.before, err = ask(ctx, path, q.List, before); err != nil {
				return nil, err
			}
			found, err := describe(ctx, path, q.List)
			if err != nil {
				return nil, err
			}
			g.fill(found)
			groups = append(groups, g)
		}
	}
	return groups, nil
}

// ask scores the hits of all questions with changed weights, on all processors.
func ask(ctx context.Context, path string, questions []eval.Question, change func(*index.Weights)) (*eval.Result, error) {
	svc := runtime.New(runtime.Config{Index: []string{path}, Weights: change})
	defer svc.Close()
	places := make([][]eval.Place, len(questions))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(goruntime.GOMAXPROCS(0))
	for i := range questions {
		group.Go(func() error {
			q := &questions[i]
			hits, err := ranking.Hits(ctx, svc, wire.SearchRequest{Query: q.Text, Limit: 50}, eval.Cutoff+len(q.Exclude))
			if err != nil {
				return fmt.Errorf("query %s: %w", q.ID, err)
			}
			places[i] = ranking.Places(hits)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	run := eval.Run{}
	for i := range questions {
		run[questions[i].ID] = places[i]
	}
	return eval.Score(questions, run), nil
}

// describe returns the features of each question, by id.
func describe(ctx context.Context, path string, questions []eval.Question) (map[string][features]float64, error) {
	x, err := index.Open(path)
	if err != nil {
		return nil, err
	}
	defer x.File.Close()
	vectors, err := ranking.OpenVectors(x)
	if err != nil {
		return nil, err
	}
	rows, xs := lexical.NewRows(x), []*index.Index{x}
	all := map[string][features]float64{}
	for i := range questions {
		var f [features]float64
		q := query.Read(xs, questions[i].Text, query.Options{})[0]
		f[words], f[rarity] = float64(len(q.Words)), q.Rarity
		bm25, err := cover(ctx, lexical.NewScorer(x, rows, lexical.AverageLength(xs), nil), x.Chunks(), q, &f)
		if err != nil {
			return nil, err
		}
		if vectors != nil {
			cosines, share, err := vectors.Cosines(ctx, q.Text)
			if err != nil {
				return nil, err
			}
			f[known] = share
			compare(&f, documents(rows, bm25), documents(rows, cosines))
		}
		all[questions[i].ID] = f
	}
	return all, nil
}

// cover sets coverage and returns BM25 by chunk, word by word: the chunks that score for a word alone have it.
func cover(ctx context.Context, scorer *lexical.Scorer, chunks int, q *query.Query, f *[features]float64) ([]float32, error) {
	var sum float64
	for i := range q.Words {
		sum += q.Words[i].IDF
	}
	bm25, covered, one := make([]float32, chunks), make([]float32, chunks), make([]float32, chunks)
	for i := range q.Words {
		clear(one)
		if err := scorer.BM25(ctx, &query.Query{Words: q.Words[i : i+1]}, one); err != nil {
			return nil, err
		}
		share := float32(q.Words[i].IDF / sum)
		for c, v := range one {
			if v > 0 {
				bm25[c] += share * v
				covered[c] += share
			}
		}
	}
	if len(covered) > 0 {
		f[coverage] = float64(slices.Max(covered))
	}
	return bm25, nil
}

// document is the score of a document's best chunk.
type document struct {
	id    uint32
	score float32
}

// documents returns the documents that have chunks, in their order; none where there are no scores.
func documents(rows *lexical.Rows, scores []float32) []document {
	var list []document
	for c, v := range scores {
		if n := len(list); n > 0 && list[n-1].id == rows.Doc[c] {
			list[n-1].score = max(list[n-1].score, v)
		} else {
			list = append(list, document{rows.Doc[c], v})
		}
	}
	return list
}

// compare sets the features that take cosines.
func compare(f *[features]float64, bm25, cosines []document) {
	var sum, squares, best float64
	for i, d := range cosines {
		v := float64(d.score)
		if i == 0 || v > best {
			best = v
		}
		sum, squares = sum+v, squares+v*v
	}
	n := float64(max(1, len(cosines)))
	mean := sum / n
	if deviation := math.Sqrt(max(0, squares/n-mean*mean)); deviation > 1e-6 {
		f[contrast] = (best - mean) / deviation
	}
	const first = 5
	top := func(list []document) []document {
		list = slices.DeleteFunc(slices.Clone(list), func(d document) bool { return d.score <= 0 })
		slices.SortStableFunc(list, func(a, b document) int { return cmp.Compare(b.score, a.score) })
		return list[:min(first, len(list))]
	}
	other := top(cosines)
	for _, d := range top(bm25) {
		if slices.ContainsFunc(other, func(o document) bool { return o.id == d.id }) {
			f[agreement] += 1.0 / first
		}
	}
}
