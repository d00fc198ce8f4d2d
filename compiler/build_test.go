package compiler

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kdd/compiler/diag"
	"kdd/compiler/filetest"
	"kdd/compiler/source"
	"kdd/format"
)

// TestReport checks every field of the report against a corpus whose counts are known.
func TestReport(t *testing.T) {
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{
		"docs/a.md":            "# A\n\nText, see [b](b.md) and [gone](gone.md).\n\n## Part\n\nMore.\n",
		"docs/b.md":            "# B\n\nSee https://example.org and [a](a.md#part).\n",
		"docs/draft.md":        "---\ndraft: true\n---\n# D\n\n[gone](gone.md)\n",
		"docs/unpublished.md":  "---\npublished: false\n---\n# U\n",
		"docs/.hidden.md":      "# H\n",
		"docs/x.txt":           "x",
		"docs/vendor/v.md":     "# V\n",
		"docs/ignored.md":      "# I\n",
		"docs/.gitignore":      "ignored.md\n",
		"docs/binary.md":       "\x00\x01",
		"docs/sub/excluded.md": "# E\n",
	})
	o := Options{Sources: []string{filepath.Join(dir, "docs")}, Output: filepath.Join(dir, "out.kddx"), NoVectors: true, Exclude: []string{"sub/**"}, Version: "1.2"}
	r, b := mustBuild(t, o)
	if r.SchemaVersion != "build_report.v1" || len(r.IndexID) != 16 || r.Path != o.Output {
		t.Errorf("report begins %q, %q, %q", r.SchemaVersion, r.IndexID, r.Path)
	}
	wantSkipped := map[string]int{source.ReasonDraft: 2, source.ReasonHidden: 2, source.ReasonExtension: 1, source.ReasonVendored: 1, source.ReasonIgnored: 1, source.ReasonBinary: 1, source.ReasonExcluded: 1}
	if !maps.Equal(r.Skipped, wantSkipped) {
		t.Errorf("skipped %v, want %v", r.Skipped, wantSkipped)
	}
	want := ReportCounts{Documents: 2, Sections: 5, Chunks: 3, Terms: r.Counts.Terms, Edges: r.Counts.Edges, Links: 3, Resolved: 2}
	if r.Counts != want || r.Counts.Terms == 0 || r.Counts.Edges == 0 {
		t.Errorf("counts %+v, want %+v", r.Counts, want)
	}
	if want := map[string]int{"warning": 2}; !maps.Equal(r.Severities, want) {
		t.Errorf("severities %v, want %v: %v", r.Severities, want, r.Diags)
	}
	if len(r.Diagnostics) != len(r.Diags) || !slices.IsSortedFunc(r.Diags, func(a, b diag.Diagnostic) int { return strings.Compare(a.Path, b.Path) }) {
		t.Errorf("diagnostics %v, values %v", r.Diagnostics, r.Diags)
	}
	if want := int64(len("# A\n\nText, see [b](b.md) and [gone](gone.md).\n\n## Part\n\nMore.\n# B\n\nSee https://example.org and [a](a.md#part).\n")); r.SourceBytes != want {
		t.Errorf("%d source bytes, want %d", r.SourceBytes, want)
	}
	x, err := format.OpenBytes(b)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range x.Entries() {
		if got := (ReportBlock{e.Tag.String(), int64(e.Length), int64(e.Rows)}); i >= len(r.Blocks) || r.Blocks[i] != got {
			t.Errorf("block %d is %+v, the report has %+v", i, got, r.Blocks)
		}
	}
	sum := 0.0
	for name, s := range r.Seconds {
		if name != "total" {
			sum += s
		}
	}
	if total := r.Seconds["total"]; total <= 0 || sum > total+1e-9 || sum < total/2 {
		t.Errorf("seconds %v: the phases sum to %g", r.Seconds, sum)
	}

	o.Drafts = true
	if r, _ := mustBuild(t, o); r.Counts.Documents != 4 || r.Skipped[source.ReasonDraft] != 0 {
		t.Errorf("with drafts: %d documents, skipped %v", r.Counts.Documents, r.Skipped)
	}
}

func TestList(t *testing.T) {
	dir, o := smallFolder(t)
	filetest.Write(t, dir, map[string]string{"docs/draft.md": "---\ndraft: true\n---\n", "docs/z.txt": "x", "docs/0.txt": "x"})
	before := snapshotNames(t, dir)
	r, err := List(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range r.Listing {
		got = append(got, fmt.Sprintf("%s %s %s %s %d %d", l.Path, l.Status, l.Reason, l.Kind, l.Bytes, l.Chunks))
	}
	want := []string{"a.md compiled  document 16 1", "b.md compiled  document 20 1", "0.txt skipped extension  0 0", "draft.md skipped draft  0 0", "z.txt skipped extension  0 0"}
	if !slices.Equal(got, want) {
		t.Errorf("List = %q, want %q", got, want)
	}
	if r.IndexID != "" || r.Path != "" || snapshotNames(t, dir) != before {
		t.Errorf("List wrote something: %q, %s", r.Path, snapshotNames(t, dir))
	}
	o.NoVectors, o.Model = false, "no-such-model"
	if _, err := List(t.Context(), o); err != nil {
		t.Errorf("List without a model: %v", err)
	}
}

// TestStrict checks that any warning, and no note, keeps a strict build from writing.
func TestStrict(t *testing.T) {
	dir, o := smallFolder(t)
	o.Strict = true
	if _, err := Build(t.Context(), o); err != nil { // b.md is a note: nothing leads to it
		t.Errorf("a strict build with notes: %v", err)
	}
	old, err := os.ReadFile(o.Output)
	if err != nil {
		t.Fatal(err)
	}
	filetest.Write(t, dir, map[string]string{"docs/c.md": "# C\n\n[gone](gone.md)\n"})
	r, err := Build(t.Context(), o)
	if !errors.Is(err, ErrFindings) || r == nil {
		t.Fatalf("a strict build with a warning = %v, %v, want ErrFindings and a report", r, err)
	}
	if r.IndexID != "" || r.Path != "" || r.Severities["warning"] != 1 || r.Counts.Documents != 3 || r.Seconds["total"] <= 0 {
		t.Errorf("the report of a strict build is %+v", r)
	}
	if now, err := os.ReadFile(o.Output); err != nil || string(now) != string(old) {
		t.Errorf("the old artifact has changed: %v", err)
	}
	if err := os.Remove(o.Output); err != nil {
		t.Fatal(err)
	}
	if Build(t.Context(), o); leftovers(t, dir, "docs") != nil {
		t.Errorf("a strict build left %q", leftovers(t, dir, "docs"))
	}
}

func TestOptionsRefused(t *testing.T) {
	dir, plain := smallFolder(t)
	filetest.Write(t, dir, map[string]string{"drafts/a.md": "---\ndraft: true\n---\n# A\n", "drafts/x.txt": "x", "empty/x.txt": "x"})
	many := make([]string, maxSources+1)
	model := smallModel(t, 1, "")
	vectors := withVectors(plain.Sources[0], model)
	vectors.Output = plain.Output
	tests := []struct {
		name string
		from Options
		edit func(o *Options)
		want string
		is   error
	}{
		{"language", plain, func(o *Options) { o.Language = "english" }, `language "english": want a code of two letters, such as en or pt-BR`, ErrOption},
		{"standard output", plain, func(o *Options) { o.Output = "-" }, "--output -: the file is not printed; name a file with -o", ErrOption},
		{"a commit of the day", plain, func(o *Options) { o.Commit = "HEAD~1" }, `--source-commit: got "HEAD~1", which is another commit each time, want a commit's name; write --source-commit="$(git rev-parse HEAD~1)"`, ErrOption},
		{"commit", plain, func(o *Options) { o.Commit = "a\nb" }, "--source-commit: want a commit's name", ErrOption},
		{"too many sources", plain, func(o *Options) { o.Sources = many }, "257 sources, at most 256", ErrOption},
		{"no sources", plain, func(o *Options) { o.Sources = nil }, "no source folder given", ErrOption},
		{"a missing source", plain, func(o *Options) { o.Sources = []string{dir + "/dosc"} }, "did you mean", source.ErrMissing},
		{"no documents", plain, func(o *Options) { o.Sources = []string{dir + "/empty"} }, "no documents", source.ErrEmpty},
		{"drafts only", plain, func(o *Options) { o.Sources = []string{dir + "/drafts"} }, "skipped 1 draft (a.md), 1 extension (x.txt)", source.ErrEmpty},
		{"rules", plain, func(o *Options) { o.Config = &Config{Rules: []byte("graph:\n  kindz: []\n"), Path: "kdd.yaml"} }, "kdd.yaml", ErrOption},
		{"too many edge types", plain, func(o *Options) {
			rules := "graph:\n  edges:\n"
			for i := range 300 {
				rules += fmt.Sprintf("  - name: EDGE_%d\n", i)
			}
			o.Config = &Config{Rules: []byte(rules), Path: "kdd.yaml"}
		}, "kdd.yaml: 3", ErrOption},
		{"no URL", plain, func(o *Options) { o.BaseURL = "docs.example.com" }, `base_url "docs.example.com": want a URL such as https://docs.example.com/`, ErrOption},
		{"no URL of a site", plain, func(o *Options) { o.BaseURL = "https:///docs" }, `base_url "https:///docs": want a URL`, ErrOption},
		{"a missing source and no model", vectors, func(o *Options) { o.Model, o.Sources = "no-such-model", []string{dir + "/dosc"} }, "did you mean", source.ErrMissing},
		{"a bad glob and no model", vectors, func(o *Options) { o.Model, o.Exclude = "no-such-model", []string{"["} }, "not a glob", ErrOption},
		{"encoder", vectors, func(o *Options) { o.Encoder = "large" }, `encoder "large": want distilled, exact or none`, ErrOption},
		{"engine", vectors, func(o *Options) { o.Engine = "tpu" }, `engine "tpu"`, nil},
		{"model", vectors, func(o *Options) { o.Model = "no-such-model" }, `"kdd model pull OWNER/no-such-model", or build with --no-vectors`, ErrNoModel},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := tt.from
			tt.edit(&o)
			r, err := Build(t.Context(), o)
			if err == nil || !strings.Contains(err.Error(), tt.want) || tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("Build = %v, want %q", err, tt.want)
			}
			if r != nil || leftovers(t, dir, "docs", "drafts", "empty") != nil {
				t.Errorf("Build left %v, %q", r, leftovers(t, dir, "docs", "drafts", "empty"))
			}
		})
	}
}

// phaseWatch calls at with the name of each phase that begins, and counts steps.
type phaseWatch struct {
	at     func(name string)
	phases []string
	totals map[string]int
	steps  map[string]int
}

func newWatch(at func(string)) *phaseWatch {
	return &phaseWatch{at: at, totals: map[string]int{}, steps: map[string]int{}}
}

func (w *phaseWatch) Phase(name string, total int) {
	w.phases = append(w.phases, name)
	w.totals[name] = total
	w.at(name)
}

func (w *phaseWatch) Step(n int) { w.steps[w.phases[len(w.phases)-1]] += n }

// TestCancel ends the context as each phase begins: the build returns the cause, leaves no temporary file, and the old
// artifact stays.
func TestCancel(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "docs")
	newCorpus(5, 20).write(t, dir)
	filetest.Write(t, dir, map[string]string{"draft.md": "---\ndraft: true\n---\n"})
	o := withVectors(dir, smallModel(t, 1, ""))
	o.Output = filepath.Join(parent, "out.kddx")
	watch := newWatch(func(string) {})
	o.Progress = watch
	mustBuild(t, o)
	want := []string{"read", "parse", "link", "index", "embed", "sentences", "write"}
	if !slices.Equal(watch.phases, want) {
		t.Fatalf("phases %q, want %q", watch.phases, want)
	}
	for name, total := range watch.totals {
		if total > 0 && watch.steps[name] != total {
			t.Errorf("phase %s: %d steps of %d", name, watch.steps[name], total)
		}
	}
	if err := os.WriteFile(o.Output, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, name := range want {
		t.Run(name, func(t *testing.T) {
			stop := errors.New("stopped by the user")
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			o := o
			o.Progress = newWatch(func(phase string) {
				if phase == name {
					cancel(stop)
				}
			})
			if r, err := Build(ctx, o); !errors.Is(err, stop) || r != nil {
				t.Errorf("Build cancelled in %s = %v, %v, want the cause", name, r, err)
			}
			if b, err := os.ReadFile(o.Output); err != nil || string(b) != "old" {
				t.Errorf("the old file is now %.20q, %v", b, err)
			}
			if extra := leftovers(t, parent, "docs", "out.kddx"); extra != nil {
				t.Errorf("left behind: %q", extra)
			}
		})
	}
}

// TestCancelKeepsVectors checks that what a stopped build has embedded is in the cache for the next.
func TestCancelKeepsVectors(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "docs")
	newCorpus(5, 20).write(t, dir)
	o := withVectors(dir, smallModel(t, 1, ""))
	o.Output, o.CacheDir = filepath.Join(t.TempDir(), "out.kddx"), t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o.Progress = newWatch(func(phase string) {
		if phase == "sentences" {
			cancel()
		}
	})
	if _, err := Build(ctx, o); !errors.Is(err, context.Canceled) {
		t.Fatalf("Build = %v, want %v", err, context.Canceled)
	}
	chunks := mustCount(t, o)
	enc, err := openEmbedder(t.Context(), &o)
	if err != nil {
		t.Fatal(err)
	}
	defer enc.close()
	if rows := enc.cache.file.Len(); rows < chunks*9/10 || rows > chunks { // equal chunks have one row
		t.Errorf("%d rows in the cache, want about %d", rows, chunks)
	}
}

// mustCount returns how many chunks a corpus gives with the options' model.
func mustCount(t *testing.T, o Options) int {
	t.Helper()
	o.Output, o.CacheDir, o.Progress, o.Encoder = filepath.Join(t.TempDir(), "out.kddx"), "-", nil, EncoderNone
	r, _ := mustBuild(t, o)
	return r.Counts.Chunks
}

// TestVerified checks that artifacts of every form pass verification.
func TestVerified(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "docs")
	newCorpus(17, 12).write(t, dir)
	model := smallModel(t, 1, "")
	for _, tt := range []struct {
		name string
		edit func(o *Options)
	}{
		{"plain", func(o *Options) { o.NoVectors = true }},
		{"with provenance", func(o *Options) { o.NoVectors, o.Commit = true, "0123abcd" }},
		{"vectors", func(o *Options) {}},
		{"floats and exact encoder", func(o *Options) { o.Floats, o.Encoder = true, EncoderExact }},
		{"no encoder", func(o *Options) { o.Encoder = EncoderNone }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := withVectors(dir, model)
			o.Output = filepath.Join(t.TempDir(), "out.kddx")
			tt.edit(&o)
			mustBuild(t, o)
			verified(t, o.Output)
		})
	}
}

// smallFolder makes a corpus of two documents in dir/docs, and options to build it without vectors.
func smallFolder(t *testing.T) (dir string, o Options) {
	t.Helper()
	dir = t.TempDir()
	filetest.Write(t, dir, map[string]string{"docs/a.md": "# A\n\nText of a.\n", "docs/b.md": "# B\n\nSee [a](a.md).\n"})
	return dir, Options{Sources: []string{filepath.Join(dir, "docs")}, NoVectors: true, Output: filepath.Join(dir, "out.kddx")}
}

// snapshotNames lists the names below a folder.
func snapshotNames(t *testing.T, dir string) string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		names = append(names, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(names, "\n")
}
