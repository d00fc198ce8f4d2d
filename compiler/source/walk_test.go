package source

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"kdd/compiler/diag"
)

// plant writes files below dir: slash path → text. A path with "/" at its end is an empty folder, and a text that
// begins with "-> " makes a symbolic link.
func plant(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for path, text := range files {
		name := filepath.Join(dir, filepath.FromSlash(path))
		folder, isFile := name, !strings.HasSuffix(path, "/")
		if isFile {
			folder = filepath.Dir(name)
		}
		err := os.MkdirAll(folder, 0o755)
		if target, isLink := strings.CutPrefix(text, "-> "); isLink {
			err = cmp.Or(err, os.Symlink(target, name))
		} else if isFile {
			err = cmp.Or(err, os.WriteFile(name, []byte(text), 0o644))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func paths(files []File) []string {
	var list []string
	for _, f := range files {
		list = append(list, f.Path)
	}
	return list
}

func skips(skipped []Skip) []string {
	var list []string
	for _, s := range skipped {
		list = append(list, s.Path+" "+s.Reason)
	}
	return list
}

func texts(ds []diag.Diagnostic) []string {
	var list []string
	for _, d := range ds {
		place := d.Path
		if d.Line > 0 {
			place += fmt.Sprintf(":%d", d.Line)
		}
		list = append(list, strings.TrimPrefix(place+": "+d.Severity.String()+": "+d.Rule, ": "))
	}
	return list
}

func TestWalk(t *testing.T) {
	tests := []struct {
		name    string
		files   map[string]string
		options Options // Dirs relative to the planted folder; none means that folder
		want    []string
		skipped []string
		diags   []string
	}{
		{
			name: "extensions in any case, sorted bytewise",
			files: map[string]string{"b.md": "x", "B.MD": "x", "a/z.markdown": "x", "a-b.mdx": "x", "c.feature": "x", "d.txt": "x",
				"md": "x", "e.md.bak": "x"},
			want:    []string{"B.MD", "a-b.mdx", "a/z.markdown", "b.md", "c.feature"},
			skipped: []string{"d.txt extension", "e.md.bak extension", "md extension"},
			diags:   []string{"b.md: warning: same-name"},
		},
		{
			name: "hidden and vendored",
			files: map[string]string{"a.md": "x", ".b.md": "x", ".git/c.md": "x", ".md": "x", "x/.hidden/d.md": "x",
				"node_modules/e.md": "x", "x/vendor/f.md": "x", "vendor.md": "x", "y/vendor": "x"},
			want:    []string{"a.md", "vendor.md"},
			skipped: []string{".b.md hidden", ".git/ hidden", ".md hidden", "node_modules/ vendored", "x/.hidden/ hidden", "x/vendor/ vendored", "y/vendor extension"},
		},
		{
			name: "ignore files, nested",
			files: map[string]string{".gitignore": "build/\n*.tmp.md\n", "a.md": "x", "b.tmp.md": "x", "build/c.md": "x",
				"build/.gitignore": "!c.md", "d/.gitignore": "!keep.tmp.md", "d/keep.tmp.md": "x", "d/e.tmp.md": "x",
				"d/.kddignore": "f.md", "d/f.md": "x"},
			want:    []string{"a.md", "d/keep.tmp.md"},
			skipped: []string{".gitignore hidden", "b.tmp.md ignored", "build/ ignored", "d/.gitignore hidden", "d/.kddignore hidden", "d/e.tmp.md ignored", "d/f.md ignored"},
		},
		{
			name: "kddignore brings back hidden, vendored and ignored names",
			files: map[string]string{".gitignore": "gen/\n", ".kddignore": "!vendor/\n!.github/\n!gen/\n!.git/\n", "vendor/a.md": "x",
				".github/b.md": "x", "gen/c.md": "x", ".git/d.md": "x", "node_modules/e.md": "x"},
			want:    []string{".github/b.md", "gen/c.md", "vendor/a.md"},
			skipped: []string{".git/ hidden", ".gitignore hidden", ".kddignore hidden", "node_modules/ vendored"},
		},
		{
			name:    "gitignore does not bring back hidden names",
			files:   map[string]string{".gitignore": "!.github/\n!vendor/", "a.md": "x", ".github/b.md": "x", "vendor/c.md": "x"},
			want:    []string{"a.md"},
			skipped: []string{".github/ hidden", ".gitignore hidden", "vendor/ vendored"},
		},
		{
			name:    "a parent's ignore file does not count",
			files:   map[string]string{".gitignore": "*", "docs/a.md": "x"},
			options: Options{Dirs: []string{"docs"}},
			want:    []string{"a.md"},
		},
		{
			name:    "include and exclude",
			files:   map[string]string{"a/x.md": "x", "a/y.md": "x", "a/deep/y.md": "x", "b/x.md": "x", "b/draft/x.md": "x", "CHANGELOG.md": "x"},
			options: Options{Include: []string{"./a/", "b/**/x.md"}, Exclude: []string{"y.md", "**/draft"}},
			want:    []string{"a/x.md", "b/x.md"},
			skipped: []string{"CHANGELOG.md excluded", "a/deep/y.md excluded", "a/y.md excluded", "b/draft/ excluded"},
		},
		{
			name:    "other extensions",
			files:   map[string]string{"a.md": "x", "b.txt": "x", "c.RST": "x"},
			options: Options{Extensions: []string{"txt", ".rst"}},
			want:    []string{"b.txt", "c.RST"},
			skipped: []string{"a.md extension"},
		},
		{
			name:    "several sources are prefixed, a file is not",
			files:   map[string]string{"docs/a.md": "x", "specs/deep/b.md": "x", "notes.txt": "x", "empty/c.png": "x"},
			options: Options{Dirs: []string{"specs", "docs", "notes.txt", "empty"}},
			want:    []string{"docs/a.md", "notes.txt", "specs/deep/b.md"},
			skipped: []string{"empty/c.png extension"},
			diags:   []string{"empty: warning: nothing-inside"},
		},
		{
			name:    "a file named as source is taken whatever the rules say",
			files:   map[string]string{".gitignore": "*", ".hidden/x.txt": "x"},
			options: Options{Dirs: []string{".hidden/x.txt"}},
			want:    []string{"x.txt"},
		},
		{
			name:    "one source in another",
			files:   map[string]string{"docs/a.md": "x", "docs/sub/b.md": "x"},
			options: Options{Dirs: []string{"docs", "docs/sub"}},
			want:    []string{"docs/a.md", "docs/sub/b.md", "sub/b.md"},
			diags:   []string{"sub: warning: nested-sources"},
		},
		{
			name:  "odd names",
			files: map[string]string{"a b#c%20?.md": "x", "ünï/日本.md": "x", "new\nline.md": "x", "bad\xff.md": "x"},
			want:  []string{"a b#c%20?.md", "bad\xff.md", "new\nline.md", "ünï/日本.md"},
			diags: []string{"bad\xff.md: warning: name-not-utf8"},
		},
		{
			name:  "names that some systems cannot tell apart",
			files: map[string]string{"caf\u00e9.md": "x", "cafe\u0301.md": "x", "STRASSE.md": "x", "stra\u00dfe.md": "x", "dir/a.md": "x", "Dir/A.md": "x", "b.md": "x"},
			want:  []string{"Dir/A.md", "STRASSE.md", "b.md", "cafe\u0301.md", "caf\u00e9.md", "dir/a.md", "stra\u00dfe.md"},
			diags: []string{"caf\u00e9.md: warning: same-name", "dir/a.md: warning: same-name", "stra\u00dfe.md: warning: same-name"},
		},
		{
			name:    "too large",
			files:   map[string]string{"a.md": "12345", "b.md": "123456"},
			options: Options{MaxFileBytes: 5, KeepGoing: true},
			want:    []string{"a.md"},
			skipped: []string{"b.md too-large"},
			diags:   []string{"b.md: error: too-large"},
		},
		{
			name:    "too large as UTF-8",
			files:   map[string]string{"a.md": "\xff\xfe\x2d\x4e\x2d\x4e\x2d\x4e", "b.md": "12345678"},
			options: Options{MaxFileBytes: 8, KeepGoing: true},
			want:    []string{"b.md"},
			skipped: []string{"a.md too-large"},
			diags:   []string{"a.md: error: too-large"},
		},
		{
			name:    "contents",
			files:   map[string]string{"binary.md": "a\x00b", "empty.md": "", "latin.md": "one\ntwo caf\xe9\n", "ok.md": "x"},
			want:    []string{"empty.md", "latin.md", "ok.md"},
			skipped: []string{"binary.md binary"},
			diags:   []string{"binary.md: warning: binary", "empty.md: note: empty-file", "latin.md:2: warning: not-utf8"},
		},
		{
			name: "links are skipped, and named",
			files: map[string]string{"a.md": "x", "b.md": "-> a.md", "dir/c.md": "x", "dir2": "-> dir", "out.md": "-> ../other.md",
				"abs": "-> /etc", "gone.md": "-> nowhere.md", "loop.md": "-> loop.md", "logo.png": "-> ../logo.png", "pic.png": "-> a.txt", "a.txt": "x"},
			want: []string{"a.md", "dir/c.md"},
			skipped: []string{"a.txt extension", "abs link-outside", "b.md link", "dir2 link", "gone.md link", "logo.png extension", "loop.md link",
				"out.md link-outside", "pic.png extension"},
			diags: []string{"abs: warning: link-outside", "b.md: note: link-inside", "dir2: note: link-inside", "gone.md: warning: link-broken",
				"loop.md: warning: link-broken", "out.md: warning: link-outside"},
		},
		{
			name: "links are followed, each place once, circles end",
			files: map[string]string{"docs/a.md": "x", "docs/b.md": "-> a.md", "docs/sub/c.md": "x", "docs/again": "-> sub", "docs/up": "-> ..",
				"docs/sub/self": "-> .", "docs/gone.md": "-> nowhere.md", "docs/z.md": "-> ../outside.md", "outside.md": "x",
				"other/d.md": "x", "other/e/f.md": "x", "other/.gitignore": "e/"},
			options: Options{Dirs: []string{"docs"}, FollowLinks: true},
			want:    []string{"a.md", "sub/c.md", "up/other/d.md", "up/outside.md"},
			skipped: []string{"again/ link", "b.md link", "gone.md link", "sub/self/ link", "up/docs/ link", "up/other/.gitignore hidden", "up/other/e/ ignored", "z.md link"},
			diags: []string{"again/: note: seen-twice", "b.md: note: seen-twice", "gone.md: warning: link-broken", "sub/self/: note: seen-twice",
				"up/docs/: note: seen-twice", "z.md: note: seen-twice"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			plant(t, dir, tt.files)
			o := tt.options
			if o.Dirs == nil {
				o.Dirs = []string{dir}
			} else {
				o.Dirs = slices.Clone(o.Dirs)
				for i := range o.Dirs {
					o.Dirs[i] = filepath.Join(dir, o.Dirs[i])
				}
			}
			tree, err := Walk(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range []struct {
				what      string
				got, want []string
			}{
				{"files", paths(tree.Files), tt.want},
				{"skipped", skips(tree.Skipped), tt.skipped},
				{"diagnostics", texts(tree.Diags), tt.diags},
			} {
				if diff := gocmp.Diff(c.want, c.got); diff != "" {
					t.Errorf("Walk: %s (-want +got):\n%s", c.what, diff)
				}
			}
			for _, f := range tree.Files {
				name := filepath.Join(tree.Roots[f.Dir].Abs, filepath.FromSlash(f.Rel))
				data, err := os.ReadFile(name)
				if err != nil || f.Size != int64(len(data)) || f.SHA256 != sha256.Sum256(data) || string(f.Data) != string(data) {
					t.Errorf("file %q: size %d, data %q; on disk %q, %v", f.Path, f.Size, f.Data, data, err)
				}
			}
			for _, d := range tree.Diags {
				if strings.Contains(d.Text+d.Hint, dir) || strings.Contains(d.Text, "/etc") {
					t.Errorf("%s: %q holds an absolute path", d.Path, d.Text)
				}
			}
		})
	}
}

func TestKindOf(t *testing.T) {
	for mode, want := range map[os.FileMode]string{os.ModeNamedPipe: "named pipe", os.ModeSocket: "socket", os.ModeDevice: "device",
		os.ModeDevice | os.ModeCharDevice: "device", os.ModeDir: "folder", os.ModeIrregular: "special file"} {
		if got := kindOf(mode | 0o644); got != want {
			t.Errorf("kindOf(%v) = %q, want %q", mode, got, want)
		}
	}
}

func TestWalkIsDeterministic(t *testing.T) {
	files := make(map[string]string)
	for i := range 200 {
		files[fmt.Sprintf("d%d/f%03d.md", i%7, i)] = strings.Repeat("text\xe9 ", i)
	}
	var first *Tree
	for _, procs := range []int{1, 2, 8} {
		dir := filepath.Join(t.TempDir(), "docs")
		plant(t, dir, files)
		before := runtime.GOMAXPROCS(procs)
		tree, err := Walk(t.Context(), Options{Dirs: []string{dir}})
		runtime.GOMAXPROCS(before)
		if err != nil {
			t.Fatal(err)
		}
		tree.Roots[0].Abs = ""
		if first == nil {
			first = tree
		}
		if !reflect.DeepEqual(first, tree) {
			t.Errorf("Walk with %d processors = %x, %q, %v, with one %x, %q, %v", procs,
				tree.Hash, paths(tree.Files), tree.Diags, first.Hash, paths(first.Files), first.Diags)
		}
	}
}

func TestTreeHash(t *testing.T) {
	base := []File{{Path: "a", Size: 1}, {Path: "b", Size: 2}}
	seen := map[[32]byte]string{hashFiles(base): "base"}
	for name, files := range map[string][]File{
		"none":       {},
		"one":        base[:1],
		"path":       {{Path: "a", Size: 1}, {Path: "c", Size: 2}},
		"size":       {{Path: "a", Size: 1}, {Path: "b", Size: 3}},
		"contents":   {{Path: "a", Size: 1}, {Path: "b", Size: 2, SHA256: [32]byte{1}}},
		"order":      {{Path: "b", Size: 2}, {Path: "a", Size: 1}},
		"two as one": {{Path: "a\x01" + strings.Repeat("\x00", 7+32) + "b", Size: 2}},
	} {
		h := hashFiles(files)
		if other, ok := seen[h]; ok {
			t.Errorf("hashFiles(%s) = hashFiles(%s)", name, other)
		}
		seen[h] = name
	}
}

func TestWalkCancelled(t *testing.T) {
	dir := t.TempDir()
	plant(t, dir, map[string]string{"a.md": "x", "b/c.md": "x"})
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	for _, source := range []string{dir, filepath.Join(dir, "a.md")} {
		if tree, err := Walk(ctx, Options{Dirs: []string{source}}); !errors.Is(err, why) {
			t.Errorf("Walk of %s with a cancelled context = %v, %v, want the cause", filepath.Base(source), tree, err)
		}
	}
	w := &walker{ctx: ctx, taken: []candidate{{mount: &mount{real: dir}, name: "a.md", path: "a.md"}}}
	if files, err := w.read(1 << 20); !errors.Is(err, why) {
		t.Errorf("read with a cancelled context = %v, %v, want the cause", files, err)
	}
	if _, err := (&cancelReader{ctx, strings.NewReader("text")}).Read(make([]byte, 4)); !errors.Is(err, why) {
		t.Errorf("Read with a cancelled context: %v, want the cause", err)
	}
}
