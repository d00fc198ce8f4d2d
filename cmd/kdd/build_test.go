package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kdd/cmd/internal/cli"
	"kdd/compiler"
	"kdd/compiler/diag"
	"kdd/compiler/embedding/remote"
)

// TestBuildOptions checks that every flag of build reaches the compiler.
func TestBuildOptions(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv(embedKeyVariable, "k")
	if err := os.WriteFile("kdd.yaml", []byte("title: T\ngraph:\n  kinds: []\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		argv []string
		want compiler.Options
	}{
		{"defaults", nil, compiler.Options{Sources: []string{"."}, Title: "T", MaxFileBytes: 64 << 20}},
		{"all", strings.Fields("--strict a --drafts b -o x.kddx --follow-links --include i1 --include i2 --exclude e " +
			"--site-url s --base-url u --title V --source-commit=1a2b --language de --no-vectors --model m --engine go " +
			"--onnxruntime lib --device cuda --stored-vectors float32 --vectors p1 --vectors p2 --vectors-only --mixed-engines --encoder exact --encoder-from f.kddx " +
			"--cache - --embed-url http://u --embed-model em --embed-api tei --embed-prefix p --keep-going --max-file-size 2 --fresh"),
			compiler.Options{Sources: []string{"a", "b"}, Output: "x.kddx", Drafts: true, FollowLinks: true, Strict: true,
				Include: []string{"i1", "i2"}, Exclude: []string{"e"}, SiteURL: "s", BaseURL: "u", Title: "V", Commit: "1a2b",
				Language: "de", NoVectors: true, KeepGoing: true, MaxFileBytes: 2 << 20, Fresh: true,
				Model: "m", Engine: "go", Library: "lib", Device: "cuda", Floats: true, Parts: []string{"p1", "p2"},
				PartsOnly: true, MixedEngines: true, Encoder: "exact", EncoderFrom: "f.kddx", CacheDir: "-",
				Remote: remote.Options{URL: "http://u", Model: "em", API: remote.TEI, Key: "k"}, RemotePrefix: "p"}},
		{"commit without a value", []string{".", "--source-commit"},
			compiler.Options{Sources: []string{"."}, Title: "T", Commit: "auto", MaxFileBytes: 64 << 20}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got compiler.Options
			command := buildCommand()
			command.Run = func(c *cli.Call) (err error) {
				got, err = buildOptions(c)
				return err
			}
			var stderr bytes.Buffer
			tool := cli.Tool{Name: "kdd", Commands: []*cli.Command{command}}
			if code := cli.Run(tool, append([]string{"build"}, tt.argv...), nil, &stderr, &stderr); code != 0 {
				t.Fatalf("build %q: exit %d, %s", tt.argv, code, &stderr)
			}
			want := tt.want
			want.Version = cli.Version
			if want.Engine == "" {
				want.Engine, want.Device, want.Encoder = "auto", "cpu", "distilled"
			}
			if got.Sources[0] == "." { // the folder with kdd.yaml
				want.Config = &compiler.Config{Rules: []byte("\n      \n  kinds: []\n"), Path: "kdd.yaml"}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("build %q (-want +got):\n%s", tt.argv, diff)
			}
		})
	}
}

func TestSourceNames(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.MkdirAll("repo/docs", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("repo/docs/one.md", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name    string
		sources []string
		path    string
		want    string
	}{
		{"one folder", []string{"repo/docs"}, "a/b.md", "repo/docs/a/b.md"},
		{"the working folder", []string{"."}, "a.md", "a.md"},
		{"a folder above", []string{"../docs"}, "a.md", "../docs/a.md"},
		{"a file", []string{"repo/docs/one.md"}, "one.md", "repo/docs/one.md"},
		{"several folders", []string{"x/docs", "y/notes"}, "notes/a.md", "y/notes/a.md"},
		{"several folders, none fits", []string{"x/docs", "y/notes"}, "other/a.md", "other/a.md"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := sourceNames(tt.sources)(tt.path); got != tt.want {
				t.Errorf("sourceNames(%q)(%q) = %q, want %q", tt.sources, tt.path, got, tt.want)
			}
		})
	}
}

func TestRepositoryNames(t *testing.T) {
	top := t.TempDir()
	if err := os.MkdirAll(filepath.Join(top, "a", "b"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(top, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	checkout := filepath.Join(filepath.Dir(top), "checkout") // beside it, not below
	if err := os.MkdirAll(filepath.Join(checkout, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(top, "a"))
	same := func(path string) string { return path }
	tests := []struct{ path, want string }{
		{"b/x.md", "a/b/x.md"},
		{"../c/x.md", "c/x.md"},
		{"../../outside.md", "../../outside.md"},
		{"../../checkout/docs/x.md", "docs/x.md"},
	}
	for _, tt := range tests {
		if got := repositoryNames(same)(tt.path); got != tt.want {
			t.Errorf("repositoryNames(%q) = %q, want %q", tt.path, got, tt.want)
		}
	}
}

func TestWriteSummary(t *testing.T) {
	var out bytes.Buffer
	writeSummary(&out, &compiler.Report{
		IndexID: "0123456789abcdef", Path: "a\x1b.kddx", FileBytes: 1_234_567, SourceBytes: 999,
		Counts:  compiler.ReportCounts{Documents: 1, Sections: 2, Chunks: 0, Links: 3, Resolved: 2},
		Skipped: map[string]int{"hidden": 2, "draft": 1},
		Diags:   []diag.Diagnostic{{Severity: diag.Warning}},
		Seconds: map[string]float64{"total": 0.125},
	}, 2)
	lines := strings.Split(out.String(), "\n")
	if strings.Contains(lines[0], "\x1b") {
		t.Errorf("summary holds an escape: %q", lines[0])
	}
	_, lines[0], _ = strings.Cut(lines[0], ": ")
	want := []string{
		"1 document, 2 sections, 0 chunks, 1.2 MB from 999 B of markdown in 0.12 s",
		"links: 2 of 3 resolved",
		"skipped: 1 draft, 2 hidden",
		"findings: 1 warning (2 not shown: --verbose, or kddq lint)",
		"index id: 0123456789abcdef",
		"",
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("writeSummary (-want +got):\n%s", diff)
	}
}

func TestSize(t *testing.T) {
	tests := []struct {
		bytes int64
		want  string
	}{
		{0, "0 B"}, {999, "999 B"}, {1000, "1.0 kB"}, {999_949, "999.9 kB"}, {1_000_000, "1.0 MB"},
		{2_345_000_000, "2.35 GB"},
	}
	for _, tt := range tests {
		if got := cli.Size(tt.bytes); got != tt.want {
			t.Errorf("cli.Size(%d) = %q, want %q", tt.bytes, got, tt.want)
		}
	}
}
