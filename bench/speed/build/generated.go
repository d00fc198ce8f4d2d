package build

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"kdd/bench/internal/harness"
	"kdd/bench/speed/peers/corpus"
	"kdd/format/index"
	"kdd/runtime"
	"kdd/runtime/wire"
)

const (
	// queryCount is how many sentences are asked, and opens how often an artifact is opened.
	queryCount = 70
	opens      = 21
)

// generated measures builds of corpora of the sizes, and searches of what they wrote.
func (s *settings) generated(ctx context.Context) (string, error) {
	var b strings.Builder
	b.WriteString("| chunks | vectors | wall s | processor s | of 1,000 chunks | peak MB | markdown MB | file MB | open ms | first search ms | median ms | p99 ms |\n" +
		"|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n")
	for size := range strings.SplitSeq(s.sizes, ",") {
		n, err := strconv.Atoi(size)
		if err != nil || n < 1 {
			return "", harness.Wrong("-generated %s: want sizes in chunks, with commas between", s.sizes)
		}
		if err := s.size(ctx, &b, n); err != nil {
			return "", fmt.Errorf("%d chunks: %w", n, err)
		}
	}
	return b.String(), nil
}

// size measures one size: without vectors, and with those of -noise if it is given.
func (s *settings) size(ctx context.Context, b *strings.Builder, chunks int) error {
	dir, err := os.MkdirTemp(s.work, "kdd-generated")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	source := corpus.Sized(1, chunks)
	folder, file := filepath.Join(dir, "corpus"), filepath.Join(dir, "docs.kddx")
	if err := source.Write(folder); err != nil {
		return err
	}
	for _, form := range []struct {
		vectors, mode string
		build         func() (*harness.BuildReport, error)
	}{
		{"no", "lexical", func() (*harness.BuildReport, error) {
			return harness.Compile(ctx, s.kdd, "", folder, file, harness.Lexical)
		}},
		{"yes", "hybrid", func() (*harness.BuildReport, error) { return s.child(ctx, folder, file) }},
	} {
		if form.vectors == "yes" && s.noise == "" {
			continue
		}
		r, err := form.build()
		if err != nil {
			return err
		}
		t, err := ask(ctx, file, form.mode, source.Queries(queryCount))
		if err != nil {
			return err
		}
		cpu := r.Cost.CPU.Seconds()
		fmt.Fprintf(b, "| %d | %s | %.1f | %.1f | %.3f | %.0f | %.0f | %.0f | %.2f | %.1f | %.1f | %.1f |\n", r.Counts.Chunks, form.vectors,
			r.Cost.Wall.Seconds(), cpu, cpu/float64(r.Counts.Chunks)*1000, float64(r.Cost.Peak)/1e6, float64(r.SourceBytes)/1e6,
			float64(r.FileBytes)/1e6, ms(t.open), ms(t.first), ms(harness.Percentile(t.warm, 50)), ms(harness.Percentile(t.warm, 99)))
	}
	return nil
}

// child builds with vectors of noise in a process of its own, so that its cost is known.
func (s *settings) child(ctx context.Context, folder, file string) (*harness.BuildReport, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	out, cost, err := harness.Process(ctx, self, "build", "-noise", s.noise, "-model", s.model, "-to", file, folder)
	if err != nil {
		return nil, err
	}
	r := &harness.BuildReport{Cost: cost}
	return r, json.Unmarshal(out, r)
}

// times are those of one artifact, in process: the first search is of a file that was just opened.
type times struct {
	open, first time.Duration
	warm        []time.Duration
}

func ask(ctx context.Context, file, mode string, queries []string) (*times, error) {
	var opened []time.Duration
	for range opens {
		start := time.Now()
		x, err := index.Open(file)
		if err != nil {
			return nil, err
		}
		opened = append(opened, time.Since(start))
		if err := x.File.Close(); err != nil {
			return nil, err
		}
	}
	t := &times{open: harness.Percentile(opened, 50)}
	service := runtime.New(runtime.Config{Index: []string{file}})
	defer service.Close()
	for round := range 3 {
		for i, text := range queries {
			start := time.Now()
			if _, err := service.Search(ctx, wire.SearchRequest{Query: text, Mode: mode}); err != nil {
				return nil, err
			}
			switch took := time.Since(start); {
			case round == 0 && i == 0:
				t.first = took
			case round > 0:
				t.warm = append(t.warm, took)
			}
		}
	}
	return t, nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
