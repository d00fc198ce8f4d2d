package runtime

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kdd/runtime/wire"
)

func TestFind(t *testing.T) {
	top := t.TempDir()
	if err := os.MkdirAll(filepath.Join(top, "repo", ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	deep := filepath.Join(top, "repo", "a", "b")
	for _, dir := range []string{deep, filepath.Join(top, "two"), filepath.Join(top, "specs", "docs")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	made := tree{"a.md": "# A\n"}.compile(t)
	for _, name := range []string{"repo/docs.kddx", "two/x.kddx", "two/y.kddx", "two/.kddx-tmp", "two/.z.kddx", "specs/s.kddx", "specs/s.md", "repo/a=b.kddx.d/z.kddx"} {
		os.MkdirAll(filepath.Dir(filepath.Join(top, name)), 0o755)
		swap(t, made, filepath.Join(top, name))
	}
	at := func(name string) string { return filepath.Join(top, name) }
	tests := []struct {
		name    string
		config  Config
		want    string // names and paths below top
		code    string
		message string
	}{
		{name: "above, up to the repository", config: Config{Dir: deep}, want: "docs=repo/docs.kddx"},
		{name: "two in a folder", config: Config{Dir: at("two")}, code: wire.CodeIndexNotFound, message: "2 .kddx files in " + at("two") + ": x.kddx, y.kddx"},
		{name: "none", config: Config{Dir: at("repo/.git")}, want: "docs=repo/docs.kddx"},
		{name: "configured", config: Config{Dir: top, Index: []string{"two/x.kddx", "other=two/y.kddx"}}, want: "x=two/x.kddx other=two/y.kddx"},
		{name: "dots in a name", config: Config{Dir: top, Index: []string{"v1.2=two/x.kddx"}}, want: "v1.2=two/x.kddx"},
		{name: "configured wins", config: Config{Dir: top, Index: []string{"two/x.kddx"}, Environ: map[string]string{"KDD_INDEX": "two/y.kddx"}}, want: "x=two/x.kddx"},
		{name: "folder with one", config: Config{Dir: top, Index: []string{"specs"}}, want: "s=specs/s.kddx"},
		{name: "name of a folder", config: Config{Dir: top, Index: []string{"n=specs"}}, want: "n=specs/s.kddx"},
		{name: "repeated name", config: Config{Dir: top, Index: []string{"two/x.kddx", "x=two/y.kddx"}}, code: wire.CodeInvalidInput, message: `the name "x" stands for`},
		{name: "no file", config: Config{Dir: top, Index: []string{"x="}}, code: wire.CodeInvalidInput, message: "names no file"},
		{name: "empty", config: Config{Dir: top, Index: []string{""}}, code: wire.CodeInvalidInput, message: "names no file"},
		{name: "colon in a name", config: Config{Dir: top, Index: []string{"a:b=two/x.kddx"}}, code: wire.CodeInvalidInput, message: "name"},
		{name: "environment", config: Config{Dir: deep, Environ: map[string]string{"KDD_INDEX": at("two/x.kddx")}}, want: "x=two/x.kddx"},
		{name: "environment by name", config: Config{Dir: top, Environ: map[string]string{"KDD_INDEX": "n=two/x.kddx"}}, want: "n=two/x.kddx"},
		{name: "environment list", config: Config{Dir: top, Environ: map[string]string{"KDD_INDEX": "n=two/x.kddx, two/y.kddx"}}, want: "n=two/x.kddx y=two/y.kddx"},
		{name: "environment folder", config: Config{Dir: top, Environ: map[string]string{"KDD_INDEX": "specs"}}, want: "s=specs/s.kddx"},
		{name: "environment folder with two", config: Config{Dir: top, Environ: map[string]string{"KDD_INDEX": "two"}}, code: wire.CodeIndexNotFound, message: "KDD_INDEX=two is a folder with 2 .kddx files: x.kddx, y.kddx"},
		{name: "environment empty folder", config: Config{Dir: top, Environ: map[string]string{"KDD_INDEX": "repo/a"}}, code: wire.CodeIndexNotFound, message: "no .kddx file"},
		{name: "older name, a file", config: Config{Dir: deep, Environ: map[string]string{"KDD_INDEX_PATH": at("two/y.kddx")}}, want: "y=two/y.kddx"},
		{name: "older name, the folder of the sources", config: Config{Dir: deep, Environ: map[string]string{"KDD_SPECS_PATH": at("specs/docs")}}, want: "s=specs/s.kddx"},
		{name: "strongest variable", config: Config{Dir: top, Environ: map[string]string{"KDD_SPECS_PATH": "two/y.kddx", "KDD_INDEX": "two/x.kddx"}}, want: "x=two/x.kddx"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := New(tt.config)
			defer s.Close()
			list, err := s.store.FindSources()
			if tt.code != "" {
				if e := want(t, err, tt.code); !strings.Contains(e.Message, tt.message) || e.Hint == "" {
					t.Errorf("%v, want %q and a hint", e, tt.message)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, src := range list {
				rel, _ := filepath.Rel(top, src.Path)
				got = append(got, src.Name+"="+filepath.ToSlash(rel))
			}
			if text := strings.Join(got, " "); text != tt.want {
				t.Errorf("find = %s, want %s", text, tt.want)
			}
			if _, err := s.Stats(t.Context(), wire.StatsRequest{}); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestFoundAfterStart checks that nothing of a failed look-up is kept: an index that is built later is found.
func TestFoundAfterStart(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	s := New(Config{Dir: dir})
	defer s.Close()
	_, err := s.List(t.Context(), wire.ListRequest{})
	e := want(t, err, wire.CodeIndexNotFound)
	if looked, _ := e.Details["looked"].([]string); len(looked) != 1 || looked[0] != dir {
		t.Errorf("details %v", e.Details)
	}
	made := tree{"a.md": "# A\n"}.compile(t)
	swap(t, made, filepath.Join(dir, "one.kddx"))
	if got := must(s.List(t.Context(), wire.ListRequest{})); got.Total != 1 {
		t.Errorf("%d documents, want 1", got.Total)
	}
	s = New(Config{Dir: dir})
	defer s.Close()
	must(s.store.FindSources())
	if err := os.Rename(filepath.Join(dir, "one.kddx"), filepath.Join(dir, "two.kddx")); err != nil {
		t.Fatal(err)
	}
	// gone before it was opened: this call may say so
	if _, err := s.List(t.Context(), wire.ListRequest{}); err != nil {
		want(t, err, wire.CodeIndexNotFound)
	}
	if got := must(s.List(t.Context(), wire.ListRequest{})); got.Total != 1 {
		t.Errorf("%d documents after a rename, want 1", got.Total)
	}
}

func TestFileNamedLikeAName(t *testing.T) {
	dir := t.TempDir()
	swap(t, tree{"a.md": "# A\n"}.compile(t), filepath.Join(dir, "a=b.kddx"))
	s := New(Config{Dir: dir, Index: []string{"a=b.kddx"}})
	defer s.Close()
	if list, err := s.store.FindSources(); err != nil || list[0].Name != "a=b" || list[0].Path != filepath.Join(dir, "a=b.kddx") {
		t.Errorf("find = %+v, %v", list, err)
	}
}
