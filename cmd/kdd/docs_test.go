package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// documents are the files that people read first: each link in them has to lead somewhere.
func documents(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files in docs: %v", err)
	}
	files = append(files, "../../docs/deploy/README.md")
	for _, pattern := range []string{"*", "*/*"} {
		runs, err := filepath.Glob("../../bench/runs/" + pattern + "/README.md")
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, runs...)
	}
	for _, name := range []string{
		"README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "bench/README.md", "bench/runs/README.md",
		"format/FORMAT.md",
	} {
		files = append(files, filepath.Join("..", "..", filepath.FromSlash(name)))
	}
	return files
}

var (
	fence      = regexp.MustCompile("(?ms)^```.*?^```$")
	codeSpan   = regexp.MustCompile("`[^`\n]*`")
	linkTarget = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading    = regexp.MustCompile(`(?m)^#+ +(.+)$`)
)

// TestLinks checks that relative links lead to files that exist, and to headings that the file has.
func TestLinks(t *testing.T) {
	checked := 0
	for _, file := range documents(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
			continue
		}
		prose := codeSpan.ReplaceAllString(fence.ReplaceAllString(string(text), ""), "")
		for _, m := range linkTarget.FindAllStringSubmatch(prose, -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			path, anchor, _ := strings.Cut(m[1], "#")
			target := file
			if path != "" {
				target = filepath.Join(filepath.Dir(file), filepath.FromSlash(path))
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: the link to %s leads to no file", file, m[1])
			} else if anchor != "" && !anchors(t, target)[anchor] {
				t.Errorf("%s: the link to %s leads to no heading", file, m[1])
			}
			checked++
		}
	}
	if checked < 30 {
		t.Errorf("%d links, want those of all documents", checked)
	}
}

// anchors returns the anchors of a file's headings, as GitHub makes them.
func anchors(t *testing.T, file string) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(fence.ReplaceAllString(string(text), ""), -1) {
		found[strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case unicode.IsLetter(r) || unicode.IsNumber(r) || r == '-' || r == '_':
				return unicode.ToLower(r)
			}
			return -1
		}, m[1])] = true
	}
	return found
}

// TestReadmeIsShort keeps the README to what a stranger reads: the rest is in docs, and each of its files is linked.
func TestReadmeIsShort(t *testing.T) {
	files := documents(t)
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "\n"); n > 120 {
		t.Errorf("README.md has %d lines, want at most 120", n)
	}
	for _, file := range files {
		name := filepath.ToSlash(strings.TrimPrefix(file, filepath.Join("..", "..")+string(filepath.Separator)))
		if strings.HasPrefix(name, "docs/") && !strings.Contains(string(text), "]("+name+")") {
			t.Errorf("README.md has no link to %s", name)
		}
	}
}

// TestReadmeFigures checks that each figure of the README's table is in docs/QUALITY.md, whose figures another test
// compares with the runs.
func TestReadmeFigures(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	quality, err := os.ReadFile("../../docs/QUALITY.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(readme), "\n## Figures\n")
	section, _, _ = strings.Cut(section, "\n## ")
	figures := regexp.MustCompile(`(?m)^\|.*$`).FindAllString(section, -1)
	compared := 0
	for _, row := range figures {
		for _, figure := range regexp.MustCompile(`\d*\.?\d+( ms| MB| ×)|\.\d{3}`).FindAllString(row, -1) {
			if !strings.Contains(string(quality), figure) {
				t.Errorf("README.md has %s, which docs/QUALITY.md has not", figure)
			}
			compared++
		}
	}
	if compared < 9 {
		t.Errorf("%d figures, want those of the table", compared)
	}
}

// TestDependencies checks that each direct module of go.mod has a row in docs/DEPENDENCIES.md, and each row a module.
func TestDependencies(t *testing.T) {
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	table, err := os.ReadFile("../../docs/DEPENDENCIES.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\| ([^|]+/[^|]+) \|`).FindAllStringSubmatch(string(table), -1) {
		for name := range strings.SplitSeq(m[1], ", ") {
			rows[strings.TrimPrefix(name, "golang.org/")] = true
		}
	}
	version := regexp.MustCompile(`/v\d+$`)
	for _, m := range regexp.MustCompile(`(?m)^\t(\S+) v\S+$`).FindAllStringSubmatch(string(mod), -1) {
		name := version.ReplaceAllString(m[1], "")
		name = strings.TrimPrefix(strings.TrimPrefix(name, "github.com/"), "golang.org/")
		if !rows[name] {
			t.Errorf("docs/DEPENDENCIES.md has no row of %s", name)
		}
		delete(rows, name)
	}
	for name := range rows {
		t.Errorf("docs/DEPENDENCIES.md has a row of %s, which is no direct module of go.mod", name)
	}
}

// TestRenameModule runs .ci/rename-module.sh on a copy of the sources: every import leads to a package of the new path,
// strings that are no imports stay, and renaming back gives the same files.
func TestRenameModule(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		return // Windows
	}
	dir := t.TempDir()
	for _, name := range []string{"cmd", "compiler", "format", "mcpserver", "runtime", "bench", ".ci"} {
		root := filepath.Join("..", "..", name)
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if e.IsDir() {
				if e.Name() == "testdata" || e.Name() == "runs" {
					return fs.SkipDir
				}
				return nil
			}
			return copyFile(path, filepath.Join(dir, strings.TrimPrefix(path, filepath.Join("..", ".."))))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	top, err := filepath.Glob("../../*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(top, "../../go.mod", "../../go.sum") {
		name = filepath.Base(name)
		if err := copyFile(filepath.Join("..", "..", name), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	run := func(name string, args ...string) string {
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", cmd, err, out)
		}
		return string(out)
	}
	run("sh", ".ci/rename-module.sh", "example.com/you.too/docs")
	for name := range strings.FieldsSeq(run("go", "list", "-test", "-deps", ".", "./cmd/...")) {
		if name == "kdd" || strings.HasPrefix(name, "kdd/") {
			t.Errorf("%s is imported still", name)
		}
	}
	sarif, err := os.ReadFile(filepath.Join(dir, "runtime", "render", "sarif.go"))
	if err != nil || !strings.Contains(string(sarif), `"kdd/v1"`) {
		t.Errorf("the name of a fingerprint is not what it was: %v", err)
	}
	run("sh", ".ci/rename-module.sh", "kdd") // and back: every file is what it was
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name := strings.TrimPrefix(path, dir)
		got, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		want, err := os.ReadFile(filepath.Join("..", "..", name))
		if err == nil && !bytes.Equal(got, want) {
			t.Errorf("%s is changed by renaming the module and back", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o755)
}

// TestLibraryGuide builds the program of docs/library.md and asks it.
func TestLibraryGuide(t *testing.T) {
	text, err := os.ReadFile("../../docs/library.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "\n```go\n")
	source, _, closed := strings.Cut(rest, "\n```\n")
	if !closed {
		t.Fatal("docs/library.md has no program")
	}
	dir := t.TempDir()
	file, overlay, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "overlay.json"), filepath.Join(dir, "asks.exe")
	top, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	replace := map[string]map[string]string{"Replace": {filepath.Join(top, "cmd", "asks", "main.go"): file}}
	data, err := json.Marshal(replace)
	if err != nil {
		t.Fatal(err)
	}
	for path, content := range map[string]string{file: source, overlay: string(data)} {
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	built, err := builtPrograms()
	if err != nil {
		t.Fatal(err)
	}
	handbook := filepath.Join(top, "testdata", "corpora", "handbook")
	run := func(name string, args ...string) string {
		c := exec.Command(name, args...)
		c.Dir = dir
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %q: %v\n%s", name, args, err, out)
		}
		return string(out)
	}
	run("go", "build", "-C", top, "-overlay", overlay, "-o", program, "./cmd/asks")
	run(filepath.Join(built, "kdd"), "build", handbook, "-o", "docs.kddx", "--no-vectors", "--quiet")
	got := run(program, "how long are access tokens valid")
	if !strings.Contains(got, "ADR-0004.md:24 ") || !strings.Contains(got, "15 minutes. [1]") {
		t.Errorf("the program prints\n%s", got)
	}
}
