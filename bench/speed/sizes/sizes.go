// Package sizes says how many bytes each block of an artifact takes.
//
//	go run ./bench/speed sizes -kdd BIN [-out DIR] [-forms lexical,distilled,exact] [-model NAME] CORPUS...
//
// Each corpus is compiled in each form: without vectors, with the distilled query encoder, with the exact one. Printed
// are the bytes of the file and of its blocks, and how many that is for each byte of markdown (and .feature files).
package sizes

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

	"kdd/bench/internal/harness"
	"kdd/format"
	"kdd/format/index"
)

// settings are the command line.
type settings struct {
	kdd, model, out string
	forms, corpora  []string
}

// Run prints the blocks of each corpus.
func Run(args []string, stdout, stderr io.Writer) int {
	var s settings
	return harness.Run("sizes", args, stderr, func(flags *flag.FlagSet) harness.Work {
		flags.StringVar(&s.kdd, "kdd", "bin/kdd", "the kdd binary")
		flags.StringVar(&s.model, "model", "", "model, by name or folder")
		flags.StringVar(&s.out, "out", "", "folder that keeps the tables")
		forms := flags.String("forms", "lexical,distilled,exact", "how to compile")
		return func(ctx context.Context) error {
			s.forms, s.corpora = strings.Split(*forms, ","), flags.Args()
			for _, form := range s.forms {
				if !slices.Contains([]string{harness.Lexical, harness.Distilled, harness.Exact}, form) {
					return harness.Wrong("form: got %q, want lexical, distilled or exact", form)
				}
			}
			if len(s.corpora) == 0 {
				return harness.ErrUsage
			}
			text, err := measure(ctx, &s)
			if err != nil {
				return err
			}
			return harness.Report(stdout, s.out, harness.Result{Title: "Sizes", Command: "speed sizes", Args: args, Version: harness.Version(s.kdd), Body: text})
		}
	})
}

func measure(ctx context.Context, s *settings) (string, error) {
	dir, err := os.MkdirTemp("", "kdd-sizes")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	var text strings.Builder
	for _, corpus := range s.corpora {
		absolute, err := filepath.Abs(corpus)
		if err != nil {
			return "", err
		}
		name := filepath.Base(absolute)
		if name == "corpus" {
			name = filepath.Base(filepath.Dir(absolute))
		}
		built := map[string]*harness.BuildReport{}
		for _, form := range s.forms {
			if built[form], err = harness.Compile(ctx, s.kdd, s.model, corpus, filepath.Join(dir, "docs.kddx"), form); err != nil {
				return "", fmt.Errorf("%s (%s): %w", name, form, err)
			}
		}
		text.WriteString(table(name, s.forms, built))
	}
	return text.String(), nil
}

// table prints a corpus: a row for each block, the largest first, a pair of columns for each form.
func table(name string, forms []string, built map[string]*harness.BuildReport) string {
	var b strings.Builder
	largest := map[string]uint64{}
	var tags []string
	fmt.Fprintf(&b, "## %s\n\n", name)
	for _, form := range forms {
		a := built[form]
		fmt.Fprintf(&b, "%s: %d bytes of markdown, %d documents, %d sections, %d chunks, %.0f bytes a chunk.  \n", form, a.SourceBytes, a.Counts.Documents, a.Counts.Sections, a.Counts.Chunks,
			float64(a.FileBytes)/float64(max(1, a.Counts.Chunks)))
		for _, e := range a.Blocks {
			if _, known := largest[e.Tag]; !known {
				tags = append(tags, e.Tag)
			}
			largest[e.Tag] = max(largest[e.Tag], e.Bytes)
		}
	}
	slices.SortStableFunc(tags, func(x, y string) int { return cmp.Compare(largest[y], largest[x]) })
	fmt.Fprintf(&b, "\n| block |")
	for _, form := range forms {
		fmt.Fprintf(&b, " %s | per byte |", form)
	}
	fmt.Fprintf(&b, "\n|---|%s\n", strings.Repeat("---:|---:|", len(forms)))
	row := func(label string, size func(a *harness.BuildReport) (uint64, bool)) {
		fmt.Fprintf(&b, "| %s |", label)
		for _, form := range forms {
			if n, ok := size(built[form]); ok {
				fmt.Fprintf(&b, " %d | %.4f |", n, float64(n)/float64(max(1, built[form].SourceBytes)))
			} else {
				b.WriteString(" – | – |")
			}
		}
		b.WriteString("\n")
	}
	for _, tag := range tags {
		row(tag+" "+index.BlockName(format.Tag([]byte(tag))), func(a *harness.BuildReport) (uint64, bool) {
			i := slices.IndexFunc(a.Blocks, func(e harness.Block) bool { return e.Tag == tag })
			if i < 0 {
				return 0, false
			}
			return a.Blocks[i].Bytes, true
		})
	}
	row("header, directory, padding, trailers", func(a *harness.BuildReport) (uint64, bool) {
		rest := a.FileBytes
		for _, e := range a.Blocks {
			rest -= e.Bytes
		}
		return rest, true
	})
	row("**file**", func(a *harness.BuildReport) (uint64, bool) { return a.FileBytes, true })
	b.WriteString("\n")
	return b.String()
}
