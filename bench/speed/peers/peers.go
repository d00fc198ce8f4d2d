// Package peers compares kdd with the engines that users would pick instead: the same sections, the same vectors, the
// same queries, one thread each, in one run.
//
//	go run ./bench/speed peers -kdd BIN [-rows FILE.kddx] [-eval DIR] [-chunks 1000,10000] [-engines words] [-out DIR]
//
// A corpus is made for each size (package corpus), and a vector for each of its sections and queries (vectors.go). Each
// engine is driven from Python by peers.py and engines.py, from its own package: pip install numpy tantivy lancedb
// faiss-cpu usearch sqlite-vec apsw duckdb, and ripgrep of the system. One that is not installed is reported as absent,
// and one that fails with its message. With -eval every engine also answers the questions of sets (judged.go).
package peers

import (
	"cmp"
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
	kdd, python, script, out, work, chunks, engines, rows, eval string
	limit, queries, rounds                                      int
	seed                                                        uint64
	own, mode                                                   string
}

// What an engine is asked by.
const (
	byWords   = "words"
	byVectors = "vectors"
	byBoth    = "both"
)

// engine is one row of the tables.
type engine struct {
	name, by string
	mode     string // of kdd; "" is an engine of peers.py
}

// engines are all rows, in their order.
var engines = []engine{
	{"kdd-words", byWords, "lexical"}, {"tantivy", byWords, ""}, {"sqlite-fts5", byWords, ""}, {"lancedb-words", byWords, ""}, {"ripgrep", byWords, ""},
	{"kdd-vectors", byVectors, byVectors}, {"faiss-flat", byVectors, ""}, {"faiss-sq8", byVectors, ""}, {"faiss-hnsw", byVectors, ""},
	{"usearch", byVectors, ""}, {"sqlite-vec", byVectors, ""}, {"lancedb-vectors", byVectors, ""}, {"duckdb", byVectors, ""},
	{"kdd-hybrid", byBoth, "hybrid"}, {"lancedb-hybrid", byBoth, ""},
}

// chosen returns the engines that a list names: names, or what engines are asked by; all for "".
func chosen(list string) ([]engine, error) {
	if list == "" {
		return engines, nil
	}
	named := strings.Split(list, ",")
	var picked []engine
	for _, name := range named {
		before := len(picked)
		for _, e := range engines {
			if e.name == name || e.by == name {
				picked = append(picked, e)
			}
		}
		if len(picked) == before {
			return nil, harness.Wrong("-engines: there is no %q, only words, vectors, both and %v", name, names(engines))
		}
	}
	return picked, nil
}

func names(list []engine) (all []string) {
	for _, e := range list {
		all = append(all, e.name)
	}
	return all
}

// sizes reads numbers of chunks.
func sizes(list string) (all []int, err error) {
	for text := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return nil, harness.Wrong("-chunks: got %q, want numbers such as 1000,10000", text)
		}
		all = append(all, n)
	}
	return all, nil
}

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
		flags.StringVar(&s.engines, "engines", "", "engines, or words, vectors, both; all without it")
		flags.StringVar(&s.rows, "rows", "", "artifact whose vectors, with noise, are those of the corpora; random ones without it")
		flags.StringVar(&s.eval, "eval", "", "sets, or folders of sets, whose questions are asked too, separated by commas")
		flags.IntVar(&s.limit, "limit", 10, "hits of a query")
		flags.IntVar(&s.queries, "queries", 70, "how many queries")
		flags.IntVar(&s.rounds, "rounds", 3, "how often each query is asked; its time is the median")
		flags.Uint64Var(&s.seed, "seed", 1, "of corpora, vectors and queries")
		flags.StringVar(&s.own, "own", "", "ask this artifact in this process, print a result and end: what is started for kdd")
		flags.StringVar(&s.mode, "mode", "lexical", "of -own")
		return func(ctx context.Context) error {
			if s.own != "" {
				return s.answer(ctx, stdout)
			}
			return s.run(ctx, args, stdout, stderr)
		}
	})
}

func (s *settings) run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	picked, err := chosen(s.engines)
	if err != nil {
		return err
	}
	all, err := sizes(s.chunks)
	if err != nil {
		return err
	}
	if s.work == "" {
		dir, err := os.MkdirTemp("", "kdd-peers")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		s.work = dir
	}
	source, err := openRows(s.rows, s.seed)
	kept := harness.Result{Title: "Beside other engines", Command: "speed peers", Args: args, Version: harness.Version(s.kdd), Files: map[string]string{}}
	var body strings.Builder
	fmt.Fprintf(&body, about, s.seed, source.origin(err), s.queries, s.rounds, s.limit)
	list := map[string]result{}
	for _, n := range all {
		results, chunks, err := s.size(ctx, n, picked, source, stderr)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			fmt.Fprintf(&body, "\n## %d sections\n\nNot made: %s\n", n, oneLine(err.Error()))
			continue
		}
		fmt.Fprintf(&body, "\n## %d sections\n\n%s", chunks, rows(results))
		if err := keepRaw(&kept, "raw-"+strconv.Itoa(n)+".json", results, list); err != nil {
			return err
		}
	}
	if s.eval != "" {
		sets, err := s.judged(ctx, picked, stderr)
		if err != nil {
			return err
		}
		fmt.Fprintf(&body, "\n## Quality\n\n%s\n%s", aboutSets, quality(picked, sets))
	}
	fmt.Fprintf(&body, "\n## Engines\n\n%s", described(picked, list))
	kept.Body = body.String()
	return harness.Report(stdout, s.out, kept)
}

// keepRaw adds the file of a size, and the engines' versions and settings to list.
func keepRaw(kept *harness.Result, name string, results []result, list map[string]result) error {
	raw, err := json.Marshal(results)
	if err != nil {
		return err
	}
	kept.Files[name] = string(raw)
	for _, r := range results {
		if r.Absent+r.Failed == "" {
			list[r.Engine] = r
		}
	}
	return nil
}

// given is what engines are asked about: a folder for peers.py, and the same sections as artifacts of kdd.
type given struct {
	folder         string
	words, vectors string // artifacts
	unfed          error  // why there are no vectors
	mute           error  // why no query encoder
	exact          [][]int
}

// size makes the corpus of a size and asks all engines.
func (s *settings) size(ctx context.Context, chunks int, picked []engine, source *source, stderr io.Writer) ([]result, int, error) {
	folder := filepath.Join(s.work, strconv.Itoa(chunks))
	docs := corpus.Sized(s.seed, chunks)
	if err := docs.Write(filepath.Join(folder, "corpus")); err != nil {
		return nil, 0, err
	}
	g := &given{folder: folder, words: filepath.Join(folder, "words.kddx"), vectors: filepath.Join(folder, "vectors.kddx")}
	built, err := harness.Compile(ctx, s.kdd, "", filepath.Join(folder, "corpus"), g.words, harness.Lexical)
	if err != nil {
		return nil, 0, err
	}
	if err := export(g.words, folder, docs.Queries(s.queries)); err != nil {
		return nil, 0, err
	}
	costs := map[string]harness.Cost{g.words: built.Cost}
	for _, e := range picked {
		if e.by != byWords {
			var grafted harness.Cost
			grafted, g.unfed = g.feed(source, built.Counts.Chunks, s.queries, s.limit)
			costs[g.vectors] = harness.Cost{Wall: built.Cost.Wall + grafted.Wall, CPU: built.Cost.CPU + grafted.CPU}
			g.mute = source.mute()
			break
		}
	}
	version := harness.Version(s.kdd)
	var results []result
	for _, e := range picked {
		r := s.ask(ctx, g, e, s.limit, s.rounds)
		if e.mode != "" {
			cost := costs[g.artifact(e)]
			r.Version, r.BuildS, r.BuildCPU = version, cost.Wall.Seconds(), cost.CPU.Seconds()
		}
		fmt.Fprintf(stderr, "%d chunks: %s: %s\n", chunks, e.name, cmp.Or(r.Absent, r.Failed, fmt.Sprintf("%.2f ms", harness.Percentile(r.MS, 50))))
		results = append(results, r)
	}
	return results, built.Counts.Chunks, nil
}

// artifact is the one that kdd is asked in.
func (g *given) artifact(e engine) string {
	if e.by == byWords {
		return g.words
	}
	return g.vectors
}

// ask asks one engine the queries of a folder.
func (s *settings) ask(ctx context.Context, g *given, e engine, limit, rounds int) result {
	switch {
	case e.by != byWords && g.unfed != nil:
		return result{Engine: e.name, By: e.by, Failed: g.unfed.Error()}
	case e.mode == "hybrid" && g.mute != nil:
		return result{Engine: e.name, By: e.by, Absent: g.mute.Error()}
	}
	program, args := s.python, []string{s.script, e.name, g.folder, strconv.Itoa(limit), strconv.Itoa(rounds)}
	if e.mode != "" {
		self, err := os.Executable()
		if err != nil {
			return result{Engine: e.name, By: e.by, Failed: err.Error()}
		}
		program, args = self, []string{"peers", "-own", g.artifact(e), "-work", g.folder, "-mode", e.mode, "-limit", strconv.Itoa(limit), "-rounds", strconv.Itoa(rounds)}
	}
	r := measured(ctx, program, args...)
	r.Engine, r.By = e.name, e.by
	if e.by == byVectors && r.Failed+r.Absent == "" {
		r.Recall = recall(r.Hits, g.exact)
	}
	return r
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
func measured(ctx context.Context, program string, args ...string) (r result) {
	out, _, err := harness.Process(ctx, program, args...)
	if err == nil {
		err = json.Unmarshal(out, &r)
	}
	if err != nil {
		return result{Failed: err.Error()}
	}
	return r
}
