// Package search scores search on sets of questions, beside baselines, and prints Markdown.
//
//	go run ./bench/quality search -kdd BIN -sets DIR[,DIR] [-out DIR] [-model NAME]
//
// A DIR is a set, as package sets describes it, or a folder of sets. Each corpus is compiled without vectors,
// with the distilled query encoder and with the exact one; where there is no model, the rows that need vectors are left
// out and a line on standard error says so. The rows:
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
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"kdd/bench/internal/harness"
	"kdd/bench/internal/sets"
	"kdd/runtime/eval"
)

// settings are the command line.
type settings struct {
	kdd, model, out string
	sets            []string
	depth           int
}

// Run scores search on sets and prints the tables.
func Run(args []string, stdout, stderr io.Writer) int {
	var s settings
	return harness.Run("search", args, stderr, func(flags *flag.FlagSet) harness.Work {
		flags.StringVar(&s.kdd, "kdd", "bin/kdd", "the kdd binary")
		flags.StringVar(&s.model, "model", "", "model, by name or folder")
		flags.StringVar(&s.out, "out", "", "folder that keeps the table and the raw output")
		flags.IntVar(&s.depth, "depth", 30, "documents per question that kdd is asked for, at least 10")
		sets := flags.String("sets", "", "sets, or folders of sets, parted by commas")
		return func(ctx context.Context) error {
			if *sets == "" || flags.NArg() > 0 || s.depth < eval.Cutoff {
				return harness.ErrUsage
			}
			s.sets = strings.Split(*sets, ",")
			return measure(ctx, &s, args, stdout, stderr)
		}
	})
}

func measure(ctx context.Context, s *settings, args []string, stdout, stderr io.Writer) error {
	sets, err := sets.Find(s.sets)
	if err != nil {
		return err
	}
	names := map[string]bool{}
	var columns []column
	raw := map[string]string{}
	for _, set := range sets {
		if names[set.Name] {
			return fmt.Errorf("two sets are named %s", set.Name)
		}
		names[set.Name] = true
		more, err := measureSet(ctx, s, set, raw, stderr)
		if err != nil {
			return fmt.Errorf("%s: %w", set.Name, err)
		}
		columns = append(columns, more...)
	}
	return harness.Report(stdout, s.out, harness.Result{Title: "Quality of search", Command: "quality search", Args: args,
		Version: harness.Version(s.kdd), Body: tables(columns), Files: raw})
}

// measureSet compiles a set's corpus and asks all its questions; a query file makes a column.
func measureSet(ctx context.Context, s *settings, set *sets.Set, raw map[string]string, stderr io.Writer) ([]column, error) {
	dir, err := os.MkdirTemp("", "kdd-quality")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	built := map[string]string{}
	for _, form := range []string{harness.Lexical, harness.Distilled, harness.Exact} {
		path, err := harness.Build(ctx, s.kdd, s.model, set.Corpus, dir, set.Name, form)
		if err != nil && (form == harness.Lexical || ctx.Err() != nil) {
			return nil, err
		}
		if err != nil {
			fmt.Fprintf(stderr, "search: %v\nsearch: going on without the rows of the %s encoder\n", err, form)
			continue
		}
		built[form] = path
	}
	systems, err := open(set, built, s.depth)
	if err != nil {
		return nil, err
	}
	defer systems.close()
	var columns []column
	for _, file := range set.Files() {
		c := column{name: set.Name, results: map[string]*eval.Measurement{}}
		if file == sets.SentencesFile {
			c.name += ", sentences"
		}
		runs, err := systems.ask(ctx, set.Queries(file))
		if err != nil {
			return nil, err
		}
		for name, both := range runs {
			docs, sections := set.Score(file, both.docs), set.Score(file, both.sections)
			c.results[name] = &eval.Measurement{Document: docs.Document, Section: sections.Section}
		}
		if err := checkLengths(c.results); err != nil {
			return nil, err
		}
		columns = append(columns, c)
		raw[strings.ReplaceAll(c.name, ", ", "-")+".tsv"] = perQuery(c.results)
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
