package include

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"kdd/compiler/dialect"
	"kdd/compiler/source"
)

// files are a Reader of texts by path.
type files map[string]string

var read = map[string]*source.File{}

func (f files) Read(_ int, rel string) (*source.File, error) {
	text, ok := f[rel]
	switch {
	case !fs.ValidPath(rel):
		return nil, source.ErrOutside
	case !ok:
		return nil, fs.ErrNotExist
	}
	key := rel + "\x00" + text
	if read[key] == nil {
		read[key] = &source.File{Path: rel, Rel: rel, Data: []byte(text)}
	}
	return read[key], nil
}

func (files) Base(int) string { return "docs" }

// expand returns the text of a document, a line each with the place that it comes from, and what was found.
func expand(f files, doc, text string) string { return expandIn(nil, f, doc, text) }

func expandIn(sites *dialect.Sites, f files, doc, text string) string {
	s := New(f, sites)
	t := s.Expand(&source.File{Path: doc, Rel: doc, Data: []byte(text)})
	s.Finish()
	if t == nil {
		return "nothing"
	}
	hidden := []byte(string(t.Data))
	for _, h := range t.Hidden {
		for i := h.Start; i < h.End; i++ {
			hidden[i] = 0
		}
	}
	var b strings.Builder
	for i, line := range strings.SplitAfter(string(hidden), "\n") {
		if line == "" {
			continue
		}
		where := fmt.Sprint(t.Own(i + 1))
		if file, at, ok := t.Origin(i + 1); ok {
			where = fmt.Sprintf("%s:%d", s.Files()[file].Path, at)
		}
		fmt.Fprintf(&b, "%s|%s\n", where, strings.ReplaceAll(strings.TrimRight(line, "\r\n"), "\x00", ""))
	}
	for _, d := range t.Diags {
		fmt.Fprintf(&b, "%s:%d %s\n", d.Path, d.Line, d.Text)
	}
	return b.String()
}

var listing = files{
	"src/a.rs":      "use x;\n// ANCHOR: here\nfn a() {\n    // ANCHOR: in\n    b();\n    // ANCHOR_END: in\n}\n// ANCHOR_END: here\n",
	"src/p.md":      "One.\nTwo.\n",
	"src/nest.md":   "Top {{#include p.md:1}}\n{{#include deep.md}}\n",
	"src/deep.md":   "Deep.\n",
	"src/circle.md": "{{#include circle2.md}}\n", "src/circle2.md": "{{#include circle.md}}\n",
	"part.md":       "---\ntitle: x\n---\nHead\n\n## Sub\n\nText\n<!-- #region r -->\nin it\n<!-- #endregion r -->\n## Next\nend\n",
	"docs/snip.txt": "a\n# --8<-- [start:s]\nb\n# --8<-- [end:s]\nc\n",
	"src/code.ts":   "x\n// #region one\n  y\n// #endregion one\nz\n",
}

func TestExpand(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"no directive", "a\n{{ b }}\n", "nothing"},
		{"whole file", "{{#include p.md}}\nend\n", "1|\nsrc/p.md:1|One.\nsrc/p.md:2|Two.\n2|end\n"},
		{"no line end", "{{#include p.md}}", "1|\nsrc/p.md:1|One.\nsrc/p.md:2|Two.\n"},
		{"line", "{{#include p.md:2}}\n", "1|\nsrc/p.md:2|Two.\n"},
		{"to line", "{{#include p.md::1}}\n", "1|\nsrc/p.md:1|One.\n"},
		{"from line", "{{#include a.rs:7:}}\n", "1|\nsrc/a.rs:7|}\nsrc/a.rs:8|// ANCHOR_END: here\n"},
		{"anchor in a fence", "```rust\n{{#rustdoc_include a.rs:here}}\n```\n",
			"1|```rust\n2|\nsrc/a.rs:3|fn a() {\nsrc/a.rs:5|    b();\nsrc/a.rs:7|}\n3|```\n"},
		{"indented", "- a\n  {{#include p.md:1}}\n", "1|- a\n2|  \nsrc/p.md:1|  One.\n"},
		{"playground", "{{#playground p.md editable}}\n", "1|\n1|```rust,editable\nsrc/p.md:1|One.\nsrc/p.md:2|Two.\n1|```\n"},
		{"in a line", "v {{#include deep.md}} of\n", "1|v Deep. of\n"},
		{"escaped", "\\{{#include p.md}}\n", "nothing"},
		{"nested", "{{#include nest.md}}\n", "1|\nsrc/nest.md:1|Top One.\nsrc/nest.md:2|\nsrc/deep.md:1|Deep.\n"},
		{"circle", "{{#include circle.md}}\n", "1|\nsrc/circle.md:1|\nsrc/circle2.md:1|{{#include circle.md}}\n" +
			"src/circle2.md:1 include of \"src/circle.md\": a circle, it leads back here\n"},
		{"missing, the form is used", "{{#include deep.md}}\n\n{{#include no.md}}\n", "1|\nsrc/deep.md:1|Deep.\n2|\n3|{{#include no.md}}\n" +
			"src/d.md:3 include of \"no.md\": no such file\n"},
		{"missing, the form is not used", "{{#include no.md}}\n", "1|{{#include no.md}}\n"},
		{"outside", "{{#include deep.md}} {{#include ../../x}}\n", "1|Deep. {{#include ../../x}}\nsrc/d.md:1 include of \"../../x\": it leads out of the source folder\n"},
		{"no anchor", "{{#include a.rs:nope}}\n", "1|{{#include a.rs:nope}}\nsrc/d.md:1 include of \"src/a.rs\": it has no anchor \"nope\"\n"},
		{"snippet section", "--8<-- \"snip.txt:s\"\n", "1|\ndocs/snip.txt:3|b\n"},
		{"snippet lines", "--8<-- \"docs/snip.txt:1:1,5\"\n", "1|\ndocs/snip.txt:1|a\ndocs/snip.txt:5|c\n"},
		{"snippet block", "--8<--\nsnip.txt:s\n--8<--\n", "1|\n2|\ndocs/snip.txt:3|b\n3|\n"},
		{"snippet escaped", ";--8<-- \"snip.txt\"\n", "nothing"},
		{"code import", "<<< @/code.ts#one{1 js}\n", "1|\n1|```js\nsrc/code.ts:3|y\n1|```\n"},
		{"markdown include", "<!--@include: ../part.md#sub-->\n", "1|\npart.md:7|\npart.md:8|Text\npart.md:9|<!-- #region r -->\n" +
			"part.md:10|in it\npart.md:11|<!-- #endregion r -->\n"},
		{"markdown lines", "<!--@include: ../part.md{12,}-->\n", "1|\npart.md:12|## Next\npart.md:13|end\n"},
		{"readfile", "{{% readfile \"p.md\" %}}\n", "1|\nsrc/p.md:1|One.\nsrc/p.md:2|Two.\n"},
		{"include from the top", "{{% include \"docs/snip.txt\" %}}\n", "1|\ndocs/snip.txt:1|a\ndocs/snip.txt:2|# --8<-- [start:s]\n" +
			"docs/snip.txt:3|b\ndocs/snip.txt:4|# --8<-- [end:s]\ndocs/snip.txt:5|c\n"},
		{"readfile as code", "{{< readfile file=\"p.md\" code=\"true\" lang=\"sh\" >}}\n", "1|\n1|```sh\nsrc/p.md:1|One.\nsrc/p.md:2|Two.\n1|```\n"},
		{"raw import", "import P from '!!raw-loader!./p.md';\n\n<CodeBlock language=\"js\">{P}</CodeBlock>\n",
			"1|import P from '!!raw-loader!./p.md';\n2|\n3|\n3|```js\nsrc/p.md:1|One.\nsrc/p.md:2|Two.\n3|```\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := expand(listing, "src/d.md", tt.text)
			if got != tt.want {
				t.Errorf("Expand(%q) =\n%s\nwant\n%s", tt.text, got, tt.want)
			}
		})
	}
}

// A chain of files ends at maxDepth; a file that includes itself many times over ends at the limit of bytes.
func TestExpandLimits(t *testing.T) {
	chain := files{}
	for i := range 20 {
		chain[fmt.Sprintf("f%d.md", i)] = fmt.Sprintf("line\n{{#include f%d.md}}\n", i+1)
	}
	if got := expand(chain, "d.md", "{{#include f0.md}}\n"); !strings.Contains(got, "more than 10 deep") || strings.Contains(got, "f10.md:1|") {
		t.Errorf("a chain of files gives\n%s", got)
	}
	wide := files{}
	for i := range 9 {
		wide[fmt.Sprintf("f%d.md", i)] = strings.Repeat(fmt.Sprintf("{{#include f%d.md}}\n", i+1), 10)
	}
	wide["f9.md"] = strings.Repeat("text of some length\n", 50)
	s := New(wide, nil)
	x := s.Expand(&source.File{Path: "d.md", Rel: "d.md", Data: []byte("{{#include f0.md}}\n")})
	if len(x.Data) > 2*maxAdded || x.Missed == 0 || len(x.Diags) != 1 {
		t.Errorf("%d bytes, %d missed, %d findings", len(x.Data), x.Missed, len(x.Diags))
	}
}

// Names returns the names in a folder, as dialect.Find asks.
func (f files) Names(dir string) (names []string) {
	for file := range f {
		if below, ok := strings.CutPrefix("/"+file, path.Join("/", dir)+"/"); ok || dir == "" {
			name, _, _ := strings.Cut(strings.TrimPrefix(below, "/"), "/")
			names = append(names, name)
		}
	}
	return names
}

// configs are files as dialect.Find reads them.
type configs struct{ files }

func (c configs) Read(file string, _ int64) ([]byte, error) { return []byte(c.files[file]), nil }

// TestSites includes what the pages of sites do: other documents only show how it is written.
func TestSites(t *testing.T) {
	tree := files{
		"book/book.toml": "", "book/src/a.md": "", "book/src/part.rs": "fn a() {}\n", "book/HOW.md": "", "book/part.rs": "fn b() {}\n",
		"site/.vitepress/config.js": "export default {srcDir: 'pages'}", "site/pages/deep/a.md": "", "site/pages/x.ts": "let x\n",
		"site/pages/deep/x.ts": "let y\n", "site/README.md": "", "plain/a.md": "",
	}
	sites, _ := dialect.Find(configs{tree}, slices.DeleteFunc(slices.Sorted(maps.Keys(tree)), func(file string) bool { return path.Ext(file) != ".md" }), nil)
	for _, tt := range []struct{ doc, text, want string }{
		{"book/src/a.md", "{{#include part.rs}}\n", "1|\nbook/src/part.rs:1|fn a() {}\n"},
		{
			"book/src/a.md", "{{#include part.rs}}\n{{#include [file]}}\n",
			"1|\nbook/src/part.rs:1|fn a() {}\n2|{{#include [file]}}\nbook/src/a.md:2 include of \"[file]\": no such file\n",
		},
		{"book/HOW.md", "write {{#include [file]}}\n", "nothing"},
		{"book/HOW.md", "{{#include part.rs}}\n", "nothing"},
		{"plain/a.md", "{{#include ../book/part.rs}}\n", "nothing"},
		{"site/pages/deep/a.md", "<<< @/x.ts\n", "1|\n1|```ts\nsite/pages/x.ts:1|let x\n1|```\n"},
		{"site/README.md", "<<< @/x.ts\n", "nothing"},
	} {
		if got := expandIn(sites, tree, tt.doc, tt.text); got != tt.want {
			t.Errorf("%s %q gives\n%s want\n%s", tt.doc, tt.text, got, tt.want)
		}
	}
}

// Whatever a document and a file say, the document's own lines are all there, rows ascend, and hidden parts are in lines.
func FuzzExpand(f *testing.F) {
	f.Add("{{#include a:x}}\n```\n{{#rustdoc_include b:1:2}}", "// ANCHOR: x\na\n// ANCHOR_END: x\n{{#include b}}")
	f.Add("--8<-- \"a:s\"\n\n--8<--\na:1:-1,3\n--8<--", "--8<-- [start:s]\n--8<-- \"b\"\n--8<-- [end:s]")
	f.Add("<<< ./a#r{1 js}\n<!--@include: ./b#x{1,2}-->", "// #region r\nx\n// #endregion\n# x\n")
	f.Add("{{< readfile file=\"a\" code=\"true\" >}}\n> {{% include \"b\" %}}", "---\na: b\n---\ntext")
	f.Add("import A from '!!raw-loader!./a'\n<CodeBlock\nlanguage=\"x\">\n{A}</CodeBlock>", "```\n````")
	f.Fuzz(func(t *testing.T, doc, file string) {
		if len(doc)+len(file) > 1<<12 {
			return
		}
		r := files{"a": file, "b": file + "\nb\n", "docs/a": file}
		s := New(r, nil)
		x := s.Expand(&source.File{Path: "d.md", Rel: "d.md", Data: []byte(doc)})
		s.Finish()
		if x == nil {
			return
		}
		lines := strings.Count(strings.TrimSuffix(string(x.Data), "\n"), "\n") + 1
		end, others := 1, 0
		for _, row := range x.Rows {
			if row.Line < end || row.Lines < 0 || row.Line+row.Lines > lines+1 {
				t.Fatalf("row %+v of %d lines, the one before ends at %d", row, lines, end)
			}
			if row.File != Made && (row.First < 1 || row.File >= len(s.Files())) {
				t.Fatalf("row %+v", row)
			}
			end, others = row.Line+row.Lines, others+row.Lines
		}
		if want := strings.Count(strings.TrimSuffix(doc, "\n"), "\n") + 1; lines-others != want && x.Found > 0 {
			t.Fatalf("%d lines of the document are left of %d:\n%q", lines-others, want, x.Data)
		}
		at := 0
		for _, h := range x.Hidden {
			if h.Start < at || h.End <= h.Start || h.End > len(x.Data) || strings.Contains(string(x.Data[h.Start:h.End]), "\n") {
				t.Fatalf("hidden %+v after %d of %d bytes", h, at, len(x.Data))
			}
			at = h.End
		}
	})
}
