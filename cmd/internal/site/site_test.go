package site

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"kdd/compiler"
	"kdd/compiler/corpustest"
	"kdd/format/index"
)

// options are those of a site of some documents.
func options(t *testing.T, documents map[string]string) Options {
	t.Helper()
	return of(corpustest.Index(t, documents), t.TempDir()+"/public")
}

func of(x *index.Index, dir string) Options {
	data := []byte("an artifact")
	return Options{
		Index:  x,
		File:   bytes.NewReader(data),
		Size:   int64(len(data)),
		Name:   "docs.kddx",
		Dir:    dir,
		Inline: 1000,
	}
}

// write writes a site and returns its files and the report.
func write(t *testing.T, o Options) (map[string]string, *Report) {
	t.Helper()
	r, err := Write(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return files(t, o.Dir), r
}

// files are all files below a folder.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		out[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// article is what a page shows of its document, without the heading's links to themselves.
func article(page string) string {
	_, page, _ = strings.Cut(page, "<article>\n")
	page, _, _ = strings.Cut(page, "</article>")
	return strings.TrimSpace(page)
}

// corpus compiles a folder of documents without vectors.
func corpus(t *testing.T, name string) *index.Index {
	t.Helper()
	out := filepath.Join(t.TempDir(), "corpus.kddx")
	o := compiler.Options{Sources: []string{"../../../testdata/corpora/" + name}, Output: out, NoVectors: true}
	if _, err := compiler.Build(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	x, err := index.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.File.Close() })
	return x
}

// TestLinks follows all links of the sites of the corpora: pages, anchors, styles and scripts are there.
func TestLinks(t *testing.T) {
	for _, name := range []string{"handbook", "kdd-specs", "languages"} {
		t.Run(name, func(t *testing.T) {
			got, _ := write(t, of(corpus(t, name), t.TempDir()+"/public"))
			links, pages := 0, 0
			ids := map[string]map[string]bool{}
			var all [][2]string
			for file, text := range got {
				if !strings.HasSuffix(file, ".html") {
					continue
				}
				pages++
				ids[file] = map[string]bool{"": true}
				for z := html.NewTokenizer(strings.NewReader(text)); z.Next() != html.ErrorToken; {
					token := z.Token()
					for _, a := range token.Attr {
						switch {
						case a.Key == "id":
							if ids[file][a.Val] {
								t.Errorf("%s: two elements have the id %q", file, a.Val)
							}
							ids[file][a.Val] = true
						case a.Key == "href" || a.Key == "src" && token.Data != "img":
							all = append(all, [2]string{file, a.Val})
						case a.Key == "style" || strings.HasPrefix(a.Key, "on"):
							t.Errorf("%s: an attribute %s", file, a.Key)
						}
					}
				}
			}
			for _, l := range all {
				u, err := url.Parse(l[1])
				if err != nil || u.Scheme != "" || u.Host != "" {
					continue
				}
				links++
				to := l[0]
				if u.Path != "" {
					to = path.Join(path.Dir(l[0]), u.Path)
				}
				if _, ok := got[to]; !ok {
					t.Errorf("%s: a link to %s, which is not there", l[0], l[1])
				} else if ids[to] != nil && !ids[to][u.Fragment] {
					t.Errorf("%s: a link to %s, which has no such anchor", l[0], l[1])
				}
			}
			if t.Logf("%d pages, %d links", pages, links); links < 100 {
				t.Errorf("%d links, want 100", links)
			}
		})
	}
}

// TestAnchors compares the anchors of pages with those that hits lead to.
func TestAnchors(t *testing.T) {
	for _, name := range []string{"handbook", "kdd-specs", "languages"} {
		x := corpus(t, name)
		got, _ := write(t, of(x, t.TempDir()+"/public"))
		p := newPlan(x, "")
		for d := range index.DocID(x.Docs()) {
			from, to := x.DocSections(d)
			for s := from; s < to; s++ {
				if a := x.SectionAnchor(s); a != "" &&
					!strings.Contains(got[p.byDoc[d].file], `id="`+html.EscapeString(a)+`"`) {
					t.Errorf("%s/%s has no element #%s", name, p.byDoc[d].file, a)
				}
			}
		}
	}
}

func TestSame(t *testing.T) {
	x := corpus(t, "handbook")
	o := of(x, t.TempDir()+"/a")
	first, r := write(t, o)
	if r.Written != r.Files || r.Pages != x.Docs() || len(r.Warnings) > 0 {
		t.Errorf("first run: %+v, want all files new and %d pages", r, x.Docs())
	}
	if _, r = write(t, o); r.Written != 0 || r.Removed != 0 {
		t.Errorf("second run: %+v, want nothing new", r)
	}
	o.Dir = t.TempDir() + "/b"
	if second, _ := write(t, o); !equal(first, second) {
		t.Error("another folder has other files")
	}
}

func equal(a, b map[string]string) bool {
	if len(a) != len(b) {
		return false
	}
	for name, text := range a {
		if b[name] != text {
			return false
		}
	}
	return true
}

// TestHostile writes documents that would run scripts, and checks that nothing of them is left.
func TestHostile(t *testing.T) {
	got, _ := write(t, options(t, map[string]string{
		"a.md": "---\ntitle: '<script>alert(1)</script>'\ntags: ['\"><img src=x onerror=alert(1)>']\n---\n# A <script>alert(2)</script>\n\n<script>alert(3)</script>\n\n" +
			"<img src=x onerror=alert(4)> <a href=\"javascript:alert(5)\">x</a> [y](javascript:alert(6)) [z](data:text/html,<script>alert(7)</script>)\n\n" +
			"<iframe src=\"https://evil.example\"></iframe><style>body{display:none}</style><div style=\"position:fixed\" onclick=alert(8)>d</div>\n\n" +
			"<form action=\"https://evil.example\"><input name=q><button>go</button></form><svg onload=alert(9)><script>alert(10)</script></svg>\n\n" +
			"```html\n<script>alert(11)</script>\n```\n\n> [!NOTE] <img src=x onerror=alert(12)>\n> text\n\n[[b|<script>alert(13)</script>]] <base href=\"//evil.example\"> <meta http-equiv=refresh content=0>\n\n" +
			"## \"><script>alert(14)</script> {#\"><script>}\n\n<kdd-search src=\"//evil.example\"></kdd-search><object data=x></object><embed src=x>\n",
		"b.md": "# B\n\n[a](a.md) and ![p](pic.png \"x\\\" onerror=alert(15)\")\n",
	}))
	shown := 0
	for name, text := range got {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		shown++
		elements := map[string]int{}
		for z := html.NewTokenizer(strings.NewReader(text)); z.Next() != html.ErrorToken; {
			token := z.Token()
			if token.Type == html.StartTagToken || token.Type == html.SelfClosingTagToken {
				elements[token.Data]++
			}
			for _, a := range token.Attr {
				value := strings.ToLower(strings.TrimSpace(a.Val))
				if strings.HasPrefix(a.Key, "on") || a.Key == "style" || strings.HasPrefix(value, "javascript:") ||
					strings.HasPrefix(value, "data:") {
					t.Errorf("%s: %s", name, token)
				}
			}
		}
		for _, e := range []string{"iframe", "style", "form", "input", "object", "embed", "base"} {
			if elements[e] > 0 {
				t.Errorf("%s: <%s>", name, e)
			}
		}
		if elements["script"] != 2 || elements["kdd-search"] != 1 || elements["meta"] != 3 {
			t.Errorf(
				"%s: %d scripts, %d searches and %d metas, want those of the page alone",
				name,
				elements["script"],
				elements["kdd-search"],
				elements["meta"],
			)
		}
	}
	if shown < 3 {
		t.Errorf("%d pages", shown)
	}
	if !strings.Contains(got["a.html"], `<pre tabindex="0" class="chroma">`) {
		t.Error("code is not shown")
	}
}

func TestMarkdown(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"front matter", "---\ntitle: T\nowner: x\n---\n# T\n\nText.\n", "<p>Text.</p>"},
		{"GitHub's note", "# T\n\n> [!WARNING]\n> Be *careful*.\n", `<aside class="note warning"><p class="note-title">Warning</p>` + "\n<p>Be <em>careful</em>.</p>\n</aside>"},
		{"a container", "# T\n\n:::tip Mind this\nText.\n:::\n\nAfter.\n", `<aside class="note tip"><p class="note-title">Mind this</p>` + "\n<p>Text.</p>\n</aside>\n<p>After.</p>"},
		{"containers in one another", "# T\n\n::::note\nOuter.\n\n:::danger\nInner.\n:::\n::::\n", "<p>Outer.</p>\n" + `<aside class="note danger"><p class="note-title">Danger</p>` + "\n<p>Inner.</p>\n</aside>\n</aside>"},
		{"an admonition", "# T\n\n!!! note \"Mind\"\n    Text.\n\n    ```sh\n    ls\n    ```\n\nAfter.\n", `<aside class="note note"><p class="note-title">Mind</p>` + "\n<p>Text.</p>\n<pre"},
		{"a link to a document", "# T\n\n[O](sub/o.md#part)\n", `<a href="sub/o.html#part">O</a>`},
		{"a link to an anchor that is none", "# T\n\n[O](sub/o.md#none)\n", `<a href="sub/o.html">O</a>`},
		{"a wiki link", "# T\n\n[[o]] and [[o#Part|there]]\n", `<a href="sub/o.html">o</a> and <a href="sub/o.html#part">there</a>`},
		{"a link as a site has it", "# T\n\n[O](/sub/o/)\n", `<a href="sub/o.html">O</a>`},
		{"a link to what is not there", "# T\n\n[gone](gone.md) [file](a.pdf) [out](https://example.com/)\n", `<p>gone <a href="a.pdf">file</a> <a href="https://example.com/">out</a></p>`},
		{"a task", "# T\n\n- [x] done\n", `<input checked="" disabled="" type="checkbox"> done`},
		{"code", "# T\n\n```go\nfunc f() {}\n```\n", `<span class="kd">func</span>`},
		{"a container within code", "# T\n\n```\n:::tip\n```\n", ":::tip"},
		{"a comment of MDX", "# T\n\n{/* hidden */}\n\nshown\n\n```\n{/* code */}\n```\n", "</h1>\n\n<p>shown</p>\n<pre tabindex=\"0\"><code>{/* code */}"},
		{"no heading", "Text alone.\n", "<h1>t</h1>"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, _ := write(t, options(t, map[string]string{"t.md": tt.text, "sub/o.md": "# O\n\n## Part\n\nText.\n"}))
			if text := article(got["t.html"]); !strings.Contains(text, tt.want) {
				t.Errorf("page of %q:\n%s\nwant in it\n%s", tt.text, text, tt.want)
			}
		})
	}
	got, _ := write(
		t,
		options(
			t,
			map[string]string{
				"t.mdx": "import X from 'x'\nexport const a = 1\n\n# T\n\n<X prop={1}>\n\nInside **bold**.\n\n</X>\n\n{/* hidden */}\n",
			},
		),
	)
	if text := article(got["t.html"]); !strings.Contains(text, "<p>Inside <strong>bold</strong>.</p>") ||
		strings.Contains(text, "import") ||
		strings.Contains(text, "hidden") {
		t.Errorf("MDX: %s", text)
	}
}

// TestNames gives each document a page of its own, whatever its path.
func TestNames(t *testing.T) {
	got, r := write(t, options(t, map[string]string{
		"README.md": "# Readme\n", "index.md": "# Index\n", "a/b.md": "# Second\n", "a/b.mdx": "# Third\n", "kdd/x.md": "# X\n", "llms.txt.md": "# L\n",
		"deep/er/x y.md": "# Spaced\n", "10.md": "# Ten\n", "9.md": "# Nine\n",
	}))
	for name, want := range map[string]string{"index.html": "Index", "README.html": "Readme", "a/b.html": "Second", "a/b.mdx.html": "Third", "deep/er/x y.html": "Spaced"} {
		if !strings.Contains(article(got[name]), ">"+want) {
			t.Errorf("%s is not the page of %s", name, want)
		}
	}
	if got["deep/index.html"] == "" || got["kdd/x.html"] != "" ||
		!strings.Contains(got["deep/er/index.html"], `href="x%20y.html"`) {
		t.Error("lists of folders, or a document in the site's own folder")
	}
	if nine := strings.Index(got["index.html"], ">Nine<"); nine < 0 ||
		nine > strings.Index(got["index.html"], ">Ten<") {
		t.Error("9 does not stand before 10")
	}
	if len(r.Warnings) != 3 {
		t.Errorf("warnings %q, want of README.md, a/b.mdx and kdd/x.md", r.Warnings)
	}
}

func TestFolder(t *testing.T) {
	o := options(t, map[string]string{"a.md": "# A\n", "b/c.md": "# C\n"})
	before, _ := write(t, o)
	next := options(t, map[string]string{"a.md": "# A\n"})
	next.Dir = o.Dir
	if got, r := write(t, next); got["b/c.html"] == "" || r.Removed != 0 {
		t.Errorf("what a former run wrote went without Clean: %+v", r)
	}
	next.Clean, next.DryRun = true, true
	if got, r := write(t, next); r.Removed == 0 || got["b/c.html"] == "" {
		t.Errorf("dry run: %+v", r)
	}
	next.DryRun = false
	got, r := write(t, next)
	if _, err := os.Stat(filepath.Join(o.Dir, "b")); got["b/c.html"] != "" || got["b/c.md"] != "" || r.Removed == 0 ||
		!errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Clean: %+v, %v", r, err)
	}
	if len(before) <= len(got) {
		t.Errorf("%d files, %d before", len(got), len(before))
	}

	foreign := options(t, map[string]string{"a.md": "# A\n"})
	foreign.Dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(foreign.Dir, "mine.html"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(t.Context(), foreign); err == nil ||
		!strings.Contains(err.Error(), "has files that kdd site did not write") {
		t.Errorf("a folder with files of others: %v", err)
	}
	foreign.Widget = true
	got, r = write(t, foreign)
	if got["mine.html"] != "mine" || got["docs.kddx"] != "an artifact" ||
		!strings.HasPrefix(got["docs.kddx.js"], `kddxData("docs.kddx", "`) ||
		got["a.html"] != "" {
		t.Errorf("widget: %v", slices.Sorted(keys(got)))
	}
	if r.Data != "docs.kddx" || got["kdd-search.js"] == "" || got["stem/de.js"] != "" {
		t.Errorf("widget: %+v", r)
	}
}

func keys(m map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// TestLinkOut writes to a folder in which a link leads elsewhere: nothing is written there.
func TestLinkOut(t *testing.T) {
	o := options(t, map[string]string{"sub/a.md": "# A\n"})
	write(t, o)
	outside := t.TempDir()
	if err := errors.Join(os.RemoveAll(filepath.Join(o.Dir, "sub")), os.Symlink(outside, filepath.Join(o.Dir, "sub"))); err != nil {
		t.Skip("no links for one who is not root here: ", err)
	}
	if _, err := Write(t.Context(), o); err == nil || !strings.Contains(err.Error(), "cannot be written") {
		t.Errorf("Write through a link: %v", err)
	}
	if left := files(t, outside); len(left) > 0 {
		t.Errorf("written outside: %v", left)
	}
}

// TestInlined names an artifact as JavaScript reads it, whatever is in the name.
func TestInlined(t *testing.T) {
	const odd = "a\"b\\\u2028\U000e0001\x7f.kddx"
	script, err := inlined(odd, []byte("data"))
	if err != nil {
		t.Fatal(err)
	}
	quoted, ok := strings.CutPrefix(string(script), "kddxData(")
	quoted, end := strings.CutSuffix(quoted, `, "ZGF0YQ==");`+"\n")
	var name string
	if err := json.Unmarshal([]byte(quoted), &name); err != nil || !ok || !end || name != odd {
		t.Errorf("inlined = %s, names %q: %v", script, name, err)
	}
}

func TestReference(t *testing.T) {
	for _, tt := range [][3]string{
		{"a.html", "b.html", "b.html"}, {"x/a.html", "x/b.html", "b.html"}, {"x/y/a.html", "b.html", "../../b.html"},
		{"a.html", "x/b c.html", "x/b%20c.html"}, {"x/a.html", "y/b.html", "../y/b.html"}, {"x/x/a.html", "x/b.html", "../b.html"}, {"a.html", "é.html", "%C3%A9.html"},
	} {
		if got := reference(tt[0], tt[1]); got != tt[2] {
			t.Errorf("reference(%q, %q) = %q, want %q", tt[0], tt[1], got, tt[2])
		}
	}
}

func FuzzPage(f *testing.F) {
	for _, seed := range []string{"# T\n\ntext", ":::tip\nx\n:::", "!!! note\n    x", "[[a|b]]", "![[p.png]]", "> [!NOTE]\n> x", "<script>x</script>", "```go\nx\n```", "|a|\n|-|\n|b|"} {
		f.Add(seed)
	}
	x := corpustest.Index(f, map[string]string{"a.md": "# A\n\ntext\n"})
	p := newPlan(x, "t")
	f.Fuzz(func(t *testing.T, source string) {
		for _, mdx := range []bool{false, true} {
			if got, want := strings.Count(prepare(source, mdx), "\n"), strings.Count(source, "\n"); got != want {
				t.Errorf("prepare(%q): %d lines, want %d", source, got, want)
			}
		}
		r := newDocuments(x, newLinks(x, p), "")
		out, err := r.html(p.pages[0], source)
		if err != nil {
			t.Fatal(err)
		}
		for z := html.NewTokenizer(strings.NewReader(string(out.HTML))); z.Next() != html.ErrorToken; {
			token := z.Token()
			if token.Data == "script" && token.Type == html.StartTagToken {
				t.Errorf("%q gives a script", source)
			}
			for _, a := range token.Attr {
				if strings.HasPrefix(a.Key, "on") || a.Key == "style" {
					t.Errorf("%q gives an attribute %s", source, a.Key)
				}
			}
		}
	})
}
