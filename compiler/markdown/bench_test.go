package markdown

import (
	"fmt"
	"strings"
	"testing"
)

// page returns a page of documentation of about 8 KB: prose with links and code, lists, a table and fences.
func page() []byte {
	var b strings.Builder
	b.WriteString("---\ntitle: A page\ntags: [a, b]\n---\n\n# A page\n\n")
	for i := range 8 {
		fmt.Fprintf(&b, "## Part %d {/*part-%d*/}\n\n", i, i)
		b.WriteString(strings.Repeat("Some *plain* words about `code` and [a link](/to/a/page#part), over a line.\n", 6))
		b.WriteString("\n<Note>\n\nA note that says **this**.\n\n</Note>\n\n* one\n* two\n\n| a | b |\n|---|---|\n| [[x]] | y |\n\n")
		b.WriteString("```js\n" + strings.Repeat("const a = b(c);\n", 12) + "```\n\n")
	}
	return []byte(b.String())
}

func BenchmarkParse(b *testing.B) {
	data := page()
	b.ReportAllocs()
	b.SetBytes(int64(len(data)))
	var d *Document
	for b.Loop() {
		d = Parse("a.md", data)
	}
	if len(d.Sections) != 10 || len(d.Links) != 56 {
		b.Errorf("%d sections and %d links, want 10 and 56", len(d.Sections), len(d.Links))
	}
}
