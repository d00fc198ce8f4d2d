package source

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestIgnorePatterns has the cases of gitignore(5), one pattern file and one path each.
func TestIgnorePatterns(t *testing.T) {
	tests := []struct {
		name, text, path string // a path with "/" at its end is a folder
		want             verdict
	}{
		{"no patterns", "", "a", unnamed},
		{"blank lines", "\n\n  \n", "  ", unnamed},
		{"comment", "#a", "#a", unnamed},
		{"escaped hash", `\#a`, "#a", ignored},
		{"escaped exclamation mark", `\!a`, "!a", ignored},
		{"negation alone", "!a", "a", kept},
		{"last match wins: kept", "*.md\n!a.md", "a.md", kept},
		{"last match wins: ignored", "!a.md\n*.md", "a.md", ignored},
		{"name at any depth", "a", "x/y/a", ignored},
		{"name is whole", "a", "x/ab", unnamed},
		{"leading slash anchors", "/a", "x/a", unnamed},
		{"leading slash at the top", "/a", "a", ignored},
		{"slash in the middle anchors", "doc/a", "x/doc/a", unnamed},
		{"slash in the middle at the top", "doc/a", "doc/a", ignored},
		{"slash at the end: folder", "a/", "a/", ignored},
		{"slash at the end: file", "a/", "a", unnamed},
		{"slash at the end does not anchor", "a/", "x/a/", ignored},
		{"slash at both", "/a/", "x/a/", unnamed},
		{"slash alone", "/", "a/", unnamed},
		{"two slashes at the end", "a//", "a/", unnamed},
		{"star does not cross slashes", "foo/*", "foo/bar/hello.c", unnamed},
		{"star within a name", "foo/*", "foo/test.json", ignored},
		{"star matches nothing", "a*b", "ab", ignored},
		{"star before a slash", "*/a", "x/a", ignored},
		{"star is one folder", "*/a", "x/y/a", unnamed},
		{"question mark", "a?c", "abc", ignored},
		{"question mark is not a slash", "a?c/d", "a/c/d", unnamed},
		{"question mark is one byte", "a?c", "aéc", unnamed},
		{"two stars first", "**/foo", "x/y/foo", ignored},
		{"two stars first at the top", "**/foo", "foo", ignored},
		{"two stars first, two names", "**/foo/bar", "x/foo/bar", ignored},
		{"two stars last", "abc/**", "abc/x/y", ignored},
		{"two stars last, not the folder", "abc/**", "abc/", unnamed},
		{"two stars last, elsewhere", "abc/**", "x/abc/y", unnamed},
		{"two stars between: none", "a/**/b", "a/b", ignored},
		{"two stars between: one", "a/**/b", "a/x/b", ignored},
		{"two stars between: two", "a/**/b", "a/x/y/b", ignored},
		{"two stars between are whole names", "a/**/b", "a/xb", unnamed},
		{"two stars in a name are one", "x/*a**b", "x/a1b", ignored},
		{"two stars in a name stay in it", "x/*a**b", "x/a/b", unnamed},
		{"three stars", "a/***/b", "a/x/y/b", ignored},
		{"two stars alone", "**", "x/y", ignored},
		{"two stars and a slash", "**/", "x", unnamed},
		{"two stars and a slash, folder", "**/", "x/y/", ignored},
		{"two stars twice", "**/**/a", "a", ignored},
		{"class", "[ab]c", "bc", ignored},
		{"class, other", "[ab]c", "cc", unnamed},
		{"range", "[a-c]", "b", ignored},
		{"range, past its end", "[a-c]", "d", unnamed},
		{"range, backwards", "[c-a]", "b", unnamed},
		{"class negated", "[!a]b", "ab", unnamed},
		{"class negated with a caret", "[^a]b", "xb", ignored},
		{"class negated is not a slash", "x/a[!b]c", "x/a/c", unnamed},
		{"class with a bracket first", "[]a]", "]", ignored},
		{"class with a dash last", "[a-]", "-", ignored},
		{"class with an escape", `[\]]`, "]", ignored},
		{"class by name", "[[:digit:]]", "7", ignored},
		{"class by name, other", "[[:digit:]]", "a", unnamed},
		{"class of no name", "[[:nix:]]", "a", unnamed},
		{"class by name, not closed", "[[:alpha", "a", unnamed},
		{"class of a bracket and a colon", "x[[:]", "x[", ignored},
		{"class of a colon and a bracket", "x[[:]", "x:", ignored},
		{"class that begins like one by name", "[[:a-c]d", "bd", ignored},
		{"class by name is no beginning of a range", "[[:digit:]-z]", "-", ignored},
		{"range to an escape", `[a-\c]`, "b", ignored},
		{"range to a backslash", `[a-\`, "b", unnamed},
		{"range from the end of a range", "[a-c-e]", "d", unnamed},
		{"class that ends in a backslash", `[a\`, "a", unnamed},
		{"class without end", "[ab", "a", unnamed},
		{"class without end is not literal", "[ab", "[ab", unnamed},
		{"escape", `\a\*`, "a*", ignored},
		{"escape, other", `a\*`, "ab", unnamed},
		{"backslash last", `a\`, `a\`, unnamed},
		{"spaces at the end", "a  ", "a", ignored},
		{"escaped space at the end", `a\ `, "a ", ignored},
		{"escaped space among others", `a\   `, "a ", ignored},
		{"space inside", "a b", "a b", ignored},
		{"space first", " a", " a", ignored},
		{"tab at the end stays", "a\t", "a", unnamed},
		{"carriage return at the end", "a\r\nb\r", "a", ignored},
		{"carriage return at the very end", "a\r\nb\r", "b", ignored},
		{"byte order mark", "\xef\xbb\xbfa", "a", ignored},
		{"case counts", "A", "a", unnamed},
		{"not UTF-8", "a\xff", "a\xff", ignored},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &scope{git: parseIgnore(tt.text)}
			path, isDir := strings.CutSuffix(tt.path, "/")
			if got := s.decide(path, isDir); got != tt.want {
				t.Errorf("decide(%q) with %q = %d, want %d", tt.path, tt.text, got, tt.want)
			}
		})
	}
}

// TestNamedClasses compares the classes with what isalpha and its like say in the C locale.
func TestNamedClasses(t *testing.T) {
	const digits, lower, upper = "0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	const marks = "!\"#$%&'()*+,-.:;<=>?@[\\]^_`{|}~" // "/" never matches
	control := "\x7f"
	for c := range byte(' ') {
		control += string(rune(c))
	}
	for name, want := range map[string]string{
		"alnum": digits + lower + upper, "alpha": lower + upper, "blank": " \t", "cntrl": control, "digit": digits, "graph": digits + lower + upper + marks,
		"lower": lower, "print": " " + digits + lower + upper + marks, "punct": marks, "space": " \t\n\v\f\r", "upper": upper, "xdigit": digits + "abcdefABCDEF",
	} {
		plain, negated := compileGlob("[[:"+name+":]]"), compileGlob("[^[:"+name+":]]")
		for c := range 256 {
			in := strings.IndexByte(want, byte(c)) >= 0
			subject := string([]byte{byte(c)})
			if plain.match(subject) != in || negated.match(subject) == in && c != '/' {
				t.Errorf("[:%s:] matches %q: %t, negated: %t, want %t", name, subject, plain.match(subject), negated.match(subject), in)
			}
		}
	}
}

func TestIgnoreScopes(t *testing.T) {
	top := &scope{git: parseIgnore("*.md\n!keep.md"), kdd: parseIgnore("!docs/a.md\nsecret.md")}
	inner := &scope{parent: top, base: "docs/", git: parseIgnore("!b.md\n/c.md\nsecret.md"), kdd: parseIgnore("!/d.md")}
	tests := []struct {
		name, path string
		want       verdict
	}{
		{"the top's pattern reaches down", "docs/x.md", ignored},
		{"the top's negation reaches down", "docs/keep.md", kept},
		{"the nearer file wins", "docs/b.md", kept},
		{"anchors are relative to the file", "docs/c.md", ignored},
		{"anchors do not reach further down", "docs/sub/c.txt", unnamed},
		{"kddignore wins over a nearer gitignore", "docs/a.md", restored},
		{"kddignore ignores what gitignore would keep", "docs/secret.md", ignored},
		{"kddignore in the folder", "docs/d.md", restored},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := inner.decide(tt.path, false); got != tt.want {
				t.Errorf("decide(%q) = %d, want %d", tt.path, got, tt.want)
			}
		})
	}
}

// TestIgnoreAgainstGit compares with `git check-ignore` on a generated tree: 150 folders, each with its own names and
// ignore files on two levels.
func TestIgnoreAgainstGit(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed")
	}
	top := t.TempDir()
	rng := rand.New(rand.NewPCG(1, 2))
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	names := []string{"a", "b", "ab", "abc", "a-b", "a b", "a ", "!a", "#a", "é", "A", "[a]", "a]", "-", "x.y", `a\b`, "7", "*", "m"}
	pieces := []string{
		"a", "a", "b", "b", "ab", "m", ".m", "*", "*", "*", "**", "**/", "/**", "/**/", "/", "/", "?", "[ab]", "[!a]", "[^b-z]", "[a-c]",
		"[[:alpha:]]", "[[:upper:]]", "[[:digit:]-]", "[[:", ":]", `[a-\`, "[]a]", "[a-]", "[\\]]", "[", "]", "-", "\\", `\a`, `\*`, `\ `, " ", "!", "#", "é", "\t", "7", "***", `\/`,
	}
	pattern := func() string {
		var b strings.Builder
		if rng.IntN(4) == 0 {
			b.WriteString("!")
		}
		if rng.IntN(2) == 0 {
			b.WriteString(pick("/", "**/", "*", "a/", "a/**/", "*/"))
		}
		for range 1 + rng.IntN(4) {
			b.WriteString(pick(pieces...))
		}
		return b.String() + pick("", "", "", "/", " ", "\r", "*", ".m")
	}
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 150 {
		tree := filepath.Join(top, fmt.Sprintf("t%03d", i))
		for range 25 {
			name := tree
			for range rng.IntN(3) {
				name = filepath.Join(name, pick(names...))
			}
			write(filepath.Join(name, pick(names...)+".m"), "text")
		}
		for _, folder := range []string{tree, filepath.Join(tree, pick(names...))} {
			var lines []string
			for range 1 + rng.IntN(4) {
				lines = append(lines, pattern())
			}
			write(filepath.Join(folder, ".gitignore"), strings.Join(lines, "\n"))
		}
	}
	tree, err := Walk(t.Context(), Options{Dirs: []string{top}, Extensions: []string{".m"}})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	err = filepath.WalkDir(top, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".m") {
			rel, _ := filepath.Rel(top, path)
			all = append(all, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}

	run := func(stdin string, args ...string) string {
		cmd := exec.Command(git, append([]string{"-C", top, "-c", "core.ignoreCase=false", "-c", "core.excludesFile=/dev/null"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_DIR="+filepath.Join(top, ".git"), "GIT_WORK_TREE="+top)
		cmd.Stdin = strings.NewReader(stdin)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("git %s: %v: %s", strings.Join(args, " "), err, stderr.String())
		}
		return string(out)
	}
	run("", "init", "-q", "--template=")
	out := run(strings.Join(all, "\x00")+"\x00", "check-ignore", "--no-index", "--stdin", "-z")
	ignoredByGit := make(map[string]bool)
	for path := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		ignoredByGit[path] = true
	}
	if len(ignoredByGit) < len(all)/10 || len(ignoredByGit) > len(all)*9/10 {
		t.Fatalf("git ignores %d of %d files: the tree tests little", len(ignoredByGit), len(all))
	}
	taken := make(map[string]bool)
	for _, f := range tree.Files {
		taken[f.Path] = true
	}
	wrong := 0
	for _, path := range all {
		want := !ignoredByGit[path]
		if taken[path] == want {
			continue
		}
		if wrong++; wrong <= 10 {
			folder, _, _ := strings.Cut(path, "/")
			files, _ := filepath.Glob(filepath.Join(top, folder, "*", ".gitignore"))
			var text strings.Builder
			for _, name := range append(files, filepath.Join(top, folder, ".gitignore")) {
				data, _ := os.ReadFile(name)
				fmt.Fprintf(&text, "\n%s: %q", strings.TrimPrefix(name, top), data)
			}
			t.Errorf("Walk takes %q = %t, git says %t%s", path, taken[path], want, text.String())
		}
	}
	if wrong > 10 {
		t.Errorf("%d more differences", wrong-10)
	}
}
