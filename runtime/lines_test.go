package runtime

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"kdd/format/index"
	"kdd/runtime/wire"
)

// TestReadLines reads each pair of lines of each document: they are the source's lines, whatever ends them, and the
// section they are said to be in holds them.
func TestReadLines(t *testing.T) {
	f := written()
	// more than the step in which lines are counted
	f["big.md"] = "# Big\n\n" + strings.Repeat(strings.Repeat("wort ", 200)+"\n", 300)
	path := f.compile(t)
	s := serve(t, path)
	x := must(index.Open(path))
	defer x.File.Close()
	for name, source := range f {
		lines := strings.SplitAfter(strings.TrimSuffix(source, "\n"), "\n")
		if source == "" {
			continue
		}
		step := 1 + len(lines)/17
		for first := 1; first <= len(lines); first += step {
			for last := first + 1; last <= len(lines); last += step {
				want := strings.Join(lines[first-1:last], "")
				p, err := s.Read(t.Context(), wire.ReadRequest{File: fmt.Sprintf("%s#L%d-L%d", name, first, last), MaxBytes: -1})
				if err != nil {
					t.Fatalf("%s lines %d-%d: %v", name, first, last, err)
				}
				if got := strings.TrimSuffix(p.Markdown, "\n"); got != strings.ToValidUTF8(strings.TrimSuffix(want, "\n"), "\uFFFD") || p.Lines != [2]int{first, last} {
					t.Fatalf("%s lines %d-%d: lines %v %.80q, want %.80q", name, first, last, p.Lines, got, want)
				}
				holds(t, x, name, p.Anchor, first, last)
			}
		}
	}
}

// holds checks that a section has lines, and that no section in it has both the first and the last.
func holds(t *testing.T, x *index.Index, name, anchor string, first, last int) {
	t.Helper()
	d, _ := x.FindDoc(name)
	from, to := x.DocSections(d)
	best := ""
	for s := from; s < to; s++ {
		if sec := x.Section(s); int(sec.LineStart) <= first && last <= int(sec.LineEnd) {
			best = sec.Anchor
		}
	}
	if anchor != best {
		t.Fatalf("%s lines %d-%d are said to be in #%s, want #%s", name, first, last, anchor, best)
	}
}

func TestReadAtLine(t *testing.T) {
	s := serve(t, tree{"a.md": "# A\n\nintro\n\n## One\n\nfirst\n\n### Deep\n\ndeep\n\n## L3\n\nnamed\n", "b:7.md": "# B\n"}.compile(t))
	tests := []struct {
		file, anchor, found string
		lines               [2]int
	}{
		{"a.md:7", "", "one", [2]int{5, 12}},
		{"a.md:11:4", "", "deep", [2]int{9, 12}},
		{"a.md:6-7", "", "one", [2]int{6, 7}},
		{"a.md#L7", "", "one", [2]int{5, 12}},
		{"a.md", "L11", "deep", [2]int{9, 12}},
		{"a.md", "#L6-L9", "one", [2]int{6, 9}},
		{"a.md", "L9-L6", "one", [2]int{6, 9}},
		{"a.md", "l6-9", "one", [2]int{6, 9}},
		{"a.md", "L6C2-L7C9", "one", [2]int{6, 7}},
		{"a.md#L14-L99", "", "l3", [2]int{14, 15}},
		{"a.md#L3", "", "l3", [2]int{13, 15}}, // a heading that is called so comes first
		{"doc:a.md:7", "", "one", [2]int{5, 12}},
		{"kdd://doc/a.md#L11", "", "deep", [2]int{9, 12}},
		{"b:7.md", "", "", [2]int{1, 1}},
	}
	for _, tt := range tests {
		p, err := s.Read(t.Context(), wire.ReadRequest{File: tt.file, Anchor: tt.anchor})
		if err != nil {
			t.Errorf("Read(%s, %s): %v", tt.file, tt.anchor, err)
			continue
		}
		if p.Anchor != tt.found || p.Lines != tt.lines {
			t.Errorf("Read(%s, %s) = #%s lines %v, want #%s lines %v", tt.file, tt.anchor, p.Anchor, p.Lines, tt.found, tt.lines)
		}
	}
	for _, tt := range []struct{ file, message string }{
		{"a.md:99", "a.md has no line 99, it has 15"},
		{"a.md:0", "a.md has no line 0, it has 15"},
		{"a.md#L16-L17", "a.md has no line 16, it has 15"},
		{"c.md:7", `no document "c.md:7" in the index`},
		{"a:7", `no document "a:7" in the index`}, // ids are written so
		{"a.md#L9999999999", `a.md has no section "L9999999999"`},
		{"a.md" + strings.Repeat(":7", 5000), "no document "},
	} {
		_, err := s.Read(t.Context(), wire.ReadRequest{File: tt.file})
		if e := want(t, err, wire.CodeNotFound); !strings.HasPrefix(e.Message, tt.message) {
			t.Errorf("Read(%.40s): %s, want %s", tt.file, e.Message, tt.message)
		}
	}
}

// TestReadSource reads the place that each answer of related says a relation is written in.
func TestReadSource(t *testing.T) {
	s := serve(t, tree{"a.md": "# A\n\nintro\n\n## One\n\nsee [B](b.md)\n", "b.md": "# B\n"}.compile(t))
	r, err := s.Related(t.Context(), wire.RelatedRequest{Entity: "b.md", Direction: "in"})
	if err != nil || len(r.Related) == 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	p, err := s.Read(t.Context(), wire.ReadRequest{File: r.Related[0].SourceURL})
	if err != nil || !strings.Contains(p.Markdown, "see [B](b.md)") || p.Anchor != "one" {
		t.Errorf("Read(%s) = %+v, %v", r.Related[0].SourceURL, p, err)
	}
}

// TestReadSuggestsTheNearestPath: of documents with one name that whose folders are those asked for comes first.
func TestReadSuggestsTheNearestPath(t *testing.T) {
	f := tree{"index.md": "# Start\n", "deploy/index.md": "# Deploy\n", "guide/cors.md": "# CORS\n", "api/cors.md": "# API\n"}
	for i := range 9 {
		f[fmt.Sprintf("a%d/index.md", i)] = "# One\n"
	}
	s := serve(t, f.compile(t))
	for _, tt := range []struct{ file, want string }{
		{"https://example.org/docs/guide/cors/", "guide/cors.md"},
		{"https://example.org/docs/guide/cors.html#top", "guide/cors.md"},
		{"/home/me/docs/deploy/index.md", "deploy/index.md"},
		{"/home/me/docs/deploy/index.md:12", "deploy/index.md"},
		{`docs\guide\cors.md`, "guide/cors.md"},
		{"site/other/cors.md", "api/cors.md guide/cors.md"},
		{"cors/README.md", "api/cors.md guide/cors.md"},
		{"///", ""},
	} {
		_, err := s.Read(t.Context(), wire.ReadRequest{File: tt.file})
		e := want(t, err, wire.CodeNotFound)
		list, _ := e.Details["suggestions"].([]string)
		if got := strings.Join(list, " "); got != tt.want {
			t.Errorf("Read(%s) suggests %q, want %q", tt.file, got, tt.want)
		}
	}
}

// TestRelatedAtPlaces: where an entity is asked for, a line or a chunk, as answers have them, is the section that it is
// in.
func TestRelatedAtPlaces(t *testing.T) {
	path := tree{"docs/a.md": "# A\n\nintro\n\n## One\n\nsee [B](b.md)\n", "docs/b.md": "Before all.\n\n# B\n"}.compile(t)
	s := serve(t, path)
	name := strings.TrimSuffix(filepath.Base(path), ".kddx")
	for _, tt := range []struct{ entity, node string }{
		{"docs/a.md#L7", "doc:docs/a.md#one"}, {"docs/a.md#one~1", "doc:docs/a.md#one"}, {"docs/b.md~1", "doc:docs/b.md"}, {"docs/a.md#L1", "doc:docs/a.md#a"},
		{"docs/a.md:7", "doc:docs/a.md#one"}, {name + ":docs/a.md#L7", "doc:docs/a.md#one"},
		{"docs/a.md#none", ""}, {"docs/a.md#L99", ""}, {name + ":docs/a.md#none", ""},
	} {
		r, err := s.Related(t.Context(), wire.RelatedRequest{Entity: tt.entity})
		if tt.node == "" {
			want(t, err, wire.CodeNotFound)
		} else if err != nil || r.NodeID != tt.node {
			t.Errorf("Related(%s) = %+v, %v, want %s", tt.entity, r, err, tt.node)
		}
	}
	for hint, node := range map[string]string{"docs/a.md:7": "doc:docs/a.md#one", "repo/docs/a.md#L7": "doc:docs/a.md#one", "repo/docs/b.md~1": "doc:docs/b.md", "docs/a.md:99": ""} {
		r, err := s.Context(t.Context(), wire.ContextRequest{Hints: []string{hint}})
		if err != nil || node != "" && (r.Hints[0].Warning != "" || r.Hints[0].Resolved[0] != node) || node == "" && r.Hints[0].Warning == "" {
			t.Errorf("Context(%s) = %+v, %v, want %s", hint, r, err, node)
		}
	}
}
