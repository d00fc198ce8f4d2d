// Command latency says what a server adds to a search, as a client of another language sees it.
//
//	go run ./bench/interop/latency -python VENV/bin/python -kddq BIN -index docs.kddx -queries FILE [-out DIR] [-n 20] [-rounds 10]
//
// bench/interop/latency.py times kdd_search over stdio and over HTTP: the first call of new processes (cold), then all
// queries -rounds times (warm). The same client times a server that has nothing to do: this program with -floor, which
// answers each request with bytes that kddq once answered. Beside them stand the same searches in this process.
//
//	wall     until the client has the answer
//	search   what the answer says that the search took (time_ms), in the server's process
//	floor    wall of the server that has nothing to do: client, pipe or TCP, and a minimal server's reading and writing
//	share    wall - search - floor: what kdd's server adds
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"time"

	"kdd/bench/record"
	"kdd/runtime"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// settings are the command line.
type settings struct {
	python, script, kddq, index, queries, out string
	n, rounds                                 int
}

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var s settings
	flags := flag.NewFlagSet("latency", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&s.python, "python", "python3", "a Python that has the package mcp, version 2")
	flags.StringVar(&s.script, "script", "bench/interop/latency.py", "the script that it runs")
	flags.StringVar(&s.kddq, "kddq", "bin/kddq", "the kddq binary")
	flags.StringVar(&s.index, "index", "", "the .kddx")
	flags.StringVar(&s.queries, "queries", "testdata/relevance/handbook/queries.tsv", "file of queries: id, tab, text")
	flags.StringVar(&s.out, "out", "", "folder that keeps the table and the raw output")
	flags.IntVar(&s.n, "n", 20, "processes of each kind")
	flags.IntVar(&s.rounds, "rounds", 10, "rounds of all queries")
	floor := flags.String("floor", "", "stdio or http: be the server that has nothing to do")
	canned := flags.String("canned", "", "file of its answers")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if *floor == "" && s.index == "" || s.n < 1 || s.rounds < 1 || flags.NArg() > 0 {
		flags.Usage()
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	if *floor != "" {
		err = serveFloor(*floor, *canned, stdin, stdout, stderr)
	} else {
		err = measure(ctx, &s, args, stdout)
	}
	if err != nil {
		fmt.Fprintln(stderr, "latency:", err)
		return 1
	}
	return 0
}

// series are the milliseconds of one kind, by phase: wall, and of a server the search's own.
type series struct{ wall, search map[string][]float64 }

func newSeries() series { return series{wall: map[string][]float64{}, search: map[string][]float64{}} }

func measure(ctx context.Context, s *settings, args []string, stdout io.Writer) error {
	dir, err := os.MkdirTemp("", "kdd-interop")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	self, err := os.Executable()
	if err != nil {
		return err
	}
	canned := dir + "/canned.json"
	if err := can(ctx, s, canned); err != nil {
		return err
	}
	here, err := inProcess(ctx, s)
	if err != nil {
		return err
	}
	raw := map[string]string{}
	var b strings.Builder
	b.WriteString("Milliseconds, p50 / p99. Times of different runs are subtracted percentile by percentile.\n\n")
	b.WriteString("| transport | phase | n | in process | wall | search | floor | share |\n|---|---|---|---|---|---|---|---|\n")
	for _, kind := range []string{"stdio", "http"} {
		command := []string{s.kddq, "mcp", "-i", s.index}
		if kind == "http" {
			command = []string{s.kddq, "serve", "-i", s.index, "--port", "0"}
		}
		served, text, err := s.timed(ctx, kind, command...)
		if err != nil {
			return err
		}
		raw[kind+".tsv"] = text
		idle, text, err := s.timed(ctx, kind, self, "-floor", kind, "-canned", canned)
		if err != nil {
			return err
		}
		raw["floor-"+kind+".tsv"] = text
		for _, phase := range []string{"cold", "warm"} {
			var beyond []float64 // of each call, what is not the search
			for i, wall := range served.wall[phase] {
				beyond = append(beyond, wall-served.search[phase][i])
			}
			fmt.Fprintf(&b, "| %s | %s | %d | %s | %s | %s | %s | %.2f / %.2f |\n", kind, phase, len(beyond), both(here.wall[phase]), both(served.wall[phase]),
				both(served.search[phase]), both(idle.wall[phase]), percentile(beyond, 50)-percentile(idle.wall[phase], 50), percentile(beyond, 99)-percentile(idle.wall[phase], 99))
		}
	}
	fmt.Fprint(stdout, b.String())
	if s.out == "" {
		return nil
	}
	return record.Write(s.out, record.Run{Title: "What a server adds to a search", Command: "go run ./bench/interop/latency", Args: args, Body: b.String(), Files: raw})
}

// timed runs the script and reads its lines.
func (s *settings) timed(ctx context.Context, kind string, command ...string) (series, string, error) {
	all := newSeries()
	run := exec.CommandContext(ctx, s.python, append([]string{s.script, kind, strconv.Itoa(s.n), strconv.Itoa(s.rounds), s.queries}, command...)...)
	run.Stderr = os.Stderr
	out, err := run.Output()
	if err != nil {
		return all, "", fmt.Errorf("%s over %s: %w", s.script, kind, err)
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		if len(fields) != 3 {
			return all, "", fmt.Errorf("%s printed %q", s.script, line)
		}
		wall, err1 := strconv.ParseFloat(fields[1], 64)
		search, err2 := strconv.ParseFloat(fields[2], 64)
		if err := errors.Join(err1, err2); err != nil {
			return all, "", err
		}
		all.wall[fields[0]] = append(all.wall[fields[0]], wall)
		all.search[fields[0]] = append(all.search[fields[0]], search)
	}
	return all, string(out), nil
}

func (s *settings) readQueries() ([]string, error) {
	text, err := os.ReadFile(s.queries)
	if err != nil {
		return nil, err
	}
	var queries []string
	for line := range bytes.Lines(text) {
		if _, query, ok := strings.Cut(strings.TrimSpace(string(line)), "\t"); ok {
			queries = append(queries, query)
		}
	}
	if len(queries) == 0 {
		return nil, fmt.Errorf("%s: no queries", s.queries)
	}
	return queries, nil
}

// inProcess times the same searches in this process: cold is the first of a new Service, opening included.
func inProcess(ctx context.Context, s *settings) (series, error) {
	all := newSeries()
	queries, err := s.readQueries()
	if err != nil {
		return all, err
	}
	search := runtime.OperationNamed("search")
	one := func(service *runtime.Service, phase, query string) error {
		start := time.Now()
		_, err := search.Run(ctx, service, map[string]any{"query": query})
		all.wall[phase] = append(all.wall[phase], float64(time.Since(start))/1e6)
		return err
	}
	for i := range s.n {
		service := runtime.New(runtime.Config{Index: []string{s.index}})
		err := one(service, "cold", queries[i%len(queries)])
		for range s.rounds {
			for _, query := range queries {
				if i+1 == s.n && err == nil {
					err = one(service, "warm", query)
				}
			}
		}
		if err := errors.Join(err, service.Close()); err != nil {
			return all, err
		}
	}
	return all, nil
}

func both(times []float64) string {
	return fmt.Sprintf("%.2f / %.2f", percentile(times, 50), percentile(times, 99))
}

// percentile returns the value that p of 100 are not above (nearest rank); 0 of none.
func percentile(times []float64, p int) float64 {
	if len(times) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(times))
	return sorted[max(0, (len(sorted)*p+99)/100-1)]
}
