// Package graph compiles a folder and prints what the graph of it answers: how much is resolved, what leads nowhere,
// and whether each document is found by its id and title.
//
//	go run ./bench/quality graph testdata/corpora/kdd-specs
//
// The artifact has no vectors, so the figures are those of names, words and edges alone.
package graph

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"kdd/bench/internal/harness"
	"kdd/format/index"
	"kdd/runtime"
	"kdd/runtime/wire"
)

// Run compiles a folder and prints the figures of its graph.
func Run(args []string, stdout, stderr io.Writer) int {
	return harness.Run("graph", args, stderr, func(flags *flag.FlagSet) harness.Work {
		return func(ctx context.Context) error {
			if flags.NArg() != 1 {
				return harness.Wrong("got %d arguments, want one folder", flags.NArg())
			}
			return measure(ctx, flags.Arg(0), stdout)
		}
	})
}

// measure prints the table of one folder.
func measure(ctx context.Context, folder string, out io.Writer) error {
	dir, err := os.MkdirTemp("", "kdd-bench-graph")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "docs.kddx")
	if err := harness.BuildWords(ctx, folder, file); err != nil {
		return err
	}
	x, err := index.Open(file)
	if err != nil {
		return err
	}
	defer x.File.Close()
	b := bench{ctx: ctx, x: x, out: out, service: runtime.New(runtime.Config{Index: []string{file}})}
	defer b.service.Close()
	for _, part := range []func() error{b.nodes, b.edges, b.executed, b.violations, b.ids, b.titles} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

type bench struct {
	ctx     context.Context
	x       *index.Index
	service *runtime.Service
	out     io.Writer
}

func (b *bench) row(what, format string, args ...any) {
	fmt.Fprintf(b.out, "%-34s %s\n", what, fmt.Sprintf(format, args...))
}

func (b *bench) nodes() error {
	features := 0
	for d := range index.DocID(b.x.Docs()) {
		if path.Ext(b.x.DocPath(d)) == ".feature" {
			features++
		}
	}
	b.row("documents as nodes", "%d markdown, %d features with %d scenarios", b.x.Docs()-features, features, b.x.Nodes()-b.x.Docs()-b.x.Sections())
	return nil
}

func (b *bench) edges() error {
	report, err := b.service.Orphans(b.ctx, wire.LintRequest{Limit: 1 << 20, Page: wire.Page{MaxBytes: -1}})
	if err != nil {
		return err
	}
	b.row("resolved edges", "%d", report.Rate.Of-report.Rate.Edges)
	b.row("orphan edges", "%d of %d (%g %%), %v", report.Rate.Edges, report.Rate.Of, report.Rate.Percent, report.Rate.By)
	for _, f := range report.Findings {
		b.row("", "%s:%d %s", f.Path, f.Line, f.Message)
	}
	return nil
}

// executed counts the commands and queries that use cases execute, and what leads nowhere in use cases.
func (b *bench) executed() error {
	graph, err := b.service.Graph(b.ctx, wire.GraphRequest{EdgeTypes: edgeTypes(b.x, "UC_EXECUTES_CMD"), Limit: 1 << 20})
	if err != nil {
		return err
	}
	lost := 0
	report, err := b.service.Orphans(b.ctx, wire.LintRequest{Limit: 1 << 20, Page: wire.Page{MaxBytes: -1}})
	if err != nil {
		return err
	}
	for _, f := range report.Findings {
		if d, ok := b.x.FindDoc(f.Path); ok && b.x.DocKind(d) == "use-case" {
			lost++
		}
	}
	b.row("UC_EXECUTES_CMD resolved", "%d, %d orphans in use cases", len(graph.Edges), lost)
	return nil
}

// edgeTypes returns those of the names that the artifact knows.
func edgeTypes(x *index.Index, names ...string) []string {
	return slices.DeleteFunc(names, func(name string) bool {
		return !slices.ContainsFunc(x.Meta.EdgeTypes, func(t index.EdgeType) bool { return t.Name == name })
	})
}

func (b *bench) violations() error {
	report, err := b.service.Violations(b.ctx, wire.LintRequest{Limit: 1 << 20, Page: wire.Page{MaxBytes: -1}})
	if err != nil {
		return err
	}
	b.row("layer violations", "%d pairs of documents, %d edges (%g %%), %v", report.Total, report.Rate.Edges, report.Rate.Percent, report.Rate.By)
	return nil
}

// first asks for text through find-spec and search, and says for each whether right likes the first hit.
func (b *bench) first(text string, right func(h *wire.Hit) bool) (found, searched bool, err error) {
	spec, err := b.service.FindSpec(b.ctx, wire.FindSpecRequest{Name: text})
	if err != nil {
		return false, false, err
	}
	search, err := b.service.Search(b.ctx, wire.SearchRequest{Query: text})
	if err != nil {
		return false, false, err
	}
	return len(spec.Results) > 0 && right(&spec.Results[0]), len(search.Results) > 0 && right(&search.Results[0]), nil
}

// ids asks for each markdown document by its id: the front matter's, else the file's stem.
func (b *bench) ids() error {
	return b.all("ids, right document first", func(d index.DocID) (string, func(*wire.Hit) bool) {
		id := b.x.DocFrontID(d)
		if id == "" {
			base := path.Base(b.x.DocPath(d))
			id = strings.TrimSuffix(base, path.Ext(base))
		}
		want := b.x.DocPath(d)
		return id, func(h *wire.Hit) bool { return h.Path == want }
	})
}

// titles asks for each distinct title of a markdown document; any document of that title is right.
func (b *bench) titles() error {
	return b.all("titles, right document first", func(d index.DocID) (string, func(*wire.Hit) bool) {
		want := b.x.DocTitle(d)
		return want, func(h *wire.Hit) bool { return h.Title == want }
	})
}

func (b *bench) all(what string, ask func(index.DocID) (string, func(*wire.Hit) bool)) error {
	seen := map[string]bool{}
	total, found, searched := 0, 0, 0
	for d := range index.DocID(b.x.Docs()) {
		text, right := ask(d)
		if path.Ext(b.x.DocPath(d)) == ".feature" || text == "" || seen[text] {
			continue
		}
		seen[text] = true
		total++
		f, s, err := b.first(text, right)
		if err != nil {
			return err
		}
		if f {
			found++
		}
		if s {
			searched++
		}
		if !f || !s {
			defer b.row("", "%q: find-spec %v, search %v", text, f, s)
		}
	}
	b.row(what, "%d: find-spec %d, search %d", total, found, searched)
	return nil
}
