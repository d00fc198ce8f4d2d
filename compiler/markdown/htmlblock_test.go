package markdown

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// shape lists the top-level blocks of a document, with the kinds of its HTML blocks and where they begin.
func shape(root ast.Node) string {
	var b strings.Builder
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		b.WriteString(n.Kind().String())
		if h, ok := n.(*ast.HTMLBlock); ok {
			b.WriteByte('0' + byte(h.HTMLBlockType))
		}
		b.WriteByte(' ')
	}
	return b.String()
}

// TestHTMLBlocksAgainstGoldmark compares our HTML blocks with goldmark's on random lines of lower-case tags.
func TestHTMLBlocksAgainstGoldmark(t *testing.T) {
	pieces := []string{
		"<div>", "</div>", "<div", " class=\"a\"", ">", "<pre>", "</pre>", "<script>", "</script>", "<b>", "</b>", "<!--", "-->",
		"<?", "?>", "<!D", "<![CDATA[", "]]>", "text", "\n", "\n", "\n\n", " ", "<a href='x'>", "<br/>", "<x-y>", "/>", "<hr>", "<td",
	}
	random := rand.New(rand.NewPCG(3, 4))
	reference := goldmark.DefaultParser()
	for range 10000 {
		var b strings.Builder
		for range 1 + random.IntN(10) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		source := []byte(b.String() + "\n\nend\n")
		if bytes.Contains(source, []byte("\n    ")) {
			continue
		}
		root, _ := parseBlocks(source)
		if got, want := shape(root), shape(reference.Parse(text.NewReader(source))); got != want {
			t.Errorf("blocks of %q = %s, want %s", source, got, want)
		}
	}
}
