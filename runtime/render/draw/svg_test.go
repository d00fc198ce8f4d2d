package draw

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

func TestDrawn(t *testing.T) {
	strong, weak := Edge{From: 0, To: 1, Label: "S"}, Edge{From: 0, To: 1, Label: "w", Weak: true}
	back := Edge{From: 1, To: 0, Label: "w", Weak: true}
	bad := weak
	bad.Violation = true
	said := Edge{From: 1, To: 0, Label: "SUPERSEDES", Weak: true}
	plain, plainBack := Edge{From: 0, To: 1, Label: "LINK", Plain: true, Weak: true}, Edge{From: 1, To: 0, Label: "LINK", Plain: true, Weak: true}
	both := plainBack
	both.both = true
	self := Edge{From: 1, To: 1, Label: "S"}
	tests := []struct {
		name  string
		edges []Edge
		want  []Edge
	}{
		{"strong and weak", []Edge{weak, strong}, []Edge{strong}},
		{"weak the other way", []Edge{strong, back}, []Edge{strong}},
		{"weak twice", []Edge{weak, weak}, []Edge{weak}},
		{"weak both ways", []Edge{back, weak}, []Edge{weak, back}},
		{"plain both ways", []Edge{plainBack, plain}, []Edge{both}},
		{"a plain one beside one that says more", []Edge{plain, said}, []Edge{said}},
		{"strong twice", []Edge{strong, strong}, []Edge{strong, strong}},
		{"to itself", []Edge{self, weak}, []Edge{weak}},
		{"a violation beside a strong one", []Edge{strong, bad}, []Edge{strong, bad}},
		{"a violation first", []Edge{bad, weak}, []Edge{bad}},
		{"a violation last", []Edge{weak, bad}, []Edge{bad}},
	}
	for _, tt := range tests {
		if got := (&Graph{Edges: tt.edges}).drawn(); fmt.Sprint(got) != fmt.Sprint(tt.want) {
			t.Errorf("%s: drawn = %v, want %v", tt.name, got, tt.want)
		}
	}
}

// Where nine in ten nodes are of one kind, folders give the colours.
func TestGroups(t *testing.T) {
	tests := []struct{ nodes, want string }{
		{"", "[]"},
		{"a:x/b.md c:x/d.md", "[a c]"},
		{"a:b.md a:c.md", "[a a]"},
		{"a:x/y/b.md a:x/z/c.md a:x/z/w/d.md a:x/e.md", "[y/ z/ z/ x/]"},
		{"a:b.md a:x/c.md a:", "[/ x/ /]"},
		{"a:x/1 a:x/2 a:x/3 a:x/4 a:x/5 a:y/6 a:y/7 a:y/8 a:y/9 b:z/1", "[x/ x/ x/ x/ x/ y/ y/ y/ y/ z/]"},
		{"a:x/1 a:x/2 a:x/3 a:x/4 a:x/5 a:y/6 a:y/7 a:y/8 b:z/1", "[a a a a a a a a b]"},
	}
	for _, tt := range tests {
		g := &Graph{}
		for _, n := range strings.Fields(tt.nodes) {
			kind, path, _ := strings.Cut(n, ":")
			g.Nodes = append(g.Nodes, Node{Kind: kind, Path: path})
		}
		if got := fmt.Sprint(g.groups()); got != tt.want {
			t.Errorf("groups of %q = %s, want %s", tt.nodes, got, tt.want)
		}
	}
}

// Up to as many values as there are colours have one each; beyond that all have one.
func TestColours(t *testing.T) {
	for _, n := range []int{0, 1, len(inks), len(inks) + 1, 5 * len(inks)} {
		var values []string
		for i := range n {
			values = append(values, fmt.Sprint("R", i), fmt.Sprint("R", i))
		}
		m := colours(values, inks)
		used := map[string]bool{}
		for _, colour := range m {
			used[colour] = true
		}
		if len(m) != n || len(used) != min(n, len(inks)) || used[""] {
			t.Errorf("%d values have %d of %d colours: %v", n, len(used), len(inks), m)
		}
	}
}

func TestTextWidth(t *testing.T) {
	// Each is wider than the one before, and twice the size is twice the width.
	for i, texts := 1, []string{"", "iiii", "nnnn", "mmmm", "漢漢漢漢"}; i < len(texts); i++ {
		if a, b := textWidth(texts[i-1], 10), textWidth(texts[i], 10); a >= b || textWidth(texts[i], 20) != 2*b {
			t.Errorf("textWidth(%q) = %g, of %q %g", texts[i-1], a, texts[i], b)
		}
	}
	for _, wide := range []string{"한", "ひ", "カ", "😀"} {
		if textWidth(wide, 10) != textWidth("漢", 10) {
			t.Errorf("textWidth(%q) = %g, want that of a Han character", wide, textWidth(wide, 10))
		}
	}
}

func TestClip(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", ""}, {"abcde", "abcde"}, {"abcdef", "abcd…"}, {"äöüäö", "äöüäö"}, {"äöüäöü", "äöüä…"}, {"abc def", "abc…"},
	} {
		if got := clip(tt.text, 5); got != tt.want {
			t.Errorf("clip(%q, 5) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

// svgRect is a rectangle of a picture.
type svgRect struct{ left, top, right, bottom float64 }

// rects returns the rectangles of a picture but for its background, the places of its texts, and the picture itself.
func rects(t *testing.T, svg string) (all, texts []svgRect, whole svgRect) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if err != nil {
			return all, texts, whole
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		attr := map[string]string{}
		for _, a := range e.Attr {
			attr[a.Name.Local] = a.Value
		}
		number := func(name string) float64 {
			v, err := strconv.ParseFloat(attr[name], 64)
			if err != nil {
				t.Fatalf("%s %s=%q: %v", e.Name.Local, name, attr[name], err)
			}
			return v
		}
		switch {
		case e.Name.Local == "svg":
			var w, h float64
			if _, err := fmt.Sscan(attr["viewBox"], &whole.left, &whole.top, &w, &h); err != nil || w != number("width") || h != number("height") {
				t.Fatalf("viewBox %q of a picture of %s by %s: %v", attr["viewBox"], attr["width"], attr["height"], err)
			}
			whole.right, whole.bottom = whole.left+w, whole.top+h
		case e.Name.Local == "rect" && attr["width"] != "100%":
			r := svgRect{left: number("x"), top: number("y")}
			r.right, r.bottom = r.left+number("width"), r.top+number("height")
			all = append(all, r)
		case e.Name.Local == "text":
			texts = append(texts, svgRect{number("x"), number("y"), number("x"), number("y")})
		}
	}
}

// Everything is inside the picture, with more kinds and relations than one line of the legend takes.
func TestAllIsInThePicture(t *testing.T) {
	g := random(40, 3)
	for i := range g.Nodes {
		g.Nodes[i].Kind = fmt.Sprintf("a kind of some length %d", i)
	}
	for i := range g.Edges {
		g.Edges[i].Label = fmt.Sprintf("A_RELATION_OF_SOME_LENGTH_%d", i%30)
	}
	for name, g := range map[string]*Graph{"large": g, "small": small(), "one": {Nodes: small().Nodes[:1]}, "none": {}} {
		boxes, texts, whole := rects(t, g.SVG())
		if len(boxes) < 2*len(g.Nodes) && name == "large" || len(boxes) < len(g.Nodes) {
			t.Errorf("%s: %d rectangles of %d nodes", name, len(boxes), len(g.Nodes))
		}
		for _, r := range append(boxes, texts...) {
			if r.left < whole.left+margin/2 || r.top < whole.top || r.right > whole.right-margin/2 || r.bottom > whole.bottom-margin/2 {
				t.Errorf("%s: %v is not in the picture %v", name, r, whole)
			}
		}
		for i, a := range boxes {
			for _, b := range boxes[:i] {
				if a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom {
					t.Errorf("%s: %v and %v overlap", name, a, b)
				}
			}
		}
		if name == "large" && whole.right-whole.left > 6000 {
			t.Errorf("the picture is %g wide", whole.right-whole.left)
		}
	}
}

// Names of edges are written where there are few of them; all say what they are when pointed at.
func TestNamesOfEdges(t *testing.T) {
	for _, n := range []int{maxNames, maxNames + 1} {
		g := &Graph{}
		for i := range n + 1 {
			g.Nodes = append(g.Nodes, Node{ID: fmt.Sprint(i), Label: "n", Kind: "k"})
			if i > 0 {
				g.Edges = append(g.Edges, Edge{From: i - 1, To: i, Label: "LEADS_TO"})
			}
		}
		svg := g.SVG()
		if names := strings.Count(svg, ">leads to</text>"); names > n || (names > n/2) != (n <= maxNames) {
			t.Errorf("%d edges: %d are named", n, names)
		}
		if titles := strings.Count(svg, "<title>n LEADS_TO n</title>"); titles != n {
			t.Errorf("%d edges: %d have a title", n, titles)
		}
	}
}

// Line feeds in labels end no line of a text format.
func TestLabelsOnOneLine(t *testing.T) {
	g := &Graph{Name: "a\nb", Nodes: []Node{{ID: "x\ny", Label: "l\r\nm", Title: "t\nu", Kind: "k"}}}
	for name, text := range map[string]string{"dot": g.DOT(), "mermaid": g.Mermaid()} {
		if strings.Contains(text, "\r") || !strings.Contains(text, "l  m") || !strings.Contains(text, "t u") {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}
