// Package load measures kddq serve under load, over the loopback.
//
//	go run ./bench/speed load -kddq BIN -index FILE -queries FILE [-n 10000] [-clients 64] [-out DIR]
//
// FILE of queries has a query a line: id and text separated by a tab, or text alone. Each kind of request has a server
// process of its own, once with a cache of answers and once without: with a cache that has every query only the cache
// is measured.
//
//	tools/call     n POST /api/v1/mcp/tools/call of generate_rag_answer, by so many clients at once
//	search         n GET /api/v1/search
//	CPU            the server's processor time for each request: what a busy machine changes least
//	memory         the server's resident and private memory after the first thousand requests and at the end (Linux)
//	ended          SIGTERM under load: each request that the server has read is answered
//
// The exit code is 1 where a request failed that should not have.
package load

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"kdd/bench/internal/harness"
)

// settings are the command line.
type settings struct {
	kddq, index, out string
	n, clients       int
	queries          []string
}

// Run measures and prints a table.
func Run(args []string, stdout, stderr io.Writer) int {
	var s settings
	return harness.Run("load", args, stderr, func(flags *flag.FlagSet) harness.Work {
		flags.StringVar(&s.kddq, "kddq", "bin/kddq", "the kddq binary")
		flags.StringVar(&s.index, "index", "", "the artifact")
		flags.StringVar(&s.out, "out", "", "folder that keeps the table")
		flags.IntVar(&s.n, "n", 10000, "requests of each kind")
		flags.IntVar(&s.clients, "clients", 64, "clients at once")
		queries := flags.String("queries", "", "file of queries")
		return func(ctx context.Context) error {
			if s.index == "" || *queries == "" || s.n < 1 || s.n > 1e6 || s.clients < 1 || s.clients > 1000 || flags.NArg() > 0 {
				return harness.ErrUsage
			}
			var err error
			if s.queries, err = harness.Questions(*queries); err != nil {
				return err
			}
			table, failed, err := s.measure(ctx, stderr)
			if err == nil && failed > 0 {
				err = fmt.Errorf("%d requests failed", failed)
			}
			return errors.Join(harness.Report(stdout, s.out, harness.Result{Title: "Load", Command: "speed load", Args: args,
				Version: harness.Version(s.kddq), Body: table}), err)
		}
	})
}
