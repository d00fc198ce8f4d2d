// Package nearest prints the vectors of questions and the chunks that are nearest to each by kdd's exact comparison, for
// export/load.py, which asks other engines the same.
//
//	go run ./bench/interop nearest -index FILE.kddx QUESTIONS.tsv
//
// A line is a JSON object: the vector, and the ten nearest chunks by number with their cosines. QUESTIONS has an id, a
// tab and a text on each line.
package nearest

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"kdd/bench/internal/harness"
	"kdd/runtime/artifact"
	"kdd/runtime/search/vector"
)

// hits is how many chunks are printed for a question.
const hits = 10

type hit struct {
	Chunk  int     `json:"chunk"`
	Cosine float32 `json:"cosine"`
}

// Run prints the nearest chunks.
func Run(args []string, stdout, stderr io.Writer) int {
	return harness.Run("nearest", args, stderr, func(flags *flag.FlagSet) harness.Work {
		index := flags.String("index", "", "an artifact with vectors and an encoder of queries")
		return func(ctx context.Context) error {
			if flags.NArg() != 1 || *index == "" {
				return harness.Wrong("got %d files of questions, want -index FILE QUESTIONS", flags.NArg())
			}
			return print(ctx, stdout, *index, flags.Arg(0))
		}
	})
}

func print(ctx context.Context, w io.Writer, path, questions string) (err error) {
	data, err := os.ReadFile(questions)
	if err != nil {
		return err
	}
	store := artifact.NewStore(artifact.StoreOptions{Index: []string{path}})
	defer store.Close()
	set, err := store.Open(ctx, true, func() {})
	if err != nil {
		return err
	}
	defer set.Done(ctx, &err)
	a := set.Artifacts[0]
	encoder, err := a.Encoder()
	if err == nil && encoder == nil {
		err = errors.New(path + ": no vectors, or no encoder of queries")
	}
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	cosines := make([]float32, a.Chunks())
	for line := range strings.Lines(string(data)) {
		_, text, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			return fmt.Errorf("%s: the line %q has no tab", questions, line)
		}
		q := make([]float32, encoder.View.Dim)
		if _, err := encoder.Encode(q, text); err != nil {
			return err
		}
		if _, err := encoder.View.Cosines(ctx, vector.NewQuery(q), vector.Ranges{{0, uint32(a.Chunks())}}, cosines); err != nil {
			return err
		}
		found := make([]hit, len(cosines))
		for i, c := range cosines {
			found[i] = hit{i, c}
		}
		slices.SortFunc(found, func(x, y hit) int { return cmp.Or(cmp.Compare(y.Cosine, x.Cosine), x.Chunk-y.Chunk) })
		if err := json.NewEncoder(out).Encode(struct {
			Vector []float32 `json:"vector"`
			Hits   []hit     `json:"hits"`
		}{q, found[:min(hits, len(found))]}); err != nil {
			return err
		}
	}
	return out.Flush()
}
