// Command load measures kdd serve under load, over the loopback.
//
//	go run ./bench/load -kddq BIN -index FILE -queries FILE [-n 20000] [-clients 64] [-stream 200] [-replace 100] [-other FILE] [-idle 10000] [-idle-wait 150s] [-out DIR]
//
// FILE of queries has a query a line: id and text parted by a tab, or text alone. The server is a process of its own, with
// its cache and without, since a cache that has every query makes a test of the cache; memory is that of the row without. Measured are
//
//	tools/call     n POST /api/v1/mcp/tools/call of generate_rag_answer, by so many clients at once
//	search         n GET /api/v1/search
//	memory         the server's resident memory behind the first thousand requests and at the end (Linux)
//	first event    the time to the first event of a stream, one client
//	replaced       the artifact replaced by another and back so many times under load: each answer is whole, and of one of the two
//	ended          SIGTERM under load: each request that the server has read is answered
//	idle           so many connections that ask for nothing: the server goes on answering within -bound, has at most as many
//	               open as it allows itself, and closes the others in time, as far as -idle-wait lets one see; each needs an
//	               open file, here and (up to its limit) in the server
//
// It exits 1 where a request failed that should not have.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"kdd/bench/internal/command"
	"kdd/bench/internal/questions"
	"kdd/bench/record"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// settings are the command line.
type settings struct {
	kddq, index, other, out           string
	n, clients, streams, replacements int
	idle                              int
	wait, bound                       time.Duration
	queries                           []string
}

func run(args []string, stdout, stderr io.Writer) int {
	var s settings
	return command.Run("load", args, stderr, func(flags *flag.FlagSet) command.Work {
		flags.StringVar(&s.kddq, "kddq", "bin/kddq", "the kddq binary")
		flags.StringVar(&s.index, "index", "", "the artifact")
		flags.StringVar(&s.other, "other", "", "the artifact that takes its place and gives it back")
		flags.StringVar(&s.out, "out", "", "folder that keeps the table")
		flags.IntVar(&s.n, "n", 20000, "requests of each kind")
		flags.IntVar(&s.clients, "clients", 64, "clients at once")
		flags.IntVar(&s.streams, "stream", 200, "streams of events")
		flags.IntVar(&s.replacements, "replace", 100, "replacements of the artifact")
		flags.IntVar(&s.idle, "idle", 10000, "connections that ask for nothing; 0: none")
		flags.DurationVar(&s.wait, "idle-wait", 150*time.Second, "how long to look at them: the server closes them after 5 seconds before a request, and 2 minutes behind one")
		flags.DurationVar(&s.bound, "bound", time.Second, "longest time to an answer beside idle connections")
		queries := flags.String("queries", "", "file of queries")
		return func(ctx context.Context) error {
			if s.index == "" || *queries == "" || s.n < 1 || s.n > 1e6 || s.clients < 1 || s.clients > 1000 || s.idle < 0 || s.idle > 25000 || flags.NArg() > 0 {
				return command.ErrUsage
			}
			err := roomFor(s.idle) // before the long part
			if err != nil {
				return err
			}
			if s.queries, err = questions.Read(*queries); err != nil {
				return err
			}
			table, failed, err := s.measure(ctx, stderr)
			if err != nil {
				return err
			}
			fmt.Fprint(stdout, table)
			if s.out != "" {
				if err := record.Write(s.out, record.Run{Title: "Load", Command: "go run ./bench/load", Args: args, Body: table}); err != nil {
					return err
				}
			}
			if failed > 0 {
				return fmt.Errorf("%d requests failed", failed)
			}
			return nil
		}
	})
}
