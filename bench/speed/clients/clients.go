// Package clients says what a server adds to a search, as a client of another language sees it.
//
//	go run ./bench/speed clients -python VENV/bin/python -kddq BIN -index docs.kddx -queries FILE [-out DIR] [-n 20] [-rounds 10]
//
// clients.py times kdd_search over stdio and over HTTP: the first call of new processes (cold), then all queries -rounds
// times (warm). The same client times a server that has nothing to do: this program with -floor, which answers each request
// with bytes that kddq once answered. Both are asked in turn, so that what else the machine does falls on both.
//
//	wall     until the client has the answer
//	search   what the answer says that the search took (time_ms), in the server's process
//	floor    wall of the server that has nothing to do: client, pipe or TCP, and a minimal server's reading and writing
//	share    wall - search - floor: what kdd's server adds; percentile by percentile
//	paired   the same of each call and the floor's call before it: the median of the differences
//	waited   the same with a floor that computes for as long as the search took: a client whose answer does not come at once
//	         goes to sleep, and waking it is no work of the server
package clients

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"kdd/bench/internal/harness"
)

// settings are the command line.
type settings struct {
	python, script, kddq, index, queries, out string
	n, rounds                                 int
}

// Run measures and prints a table; with -floor it is the server that has nothing to do.
func Run(args []string, stdout, stderr io.Writer) int {
	var s settings
	return harness.Run("clients", args, stderr, func(flags *flag.FlagSet) harness.Work {
		flags.StringVar(&s.python, "python", "python3", "a Python that has the package mcp, version 2")
		flags.StringVar(&s.script, "script", "bench/speed/clients/clients.py", "the script that it runs")
		flags.StringVar(&s.kddq, "kddq", "bin/kddq", "the kddq binary")
		flags.StringVar(&s.index, "index", "", "the .kddx")
		flags.StringVar(&s.queries, "queries", "testdata/relevance/handbook/queries.tsv", "file of queries: id, tab, text")
		flags.StringVar(&s.out, "out", "", "folder that keeps the table")
		flags.IntVar(&s.n, "n", 20, "processes of each kind")
		flags.IntVar(&s.rounds, "rounds", 10, "rounds of all queries")
		floor := flags.String("floor", "", "stdio or http: be the server that has nothing to do")
		busy := flags.Bool("busy", false, "with -floor: take as long as the search took")
		canned := flags.String("canned", "", "with -floor: file of its answers")
		return func(ctx context.Context) error {
			if *floor == "" && s.index == "" || s.n < 1 || s.rounds < 1 || flags.NArg() > 0 {
				return harness.ErrUsage
			}
			if *floor != "" {
				return serveFloor(*floor, *canned, *busy, os.Stdin, stdout, stderr)
			}
			text, err := measure(ctx, &s)
			if err != nil {
				return err
			}
			return harness.Report(stdout, s.out, harness.Result{Title: "What a server adds to a search", Command: "speed clients",
				Args: args, Version: harness.Version(s.kddq), Body: text})
		}
	})
}

// series are the milliseconds of one server, by phase: wall, and the search's own.
type series struct{ wall, search map[string][]float64 }

func measure(ctx context.Context, s *settings) (string, error) {
	dir, err := os.MkdirTemp("", "kdd-clients")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	canned := filepath.Join(dir, "canned.json")
	if err := can(ctx, s, canned); err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("Milliseconds, p50 / p99; paired and waited p50.\n\n")
	b.WriteString("| transport | phase | n | wall | search | floor | share | paired | waited |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, kind := range []string{"stdio", "http"} {
		idle := []string{self, "clients", "-floor", kind, "-canned", canned}
		server := []string{s.kddq, "mcp", "-i", s.index}
		if kind == "http" {
			server = []string{s.kddq, "serve", "-i", s.index, "--port", "0"}
		}
		all, err := s.timed(ctx, kind, idle, append(slices.Clone(idle), "-busy"), server)
		if err != nil {
			return "", err
		}
		for _, phase := range []string{"cold", "warm"} {
			b.WriteString(row(kind, phase, all[2], all[0], all[1]))
		}
	}
	return b.String(), nil
}

// row is a line of the table: what a server adds to its searches and to what the floor takes.
func row(kind, phase string, server, floor, busy series) string {
	var beyond, paired, waited []float64 // of each call, what is not the search, and not the floors' calls before it
	for i, wall := range server.wall[phase] {
		beyond = append(beyond, wall-server.search[phase][i])
		paired = append(paired, beyond[i]-floor.wall[phase][i])
		waited = append(waited, beyond[i]-(busy.wall[phase][i]-busy.search[phase][i]))
	}
	both := func(times []float64) string {
		return fmt.Sprintf("%.2f / %.2f", harness.Percentile(times, 50), harness.Percentile(times, 99))
	}
	idle := floor.wall[phase]
	return fmt.Sprintf("| %s | %s | %d | %s | %s | %s | %.2f / %.2f | %.2f | %.2f |\n", kind, phase, len(beyond),
		both(server.wall[phase]), both(server.search[phase]), both(idle),
		harness.Percentile(beyond, 50)-harness.Percentile(idle, 50), harness.Percentile(beyond, 99)-harness.Percentile(idle, 99),
		harness.Percentile(paired, 50), harness.Percentile(waited, 50))
}

// timed runs the script and reads its lines; the series are those of the commands.
func (s *settings) timed(ctx context.Context, kind string, commands ...[]string) ([]series, error) {
	args := []string{s.script, kind, strconv.Itoa(s.n), strconv.Itoa(s.rounds), s.queries}
	var all []series
	for i, command := range commands {
		if i > 0 {
			args = append(args, "--")
		}
		args, all = append(args, command...), append(all, series{map[string][]float64{}, map[string][]float64{}})
	}
	run := exec.CommandContext(ctx, s.python, args...)
	run.Stderr = os.Stderr
	out, err := run.Output()
	if err != nil {
		return nil, fmt.Errorf("%s over %s: %w", s.script, kind, err)
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		if len(fields) != 4 {
			return nil, fmt.Errorf("%s printed %q", s.script, line)
		}
		i, err := strconv.Atoi(fields[0])
		wall, err1 := strconv.ParseFloat(fields[2], 64)
		search, err2 := strconv.ParseFloat(fields[3], 64)
		if err := errors.Join(err, err1, err2); err != nil || i < 0 || i >= len(all) {
			return nil, fmt.Errorf("%s printed %q: %w", s.script, line, err)
		}
		all[i].wall[fields[1]] = append(all[i].wall[fields[1]], wall)
		all[i].search[fields[1]] = append(all[i].search[fields[1]], search)
	}
	for _, one := range all {
		for phase, walls := range one.wall {
			if len(walls) != len(all[0].wall[phase]) {
				return nil, fmt.Errorf("%s over %s: %d calls of phase %s, want %d", s.script, kind, len(walls), phase, len(all[0].wall[phase]))
			}
		}
	}
	return all, nil
}
