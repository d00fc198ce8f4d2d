package compiler

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"kdd/compiler/filetest"
	"kdd/format"
)

// repository is a git repository with docs/a.md committed.
func repository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{"docs/a.md": "# A\n", "other/b.md": "# B\n"})
	run(t, dir, "init", "-q")
	commit(t, dir)
	return dir
}

func run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "GIT_AUTHOR_DATE=2024-05-06T07:08:09+02:00", "GIT_COMMITTER_DATE=2024-05-06T07:08:09+02:00")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v: %s", args[0], err, out)
	}
	return strings.TrimSpace(string(out))
}

// commit commits all there is and returns the commit.
func commit(t *testing.T, dir string) string {
	t.Helper()
	run(t, dir, "add", "-A")
	run(t, dir, "commit", "-q", "-m", "x")
	return run(t, dir, "rev-parse", "HEAD")
}

// recorded builds and returns the provenance trailer.
func recorded(t *testing.T, o Options) (format.Provenance, string) {
	t.Helper()
	r, b := mustBuild(t, o)
	f, err := format.OpenBytes(b)
	if err != nil {
		t.Fatal(err)
	}
	var p format.Provenance
	for _, trailer := range f.Trailers() {
		if trailer.Tag == format.TagProvenance {
			if err := json.Unmarshal(trailer.Payload, &p); err != nil {
				t.Fatal(err)
			}
		}
	}
	return p, r.IndexID
}

func TestProvenance(t *testing.T) {
	dir := repository(t)
	first := run(t, dir, "rev-parse", "HEAD")
	filetest.Write(t, dir, map[string]string{"other/b.md": "# B2\n"})
	second := commit(t, dir)
	docs := filepath.Join(dir, "docs")
	const date = "2024-05-06T07:08:09+02:00"
	tests := []struct {
		name    string
		sources []string
		commit  string
		make    func()
		want    format.Provenance
	}{
		{"none", []string{docs}, "", nil, format.Provenance{}},
		{"given", []string{docs}, "1a2b", nil, format.Provenance{Commit: "1a2b"}},
		{"the last that touched the folder", []string{docs}, AutoCommit, nil, format.Provenance{Commit: first, Date: date}},
		{"of several folders", []string{docs, filepath.Join(dir, "other")}, AutoCommit, nil, format.Provenance{Commit: second, Date: date}},
		{"of one file", []string{filepath.Join(docs, "a.md")}, AutoCommit, nil, format.Provenance{Commit: first, Date: date, Roots: []string{"docs"}}},
		{"another file beside it has changed", []string{filepath.Join(docs, "a.md")}, AutoCommit,
			func() { filetest.Write(t, dir, map[string]string{"docs/new.md": "# N\n"}) }, format.Provenance{Commit: first, Date: date, Roots: []string{"docs"}}},
		{"a new document", []string{docs}, AutoCommit, nil, format.Provenance{Commit: first, Date: date, Dirty: true}},
		{"a new file that is none", []string{docs}, AutoCommit, func() {
			os.Remove(filepath.Join(docs, "new.md"))
			filetest.Write(t, dir, map[string]string{"docs/out.kddx.tmp": "x"})
		}, format.Provenance{Commit: first, Date: date}},
		{"a document has changed", []string{docs}, AutoCommit,
			func() { filetest.Write(t, dir, map[string]string{"docs/a.md": "# Z\n"}) }, format.Provenance{Commit: first, Date: date, Dirty: true}},
		{"a document is gone", []string{docs}, AutoCommit, func() {
			filetest.Write(t, dir, map[string]string{"docs/ä b.md": "# A\n"})
			os.Remove(filepath.Join(docs, "a.md"))
			first = commit(t, dir)
			os.Rename(filepath.Join(docs, "ä b.md"), filepath.Join(docs, "c.txt"))
			filetest.Write(t, dir, map[string]string{"docs/.gitignore": "d.md", "docs/d.md": "# D\n", "docs/e.md": "# E\n"})
			run(t, dir, "add", "docs/e.md", "docs/.gitignore")
			run(t, dir, "commit", "-q", "-m", "x")
		}, format.Provenance{Dirty: true, Date: date}},
	}
	ids := map[string]string{}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.make != nil {
				tt.make()
			}
			got, id := recorded(t, Options{Sources: tt.sources, NoVectors: true, Commit: tt.commit, Output: filepath.Join(t.TempDir(), "out.kddx")})
			if tt.want.Commit == "" && tt.commit == AutoCommit {
				tt.want.Commit = run(t, dir, "rev-parse", "HEAD")
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("provenance %+v, want %+v", got, tt.want)
			}
			if !tt.want.Dirty && len(tt.sources) == 1 && tt.sources[0] == docs {
				ids[id] = tt.name
			}
		})
	}
	if len(ids) != 1 {
		t.Errorf("the same sources have the index ids %v: provenance must not count", ids)
	}
}

// A shallow clone does where its history has the commit.
func TestProvenanceOfAShallowClone(t *testing.T) {
	dir := repository(t)
	filetest.Write(t, dir, map[string]string{"docs/a.md": "# A2\n"})
	want := commit(t, dir)
	filetest.Write(t, dir, map[string]string{"other/b.md": "# B2\n"})
	commit(t, dir)
	clone := filepath.Join(t.TempDir(), "clone")
	run(t, t.TempDir(), "clone", "-q", "--depth", "3", "file://"+dir, clone)
	for _, depth := range []string{"3", "2"} { // at 2 the history ends there
		run(t, clone, "fetch", "-q", "--depth", depth)
		got, err := Build(t.Context(), Options{Sources: []string{clone + "/docs"}, NoVectors: true, Commit: AutoCommit, Output: filepath.Join(t.TempDir(), "out.kddx")})
		if ok := err == nil && got.IndexID != ""; ok != (depth == "3") {
			t.Errorf("Build at depth %s of %s = %v", depth, want, err)
		}
	}
}

// TestProvenanceFails checks the errors, each before anything is written.
func TestProvenanceFails(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatal("git is not installed: the tests need it")
	}
	noCommit := t.TempDir()
	filetest.Write(t, noCommit, map[string]string{"docs/a.md": "# A\n"})
	run(t, noCommit, "init", "-q")
	untouched := repository(t)
	filetest.Write(t, untouched, map[string]string{"new/a.md": "# A\n"})
	shallow := filepath.Join(t.TempDir(), "clone")
	run(t, t.TempDir(), "clone", "-q", "--depth", "1", "file://"+repository(t), shallow)
	plain := t.TempDir()
	filetest.Write(t, plain, map[string]string{"docs/a.md": "# A\n"})
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(plain))
	tests := []struct {
		name, source, path, want string
	}{
		{"no repository", plain + "/docs", os.Getenv("PATH"), "--source-commit: the sources are in no git repository; name the commit yourself with --source-commit=HASH"},
		{"no commit", noCommit + "/docs", os.Getenv("PATH"), "--source-commit: git log: "},
		{"nothing committed there", untouched + "/new", os.Getenv("PATH"), "--source-commit: no commit touches the sources; commit them, or leave the flag out"},
		{"the history ends at the commit", shallow + "/docs", os.Getenv("PATH"), "--source-commit: the clone is shallow: which commit touched the sources last is not known; fetch the history (git fetch --unshallow), or name"},
		{"no git", untouched + "/docs", "", "--source-commit: git is not installed; name the commit yourself"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("PATH", tt.path)
			out := t.TempDir()
			_, err := Build(t.Context(), Options{Sources: []string{tt.source}, NoVectors: true, Commit: AutoCommit, Output: filepath.Join(out, "out.kddx")})
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("Build = %v, want %q", err, tt.want)
			}
			if extra := leftovers(t, out); extra != nil {
				t.Errorf("left behind: %q", extra)
			}
		})
	}
}

// TestProvenanceRunsNothing checks that a repository that somebody else has configured cannot make a build run a
// program.
func TestProvenanceRunsNothing(t *testing.T) {
	// The file that a filter is for keeps its size: else git knows without a look that it is another.
	tests := []struct {
		name   string
		set    func(t *testing.T, dir, program string)
		wanted string // of the error; "" for none
	}{
		{"fsmonitor", func(t *testing.T, dir, program string) { run(t, dir, "config", "core.fsmonitor", program) }, ""},
		{"filter", func(t *testing.T, dir, program string) {
			filetest.Write(t, dir, map[string]string{"docs/.gitattributes": "*.md filter=own\n", "docs/a.md": "# Z\n"})
			run(t, dir, "config", "filter.own.clean", program)
		}, ""},
		{"process", func(t *testing.T, dir, program string) {
			filetest.Write(t, dir, map[string]string{"docs/.gitattributes": "*.md filter=a.b\n", "docs/a.md": "# Z\n"})
			run(t, dir, "config", "filter.a.b.process", program)
			run(t, dir, "config", "filter.a.b.required", "true")
		}, ""},
		{"filter with an equals sign", func(t *testing.T, dir, program string) {
			filetest.Write(t, dir, map[string]string{"docs/.gitattributes": "*.md filter=a=b\n", "docs/a.md": "# Z\n"})
			run(t, dir, "config", "filter.a=b.clean", program)
		}, `a filter "filter.a=b"`},
		{"an included filter", func(t *testing.T, dir, program string) {
			filetest.Write(t, dir, map[string]string{"docs/.gitattributes": "*.md filter=own\n", "docs/a.md": "# Z\n", "more": "[filter \"own\"]\nclean = " + program + "\n"})
			run(t, dir, "config", "include.path", filepath.Join(dir, "more"))
		}, ""},
		{"objects that are fetched", func(t *testing.T, dir, program string) {
			tree := run(t, dir, "rev-parse", "HEAD^{tree}")
			run(t, dir, "config", "core.repositoryformatversion", "1")
			run(t, dir, "config", "extensions.partialClone", "origin")
			run(t, dir, "config", "remote.origin.promisor", "true")
			run(t, dir, "config", "remote.origin.url", "ext::"+program)
			run(t, dir, "config", "protocol.ext.allow", "always")
			if err := os.Remove(filepath.Join(dir, ".git", "objects", tree[:2], tree[2:])); err != nil {
				t.Fatal(err)
			}
		}, "--source-commit: git log: fatal: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir, programs := repository(t), t.TempDir()
			ran, program := filepath.Join(programs, "ran"), filepath.Join(programs, "program")
			if err := os.WriteFile(program, []byte("#!/bin/sh\ntouch "+ran+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
			tt.set(t, dir, program)
			_, err := Build(t.Context(), Options{Sources: []string{dir + "/docs"}, NoVectors: true, Commit: AutoCommit, Output: filepath.Join(t.TempDir(), "out.kddx")})
			if tt.wanted == "" && err != nil || tt.wanted != "" && (err == nil || !strings.Contains(err.Error(), tt.wanted)) {
				t.Errorf("Build = %v, want an error with %q", err, tt.wanted)
			}
			if _, err := os.Stat(ran); err == nil {
				t.Error("a program that the repository names was run")
			}
		})
	}
}
