package compare

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"kdd/compiler"
	"kdd/compiler/filetest"
	"kdd/format/index"
	"kdd/runtime/wire"
)

// built compiles documents and opens the artifact.
func built(t *testing.T, files map[string]string) *index.Index {
	t.Helper()
	dir := t.TempDir()
	filetest.Write(t, filepath.Join(dir, "docs"), files)
	path := filepath.Join(dir, "docs.kddx")
	if _, err := compiler.Build(t.Context(), compiler.Options{Sources: []string{filepath.Join(dir, "docs")}, Output: path, NoVectors: true}); err != nil {
		t.Fatal(err)
	}
	x, err := index.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.File.Close() })
	return x
}

func moves(list []wire.DiffMove) (pairs []string) {
	for _, m := range list {
		pairs = append(pairs, m.From+" "+m.To)
	}
	return pairs
}

func TestArtifacts(t *testing.T) {
	const a, b = "# A\n\nText.\n\n## One\n\nFirst.\n\n## Two\n\nSecond.\n", "# B\n\nOther.\n"
	tests := []struct {
		name                                      string
		old, now                                  map[string]string
		documents, moved, sections, sectionsMoved []string // documents and sections: +added -removed ~changed
		links, mended                             int
		chunks                                    string // added removed moved reworded new
	}{
		{"nothing", map[string]string{"a.md": a}, map[string]string{"a.md": a}, nil, nil, nil, nil, 0, 0, "0 0 0 0 0"},
		{"a document that moves", map[string]string{"a.md": a, "b.md": b}, map[string]string{"sub/a.md": a, "b.md": b},
			nil, []string{"a.md sub/a.md"}, nil, nil, 0, 0, "0 0 3 0 0"},
		{"a section that moves", map[string]string{"a.md": a, "b.md": b},
			map[string]string{"a.md": "# A\n\nText.\n\n## One\n\nFirst.\n", "b.md": b + "\n## Two\n\nSecond.\n"},
			[]string{"~a.md", "~b.md"}, nil, nil, []string{"a.md#two b.md#two"}, 0, 0, "0 0 1 0 1"},
		{"a section in another order", map[string]string{"a.md": a}, map[string]string{"a.md": "# A\n\nText.\n\n## Two\n\nSecond.\n\n## One\n\nFirst.\n"},
			[]string{"~a.md"}, nil, nil, nil, 0, 0, "0 0 0 0 0"},
		{"a link that breaks", map[string]string{"a.md": "# A\n\n[b](b.md)\n", "b.md": b}, map[string]string{"a.md": "# A\n\n[b](b.md)\n"},
			[]string{"-b.md"}, nil, nil, nil, 1, 0, "0 1 0 0 0"},
		{"a link that is mended", map[string]string{"a.md": "# A\n\n[b](b.md)\n"}, map[string]string{"a.md": "# A\n\n[b](b.md)\n", "b.md": b},
			[]string{"+b.md"}, nil, nil, nil, 0, 1, "1 0 0 0 1"},
		{"a link that is broken in another way", map[string]string{"a.md": "# A\n\n[b](b.md#x)\n", "b.md": b}, map[string]string{"a.md": "# A\n\n[b](b.md#x)\n"},
			[]string{"-b.md"}, nil, nil, nil, 0, 0, "0 1 0 0 0"},
		{"a broken link in a document that moves", map[string]string{"a.md": "# A\n\n[b](b.md)\n"}, map[string]string{"c.md": "# A\n\n[b](b.md)\n"},
			nil, []string{"a.md c.md"}, nil, nil, 0, 0, "0 0 1 0 0"},
		{"a finding on another line", map[string]string{"a.md": "# A\n\n[b](b.md)\n"}, map[string]string{"a.md": "# A\n\nText.\n\n[b](b.md)\n"},
			[]string{"~a.md"}, nil, []string{"~a.md#a"}, nil, 0, 0, "0 0 0 1 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := Artifacts(built(t, tt.old), built(t, tt.now))
			if got := marked(&r.Documents); !slices.Equal(got, tt.documents) || !slices.Equal(moves(r.Documents.Moved), tt.moved) {
				t.Errorf("documents %q, moved %q, want %q and %q", got, moves(r.Documents.Moved), tt.documents, tt.moved)
			}
			if got := marked(&r.Sections); !slices.Equal(got, tt.sections) || !slices.Equal(moves(r.Sections.Moved), tt.sectionsMoved) {
				t.Errorf("sections %q, moved %q, want %q and %q", got, moves(r.Sections.Moved), tt.sections, tt.sectionsMoved)
			}
			if len(r.Links.New) != tt.links || len(r.Links.Gone) != tt.mended {
				t.Errorf("links %v, want %d and %d", r.Links, tt.links, tt.mended)
			}
			c := r.Chunks
			if got := fmt.Sprint(c.Added, c.Removed, c.Moved, c.Reworded, c.NewTexts); got != tt.chunks {
				t.Errorf("chunks added, removed, moved, reworded, new texts: %s, want %s", got, tt.chunks)
			}
			if r.Same != (len(tt.documents)+len(tt.moved) == 0) {
				t.Errorf("Same = %t", r.Same)
			}
		})
	}
}

// marked lists what was added, removed and changed.
func marked(l *wire.DiffList) (list []string) {
	for mark, places := range map[string][]string{"+": l.Added, "-": l.Removed, "~": l.Changed} {
		for _, p := range places {
			list = append(list, mark+p)
		}
	}
	slices.SortFunc(list, func(a, b string) int {
		if a[1:] < b[1:] {
			return -1
		}
		return 1
	})
	return list
}
