package graph

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"kdd/compiler/diag"
	"kdd/compiler/markdown"
	"kdd/format/index"
)

var update = flag.Bool("update", false, "rewrite the goldens in testdata")

// TestGolden builds the small trees of testdata/*.txtar. The comment at the top of an archive says what it pins; a line
// "options: ..." in it sets the site or shows CONTAINS edges and documents. kdd.yaml holds additional rules. The file
// "want" is what comes out.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no goldens in testdata: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var o Options
			show := ""
			for line := range strings.Lines(string(archive.Comment)) {
				if options, ok := strings.CutPrefix(line, "options: "); ok {
					for _, option := range strings.Fields(options) {
						if site, ok := strings.CutPrefix(option, "site="); ok {
							o.SiteURL = site
						} else {
							show += " " + option
						}
					}
				}
			}
			var docs []*markdown.Document
			var want []byte
			rest := archive.Files[:0:0]
			for _, f := range archive.Files {
				switch f.Name {
				case "want":
					want = f.Data
					continue
				case "kdd.yaml":
					if o.Rules, err = ParseRules(f.Data, f.Name); err != nil {
						t.Fatal(err)
					}
				default:
					docs = append(docs, markdown.Parse(f.Name, f.Data))
				}
				rest = append(rest, f)
			}
			slices.SortFunc(docs, func(a, b *markdown.Document) int { return strings.Compare(a.Path, b.Path) })
			g := build(t, docs, o)
			if o.Rules == nil {
				checkGraph(t, docs, g)
			}
			got := describeGraph(docs, g, show)
			if *update {
				archive.Files = append(rest, txtar.File{Name: "want", Data: got})
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", file, diff)
			}
		})
	}
}

// describeGraph writes one line per fact.
func describeGraph(docs []*markdown.Document, g *Graph, show string) []byte {
	var b bytes.Buffer
	if strings.Contains(show, "documents") {
		for d, info := range g.Docs {
			fmt.Fprintf(&b, "document %s: %s %s", docs[d].Path, info.NodeID, info.ChunkType)
			for _, pair := range [][2]string{
				{"id", info.ID}, {"kind", info.Kind}, {"domain", info.Domain}, {"status", info.Status}, {"date", info.Date},
				{"tags", strings.Join(info.Tags, "|")}, {"aliases", strings.Join(info.Aliases, "|")},
			} {
				if pair[1] != "" {
					fmt.Fprintf(&b, " %s=%s", pair[0], pair[1])
				}
			}
			if info.Layer >= 0 {
				fmt.Fprintf(&b, " layer=%d", info.Layer)
			}
			b.WriteByte('\n')
		}
	}
	for _, e := range g.Edges {
		if e.Type == index.ContainsEdge && !strings.Contains(show, "contains") {
			continue
		}
		fmt.Fprintf(&b, "%s %s %s (%s %s:%d)", g.NodeID(docs, e.From), e.Type, g.NodeID(docs, e.To), e.Found, docs[e.Doc].Path, e.Line)
		if e.Text != "" {
			fmt.Fprintf(&b, " %q", e.Text)
		}
		if e.Relation != "" {
			fmt.Fprintf(&b, " relation=%q", e.Relation)
		}
		if e.Cardinality != "" {
			fmt.Fprintf(&b, " cardinality=%q", e.Cardinality)
		}
		if e.Violation {
			b.WriteString(" violation")
		}
		b.WriteByte('\n')
	}
	for _, o := range g.Orphans {
		fmt.Fprintf(&b, "orphan %s %s %q (%s %s:%d): %s %q\n", g.NodeID(docs, o.From), o.Type, o.Target, o.Found, docs[o.Doc].Path, o.Line,
			o.Reason, o.Near)
	}
	if strings.Contains(show, "stats") {
		fmt.Fprintf(&b, "stats %+v\n", g.Stats)
	}
	var text bytes.Buffer
	if err := (diag.Printer{}).Text(&text, g.Diags); err != nil {
		return nil
	}
	b.Write(text.Bytes())
	return b.Bytes()
}

// Nodes returns how many nodes there are.
func (g *Graph) Nodes() int { return len(g.Docs) + g.sectionBase[len(g.Docs)] + len(g.Extra) }

// NodeID returns the name of a node: "UC:UC-001", "doc:guide/start.md", "UC:UC-001#flow". docs is what Build got.
func (g *Graph) NodeID(docs []*markdown.Document, n NodeID) string {
	if i := int(n) - len(g.Docs) - g.sectionBase[len(g.Docs)]; i >= 0 {
		return g.Extra[i].ID
	}
	doc, section := g.Place(n)
	if section == 0 {
		return g.Docs[doc].NodeID
	}
	return g.Docs[doc].NodeID + "#" + docs[doc].Sections[section].Anchor
}
