// Package clients says what a search takes as a client of another language sees it, over stdio and over HTTP.
//
//	go run ./bench/speed clients -python VENV/bin/python -kddq BIN -index docs.kddx -queries FILE [-out DIR] [-n 20] [-rounds 10]
//
// clients.py times kdd_search with the public Python client: the first call of new processes (cold), then all queries
// -rounds times (warm).
//
//	wall     until the client has the answer
//	search   what the answer says that the search took (time_ms), in the server's process
//	rest     wall - search, call by call: what client, transport and server add
package clients

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"kdd/bench/internal/harness"
)

// settings are the command line.
type settings struct {
	python, script, kddq, index, queries, out string
	n, rounds                                 int
}

// Run measures and prints a table.
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
		return func(ctx context.Context) error {
			if s.index == "" || s.n < 1 || s.rounds < 1 || flags.NArg() > 0 {
				return harness.ErrUsage
			}
			text, err := measure(ctx, &s)
			if err != nil {
				return err
			}
			return harness.Report(stdout, s.out, harness.Result{Title: "Searches from Python", Command: "speed clients",
				Args: args, Version: harness.Version(s.kddq), Body: text})
		}
	})
}

func measure(ctx context.Context, s *settings) (string, error) {
	var b strings.Builder
	b.WriteString("Milliseconds, p50 / p99.\n\n| transport | phase | n | wall | search | rest |\n|---|---|---|---|---|---|\n")
	for _, kind := range []string{"stdio", "http"} {
		server := []string{s.kddq, "mcp", "-i", s.index}
		if kind == "http" {
			server = []string{s.kddq, "serve", "-i", s.index, "--port", "0"}
		}
		args := append([]string{s.script, kind, strconv.Itoa(s.n), strconv.Itoa(s.rounds), s.queries}, server...)
		run := exec.CommandContext(ctx, s.python, args...)
		run.Stderr = os.Stderr
		out, err := run.Output()
		if err != nil {
			return "", fmt.Errorf("%s over %s: %w", s.script, kind, err)
		}
		for _, phase := range []string{"cold", "warm"} {
			line, err := row(kind, phase, string(out))
			if err != nil {
				return "", fmt.Errorf("%s over %s: %w", s.script, kind, err)
			}
			b.WriteString(line)
		}
	}
	return b.String(), nil
}

// row is a line of the table, of what the script printed for a phase: phase, wall and search of each call.
func row(kind, phase, printed string) (string, error) {
	var walls, searches, rests []float64
	for line := range strings.Lines(printed) {
		var of string
		var wall, search float64
		if _, err := fmt.Sscan(line, &of, &wall, &search); err != nil {
			return "", fmt.Errorf("got %q: %w", line, err)
		}
		if of == phase {
			walls, searches, rests = append(walls, wall), append(searches, search), append(rests, wall-search)
		}
	}
	both := func(times []float64) string {
		return fmt.Sprintf("%.2f / %.2f", harness.Percentile(times, 50), harness.Percentile(times, 99))
	}
	return fmt.Sprintf("| %s | %s | %d | %s | %s | %s |\n", kind, phase, len(walls), both(walls), both(searches), both(rests)), nil
}
