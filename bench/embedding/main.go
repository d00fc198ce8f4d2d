// Command embedding measures how fast the documents of a folder are embedded, beside a bare loop over the same texts.
//
//	go run ./bench/embedding [-model NAME] [-forms fused,plain,int8,go] [-rounds 3] [-workers N] [-n CHUNKS] FOLDER
//
// The texts are the folder's chunks as a build makes them. Each round runs, for each form, embedding.EmbedAll and then
// the bare loop: as many goroutines that call one ONNX Runtime session with the same settings on prepared tensors, and
// do nothing else. Reported are the median of the rounds in wordpieces a second, the share of the bare loop's speed
// that is reached, load time, peak memory of the process so far, and how the vectors agree with the first form's.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"time"

	"kdd/bench/internal/command"
	"kdd/compiler/chunk"
	"kdd/compiler/embedding"
	"kdd/compiler/embedding/engine"
	"kdd/compiler/embedding/model"
	"kdd/compiler/embedding/onnx"
	"kdd/compiler/markdown"
	"kdd/compiler/source"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// settings are the command line.
type settings struct {
	model, library string
	forms          []string
	rounds         int
	workers        int
	chunks         int
	folder         string
}

func run(args []string, stdout, stderr io.Writer) int {
	var s settings
	return command.Run("embedding", args, stderr, func(flags *flag.FlagSet) command.Work {
		flags.StringVar(&s.model, "model", "", "model, by name or folder")
		flags.StringVar(&s.library, "library", "", "ONNX Runtime's shared library")
		forms := flags.String("forms", "fused,plain,int8,go", "what to measure")
		flags.IntVar(&s.rounds, "rounds", 3, "rounds")
		flags.IntVar(&s.workers, "workers", goruntime.GOMAXPROCS(0), "goroutines")
		flags.IntVar(&s.chunks, "n", 0, "at most so many chunks, spread over the folder; 0 for all")
		return func(ctx context.Context) error {
			if flags.NArg() != 1 || s.rounds < 1 || s.workers < 1 {
				return command.ErrUsage
			}
			s.forms, s.folder = strings.Split(*forms, ","), flags.Arg(0)
			return measure(ctx, stdout, &s)
		}
	})
}

// texts returns the wordpieces of the folder's chunks.
func texts(ctx context.Context, m *model.Model, s *settings) ([][]int32, error) {
	vocab, err := m.Vocab()
	if err != nil {
		return nil, err
	}
	tree, err := source.Walk(ctx, source.Options{Dirs: []string{s.folder}})
	if err != nil {
		return nil, err
	}
	limit := chunk.Limit{Max: m.MaxTokens - 2, Count: vocab.Count}
	var all [][]int32
	for _, f := range tree.Files {
		doc := markdown.Parse(f.Path, f.Data)
		for _, c := range chunk.Split(doc, limit) {
			all = append(all, vocab.EncodeWithSpecials(nil, m.Prefixes.Document+chunk.Embedded(doc, c), m.MaxTokens))
		}
	}
	if s.chunks > 0 && s.chunks < len(all) {
		some := make([][]int32, s.chunks)
		for i := range some {
			some[i] = all[i*len(all)/s.chunks]
		}
		all = some
	}
	if len(all) == 0 {
		return nil, errors.New("no chunks")
	}
	return all, nil
}

// measure runs all rounds and prints the table.
func measure(ctx context.Context, w io.Writer, s *settings) error {
	m, err := model.Find(s.model, "")
	if err != nil {
		return err
	}
	all, err := texts(ctx, m, s)
	if err != nil {
		return err
	}
	tokens := 0
	for _, t := range all {
		tokens += len(t)
	}
	fmt.Fprintf(w, "model %s %.12s, %d chunks, %d wordpieces, %d goroutines, %d rounds\n", m.Name, m.SHA256, len(all), tokens, s.workers, s.rounds)
	var first []float32
	for _, form := range s.forms {
		if err := measureForm(ctx, w, s, m, form, all, tokens, &first); err != nil {
			return fmt.Errorf("%s: %w", form, err)
		}
	}
	return nil
}

// measureForm measures one form and prints its line.
func measureForm(ctx context.Context, w io.Writer, s *settings, m *model.Model, form string, all [][]int32, tokens int, first *[]float32) error {
	start := time.Now()
	e, graph, remove, err := open(s, m, form)
	if err != nil {
		return err
	}
	defer remove()
	defer e.Close()
	load := time.Since(start)
	var bare *bareLoop
	if graph != "" {
		if bare, err = newBareLoop(graph, all, m.Dim); err != nil {
			return err
		}
		defer bare.close()
	}
	var ours, theirs best
	var vectors []float32
	for range s.rounds {
		err := ours.time(tokens, func() (err error) {
			vectors, err = embedding.EmbedAll(ctx, e, all, s.workers, nil)
			return err
		})
		if err == nil && bare != nil {
			err = theirs.time(tokens, func() error { return bare.run(s.workers) })
		}
		if err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "%-6s %-38s load %4d ms  %6.0f tokens/s, %6.0f a processor second", form, engine.ID(e), load.Milliseconds(), ours.wall, ours.cpu)
	if bare != nil {
		fmt.Fprintf(w, "  bare %6.0f, %6.0f  ratio %.3f, %.3f", theirs.wall, theirs.cpu, ours.wall/theirs.wall, ours.cpu/theirs.cpu)
	}
	fmt.Fprintf(w, "  peak %s", peakMemory())
	if *first == nil {
		*first = vectors
	} else {
		lowest, mean := agreement(*first, vectors, m.Dim)
		fmt.Fprintf(w, "  cosine with %s: mean %.7f, lowest %.7f", s.forms[0], mean, lowest)
	}
	fmt.Fprintln(w)
	return nil
}

// open returns the engine of a form, and its ONNX file if it has one.
func open(s *settings, m *model.Model, form string) (e engine.Engine, graph string, remove func(), err error) {
	o := engine.Options{Kind: engine.ONNX, Library: s.library}
	remove = func() {}
	switch form {
	case "go":
		o.Kind = engine.Go
		e, _, err = m.Engine("float32", o)
		return e, "", remove, err
	case "fused":
		e, _, err = m.Engine("float32", o)
		return e, filepath.Join(m.Path, model.ONNXFile), remove, err
	case "int8":
		e, _, err = m.Engine("int8", o)
		return e, filepath.Join(m.Path, model.ONNXInt8File), remove, err
	case "plain":
		dir, err := os.MkdirTemp("", "kdd-bench-*")
		if err != nil {
			return nil, "", remove, err
		}
		remove = func() { os.RemoveAll(dir) }
		graph = filepath.Join(dir, "plain.onnx")
		if err := writePlain(m, graph); err != nil {
			return nil, "", remove, err
		}
		e, _, err = engine.Open(engine.Source{ONNX: graph, Dim: m.Dim, Vocab: m.Info.Vocab, MaxIDs: m.Positions}, o)
		return e, graph, remove, err
	}
	return nil, "", remove, errors.New("want fused, plain, int8 or go")
}

// writePlain writes the model with standard operators only.
func writePlain(m *model.Model, path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	if err := m.WriteGraph(w, onnx.Plain); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

// agreement returns the lowest and the mean cosine of two sets of unit vectors.
func agreement(a, b []float32, dim int) (lowest, mean float64) {
	lowest = 1
	n := len(a) / dim
	for i := range n {
		var dot, x, y float64
		for k := i * dim; k < (i+1)*dim; k++ {
			dot += float64(a[k]) * float64(b[k])
			x += float64(a[k]) * float64(a[k])
			y += float64(b[k]) * float64(b[k])
		}
		c := dot / math.Sqrt(x*y)
		lowest, mean = min(lowest, c), mean+c/float64(n)
	}
	return lowest, mean
}

// best is the fastest of several rounds, in wordpieces a second.
type best struct{ wall, cpu float64 }

// time runs a round.
func (b *best) time(tokens int, round func() error) error {
	start, used := time.Now(), cpuTime()
	if err := round(); err != nil {
		return err
	}
	b.wall = max(b.wall, float64(tokens)/time.Since(start).Seconds())
	if used = cpuTime() - used; used > 0 {
		b.cpu = max(b.cpu, float64(tokens)/used.Seconds())
	}
	return nil
}

// peakMemory returns the largest resident size so far, where the system tells.
func peakMemory() string {
	data, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return "unknown"
	}
	for line := range strings.SplitSeq(string(data), "\n") {
		if v, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			return strings.TrimSpace(v)
		}
	}
	return "unknown"
}
