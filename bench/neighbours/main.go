// Command neighbours measures what it would cost and save to store the nearest sections of each section, which similar finds
// by comparing every row.
//
//	go run ./bench/neighbours [-keep N] [-out DIR] INDEX...
//
// Of each artifact with vectors it prints
//
//   - the bytes of N neighbours for each section that has text, as chunk numbers of as many bits as these need, and their
//     share of the artifact and of its markdown;
//   - the time to find them all, on all processors: what a build would pay;
//   - the time of similar in process, the median over sections, and that of its parts which stored neighbours would
//     spare: comparing every row, in place of N.
//
// Stored neighbours would answer for one artifact without a filter and for the first N hits alone; each other request needs
// the rows as before.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/bits"
	"os"
	goruntime "runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"kdd/bench/internal/command"
	"kdd/bench/record"
	"kdd/format/index"
	"kdd/runtime"
	"kdd/runtime/search/vector"
	"kdd/runtime/wire"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	return command.Run("neighbours", args, stderr, func(flags *flag.FlagSet) command.Work {
		keep := flags.Int("keep", 10, "neighbours of each section")
		out := flags.String("out", "", "folder that keeps the result")
		return func(ctx context.Context) error {
			if flags.NArg() == 0 || *keep < 1 {
				return command.ErrUsage
			}
			body := "| artifact | sections | rows | bytes | of the artifact | of the markdown | to find all | similar | every row | the rows of the neighbours |\n|---|---|---|---|---|---|---|---|---|---|\n"
			for _, path := range flags.Args() {
				line, err := measure(ctx, path, *keep)
				if err != nil {
					return fmt.Errorf("%s: %w", path, err)
				}
				body += line
			}
			io.WriteString(stdout, body)
			if *out == "" {
				return nil
			}
			return record.Write(*out, record.Run{Title: "Stored neighbours", Command: "go run ./bench/neighbours", Args: args, Body: body})
		}
	})
}

var errNoVectors = errors.New("it has no vectors")

func measure(ctx context.Context, path string, keep int) (line string, err error) {
	x, err := index.Open(path)
	if err != nil {
		return "", err
	}
	defer x.File.Close()
	vectors, err := x.Vectors()
	if err != nil {
		return "", err
	}
	if vectors == nil {
		return "", errNoVectors
	}
	view := &vector.View{Vectors: vectors}
	var sections []index.SectionID
	for s := range index.SectionID(x.Sections()) {
		if from, to := x.SectionChunks(s); from < to {
			sections = append(sections, s)
		}
	}
	rows := uint32(x.Chunks())
	start := time.Now()
	near, err := all(ctx, x, view, sections, keep)
	if err != nil {
		return "", err
	}
	found := time.Since(start)

	var scan, few []time.Duration
	dst := make([]float32, rows)
	for i, s := range sections {
		q := vector.NewQuery(mean(x, view, s))
		start = time.Now()
		if err := view.Cosines(ctx, q, vector.Ranges{{0, rows}}, nil, dst); err != nil {
			return "", err
		}
		scan = append(scan, time.Since(start))
		start = time.Now()
		for _, c := range near[i] {
			if err := view.Cosines(ctx, q, vector.Ranges{{c, c + 1}}, nil, dst); err != nil {
				return "", err
			}
		}
		few = append(few, time.Since(start))
	}
	whole, err := similar(ctx, x, path, sections)
	if err != nil {
		return "", err
	}
	size := (len(sections)*keep*bits.Len32(rows) + 7) / 8
	name, _, _ := strings.Cut(path[strings.LastIndexAny(path, `/\`)+1:], ".kddx")
	return fmt.Sprintf("| %s | %d | %d | %d | %.2f %% | %.2f %% | %s | %s | %s | %s |\n", name, len(sections), rows, size, 100*float64(size)/float64(x.File.Bytes()), 100*float64(size)/float64(x.Meta.SourceBytes),
		found.Round(time.Millisecond), median(whole), median(scan), median(few)), nil
}

// all returns the chunks nearest to each section, on all processors.
func all(ctx context.Context, x *index.Index, view *vector.View, sections []index.SectionID, keep int) ([][]uint32, error) {
	near, errs := make([][]uint32, len(sections)), make([]error, goruntime.GOMAXPROCS(0))
	var wait sync.WaitGroup
	for w := range errs {
		wait.Go(func() {
			dst, order := make([]float32, x.Chunks()), make([]uint32, x.Chunks())
			for i := w; i < len(sections) && errs[w] == nil; i += len(errs) {
				errs[w] = view.Cosines(ctx, vector.NewQuery(mean(x, view, sections[i])), vector.Ranges{{0, uint32(len(dst))}}, nil, dst)
				near[i] = slices.Clone(best(dst, order, keep))
			}
		})
	}
	wait.Wait()
	return near, errors.Join(errs...)
}

// best returns the numbers of the largest scores; order is scratch.
func best(scores []float32, order []uint32, keep int) []uint32 {
	top := order[:0]
	for i, v := range scores {
		if len(top) == keep && v <= scores[top[keep-1]] {
			continue
		}
		at, _ := slices.BinarySearchFunc(top, v, func(c uint32, v float32) int {
			if scores[c] >= v {
				return -1
			}
			return 1
		})
		top = slices.Insert(top[:min(len(top), keep-1)], min(at, keep-1), uint32(i))
	}
	return top
}

// mean is what similar compares for a section: the mean of its chunks, those of its sub-sections among them. Its length does
// not matter here.
func mean(x *index.Index, view *vector.View, s index.SectionID) []float32 {
	from, _ := x.SectionChunks(s)
	_, to := x.SectionChunks(x.SectionEnd(s) - 1)
	sum := make([]float32, view.Dim)
	for c := from; c < to; c++ {
		for k, b := range view.Rows(uint32(c), 1) {
			sum[k] += float32(int8(b))
		}
	}
	return sum
}

// similar returns how long the operation takes for every tenth section.
func similar(ctx context.Context, x *index.Index, path string, sections []index.SectionID) ([]time.Duration, error) {
	svc := runtime.New(runtime.Config{Index: []string{path}})
	defer svc.Close()
	var list []time.Duration
	for i := 0; i < len(sections); i += 10 {
		s := sections[i]
		file := x.DocPath(x.DocOfSection(s))
		if anchor := x.SectionAnchor(s); anchor != "" {
			file += "#" + anchor
		}
		start := time.Now()
		if _, err := svc.Similar(ctx, wire.SimilarRequest{File: file}); err != nil {
			return nil, err
		}
		list = append(list, time.Since(start))
	}
	return list, nil
}

func median(list []time.Duration) time.Duration {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return list[len(list)/2].Round(time.Microsecond)
}
