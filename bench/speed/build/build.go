// Package build measures what builds cost.
//
//	go run ./bench/speed build -kdd BIN [-model NAME] [-n 3] [-engines auto,go] [-out DIR] FOLDER
//	go run ./bench/speed build -kdd BIN -generated 100000,1000000 [-noise FILE.kddx] [-work DIR] [-out DIR]
//
// Each row is the median of -n whole processes: without vectors; with each engine and nothing in the cache of vectors;
// and again after one document of a copy of the folder has a new paragraph, with the cache of the build before.
// Vectors a second counts the time of the whole build, in which the query encoder is learnt too.
//
// With -generated it builds corpora of these sizes (package corpus) instead of a folder, once each, and searches what
// was written: by words, and with -noise, an artifact with vectors whose rows are taken with noise, by words and vectors.
package build

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kdd/bench/internal/harness"
)

// settings are the command line.
type settings struct {
	kdd, model, out string
	engines         []string
	n               int

	sizes, noise, work string // of generated corpora
	to                 string // what a process of its own writes with vectors of noise
}

// Run measures the builds of one folder.
func Run(args []string, stdout, stderr io.Writer) int {
	return harness.Run("build", args, stderr, func(flags *flag.FlagSet) harness.Work {
		var s settings
		flags.StringVar(&s.kdd, "kdd", "bin/kdd", "the kdd binary")
		flags.StringVar(&s.model, "model", "", "model, by name or folder")
		flags.StringVar(&s.out, "out", "", "folder that keeps the table")
		flags.IntVar(&s.n, "n", 3, "builds of each kind")
		flags.StringVar(&s.sizes, "generated", "", "sizes of generated corpora in chunks, with commas between, instead of a folder")
		flags.StringVar(&s.noise, "noise", "", "artifact whose vectors generated corpora have, with noise; empty: no vectors")
		flags.StringVar(&s.work, "work", "", "folder for generated corpora, which are removed (default: the system's)")
		flags.StringVar(&s.to, "to", "", "build a folder with vectors of -noise into this file, print the report and end: what is started for -noise")
		engines := flags.String("engines", "auto", "engines that embed, with commas between; empty: no vectors")
		return func(ctx context.Context) error {
			switch {
			case flags.NArg() == 1 && s.to != "":
				return buildNoise(ctx, stdout, s.noise, s.model, flags.Arg(0), s.to)
			case flags.NArg() == 0 && s.sizes != "":
				text, err := s.generated(ctx)
				if err != nil {
					return err
				}
				return s.report(stdout, args, text)
			case flags.NArg() != 1 || s.sizes != "" || s.n < 1:
				return harness.ErrUsage
			}
			s.engines = strings.FieldsFunc(*engines, func(r rune) bool { return r == ',' })
			text, err := s.measure(ctx, flags.Arg(0))
			if err != nil {
				return err
			}
			return s.report(stdout, args, text)
		}
	})
}

func (s *settings) report(stdout io.Writer, args []string, text string) error {
	return harness.Report(stdout, s.out, harness.Result{Title: "Builds", Command: "speed build", Args: args,
		Version: harness.Version(s.kdd), Body: text})
}

func (s *settings) measure(ctx context.Context, folder string) (string, error) {
	dir, err := os.MkdirTemp("", "kdd-build")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	corpus, file, cache := filepath.Join(dir, "corpus"), filepath.Join(dir, "docs.kddx"), filepath.Join(dir, "cache")
	if err := os.CopyFS(corpus, os.DirFS(folder)); err != nil {
		return "", err
	}
	edited, err := firstDocument(corpus)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("| build | wall s | processor s | peak MB | vectors a second |\n|---|---:|---:|---:|---:|\n")
	row := func(name, form string, before func(i int) error, more ...string) error {
		var all []*harness.BuildReport
		for i := range s.n {
			if err := before(i); err != nil {
				return err
			}
			r, err := harness.Compile(ctx, s.kdd, s.model, corpus, file, form, more...)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			all = append(all, r)
		}
		slices.SortFunc(all, func(a, b *harness.BuildReport) int { return cmp.Compare(a.Cost.Wall, b.Cost.Wall) })
		r := all[len(all)/2]
		rate := "–"
		if r.Counts.Vectors > 0 {
			rate = fmt.Sprintf("%.0f", float64(r.Counts.Vectors)/r.Cost.Wall.Seconds())
		}
		if form == harness.Lexical {
			fmt.Fprintf(&b, "| %d documents, %d bytes, %d chunks | | | | |\n", r.Counts.Documents, r.SourceBytes, r.Counts.Chunks)
		}
		fmt.Fprintf(&b, "| %s | %.2f | %.2f | %.0f | %s |\n", name, r.Cost.Wall.Seconds(), r.Cost.CPU.Seconds(), float64(r.Cost.Peak)/1e6, rate)
		return nil
	}
	clean := func(int) error { return os.RemoveAll(cache) }
	edit := func(i int) error { return appendText(edited, fmt.Sprintf("\nA new paragraph, number %d.\n", i)) }
	if err := row("without vectors", harness.Lexical, clean); err != nil {
		return "", err
	}
	for _, engine := range s.engines {
		for _, one := range []struct {
			name   string
			before func(int) error
		}{{"vectors by " + engine, clean}, {"again after an edit", edit}} {
			if err := row(one.name, harness.Distilled, one.before, "--cache", cache, "--engine", engine); err != nil {
				return "", err
			}
		}
	}
	return b.String(), nil
}

// firstDocument returns the first markdown file below a folder.
func firstDocument(folder string) (string, error) {
	found := ""
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() && filepath.Ext(path) == ".md" {
			found = path
			return fs.SkipAll
		}
		return err
	})
	if err == nil && found == "" {
		err = harness.Wrong("%s has no .md file", folder)
	}
	return found, err
}

func appendText(path, text string) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, text)
	return cmp.Or(err, f.Close())
}
