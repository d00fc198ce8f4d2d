// Command sizes says how many bytes each block of an artifact takes.
//
//	go run ./bench/sizes -kdd BIN [-out DIR] [-forms lexical,distilled,exact] [-model NAME] CORPUS...
//
// Each corpus is compiled in each form: without vectors, with the distilled query encoder, with the exact one. Printed
// are the bytes of the file and of its blocks, and how many that is for each byte of markdown (and .feature files).
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kdd/bench/internal/command"
	"kdd/bench/record"
	"kdd/format"
	"kdd/format/index"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// settings are the command line.
type settings struct {
	kdd, model, out string
	forms, corpora  []string
}

func run(args []string, stdout, stderr io.Writer) int {
	var s settings
	return command.Run("sizes", args, stderr, func(flags *flag.FlagSet) command.Work {
		flags.StringVar(&s.kdd, "kdd", "bin/kdd", "the kdd binary")
		flags.StringVar(&s.model, "model", "", "model, by name or folder")
		flags.StringVar(&s.out, "out", "", "folder that keeps the tables")
		forms := flags.String("forms", "lexical,distilled,exact", "how to compile")
		return func(ctx context.Context) error {
			s.forms, s.corpora = strings.Split(*forms, ","), flags.Args()
			for _, form := range s.forms {
				if !slices.Contains([]string{record.Lexical, record.Distilled, record.Exact}, form) {
					return command.Wrong("form: got %q, want lexical, distilled or exact", form)
				}
			}
			if len(s.corpora) == 0 {
				return command.ErrUsage
			}
			return measure(ctx, &s, args, stdout)
		}
	})
}

// artifact is what one corpus became in one form.
type artifact struct {
	source, file           uint64 // bytes
	docs, sections, chunks int
	blocks                 []format.Entry
}

func measure(ctx context.Context, s *settings, args []string, stdout io.Writer) error {
	var text, raw strings.Builder
	raw.WriteString("corpus\tform\tblock\tname\tbytes\trows\n")
	for _, corpus := range s.corpora {
		absolute, err := filepath.Abs(corpus)
		if err != nil {
			return err
		}
		name := filepath.Base(absolute)
		if name == "corpus" {
			name = filepath.Base(filepath.Dir(absolute))
		}
		built := map[string]*artifact{}
		for _, form := range s.forms {
			if built[form], err = compile(ctx, s, corpus, name, form); err != nil {
				return err
			}
			for _, e := range built[form].blocks {
				fmt.Fprintf(&raw, "%s\t%s\t%s\t%s\t%d\t%d\n", name, form, e.Tag, index.BlockName(e.Tag), e.Length, e.Rows)
			}
			fmt.Fprintf(&raw, "%s\t%s\tFILE\twhole file\t%d\t\n", name, form, built[form].file)
		}
		text.WriteString(table(name, s.forms, built))
	}
	if _, err := io.WriteString(stdout, text.String()); err != nil || s.out == "" {
		return err
	}
	return record.Write(s.out, record.Run{Title: "Sizes", Command: "go run ./bench/sizes", Args: args, Version: record.Version(s.kdd),
		Body: text.String(), Files: map[string]string{"raw.tsv": raw.String()}})
}

// compile builds a corpus in a form and reads the directory of the artifact.
func compile(ctx context.Context, s *settings, corpus, name, form string) (*artifact, error) {
	dir, err := os.MkdirTemp("", "kdd-sizes")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path, err := record.Build(ctx, s.kdd, s.model, corpus, dir, name, form)
	if err != nil {
		return nil, err
	}
	x, err := index.Open(path)
	if err != nil {
		return nil, err
	}
	defer x.File.Close()
	return &artifact{source: x.Meta.SourceBytes, file: uint64(x.File.Bytes()), docs: x.Docs(), sections: x.Sections(), chunks: x.Chunks(),
		blocks: slices.Clone(x.File.Entries())}, nil
}

// table prints a corpus: a row for each block, the largest first, a pair of columns for each form.
func table(name string, forms []string, built map[string]*artifact) string {
	var b strings.Builder
	most := map[format.Tag]uint64{}
	var tags []format.Tag
	fmt.Fprintf(&b, "## %s\n\n", name)
	for _, form := range forms {
		a := built[form]
		fmt.Fprintf(&b, "%s: %d bytes of markdown, %d documents, %d sections, %d chunks, %.0f bytes a chunk.  \n", form, a.source, a.docs, a.sections, a.chunks,
			float64(a.file)/float64(max(1, a.chunks)))
		for _, e := range a.blocks {
			if _, known := most[e.Tag]; !known {
				tags = append(tags, e.Tag)
			}
			most[e.Tag] = max(most[e.Tag], e.Length)
		}
	}
	slices.SortStableFunc(tags, func(x, y format.Tag) int { return cmp.Compare(most[y], most[x]) })
	fmt.Fprintf(&b, "\n| block |")
	for _, form := range forms {
		fmt.Fprintf(&b, " %s | per byte |", form)
	}
	fmt.Fprintf(&b, "\n|---|%s\n", strings.Repeat("---:|---:|", len(forms)))
	row := func(label string, size func(a *artifact) (uint64, bool)) {
		fmt.Fprintf(&b, "| %s |", label)
		for _, form := range forms {
			if n, ok := size(built[form]); ok {
				fmt.Fprintf(&b, " %d | %.4f |", n, float64(n)/float64(max(1, built[form].source)))
			} else {
				b.WriteString(" – | – |")
			}
		}
		b.WriteString("\n")
	}
	for _, tag := range tags {
		row(tag.String()+" "+index.BlockName(tag), func(a *artifact) (uint64, bool) {
			i := slices.IndexFunc(a.blocks, func(e format.Entry) bool { return e.Tag == tag })
			if i < 0 {
				return 0, false
			}
			return a.blocks[i].Length, true
		})
	}
	row("header, directory, padding, trailers", func(a *artifact) (uint64, bool) {
		rest := a.file
		for _, e := range a.blocks {
			rest -= e.Length
		}
		return rest, true
	})
	row("**file**", func(a *artifact) (uint64, bool) { return a.file, true })
	b.WriteString("\n")
	return b.String()
}
