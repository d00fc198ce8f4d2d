package web

import (
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

func TestPlainMarkdown(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"a < b and c <3", "a < b and c <3"},
		{"<script>alert(1)</script>", "&lt;script>alert(1)&lt;/script>"},
		{"use `<Suspense>` here", "use `<Suspense>` here"},
		{"```jsx\n<App />\n```\n<b>\n", "```jsx\n<App />\n```\n&lt;b>\n"},
		// the item ends, and its code with it
		{"- a\n  ```\n<b>\n", "- a\n  ```\n&lt;b>\n"},
		{"a ` b\nc ` <b> `\n", "a ` b\nc ` &lt;b> `\n"},                                   // a span of two lines
		{"a ` b\n\nc `<b>`\n", "a ` b\n\nc `<b>`\n"},                                      // another paragraph
		{"| a ` b | <i> ` |", "| a ` b | &lt;i> ` |"},                                     // cells of tables part spans
		{"| a | b |\n|---|---|\n| ` | <i> ` |", "| a | b |\n|---|---|\n| ` | &lt;i> ` |"}, // cells part spans
		{"- a\n\n  ```\n  <b>\n  ```\n", "- a\n\n  ```\n  &lt;b>\n  ```\n"},               // code of an item
		// to some the text of a footnote
		{"a\n\n    <b>\n", "a\n\n    &lt;b>\n"},
		{"[a](x`y)<b>`", "[a] (x`y)<b>`"}, // no link, so a span
		// where there is no link, they pair otherwise
		{"[a](javascript:`x) `<b>`", "[a] (javascript:`x) `&lt;b>`"},
		{"\\`<b>`", "\\`&lt;b>`"},                                 // no span
		{"`` ` <b> ``", "`` ` <b> ``"},                            // one of two
		{"~~~\r~~~\r<b>\n", "~~~\n~~~\n&lt;b>\n"},                 // lines that end in CR
		{"[a](javascript:alert(1))", "[a] (javascript:alert(1))"}, //
		{"[a](java&#115;cript:x) [b](https://x/y)", "[a] (java&#115;cript:x) [b](https://x/y)"},
		{"[a]: data:text/html,x\n", "[a] : data:text/html,x\n"},
		{"[a](\njavascript:x)", "[a] (\njavascript:x)"},
		{"[a](<javascript:x>)", "[a] (&lt;javascript:x>)"},
		{"[a](guide.md) [b](#c) ![d](e.png)", "[a](guide.md) [b](#c) ![d](e.png)"},
		{"<https://example.com>", "&lt;https://example.com>"},
	} {
		if got := plainMarkdown(test.in); got != test.want {
			t.Errorf("plainMarkdown(%q) = %q, want %q", test.in, got, test.want)
		}
	}
}

// FuzzPlainMarkdown: no reader of CommonMark or GitHub's tables finds HTML or an address that runs a script.
func FuzzPlainMarkdown(f *testing.F) {
	for _, seed := range []string{"`a\n`b` <script> `x`", "> ```\n<b>\n```", "* ~~~\n\n<b>", "[x]:\n  javascript:y\n\n[x]", "<a href=`>`<b>`", "| a | b |\n|---|---|\n| ` | <i> ` |", "```\n<b>\n ```` \n<i>", "\t```\n<b>", "[a](b\\:c)", "<!-- `\n--><b>`", "[`](x)<b>`", "![a](data:x)"} {
		f.Add(seed)
	}
	readers := []goldmark.Markdown{goldmark.New(), goldmark.New(goldmark.WithExtensions(extension.GFM))}
	f.Fuzz(func(t *testing.T, in string) {
		out := plainMarkdown(in)
		source := []byte(out)
		for _, reader := range readers {
			ast.Walk(reader.Parser().Parse(text.NewReader(source)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
				address := ""
				switch n := n.(type) {
				case *ast.RawHTML, *ast.HTMLBlock:
					t.Fatalf("%q became %q, which has HTML", in, out)
				case *ast.Link:
					address = string(n.Destination)
				case *ast.Image:
					address = string(n.Destination)
				}
				address = strings.ToLower(strings.TrimSpace(address))
				for _, bad := range []string{"javascript:", "vbscript:", "data:"} {
					if strings.HasPrefix(address, bad) {
						t.Fatalf("%q became %q, which leads to %q", in, out, address)
					}
				}
				return ast.WalkContinue, nil
			})
		}
	})
}
