package markdown

import (
	"bytes"
	"html"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

var emptyLabel = regexp.MustCompile(`\[\s+\]`)

var tags = regexp.MustCompile(`<[^>]*>`)

// reference returns the text and the link targets of a Markdown paragraph by goldmark's own inlines.
func reference(t *testing.T, source []byte) (string, []string) {
	md := goldmark.New(goldmark.WithExtensions(extension.Strikethrough))
	var out bytes.Buffer
	if err := md.Convert(source, &out); err != nil {
		t.Fatal(err)
	}
	var targets []string
	root := md.Parser().Parse(text.NewReader(source))
	err := ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Link:
			if entering {
				targets = append(targets, unescape(n.Destination))
			}
		case *ast.Image:
			if entering {
				targets = append(targets, unescape(n.Destination))
			}
		case *ast.AutoLink:
			if entering {
				targets = append(targets, string(n.URL(source)))
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile(`<img [^>]*alt="([^"]*)"[^>]*>`).ReplaceAllString(out.String(), "$1")
	return squeeze(html.UnescapeString(tags.ReplaceAllString(shown, ""))), targets
}

// squeeze leaves out white space, which the two treat differently on purpose.
func squeeze(text string) string { return strings.Join(strings.Fields(text), "") }

// TestScanAgainstGoldmark compares our inlines, which are goldmark's in part, with all of goldmark's on random runs of
// what is markup in both.
func TestScanAgainstGoldmark(t *testing.T) {
	pieces := []string{
		"a", "b", "word", " ", " ", "\n", "*", "**", "***", "_", "__", "`", "``", "[", "]", "![", "](u)", "](v \"t\")",
		"](<w x>)", "\\", "\\*", "&amp;", "&lt;", "é", ".", "!", "(", ")", "[r]", "[r][]", "][r]", "“", "1", "~~", "<u:v>", "<$>", "b  \n",
	}
	random := rand.New(rand.NewPCG(1, 2))
	const rounds = 10000
	for range rounds {
		var b strings.Builder
		b.WriteString("x")
		for range 1 + random.IntN(14) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		b.WriteString("y")
		paragraph := b.String()
		if strings.Contains(paragraph, "\n ") || strings.Contains(paragraph, "[[") || emptyLabel.MatchString(paragraph) {
			continue // indentation may make other blocks, wiki links are ours, and goldmark takes "[ ]" for "[]"
		}
		source := []byte(paragraph + "\n\n[r]: /ref\n")
		wantText, wantTargets := reference(t, source)
		doc := Parse("a.md", source)
		if len(doc.Sections) != 1 || len(doc.Sections[0].Blocks) != 1 {
			continue // a heading, a list
		}
		if strings.Contains(strings.Join(wantTargets, ""), "(") {
			continue // goldmark takes targets with parentheses that are not balanced
		}
		got := squeeze(doc.Sections[0].Blocks[0].Text)
		if got != wantText {
			t.Errorf("text of %q = %q, want %q", paragraph, got, wantText)
		}
		var targets []string
		for _, l := range doc.Links {
			targets = append(targets, l.Target)
		}
		if strings.Join(targets, "|") != strings.Join(wantTargets, "|") {
			t.Errorf("links of %q = %q, want %q", paragraph, targets, wantTargets)
		}
	}
}
