// Package latency measures how long answers take, from a process that starts and from one that runs.
//
//	go run ./bench/speed latency -kdd BIN -kddq BIN -corpus DIR -queries FILE [-out DIR] [-n 30] [-rounds 3] [-model NAME]
//
// The corpus is compiled without vectors, with the distilled query encoder and with the exact one (left out, with a
// line on standard error, where there is no model). FILE has a query a line: id and text separated by a tab, or text
// alone. Measured for each artifact:
//
//	process            kddq search QUERY, from start to exit, the artifact in the page cache; peak RSS
//	process, cold file the same with the artifact dropped from the page cache before (Linux)
//	mcp initialize     kddq mcp, from start to the answer to initialize
//	mcp discover       from start to the answer to server/discover
//	mcp search         from start to the answer to a kdd_search that needs no handshake
//	open               index.Open in process
//	open and search    a new Service's first search in process
//	warm search        Service.Search in process, all queries, -rounds times
//
// The first start of each kind is not counted. Processes are measured before anything is opened in process: on Linux a
// process is charged with what its parent had in memory when it began, which is printed as the floor.
package latency

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"

	"kdd/bench/internal/harness"
)

// settings are the command line.
type settings struct {
	kdd, kddq, model, corpus, out string
	n, rounds                     int
	queries                       []string
}

// Run builds the artifacts, measures them and prints a table.
func Run(args []string, stdout, stderr io.Writer) int {
	var s settings
	return harness.Run("latency", args, stderr, func(flags *flag.FlagSet) harness.Work {
		flags.StringVar(&s.kdd, "kdd", "bin/kdd", "the kdd binary")
		flags.StringVar(&s.kddq, "kddq", "bin/kddq", "the kddq binary")
		flags.StringVar(&s.model, "model", "", "model, by name or folder")
		flags.StringVar(&s.corpus, "corpus", "", "folder of markdown")
		flags.StringVar(&s.out, "out", "", "folder that keeps the table and the raw output")
		flags.IntVar(&s.n, "n", 30, "processes of each kind")
		flags.IntVar(&s.rounds, "rounds", 3, "rounds of all queries in process")
		queries := flags.String("queries", "", "file of queries")
		return func(ctx context.Context) error {
			if s.corpus == "" || *queries == "" || s.n < 1 || s.rounds < 1 || flags.NArg() > 0 {
				return harness.ErrUsage
			}
			var err error
			if s.queries, err = harness.Questions(*queries); err != nil {
				return err
			}
			return measure(ctx, &s, args, stdout, stderr)
		}
	})
}

func measure(ctx context.Context, s *settings, args []string, stdout, stderr io.Writer) error {
	dir, err := os.MkdirTemp("", "kdd-latency")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	type artifact struct{ form, path string }
	var built []artifact
	for _, form := range []string{harness.Lexical, harness.Distilled, harness.Exact} {
		path, err := harness.Build(ctx, s.kdd, s.model, s.corpus, dir, "corpus", form)
		if err != nil && (form == harness.Lexical || ctx.Err() != nil) {
			return err
		}
		if err != nil {
			fmt.Fprintf(stderr, "latency: %v\nlatency: going on without the %s encoder\n", err, form)
			continue
		}
		built = append(built, artifact{form, path})
	}
	var all samples
	for _, a := range built {
		if err := processes(ctx, s, &all, a.form, a.path); err != nil {
			return fmt.Errorf("%s: %w", a.form, err)
		}
	}
	for _, a := range built {
		if err := inProcess(ctx, s, &all, a.form, a.path); err != nil {
			return fmt.Errorf("%s: %w", a.form, err)
		}
	}
	text := all.table()
	if load := harness.LoadAverage(); load != "" {
		text += "\nLoad average: " + load + "\n"
	}
	return harness.Report(stdout, s.out, harness.Result{Title: "Latency", Command: "speed latency", Args: args, Version: harness.Version(s.kddq), Body: text})
}
