// Command quality asks an artifact every question of a set and writes the run file that the set is scored with.
//
//	go run ./bench/quality -index docs.kddx -queries SET/queries.tsv -mode lexical > run.tsv
//
// A line of the run: query id, rank, path, anchor or "-", score, raw score, separated by tabs; as many sections as it takes to
// name -paths distinct documents, or all there are.
package main

import (
	"bufio"
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"

	"kdd/bench/internal/command"
	"kdd/bench/quality/ranking"
	"kdd/runtime"
	"kdd/runtime/eval"
	"kdd/runtime/wire"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	return command.Run("quality", args, stderr, func(flags *flag.FlagSet) command.Work {
		index := flags.String("index", "", "artifact")
		queries := flags.String("queries", "", "queries.tsv: id, text")
		mode := flags.String("mode", "hybrid", "hybrid, lexical or vector")
		paths := flags.Int("paths", 100, "distinct documents per query")
		return func(ctx context.Context) error {
			data, err := os.ReadFile(*queries)
			if err != nil {
				return err
			}
			parsed := eval.Parse(eval.File{Name: *queries, Data: data}, nil, "")
			if len(parsed.Set.Questions) == 0 {
				return eval.Err(parsed.Faults)
			}
			svc := runtime.New(runtime.Config{Index: []string{*index}})
			defer svc.Close()
			out := bufio.NewWriter(stdout)
			defer out.Flush()
			for _, q := range parsed.Set.Questions {
				if err := ask(ctx, out, svc, q.ID, q.Text, *mode, *paths); err != nil {
					return fmt.Errorf("%s: %w", q.ID, err)
				}
			}
			return nil
		}
	})
}

func ask(ctx context.Context, out io.Writer, svc *runtime.Service, id, text, mode string, paths int) error {
	hits, err := ranking.Hits(ctx, svc, wire.SearchRequest{Query: text, Mode: mode, Explain: true}, paths)
	for _, h := range hits {
		fmt.Fprintf(out, "%s\t%d\t%s\t%s\t%g\t%g\n", id, h.Rank, h.Path, cmp.Or(h.Anchor, "-"), h.Score, h.Explain.Raw)
	}
	return err
}
