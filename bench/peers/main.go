// Peers compares kdd with the engines that users would pick instead: the same sections, the same queries, one thread
// each, in one run. A corpus is made for each size (package corpus). An engine that is not installed is reported as
// absent, and one that fails with its message.
//
//	go run ./bench/peers -kdd bin/kdd -chunks 1000,10000,100000 -out DIR
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"kdd/bench/internal/command"
	"kdd/bench/peers/corpus"
	"kdd/bench/record"
	"kdd/format"
)

func main() { os.Exit(command.Run("peers", os.Args[1:], os.Stderr, declare)) }

// settings are the flags.
type settings struct {
	kdd, python, script, out, work, chunks, engines string
	k, queries                                      int
	seed                                            uint64
	own, mode                                       string
}

// words are the engines that search by words; those that compare vectors need vectors, which these corpora lack.
const words = "tantivy,sqlite-fts5,lancedb-words,ripgrep"

// chunksPerDocument is what kdd makes of a document of package corpus on average.
const chunksPerDocument = 6.05

func declare(flags *flag.FlagSet) command.Work {
	s := &settings{}
	flags.StringVar(&s.kdd, "kdd", "bin/kdd", "the compiler")
	flags.StringVar(&s.python, "python", "python3", "the Python that has the engines' packages")
	flags.StringVar(&s.script, "script", "bench/peers/peers.py", "what drives the engines")
	flags.StringVar(&s.out, "out", "", "folder of the results")
	flags.StringVar(&s.work, "work", "", "folder of corpora and artifacts, which are kept; a temporary one unless given")
	flags.StringVar(&s.chunks, "chunks", "1000,10000,100000", "sizes of the corpora")
	flags.StringVar(&s.engines, "engines", words, "engines beside kdd")
	flags.IntVar(&s.k, "k", 10, "hits of a query")
	flags.IntVar(&s.queries, "queries", 70, "how many queries")
	flags.Uint64Var(&s.seed, "seed", 1, "of corpora and queries")
	flags.StringVar(&s.own, "own", "", "ask this index in this process, print a result and end (what the command starts for kdd)")
	flags.StringVar(&s.mode, "mode", "lexical", "of -own")
	return func(ctx context.Context) error {
		if s.own != "" {
			return own(ctx, s.own, s.mode, s.work, s.k)
		}
		if s.out == "" {
			return command.ErrUsage
		}
		return s.run(ctx)
	}
}

func (s *settings) run(ctx context.Context) error {
	if s.work == "" {
		dir, err := os.MkdirTemp("", "peers")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		s.work = dir
	}
	if err := os.MkdirAll(s.out, 0o755); err != nil {
		return err
	}
	var table strings.Builder
	fmt.Fprintf(&table, "# Beside other engines\n\n%s, commit %s, load %s. Sections and queries of bench/peers/corpus, seed %d; one thread each.\n"+
		"Milliseconds a query, median and 99th percentile of %d queries of ten to thirty words, %d hits each.\n",
		record.Machine(), record.Commit(), record.Load(), s.seed, s.queries, s.k)
	for _, size := range strings.Split(s.chunks, ",") {
		n, err := strconv.Atoi(size)
		if err != nil || n < 1 {
			return command.Wrong("-chunks: got %q, want numbers such as 1000,10000", size)
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
		if err := os.WriteFile(filepath.Join(s.out, "raw-"+size+".json"), raw, 0o644); err != nil {
			return err
		}
	}
	fmt.Print(table.String())
	return os.WriteFile(filepath.Join(s.out, "README.md"), []byte(table.String()), 0o644)
}

// corpus makes the corpus of a size and asks all engines.
func (s *settings) corpus(ctx context.Context, chunks int) ([]result, int, error) {
	folder := filepath.Join(s.work, strconv.Itoa(chunks))
	docs := corpus.New(s.seed, max(1, int(float64(chunks)/chunksPerDocument)))
	if err := docs.Write(filepath.Join(folder, "corpus")); err != nil {
		return nil, 0, err
	}
	index := filepath.Join(folder, "corpus.kddx")
	start := time.Now()
	build := exec.CommandContext(ctx, s.kdd, "build", filepath.Join(folder, "corpus"), "-o", index, "--no-vectors", "--quiet")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, 0, fmt.Errorf("%s: %w\n%s", strings.Join(build.Args, " "), err, out)
	}
	built := time.Since(start).Seconds()
	x, err := format.OpenIndex(index)
	if err != nil {
		return nil, 0, err
	}
	n, err := writeSections(x, filepath.Join(folder, "sections.jsonl"))
	if e := x.File.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = writeQueries(docs.Queries(s.queries), filepath.Join(folder, "queries.jsonl"))
	}
	if err != nil {
		return nil, 0, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, 0, err
	}
	mine := measured(ctx, "kdd-lexical", self, "-own", index, "-work", folder, "-mode", "lexical", "-k", strconv.Itoa(s.k))
	mine.BuildS, mine.Version = built, record.Version(s.kdd)
	results := []result{mine}
	for _, engine := range strings.Split(s.engines, ",") {
		results = append(results, measured(ctx, engine, s.python, s.script, engine, folder, strconv.Itoa(s.k)))
	}
	return results, n, nil
}

// measured runs a process that prints a result.
func measured(ctx context.Context, engine, program string, args ...string) result {
	var errors bytes.Buffer
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stderr = &errors
	out, err := cmd.Output()
	r := result{Engine: engine}
	if err == nil {
		err = json.Unmarshal(out, &r)
	}
	if err != nil {
		lines := strings.Split(strings.TrimSpace(errors.String()), "\n")
		r.Failed = fmt.Sprintf("%v: %s", err, lines[len(lines)-1])
	}
	return r
}

// rows prints results as a markdown table.
func rows(results []result) string {
	var b strings.Builder
	b.WriteString("| engine | version | build s | MB | memory MB | median ms | p99 ms |\n|---|---|---:|---:|---:|---:|---:|\n")
	for _, r := range results {
		if why := strings.TrimSpace(r.Absent + r.Failed); why != "" {
			fmt.Fprintf(&b, "| %s | %s |||||\n", r.Engine, strings.ReplaceAll(why, "|", "/"))
			continue
		}
		fmt.Fprintf(&b, "| %s | %s | %.2f | %.1f | %.0f | %.2f | %.2f |\n", r.Engine, r.Version, r.BuildS, float64(r.Bytes)/1e6, r.MemoryMB,
			quantile(r.MS, .5), quantile(r.MS, .99))
	}
	return b.String()
}

// quantile returns the value that the share q of values is at most, the nearest rank; 0 of none.
func quantile(values []float64, q float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}
