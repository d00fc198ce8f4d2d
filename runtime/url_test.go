package runtime

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kdd/compiler"
	"kdd/compiler/filetest"
	"kdd/format"
	"kdd/runtime/artifact"
	"kdd/runtime/wire"
)

// urls returns the addresses of all documents, by path.
func urls(t *testing.T, s *Service) map[string]string {
	t.Helper()
	list, err := s.List(t.Context(), wire.ListRequest{Limit: 200, Page: wire.Page{MaxBytes: -1}})
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, d := range list.Documents {
		all[d.Path] = d.URL
	}
	return all
}

var oddNames = tree{"a b.md": "# A\n", "c#d.md": "# C\n", "50%.md": "# P\n", "ñandú/日本.md": "# N\n", "q?x=1.md": "# Q\n", "plus+.md": "# Plus\n", "README.md": "# R\n", "guide/index.md": "# G\n", "guide/README.md": "# GR\n", "x.mdx": "# X\n", "blog/_index.md": "# B\n", "a;b&c.md": "# AC\n"}

func TestFileURLs(t *testing.T) {
	path := oddNames.compile(t)
	s := serve(t, path)
	for name, address := range urls(t, s) {
		u, err := url.Parse(address)
		if err != nil || u.Scheme != "file" || u.Host != "" || u.RawQuery != "" || u.Fragment != "" || u.Path != filepath.ToSlash(filepath.Join(filepath.Dir(path), "docs", name)) {
			t.Errorf("%s: %s does not parse back to it: %+v, %v", name, address, u, err)
			continue
		}
		if got := must(os.ReadFile(filepath.FromSlash(u.Path))); string(got) != oddNames[name] {
			t.Errorf("%s: %s holds %q", name, address, got)
		}
		// the folder's own name is below its top
		for _, file := range []string{address, u.Path, "docs/" + name, "./docs/" + name} {
			if p, err := s.Read(t.Context(), wire.ReadRequest{File: file}); err != nil || p.Path != name {
				t.Errorf("Read(%s) = %+v, %v, want %s", file, p, err, name)
			}
			if r, err := s.Related(t.Context(), wire.RelatedRequest{Entity: file}); err != nil || r.NodeID != "doc:"+name {
				t.Errorf("Related(%s) = %+v, %v, want %s", file, r, err, name)
			}
		}
	}
}

func TestServedURLs(t *testing.T) {
	path := oddNames.compile(t)
	if err := os.RemoveAll(filepath.Join(filepath.Dir(path), "docs")); err != nil {
		t.Fatal(err)
	}
	s := serve(t, path)
	for name, address := range urls(t, s) {
		if !strings.HasPrefix(address, "kdd://doc/") || strings.ContainsAny(address[10:], "#? ") {
			t.Errorf("%s: %s", name, address)
		}
		if p, err := s.Read(t.Context(), wire.ReadRequest{File: address}); err != nil || p.Path != name {
			t.Errorf("Read(%s) = %+v, %v, want %s", address, p, err, name)
		}
	}
}

func TestPublishedURLs(t *testing.T) {
	tests := []struct {
		name, base string
		want       map[string]string
	}{
		{"site", "https://example.org/docs/", map[string]string{
			"a b.md": "https://example.org/docs/a%20b", "c#d.md": "https://example.org/docs/c%23d", "README.md": "https://example.org/docs/", "guide/index.md": "https://example.org/docs/guide", "blog/_index.md": "https://example.org/docs/blog",
			"x.mdx": "https://example.org/docs/x", "50%.md": "https://example.org/docs/50%25",
		}},
		{"pattern", "https://git.example/blob/main/{path}?plain=1", map[string]string{
			"a b.md": "https://git.example/blob/main/a%20b.md?plain=1", "guide/index.md": "https://git.example/blob/main/guide/index.md?plain=1", "q?x=1.md": "https://git.example/blob/main/q%3Fx=1.md?plain=1",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			filetest.Write(t, filepath.Join(dir, "docs"), oddNames)
			path := filepath.Join(dir, "docs.kddx")
			build(t, compiler.Options{Sources: []string{filepath.Join(dir, "docs")}, Output: path, BaseURL: tt.base})
			s := serve(t, path)
			got := urls(t, s)
			for name, want := range tt.want {
				if got[name] != want {
					t.Errorf("%s: %s, want %s", name, got[name], want)
				}
				if p, err := s.Read(t.Context(), wire.ReadRequest{File: want + "#L1-L9"}); err != nil || got[p.Path] != want {
					t.Errorf("Read(%s) = %+v, %v, want %s", want, p, err, name)
				}
			}
			hit := must(serve(t, path).Search(t.Context(), wire.SearchRequest{Query: "G"}))
			for _, h := range hit.Results {
				if !strings.HasSuffix(h.URL, "#"+h.Anchor) {
					t.Errorf("hit %s has the address %s", h.Chunk, h.URL)
				}
			}
		})
	}
}

func TestWindowsURLs(t *testing.T) {
	tests := []struct{ name, path, want string }{
		{"unix", "/home/a b/c#d.md", "file:///home/a%20b/c%23d.md"},
		{"drive", "C:/docs/a b.md", "file:///C:/docs/a%20b.md"},
		{"share", "//server/share/ñ.md", "file://server/share/%C3%B1.md"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := artifact.FileURL(tt.path); got != tt.want {
				t.Errorf("fileURL(%s) = %s, want %s", tt.path, got, tt.want)
			}
		})
	}
}

// TestSourcesAreFound moves artifact and sources about.
func TestSourcesAreFound(t *testing.T) {
	f := tree{}
	for _, name := range []string{"a.md", "b.md", "c.md", "sub/d.md"} {
		f[name] = "# " + name + "\n\nlong enough to tell it from others\n"
	}
	dir := t.TempDir()
	filetest.Write(t, filepath.Join(dir, "repo", "docs", "site"), f)
	if err := os.Mkdir(filepath.Join(dir, "repo", ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	made := filepath.Join(t.TempDir(), "out.kddx")
	build(t, compiler.Options{Sources: []string{filepath.Join(dir, "repo", "docs", "site")}, Output: made})
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for _, name := range []string{"repo/out.kddx", "repo/build/deep/out.kddx", "repo/docs/site/out.kddx", "elsewhere/out.kddx", "decoy/out.kddx"} {
		os.MkdirAll(filepath.Dir(at(name)), 0o755)
		swap(t, made, at(name))
	}
	filetest.Write(t, at("decoy"), tree{"docs/site/a.md": "# another document of this name\n"})
	found := "file://" + filepath.ToSlash(at("repo/docs/site"))
	tests := []struct {
		name   string
		config Config
		want   string // of c.md
	}{
		{"top of the repository", Config{Index: []string{at("repo/out.kddx")}}, found + "/c.md"},
		{"deep inside", Config{Index: []string{at("repo/build/deep/out.kddx")}}, found + "/c.md"},
		{"among the sources", Config{Index: []string{at("repo/docs/site/out.kddx")}}, found + "/c.md"},
		{"elsewhere", Config{Index: []string{at("elsewhere/out.kddx")}}, "kdd://doc/c.md"},
		{"a folder of the same name", Config{Index: []string{at("decoy/out.kddx")}}, "kdd://doc/c.md"},
		{"root of the sources", Config{Index: []string{at("elsewhere/out.kddx")}, Root: at("repo/docs/site")}, found + "/c.md"},
		{"root of the repository", Config{Index: []string{at("elsewhere/out.kddx")}, Root: at("repo")}, found + "/c.md"},
		{"root above the folder", Config{Index: []string{at("elsewhere/out.kddx")}, Root: at("repo/docs")}, found + "/c.md"},
		{"root from the environment", Config{Index: []string{at("elsewhere/out.kddx")}, Environ: map[string]string{"KDD_ROOT": at("repo")}}, found + "/c.md"},
		{"relative root", Config{Index: []string{at("elsewhere/out.kddx")}, Dir: dir, Root: "repo"}, found + "/c.md"},
		{"a root wins over what lies near", Config{Index: []string{at("repo/out.kddx")}, Root: at("elsewhere")}, "kdd://doc/c.md"},
		{"older name of the root", Config{Index: []string{at("elsewhere/out.kddx")}, Environ: map[string]string{"KDD_SPECS_PATH": at("repo/docs/site")}}, found + "/c.md"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := New(tt.config)
			defer s.Close()
			if got := urls(t, s)["c.md"]; got != tt.want {
				t.Errorf("c.md is at %s, want %s", got, tt.want)
			}
		})
	}
	// One file gone, one changed: the others are still found, and the changed one says so.
	if err := os.Remove(at("repo/docs/site/a.md")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at("repo/docs/site/b.md"), []byte("# changed\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s := serve(t, at("repo/out.kddx"))
	got := urls(t, s)
	if got["a.md"] != "kdd://doc/a.md" || got["c.md"] != found+"/c.md" {
		t.Errorf("with a.md gone: %v", got)
	}
	for _, h := range must(s.Search(t.Context(), wire.SearchRequest{Query: "long enough"})).Results {
		if h.Stale != (h.Path == "b.md") {
			t.Errorf("%s: stale %v", h.Path, h.Stale)
		}
	}
}

// TestHostileRoots checks that an artifact cannot make kdd look outside the folders that it may look in.
func TestHostileRoots(t *testing.T) {
	dir := t.TempDir()
	filetest.Write(t, dir, tree{"secret/a.md": "# A\n", "docs/a.md": "# A\n", "near/x": ""})
	path := filepath.Join(dir, "near", "docs.kddx")
	build(t, compiler.Options{Sources: []string{filepath.Join(dir, "docs")}, Output: path})
	for _, hint := range []string{"../secret", filepath.Join(dir, "secret"), "..", "x/../../secret"} {
		trailer := format.AppendTrailer(nil, format.TagProvenance, must(json.Marshal(format.Provenance{Roots: []string{hint}})))
		if err := os.WriteFile(path+".hostile", append(must(os.ReadFile(path)), trailer...), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := urls(t, serve(t, path+".hostile"))["a.md"]; got != "kdd://doc/a.md" {
			t.Errorf("hint %s leads to %s", hint, got)
		}
	}
}
