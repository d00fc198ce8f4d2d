package dialect

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"kdd/compiler/diag"
	"kdd/compiler/markdown"
)

var update = flag.Bool("update", false, "rewrite the goldens in testdata")

// memory are files by path.
type memory map[string][]byte

// Names returns the names in a folder.
func (m memory) Names(dir string) []string {
	var names []string
	for file := range m {
		if below, ok := strings.CutPrefix(file, dir+"/"); ok || dir == "" {
			if dir == "" {
				below = file
			}
			name, _, _ := strings.Cut(below, "/")
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Read returns a file.
func (m memory) Read(file string, limit int64) ([]byte, error) {
	data, ok := m[file]
	switch {
	case !ok:
		return nil, fs.ErrNotExist
	case int64(len(data)) > limit:
		return nil, errors.New("too large")
	}
	return data, nil
}

// TestGolden finds the sites of the trees of testdata/*.txtar. The comment at the top says what an archive pins; a line
// "dialect: …" in it names dialects as kdd.yaml does. "want" has the sites, the addresses of each document, and the
// anchor of each heading that is not GitHub's.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no goldens in testdata: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var choices []Choice
			for line := range strings.Lines(string(archive.Comment)) {
				if chosen, ok := strings.CutPrefix(line, "dialect: "); ok {
					for _, choice := range strings.Fields(chosen) {
						dir, name, _ := strings.Cut(choice, "=")
						choices = append(choices, Choice{dir, name})
					}
				}
			}
			m, want := memory{}, ""
			rest := archive.Files[:0:0]
			for _, f := range archive.Files {
				if f.Name == "want" {
					want = string(f.Data)
					continue
				}
				m[f.Name] = f.Data
				rest = append(rest, f)
			}
			got := describe(m, choices)
			if *update {
				archive.Files = append(rest, txtar.File{Name: "want", Data: []byte(got)})
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", file, diff)
			}
		})
	}
}

// describe writes what is found of the files, one line per fact.
func describe(m memory, choices []Choice) string {
	var documents []string
	for file := range m {
		if e := path.Ext(file); e == ".md" || e == ".mdx" || e == ".markdown" {
			documents = append(documents, file)
		}
	}
	slices.Sort(documents)
	sites, diags := Find(m, documents, choices)
	var b strings.Builder
	for _, s := range sites.List() {
		fmt.Fprintf(&b, "site %q %s %s", s.Dir, s.Dialect, s.Config)
		for _, pair := range [][2]string{{"host", s.Host}, {"base", s.Base}, {"locales", strings.Join(s.Locales, " ")}, {"hook", s.Hook}} {
			if pair[1] != "" {
				fmt.Fprintf(&b, " %s=%s", pair[0], pair[1])
			}
		}
		b.WriteByte('\n')
		for _, from := range slices.Sorted(keysOf(s.Redirects)) {
			fmt.Fprintf(&b, "redirect %s → %s\n", from, s.Redirects[from])
		}
	}
	for _, d := range documents {
		s, tree := sites.Of(d)
		fmt.Fprintf(&b, "%s: %s", d, s.Dialect)
		doc := markdown.ParseWith(d, m[d], markdown.Options{Slug: s.Slug(), Joint: s.Joint, SmartDashes: s.SmartDashes})
		if tree != nil {
			below := strings.TrimPrefix(strings.TrimPrefix(d, tree.Dir), "/")
			for _, a := range s.Addresses(tree, Page{Path: below, Title: doc.Title, Field: func(name string) []string {
				if f := doc.FrontMatter.Get(name); f != nil {
					return f.Values
				}
				return nil
			}}) {
				fmt.Fprintf(&b, " /%s", a)
			}
		}
		for i := range doc.Sections[1:] {
			fmt.Fprintf(&b, " #%s", doc.Sections[i+1].Anchor)
		}
		b.WriteByte('\n')
	}
	for _, d := range diags {
		fmt.Fprintf(&b, "%s %s: %s\n", d.Severity, d.Path, d.Text)
	}
	return b.String()
}

func keysOf(m map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for key := range m {
			if !yield(key) {
				return
			}
		}
	}
}

// TestNames has every dialect of the documentation, and none twice.
func TestNames(t *testing.T) {
	want := []string{"docusaurus", "gitbook", "hugo", "jekyll", "mdbook", "mkdocs", "obsidian", "plain", "starlight", "vitepress"}
	if got := Names(); !slices.Equal(got, want) {
		t.Errorf("Names() = %q, want %q", got, want)
	}
	for _, name := range want {
		if byName(name) == nil {
			t.Errorf("byName(%q) = nil", name)
		}
	}
}

func TestNormal(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "/": "", "/a/": "a", "a/index.html": "a", "A/B.html": "a/b", "/a//b/../c": "a/c", "index": "", "a/index": "a",
		"../a": "a", "a.md": "a", "a.b": "a.b",
	} {
		if got := Normal(in); got != want {
			t.Errorf("Normal(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestSlugs has headings as the generators' own programs name them.
func TestSlugs(t *testing.T) {
	for _, tt := range []struct {
		name string
		slug func(string) string
		in   string
		want string
	}{
		{"python", pythonSlug, "Set-up & go", "set-up-go"},
		{"python", pythonSlug, "Über  alles", "uber-alles"},
		{"python", pythonSlug, "日本", ""},
		{"pymdown", pymdownSlug, "Über alles", "über-alles"},
		{"kramdown", kramdownSlug, "1. Set-up & go", "set-up--go"},
		{"kramdown", kramdownSlug, "123", "section"},
		{"mdbook", mdbookSlug, "Set-up & go", "set-up--go"},
		{"mdbook", mdbookSlug, "`Box<T>`", "boxt"},
		{"vitepress", vitepressSlug, "Set-up & go()", "set-up-go"},
		{"vitepress", vitepressSlug, "2 ways", "_2-ways"},
		{"vitepress", vitepressSlug, "日本", "日本"},
	} {
		if got := tt.slug(tt.in); got != tt.want {
			t.Errorf("%s of %q = %q, want %q", tt.name, tt.in, got, tt.want)
		}
	}
}

// TestScript reads programs as far as they are plain.
func TestScript(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"object", `export default { a: "x", b: [1, 'y', true], "c": {d: ` + "`z`" + `} }`, `map[a:x b:[1 y true] c:map[d:z]]`},
		{"call", `export default defineConfig({ a: "x" })`, `map[():defineConfig a:x]`},
		{"typed call", `export default defineConfig<Theme>({ a: 'x' })`, `map[():defineConfig a:x]`},
		{"constant", "const c: Config = { a: 'x' };\nexport default c;", `map[a:x]`},
		{"module.exports", "module.exports = { a: 'x' }", `map[a:x]`},
		{"type behind", "export default { a: 'x' } satisfies Config", `map[a:x]`},
		{"what is worked out is left out", "export default { a: f(1), b: x ? 'y' : 'z', c: 'w', ...rest, m() { return 1 } }", `map[c:w]`},
		{"comments and patterns", "// {\n/* } */ export default { a: /[/}]/, b: 'x' }", `map[b:x]`},
		{"interpolated text", "export default { a: `x${y}`, b: 'z' }", `map[b:z]`},
		{"a constant that names itself", "const a = { b: a }; export default a", `map[b:map[b:map[b:map[b:map[b:map[b:map[b:map[]]]]]]]]`},
		{"a function", "export default () => ({ a: 'x' })", "error"},
		{"nothing", "let a = 1", "error"},
		{"no end", `export default { a: "x`, `map[]`},
	} {
		tree, err := scriptTree([]byte(tt.in))
		got := fmt.Sprint(tree)
		if err != nil {
			got = "error"
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// FuzzFind reads anything as the configuration of each generator: it must end, and addresses must be normal.
func FuzzFind(f *testing.F) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range archives {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, c := range archive.Files {
			f.Add(c.Data)
		}
	}
	names := []string{"book.toml", "hugo.toml", "hugo.yaml", "hugo.json", "docusaurus.config.js", "mkdocs.yml", ".vitepress/config.ts",
		"astro.config.mjs", "_config.yml", ".gitbook.yaml", "book.json", "docusaurus.config.ts"}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, name := range names {
			config := data
			if strings.HasPrefix(name, "astro") {
				config = append([]byte("// starlight\n"), data...)
			}
			m := memory{name: config, "docs/a.md": nil, "src/b.md": nil, "_redirects": data, "vercel.json": data, "versions.json": data}
			documents := []string{"docs/a.md", "src/b.md", "content/c.md"}
			sites, diags := Find(m, documents, nil)
			for _, d := range documents {
				s, tree := sites.Of(d)
				for _, a := range s.Addresses(tree, Page{Path: path.Base(d)}) {
					if strings.HasPrefix(a, "/") || strings.Contains(a, "//") {
						t.Errorf("%s, %q: the address of %s is %q", name, data, d, a)
					}
				}
			}
			for _, d := range diags {
				if d.Rule != diag.GeneratorConfig.Name {
					t.Errorf("%s, %q: finding %+v", name, data, d)
				}
			}
		}
	})
}
