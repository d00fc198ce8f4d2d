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
	"log"
	"os"
	"strings"

	"kdd/bench/quality/ranking"
	"kdd/runtime"
	"kdd/runtime/shape"
)

func main() {
	log.SetFlags(0)
	index := flag.String("index", "", "artifact")
	queries := flag.String("queries", "", "queries.tsv: id, text")
	mode := flag.String("mode", "hybrid", "hybrid, lexical or vector")
	paths := flag.Int("paths", 100, "distinct documents per query")
	flag.Parse()
	f, err := os.Open(*queries)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	svc := runtime.New(runtime.Config{Index: []string{*index}})
	defer svc.Close()
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		if len(fields) < 2 {
			continue
		}
		if err := ask(context.Background(), out, svc, fields[0], fields[1], *mode, *paths); err != nil {
			log.Fatalf("%s: %v", fields[0], err)
		}
	}
	if err := lines.Err(); err != nil {
		log.Fatal(err)
	}
}

func ask(ctx context.Context, out io.Writer, svc *runtime.Service, id, text, mode string, paths int) error {
	hits, err := ranking.Hits(ctx, svc, shape.SearchRequest{Query: text, Mode: mode, Explain: true}, paths)
	for _, h := range hits {
		fmt.Fprintf(out, "%s\t%d\t%s\t%s\t%g\t%g\n", id, h.Rank, h.Path, cmp.Or(h.Anchor, "-"), h.Score, h.Explain.Raw)
	}
	return err
}
