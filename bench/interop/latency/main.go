// Command latency says what a server adds to a search, as a client of another language sees it.
//
//	go run ./bench/interop/latency -python VENV/bin/python -kddq BIN -index docs.kddx -queries FILE [-out DIR] [-n 20] [-rounds 10]
//
// bench/interop/latency.py times kdd_search over stdio and over HTTP: the first call of new processes (cold), then all
// queries -rounds times (warm). The same client times a server that has nothing to do: this program with -floor, which
// answers each request with bytes that kddq once answered. Both are asked in turn, so that what else the machine does falls
// on both. A third kind of call (direct) is made by a client in this program that only writes and reads bytes, with -pause
// between two calls. Beside them stand the same searches in this process. -before names another kddq, asked in turn too.
//
//	in process  a search and its arguments in this process, with -pause before each
//	wall     until the client has the answer
//	search   what the answer says that the search took (time_ms), in the server's process
//	floor    wall of the server that has nothing to do: client, pipe or TCP, and a minimal server's reading and writing
//	share    wall - search - floor: what kdd's server adds; percentile by percentile
//	paired   the same of each call and the floor's call before it: the median of the differences
//	waited   the same with a floor that computes for as long as the search took: a client whose answer does not come at once
//	         goes to sleep, and that it and its memory have to be woken is no work of the server
//	above    wall - in process - floor, at the median: that the search itself is slower in a server that stands still
//	         between two calls counts as the server's here
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"kdd/bench/internal/command"
	"kdd/bench/internal/questions"
	"kdd/bench/record"
	"kdd/runtime"
	"kdd/runtime/wire"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// settings are the command line.
type settings struct {
	python, script, kddq, before, index, queries, out string
	n, rounds                                         int
	pause                                             time.Duration
}

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var s settings
	return command.Run("latency", args, stderr, func(flags *flag.FlagSet) command.Work {
		flags.StringVar(&s.python, "python", "python3", "a Python that has the package mcp, version 2")
		flags.StringVar(&s.script, "script", "bench/interop/latency.py", "the script that it runs")
		flags.StringVar(&s.kddq, "kddq", "bin/kddq", "the kddq binary")
		flags.StringVar(&s.before, "before", "", "another kddq binary to compare with")
		flags.DurationVar(&s.pause, "pause", 2*time.Millisecond, "before each direct call and each search in process")
		flags.StringVar(&s.index, "index", "", "the .kddx")
		flags.StringVar(&s.queries, "queries", "testdata/relevance/handbook/queries.tsv", "file of queries: id, tab, text")
		flags.StringVar(&s.out, "out", "", "folder that keeps the table and the raw output")
		flags.IntVar(&s.n, "n", 20, "processes of each kind")
		flags.IntVar(&s.rounds, "rounds", 10, "rounds of all queries")
		floor := flags.String("floor", "", "stdio or http: be the server that has nothing to do")
		busy := flags.Bool("busy", false, "with -floor: take as long as the search took")
		canned := flags.String("canned", "", "file of its answers")
		return func(ctx context.Context) error {
			if *floor == "" && s.index == "" || s.n < 1 || s.rounds < 1 || flags.NArg() > 0 {
				return command.ErrUsage
			}
			if *floor != "" {
				return serveFloor(*floor, *canned, *busy, stdin, stdout, stderr)
			}
			return measure(ctx, &s, args, stdout)
		}
	})
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
	b.WriteString("Milliseconds, p50 / p99; paired, waited and above p50.\n\n")
	b.WriteString("| transport | phase | server | n | in process | wall | search | floor | share | paired | waited | above |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, kind := range []string{"stdio", "http"} {
		idle := []string{self, "-floor", kind, "-canned", canned}
		names := []string{"floor", "busy floor", "kddq"}
		commands := [][]string{idle, append(slices.Clone(idle), "-busy"), serverCommand(kind, s.kddq, s.index)}
		if s.before != "" {
			names, commands = append(names, "before"), append(commands, serverCommand(kind, s.before, s.index))
		}
		all, text, err := s.timed(ctx, kind, commands...)
		if err != nil {
			return err
		}
		raw[kind+".tsv"] = text
		direct, err := s.direct(ctx, kind, commands...)
		if err != nil {
			return err
		}
		for _, phase := range []string{"cold", "warm", "direct"} {
			if phase == "direct" {
				all = direct
			}
			for i := 2; i < len(all); i++ {
				b.WriteString(row(kind, phase, names[i], here, all[i], all[0], all[1]))
			}
		}
	}
	var beyond []float64
	for i, wall := range here.wall["warm"] {
		beyond = append(beyond, wall-here.search["warm"][i])
	}
	fmt.Fprintf(&b, "\nA search in process takes %s more than its time_ms, for its arguments and for fitting the answer into its budget. The shares have that\nin them too, though it is not the server's.\n", both(beyond))
	fmt.Fprint(stdout, b.String())
	if s.out == "" {
		return nil
	}
	return record.Write(s.out, record.Run{Title: "What a server adds to a search", Command: "go run ./bench/interop/latency", Args: args, Body: b.String(), Files: raw})
}

// serverCommand is how kddq is started as a server.
func serverCommand(kind, kddq, index string) []string {
	if kind == "http" {
		return []string{kddq, "serve", "-i", index, "--port", "0"}
	}
	return []string{kddq, "mcp", "-i", index}
}

// row is a line of the table: what a server adds to its searches and to what the floor takes.
func row(kind, phase, name string, here, server, floor, busy series) string {
	var beyond, paired, waited []float64 // of each call, what is not the search, and not the floors' calls before it
	for i, wall := range server.wall[phase] {
		beyond = append(beyond, wall-server.search[phase][i])
		paired = append(paired, beyond[i]-floor.wall[phase][i])
		waited = append(waited, beyond[i]-(busy.wall[phase][i]-busy.search[phase][i]))
	}
	inProcess, idle := here.wall["warm"], floor.wall[phase]
	if phase == "cold" {
		inProcess = here.wall["cold"]
	}
	return fmt.Sprintf("| %s | %s | %s | %d | %s | %s | %s | %s | %.2f / %.2f | %.2f | %.2f | %.2f |\n", kind, phase, name, len(beyond), both(inProcess), both(server.wall[phase]), both(server.search[phase]), both(idle),
		percentile(beyond, 50)-percentile(idle, 50), percentile(beyond, 99)-percentile(idle, 99), percentile(paired, 50), percentile(waited, 50),
		percentile(server.wall[phase], 50)-percentile(inProcess, 50)-percentile(idle, 50))
}

// timed runs the script and reads its lines; the series are those of the commands.
func (s *settings) timed(ctx context.Context, kind string, commands ...[]string) ([]series, string, error) {
	args := []string{s.script, kind, strconv.Itoa(s.n), strconv.Itoa(s.rounds), s.queries}
	var all []series
	for i, command := range commands {
		if i > 0 {
			args = append(args, "--")
		}
		args, all = append(args, command...), append(all, newSeries())
	}
	run := exec.CommandContext(ctx, s.python, args...)
	run.Stderr = os.Stderr
	out, err := run.Output()
	if err != nil {
		return nil, "", fmt.Errorf("%s over %s: %w", s.script, kind, err)
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		if len(fields) != 4 {
			return nil, "", fmt.Errorf("%s printed %q", s.script, line)
		}
		i, err := strconv.Atoi(fields[0])
		wall, err1 := strconv.ParseFloat(fields[2], 64)
		search, err2 := strconv.ParseFloat(fields[3], 64)
		if err := errors.Join(err, err1, err2); err != nil || i < 0 || i >= len(all) {
			return nil, "", fmt.Errorf("%s printed %q: %w", s.script, line, err)
		}
		all[i].wall[fields[1]] = append(all[i].wall[fields[1]], wall)
		all[i].search[fields[1]] = append(all[i].search[fields[1]], search)
	}
	for _, one := range all {
		for phase, walls := range one.wall {
			if len(walls) != len(all[0].wall[phase]) {
				return nil, "", fmt.Errorf("%s over %s: %d calls of phase %s, want %d", s.script, kind, len(walls), phase, len(all[0].wall[phase]))
			}
		}
	}
	return all, string(out), nil
}

// inProcess times the same searches in this process: cold is the first of a new Service, opening included.
func inProcess(ctx context.Context, s *settings) (series, error) {
	all := newSeries()
	queries, err := questions.Read(s.queries)
	if err != nil {
		return all, err
	}
	search := runtime.OperationNamed("search")
	one := func(service *runtime.Service, phase, query string) error {
		time.Sleep(s.pause)
		start := time.Now()
		answer, err := search.Run(ctx, service, map[string]any{"query": query})
		all.wall[phase] = append(all.wall[phase], float64(time.Since(start))/1e6)
		if found, ok := answer.(*wire.SearchResponse); ok {
			all.search[phase] = append(all.search[phase], found.TimeMS)
		}
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
