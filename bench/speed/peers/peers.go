// Package peers compares kdd with the engines that users would pick instead: the same sections, the same queries, one
// thread each, in one run.
//
//	go run ./bench/speed peers -kdd BIN [-out DIR] [-chunks 1000,10000,100000] [-engines tantivy,...]
//
// A corpus is made for each size (package corpus). Each engine is driven from Python by peers.py, from its own package:
// pip install tantivy lancedb, and ripgrep of the system. One that is not installed is reported as absent, and one that
// fails with its message.
package peers

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"kdd/bench/internal/harness"
	"kdd/bench/speed/peers/corpus"
	"kdd/format/index"
)

// settings are the command line.
type settings struct {
	kdd, python, script, out, work, chunks, engines string
	limit, queries                                  int
	seed                                            uint64
	own, mode                                       string
}

// words are the engines that search by words. Those that compare vectors need vectors, which these corpora lack.
const words = "tantivy,sqlite-fts5,lancedb-words,ripgrep"

// chunksPerDocument is what kdd makes of a document of package corpus on average.
const chunksPerDocument = 6.05

// Run prints a table for each size.
func Run(args []string, stdout, stderr io.Writer) int {
	var s settings
	return harness.Run("peers", args, stderr, func(flags *flag.FlagSet) harness.Work {
		flags.StringVar(&s.kdd, "kdd", "bin/kdd", "the kdd binary")
		flags.StringVar(&s.python, "python", "python3", "the Python that has the engines' packages")
		flags.StringVar(&s.script, "script", "bench/speed/peers/peers.py", "what drives the engines")
		flags.StringVar(&s.out, "out", "", "folder that keeps the tables and the raw figures")
		flags.StringVar(&s.work, "work", "", "folder of corpora and artifacts, which are kept; without it a temporary one")
		flags.StringVar(&s.chunks, "chunks", "1000,10000,100000", "sizes of the corpora")
		flags.StringVar(&s.engines, "engines", words, "engines beside kdd")
		flags.IntVar(&s.limit, "limit", 10, "hits of a query")
		flags.IntVar(&s.queries, "queries", 70, "how many queries")
		flags.Uint64Var(&s.seed, "seed", 1, "of corpora and queries")
		flags.StringVar(&s.own, "own", "", "ask this artifact in this process, print a result and end: what is started for kdd")
		flags.StringVar(&s.mode, "mode", "lexical", "of -own")
		return func(ctx context.Context) error {
			if s.own != "" {
				return own(ctx, stdout, s.own, s.mode, s.work, s.limit)
			}
			return s.run(ctx, args, stdout)
		}
	})
}

func (s *settings) run(ctx context.Context, args []string, stdout io.Writer) error {
	if s.work == "" {
		dir, err := os.MkdirTemp("", "kdd-peers")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		s.work = dir
	}
	kept := harness.Result{Title: "Beside other engines", Command: "speed peers", Args: args, Version: harness.Version(s.kdd), Files: map[string]string{}}
	var table strings.Builder
	fmt.Fprintf(&table, "Sections and queries of bench/speed/peers/corpus, seed %d; one thread each. Milliseconds a query: median and 99th\n"+
		"percentile of %d queries of ten to thirty words, %d hits each.\n", s.seed, s.queries, s.limit)
	for size := range strings.SplitSeq(s.chunks, ",") {
		n, err := strconv.Atoi(size)
		if err != nil || n < 1 {
			return harness.Wrong("-chunks: got %q, want numbers such as 1000,10000", size)
		}
		results, chunks, err := s.corpus(ctx, n)
		if err != nil {
			return err
		}
		fmt.Fprintf(&table, "\n## %d sections\n\n%s", chunks, rows(results))
		raw, err := json.Marshal(results)
		if err != nil {
			return err
		}
		kept.Files["raw-"+size+".json"] = string(raw)
	}
	kept.Body = table.String()
	return harness.Report(stdout, s.out, kept)
}

// corpus makes the corpus of a size and asks all engines.
func (s *settings) corpus(ctx context.Context, chunks int) ([]result, int, error) {
	folder := filepath.Join(s.work, strconv.Itoa(chunks))
	docs := corpus.New(s.seed, max(1, int(float64(chunks)/chunksPerDocument)))
	if err := docs.Write(filepath.Join(folder, "corpus")); err != nil {
		return nil, 0, err
	}
	artifact := filepath.Join(folder, "corpus.kddx")
	built, err := harness.Compile(ctx, s.kdd, "", filepath.Join(folder, "corpus"), artifact, harness.Lexical)
	if err != nil {
		return nil, 0, err
	}
	if err := export(artifact, folder, docs.Queries(s.queries)); err != nil {
		return nil, 0, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, 0, err
	}
	limit := strconv.Itoa(s.limit)
	mine := measured(ctx, "kdd-lexical", self, "peers", "-own", artifact, "-work", folder, "-mode", "lexical", "-limit", limit)
	mine.BuildS, mine.Version = built.Cost.Wall.Seconds(), harness.Version(s.kdd)
	results := []result{mine}
	for engine := range strings.SplitSeq(s.engines, ",") {
		results = append(results, measured(ctx, engine, s.python, s.script, engine, folder, limit))
	}
	return results, built.Counts.Chunks, nil
}

// export writes what the engines read: the chunks of an artifact and the queries.
func export(artifact, folder string, queries []string) error {
	x, err := index.Open(artifact)
	if err != nil {
		return err
	}
	defer x.File.Close()
	if err := writeSections(x, filepath.Join(folder, "sections.jsonl")); err != nil {
		return err
	}
	return writeQueries(queries, filepath.Join(folder, "queries.jsonl"))
}

// measured runs a process that prints a result.
func measured(ctx context.Context, engine, program string, args ...string) result {
	r := result{Engine: engine}
	out, _, err := harness.Process(ctx, program, args...)
	if err == nil {
		err = json.Unmarshal(out, &r)
	}
	if err != nil {
		r.Failed = err.Error()
	}
	return r
}

// rows prints results as a markdown table.
func rows(results []result) string {
	var b strings.Builder
	b.WriteString("| engine | version | build s | MB | memory MB | median ms | p99 ms |\n|---|---|---:|---:|---:|---:|---:|\n")
	for _, r := range results {
		if why := r.Absent + r.Failed; why != "" {
			fmt.Fprintf(&b, "| %s | %s |||||\n", r.Engine, strings.NewReplacer("|", "/", "\n", " ").Replace(why))
			continue
		}
		fmt.Fprintf(&b, "| %s | %s | %.2f | %.1f | %.0f | %.2f | %.2f |\n", r.Engine, r.Version, r.BuildS, float64(r.Bytes)/1e6, r.MemoryMB,
			harness.Percentile(r.MS, 50), harness.Percentile(r.MS, 99))
	}
	return b.String()
}
