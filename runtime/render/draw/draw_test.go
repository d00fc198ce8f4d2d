package draw

import (
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the goldens in testdata")

// small has every sort of node and edge, and text that is markup somewhere.
func small() *Graph {
	return &Graph{
		Name: `UC:"1"`,
		Nodes: []Node{
			{ID: "UC:1", Label: "UC-1", Title: `Buy & "sell" <x>`, Kind: "use-case", Path: "a/b.md", Focus: true},
			{ID: "CMD:1", Label: "CMD-1", Title: `a\b; c|d #5 \n`, Kind: "command", Path: "c.md"},
			{ID: "doc:d.md", Label: "漢字の見出し", Kind: "document", Path: "d.md"},
			{ID: "doc:e.md", Label: "Alone", Kind: "document", Path: "e.md"},
		},
		Edges: []Edge{
			{From: 0, To: 1, Label: "UC_EXECUTES_CMD", Count: 1},
			{From: 0, To: 1, Label: "WIKI_LINK", Plain: true, Weak: true, Count: 2},
			{From: 1, To: 2, Label: "LINK", Plain: true, Weak: true, Count: 1},
			{From: 1, To: 2, Label: "MENTIONS", Plain: true, Weak: true, Count: 1},
			{From: 2, To: 0, Label: "WIKI_LINK", Plain: true, Weak: true, Violation: true, Count: 1},
			{From: 2, To: 2, Label: "LINK", Plain: true, Weak: true, Count: 1},
			{From: 1, To: 3, Label: "LINK", Plain: true, Weak: true, Count: 1},
			{From: 3, To: 1, Label: "SUPERSEDES", Weak: true, Count: 1},
			{From: 3, To: 2, Label: "LINK", Plain: true, Weak: true, Count: 1},
			{From: 2, To: 3, Label: "LINK", Plain: true, Weak: true, Count: 1},
		},
	}
}

func TestFormats(t *testing.T) {
	for name, got := range map[string]string{"dot": small().DOT(), "mermaid": small().Mermaid(), "graphml": small().GraphML(), "svg": small().SVG()} {
		file := "testdata/small." + name
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil || got != string(want) {
			t.Errorf("%s = %v\n%s\nwant\n%s", name, err, got, want)
		}
	}
}

// random is a connected graph of n nodes with about two edges each, with hubs.
func random(n int, seed uint64) *Graph {
	r := rand.New(rand.NewPCG(seed, 1))
	g := &Graph{Name: "random"}
	for i := range n {
		g.Nodes = append(g.Nodes, Node{ID: fmt.Sprint(i), Label: strings.Repeat("m", 1+r.IntN(40)), Title: strings.Repeat("Title ", r.IntN(8)), Kind: fmt.Sprint("kind", r.IntN(6))})
		if i > 0 {
			g.Edges = append(g.Edges, Edge{From: i, To: r.IntN(min(i, 1+r.IntN(i))), Label: fmt.Sprint("REL_", r.IntN(4)), Count: 1})
			g.Edges = append(g.Edges, Edge{From: r.IntN(i + 1), To: i, Label: "LINK", Weak: r.IntN(2) == 0, Count: 1})
		}
	}
	return g
}

func TestNoBoxesOverlap(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 10, 50, 51, 200} {
		g := random(n, uint64(n))
		sizes := make([]box, n)
		for i := range sizes {
			sizes[i] = box{w: float64(40 + i*7%190), h: float64(24 + i%2*15)}
		}
		boxes := layout(sizes, g.Edges)
		for i := range boxes {
			if math.IsNaN(boxes[i].x) || math.IsInf(boxes[i].y, 0) {
				t.Fatalf("n %d: box %d at %v", n, i, boxes[i])
			}
			for o := range boxes[:i] {
				if dx, dy := overlap(boxes[i], boxes[o]); dx > gap && dy > gap {
					t.Errorf("n %d: boxes %d and %d overlap by %g, %g", n, i, o, dx-gap, dy-gap)
				}
			}
		}
	}
}

// All nodes at one place, and all joined: the layout still ends.
func TestLayoutOfHostileGraphs(t *testing.T) {
	star, loops, full := &Graph{}, &Graph{}, &Graph{}
	for i := range 120 {
		for _, g := range []*Graph{star, loops, full} {
			g.Nodes = append(g.Nodes, Node{ID: fmt.Sprint(i), Label: "n", Kind: "k"})
		}
		star.Edges = append(star.Edges, Edge{From: 0, To: i, Label: "A"})
		loops.Edges = append(loops.Edges, Edge{From: i, To: i, Label: "A"})
		for o := range i {
			full.Edges = append(full.Edges, Edge{From: i, To: o, Label: "A"})
		}
	}
	for name, g := range map[string]*Graph{"star": star, "loops": loops, "full": full} {
		if svg := g.SVG(); !strings.HasSuffix(svg, "</svg>\n") || strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
			t.Errorf("%s: not a picture: %.200s", name, svg)
		}
	}
}

func TestSVGIsWellFormedAndAlwaysTheSame(t *testing.T) {
	for _, g := range []*Graph{small(), random(50, 7), {Name: "\x00\x1b<"}} {
		svg := g.SVG()
		if svg != g.SVG() {
			t.Error("SVG differs from one time to the next")
		}
		for d := xml.NewDecoder(strings.NewReader(svg)); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("SVG is no XML: %v\n%.500s", err, svg)
			}
		}
	}
}

func BenchmarkSVG(b *testing.B) {
	for _, n := range []int{50, 200, 500} {
		g := random(n, 1)
		b.Run(fmt.Sprintf("nodes=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				g.SVG()
			}
		})
	}
}

// TestXMLText compares with encoding/xml.
func TestXMLText(t *testing.T) {
	check := func(s string) {
		t.Helper()
		var want strings.Builder
		if err := xml.EscapeText(&want, []byte(s)); err != nil {
			t.Fatal(err)
		}
		if got := xmlText(s); got != want.String() {
			t.Errorf("xmlText(%q) = %q, want %q", s, got, want.String())
		}
	}
	for _, s := range []string{"", "plain", "<a href=\"x\">'&amp;'</a>", "a\tb\r\nc", "\xff\xc3", "\x00\x1b\x7f", "é\ufffd\ufffe\uffff\U0010ffff", "\xed\xa0\x80"} {
		check(s)
	}
	for r := range rune(0x3000) {
		check("a" + string(r) + "b")
	}
}
