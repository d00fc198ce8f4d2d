package graph

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"kdd/compiler/diag"
	"kdd/compiler/markdown"
	"kdd/format/index"
)

// parseTree parses files given as path, text, path, text …, which must be sorted by path.
func parseTree(pairs ...string) []*markdown.Document {
	var docs []*markdown.Document
	for i := 0; i+1 < len(pairs); i += 2 {
		docs = append(docs, markdown.Parse(pairs[i], []byte(pairs[i+1])))
	}
	return docs
}

func TestBuildIsDeterministic(t *testing.T) {
	docs := tree(500)
	docs = append(docs, parseTree("x/1.md", "[[node-1]] [[nope]] [[nooe-2]] [a](b.md)", "x/2.md", "---\nid: N-1\n---\nN-2 [[N-1]]")...)
	was := runtime.GOMAXPROCS(1)
	want := build(t, docs, Options{})
	for _, procs := range []int{2, 8} {
		runtime.GOMAXPROCS(procs)
		got := build(t, docs, Options{})
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(Graph{}), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("Build with %d processors differs from one (-one +%d):\n%s", procs, procs, diff)
		}
	}
	runtime.GOMAXPROCS(was)
}

func TestBuildOfNothing(t *testing.T) {
	g := build(t, nil, Options{})
	if g.Nodes() != 0 || len(g.Edges)+len(g.Names)+len(g.Diags) != 0 {
		t.Errorf("Build(nil) = %+v, want an empty graph", g)
	}
	empty := []*markdown.Document{{Path: "a.md", Title: "a", TitleFrom: "stem", Sections: []markdown.Section{{Parent: -1}}}}
	g = build(t, empty, Options{})
	if g.Docs[0].NodeID != "doc:a.md" || g.Nodes() != 2 {
		t.Errorf("Build(empty document) = %+v, want doc:a.md and its section 0", g)
	}
}

func TestBuildStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Build(ctx, tree(100), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Build(cancelled) = %v, want %v", err, context.Canceled)
	}
}

func TestNodes(t *testing.T) {
	docs := parseTree("a.md", "# A\n\n## B\n", "b.feature", "Feature: F\n\n  Scenario: S\n    Given x\n")
	g := build(t, docs, Options{})
	for d := range docs {
		for s := range docs[d].Sections {
			doc, section := g.Place(g.Node(d, s))
			if doc != d || section != s {
				t.Errorf("Place(Node(%d, %d)) = %d, %d", d, s, doc, section)
			}
		}
	}
	if len(g.Extra) != 1 || g.Extra[0].ID != "SCN:b/s" && !strings.HasPrefix(g.Extra[0].ID, "SCN:b/") {
		t.Fatalf("Extra = %+v, want one scenario SCN:b/…", g.Extra)
	}
	last := NodeID(g.Nodes() - 1)
	if id := g.NodeID(docs, last); id != g.Extra[0].ID {
		t.Errorf("NodeID(%d) = %q, want %q", last, id, g.Extra[0].ID)
	}
	if doc, section := g.Place(last); doc != 1 || section != g.Extra[0].Section {
		t.Errorf("Place(%d) = %d, %d, want 1, %d", last, doc, section, g.Extra[0].Section)
	}
}

func TestAssets(t *testing.T) {
	docs := parseTree("docs/a.md", "![a](a.png) ![b](img/b%20c.png) [c](/c.pdf) [d](d.js) [e](https://x/e.png) ![f](data:image/png;base64,AA)\n")
	have := map[string]bool{"docs/a.png": true, "c.pdf": true}
	g := build(t, docs, Options{Exists: func(path string) bool { return have[path] }})
	var missing []string
	for _, d := range g.Diags {
		if d.Code != diag.MissingAsset.Code() || d.Severity != diag.Note {
			t.Errorf("unexpected %+v", d)
		}
		missing = append(missing, d.Text)
	}
	want := []string{`no such file: "img/b%20c.png"`, `no such file: "d.js"`}
	if diff := cmp.Diff(want, missing); diff != "" {
		t.Errorf("missing assets (-want +got):\n%s", diff)
	}
	if len(g.Orphans) != 0 || g.Stats.Assets != 2 {
		t.Errorf("Orphans = %v, Assets = %d, want none and 2", g.Orphans, g.Stats.Assets)
	}
	if g = build(t, docs, Options{}); len(g.Diags) != 0 {
		t.Errorf("Build without Exists reports %v, want nothing", g.Diags)
	}
}

// TestCodeNeverLinks puts references of every sort into code.
func TestCodeNeverLinks(t *testing.T) {
	reference := "[a](b.md) [[b]] B-001 [x][y] <a href=\"b.md\">"
	text := "# A\n\n`" + reference + "` and ``" + reference + "``\n\n```\n" + reference + "\n```\n\n~~~md\n" + reference + "\n~~~\n\n    " +
		reference + "\n\n- item\n\n  ```\n  " + reference + "\n  ```\n\n<!-- " + reference + " -->\n\n| a |\n|---|\n| `" + reference + "` |\n\n[y]: b.md\n"
	docs := parseTree("a.md", text, "b.md", "---\nid: B-001\n---\n")
	for _, e := range build(t, docs, Options{}).Edges {
		if e.Type != index.ContainsEdge {
			t.Errorf("code gave %+v", e)
		}
	}
}

func TestLongNames(t *testing.T) {
	long := strings.Repeat("é", 50_000)
	docs := parseTree("a.md", "# "+long+"\n\n[["+long+"]]\n\n## "+strings.Repeat("x", 300)+"\n", "b.md",
		fmt.Sprintf("---\nid: %q\naliases: [%q]\nkind: %q\ndepends_on: %q\n---\n", long, long, long, long))
	g := build(t, docs, Options{})
	checkGraph(t, docs, g)
	for _, d := range g.Diags {
		if len(d.Text)+len(d.Hint) > 2000 {
			t.Errorf("%s: a message of %d bytes", d.Rule, len(d.Text)+len(d.Hint))
		}
	}
}

func FuzzBuild(f *testing.F) {
	f.Add("a.md", "---\nid: A-1\nrelated: [[b]]\n---\n# A\n\n[x](b.md#y) [[b#y|z]] B-2\n", "b.md", "---\nid: B-2\n---\n## Y\n")
	f.Add("x/01-domain/entities/a.md", "## Relations\n\n| Relation | Target |\n|---|---|\n| has | [[a]] |\n", "y.feature", "@A-1\nFeature: f\n\nScenario: A-1 x\nGiven [[a]]\n")
	f.Add("%41.md", "[](%) [a](%zz#%) [b](/..//../) [[::]] [[#]] [[a::#]]\n", "é/README.md", "[x](../%41) [[É]]\n")
	f.Fuzz(func(t *testing.T, path1, text1, path2, text2 string) {
		docs := parseTree(min(path1, path2), text1, max(path1, path2), text2)
		g, err := Build(context.Background(), docs, Options{SiteURL: "https://x.org/d"})
		if err != nil {
			t.Fatal(err)
		}
		checkGraph(t, docs, g)
	})
}
