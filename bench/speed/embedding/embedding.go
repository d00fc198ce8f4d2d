// Package embedding measures how fast what a build embeds is embedded, beside a bare loop over the same wordpieces.
//
//	go run ./bench/speed embedding [-model NAME] [-engine onnx] [-n 300] [-rounds 3] [-workers N]
//		[-kinds chunks,sentences] [-try "threads=2,workers=1 level=all batch=8"] [-out DIR] FOLDER
//
// The texts are what a build of the folder asks its engine for: chunks, and the sentences that the query encoder learns
// from. Rows are medians of the rounds; each round runs all rows, every other round in the reverse order:
//
//   - kdd: embedding.EmbedAll as a build calls it: short texts together, near ties again in float64
//   - each alone: the same with each text by itself
//   - once: that without the second look
//   - bare loop: as many goroutines that call one ONNX Runtime session with the engine's settings on prepared tensors
//   - each setting of -try: a bare loop that differs in it. Other last bits are vectors that are not those of once;
//     other rows are what an artifact would have otherwise, once near ties are evaluated again: int8 rows or scales. A
//     setting that kdd could take has none of these.
//
// Ratios are to the bare loop in the same round, by the clock and by processor time. Where the engine is Go there is no
// bare loop, and they are to once.
package embedding

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"
	"time"

	"kdd/bench/internal/harness"
	"kdd/compiler/embedding"
	"kdd/compiler/embedding/engine"
	"kdd/compiler/embedding/model"
	"kdd/format/index"
)

// settings are the command line.
type settings struct {
	model, engine, library, out string
	n, rounds, workers          int
	kinds                       []string
	try                         []setting
}

// Run measures the embedding of one folder.
func Run(args []string, stdout, stderr io.Writer) int {
	return harness.Run("embedding", args, stderr, func(flags *flag.FlagSet) harness.Work {
		var s settings
		flags.StringVar(&s.model, "model", "", "model, by name or folder")
		flags.StringVar(&s.engine, "engine", "onnx", "engine: onnx or go")
		flags.StringVar(&s.library, "library", "", "ONNX Runtime's shared library (default: as kdd finds it)")
		flags.StringVar(&s.out, "out", "", "folder that keeps the tables")
		flags.IntVar(&s.n, "n", 300, "texts of each kind, spread over all; 0 = all")
		flags.IntVar(&s.rounds, "rounds", 3, "rounds")
		flags.IntVar(&s.workers, "workers", goruntime.GOMAXPROCS(0), "goroutines")
		kinds := flags.String("kinds", "chunks,sentences", "what is embedded, with commas between")
		try := flags.String("try", "", "settings of further bare loops, with spaces between")
		return func(ctx context.Context) error {
			if flags.NArg() != 1 || s.rounds < 1 || s.workers < 1 || s.n < 0 {
				return harness.ErrUsage
			}
			s.kinds = strings.Split(*kinds, ",")
			for text := range strings.FieldsSeq(*try) {
				t, err := parseSetting(text, s.workers)
				if err != nil {
					return err
				}
				s.try = append(s.try, t)
			}
			text, err := s.measure(ctx, flags.Arg(0))
			if err != nil {
				return err
			}
			r := harness.Result{Title: "Embedding", Command: "speed embedding", Args: args, Body: text}
			return harness.Report(stdout, s.out, r)
		}
	})
}

// measure returns the tables of the kinds.
func (s *settings) measure(ctx context.Context, folder string) (string, error) {
	kind, err := engine.ParseKind(s.engine)
	if err != nil {
		return "", err
	}
	m, err := model.Find(s.model)
	if err != nil {
		return "", err
	}
	e, _, err := m.Engine(engine.Options{Kind: kind, Library: s.library})
	if err != nil {
		return "", err
	}
	defer e.Close()
	c, err := record(ctx, m, folder)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s, %d goroutines, %d rounds. A build of %d chunks embeds ",
		m.Name, engine.ID(e), s.workers, s.rounds, c.chunks)
	for i, k := range kinds {
		fmt.Fprintf(&b, "%s%d %s (%d distinct, %d wordpieces)", []string{"", " and "}[i], len(c.texts[k.phase]), k.name,
			distinct(c.texts[k.phase]), count(c.texts[k.phase]))
	}
	b.WriteString(".\n")
	for _, k := range kinds {
		texts := spread(c.texts[k.phase], s.n)
		if !slices.Contains(s.kinds, k.name) || len(texts) == 0 {
			continue
		}
		r := &run{settings: s, model: m, engine: e, agreed: m.Agreed(e), texts: texts, tokens: count(texts)}
		err := r.open()
		if err == nil {
			err = r.measure(ctx)
		}
		r.close()
		if err != nil {
			return "", err
		}
		if err := r.write(&b, k.name); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

// Places of rows.
const (
	onceSide = 2
	ours     = 3 // rows of kdd's loop
)

// run measures texts of one kind.
type run struct {
	*settings
	model          *model.Model
	engine, agreed engine.Engine
	texts          [][]int32
	tokens         int
	bare           []*bareLoop
	sides          []*side
}

// side is one row: what is run, its vectors, and its rounds in wordpieces a second.
type side struct {
	name      string
	embed     func(ctx context.Context) ([]float32, error)
	vectors   []float32
	wall, cpu []float64
	bits      int // vectors whose last bits are not those of once
	differ    int // rows that an artifact would have otherwise
}

// open makes the sides: kdd's loop in three ways, the bare loop and those of -try.
func (r *run) open() error {
	loop := func(e engine.Engine, together int) func(context.Context) ([]float32, error) {
		return func(ctx context.Context) ([]float32, error) {
			return embedding.EmbedAll(ctx, e, r.texts, together, r.workers, nil)
		}
	}
	r.sides = []*side{
		{name: "kdd", embed: loop(r.agreed, embedding.Together)},
		{name: "each alone", embed: loop(r.agreed, 0)},
		{name: "once", embed: loop(r.engine, 0)},
	}
	if r.engine.Name() != "onnxruntime" {
		return nil
	}
	if r.model.ONNX != nil {
		return errors.New("the model has a graph of its own, want one that was imported from weights")
	}
	for _, s := range append([]setting{engineSetting(r.workers)}, r.try...) {
		b, err := newBareLoop(filepath.Join(r.model.Path, model.ONNXFile), &s, r.texts, r.model.Dim)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		r.bare = append(r.bare, b)
		embed := func(context.Context) ([]float32, error) { return nil, b.run() }
		r.sides = append(r.sides, &side{name: s.name, embed: embed})
	}
	return nil
}

func (r *run) close() {
	for _, b := range r.bare {
		b.close()
	}
}

// measure runs the rounds and compares the rows.
func (r *run) measure(ctx context.Context) error {
	for round := range r.rounds {
		order := slices.Clone(r.sides)
		if round%2 == 1 {
			slices.Reverse(order)
		}
		for _, s := range order {
			start, used := time.Now(), harness.CPU()
			vectors, err := s.embed(ctx)
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			s.wall = append(s.wall, float64(r.tokens)/time.Since(start).Seconds())
			s.cpu = append(s.cpu, float64(r.tokens)/max(harness.CPU()-used, 1).Seconds())
			s.vectors = vectors
		}
	}
	for i, b := range r.bare {
		r.sides[ours+i].vectors = b.vectors()
	}
	for _, s := range r.sides {
		if err := r.compare(s); err != nil {
			return err
		}
	}
	return nil
}

// given is an engine whose vector is there already.
type given struct {
	engine.Engine
	vector []float32
}

// Embed gives the vector.
func (g *given) Embed(dst []float32, _ []int32) error {
	copy(dst, g.vector)
	return nil
}

// compare counts the vectors of s that are not those of once, to the bit, and the rows that differ from kdd's once near
// ties have been evaluated again.
func (r *run) compare(s *side) error {
	dim, got := r.model.Dim, make([]float32, len(s.vectors))
	g := &given{Engine: r.engine}
	agreed := r.model.Agreed(g)
	for i, ids := range r.texts {
		if !slices.Equal(s.vectors[i*dim:(i+1)*dim], r.sides[onceSide].vectors[i*dim:(i+1)*dim]) {
			s.bits++
		}
		row, want := got[i*dim:(i+1)*dim], r.sides[0].vectors[i*dim:(i+1)*dim]
		g.vector = s.vectors[i*dim : (i+1)*dim]
		if err := agreed.Embed(row, ids); err != nil {
			return err
		}
		a, x := index.QuantiseRows(row, dim)
		b, y := index.QuantiseRows(want, dim)
		if !slices.Equal(a, b) || x[0] != y[0] {
			s.differ++
		}
	}
	return nil
}

// write writes the table.
func (r *run) write(w io.Writer, name string) error {
	again, once := r.sides[1], r.sides[onceSide]
	base := r.sides[min(ours, len(r.sides)-1)]
	share := 100 * (1 - harness.Percentile(ratios(again.cpu, once.cpu), 50))
	fmt.Fprintf(w, "\n%d %s, %d wordpieces; %d texts (%.1f %%) are evaluated again, in %.1f %% of the processor time.\n\n",
		len(r.texts), name, r.tokens, again.bits, 100*float64(again.bits)/float64(len(r.texts)), share)
	fmt.Fprintf(w, "| | wordpieces a second | a processor second | to the %s, by the clock | by processor time "+
		"| other last bits | other rows |\n|---|---:|---:|---:|---:|---:|---:|\n", base.name)
	for _, s := range r.sides {
		_, err := fmt.Fprintf(w, "| %s | %.0f | %.0f | %s | %s | %d | %d |\n", s.name,
			harness.Percentile(s.wall, 50), harness.Percentile(s.cpu, 50),
			spreadOf(ratios(s.wall, base.wall)), spreadOf(ratios(s.cpu, base.cpu)), s.bits, s.differ)
		if err != nil {
			return err
		}
	}
	return nil
}

// ratios divides the rounds of two sides.
func ratios(a, b []float64) []float64 {
	all := make([]float64, len(a))
	for i := range all {
		all[i] = a[i] / b[i]
	}
	return all
}

// spreadOf writes median, least and largest.
func spreadOf(values []float64) string {
	return fmt.Sprintf("%.3f (%.3f–%.3f)", harness.Percentile(values, 50), slices.Min(values), slices.Max(values))
}
