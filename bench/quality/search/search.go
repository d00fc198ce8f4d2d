// Package search scores search on sets of questions, beside baselines, and prints Markdown.
//
//	go run ./bench/quality search -kdd BIN -sets DIR[,DIR] [-out DIR] [-model NAME] [-artifacts DIR]
//
// A DIR is a set, as package sets describes it, or a folder of sets. Each corpus is compiled with the distilled query
// encoder and with the exact one; where there is no model, without vectors, and the rows that need them are left out.
// The rows:
//
//	keyword grep      documents by how many of the query's words they hold, then by lines that hold one
//	BM25              k1 1.2, b 0.75 over the artifact's stems; title, headings and text count alike; best chunk
//	vector            best chunk's cosine, with the exact and with the distilled query encoder
//	RRF               reciprocal ranks (k = 60) of BM25 and the distilled encoder's vectors
//	kdd               what the tool answers, by words only and with each encoder
//
// With -out the table and each query's nDCG@10 are kept there. "kdd eval --save" writes a run for other scorers.
package search

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"kdd/bench/internal/harness"
	"kdd/bench/internal/sets"
	"kdd/runtime/eval"
)

// Run scores search on sets and prints the tables.
func Run(args []string, stdout, stderr io.Writer) int {
	return sets.Run("search", args, stderr, func(ctx context.Context, o *sets.Options) error {
		corpora, done, err := o.Corpora(ctx, stderr)
		if err != nil {
			return err
		}
		defer done()
		var columns []column
		each := map[string]string{}
		for i := range corpora {
			more, err := measure(ctx, &corpora[i], each)
			if err != nil {
				return fmt.Errorf("%s: %w", corpora[i].Set.Name, err)
			}
			columns = append(columns, more...)
		}
		return harness.Report(stdout, o.Out, harness.Result{Title: "Quality of search", Command: "quality search", Args: args,
			Version: harness.Version(o.KDD), Body: tables(columns), Files: each})
	})
}

// measure asks all questions of a set; a query file makes a column, and a file of each query's nDCG@10.
func measure(ctx context.Context, c *sets.Corpus, each map[string]string) ([]column, error) {
	systems, err := open(c)
	if err != nil {
		return nil, err
	}
	defer systems.close()
	var columns []column
	for _, q := range c.Questions() {
		runs, err := systems.ask(ctx, q.List)
		if err != nil {
			return nil, err
		}
		results := map[string]*eval.Measurement{}
		for name, both := range runs {
			docs, sections := eval.Score(q.List, both.docs), eval.Score(q.List, both.sections)
			results[name] = &eval.Measurement{Document: docs.Document, Section: sections.Section}
		}
		if err := checkLengths(results); err != nil {
			return nil, err
		}
		columns = append(columns, column{q.Name, results})
		each[strings.ReplaceAll(q.Name, ", ", "-")+".tsv"] = perQuery(results)
	}
	return columns, nil
}

// checkLengths fails if nothing was scored, which would print zeros as if they were results.
func checkLengths(results map[string]*eval.Measurement) error {
	for _, r := range results {
		if len(r.Document.Queries) == 0 {
			return errors.New("no query has a relevant document: do the ids of queries and judgements agree?")
		}
	}
	return nil
}
