package site

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// wikiLinks reads [[page#heading|text]] as links, and ![[picture]] as pictures.
type wikiLinks struct{}

// wikiScheme marks the address of a wiki link until it is resolved.
const wikiScheme = "kdd-wiki:"

// Trigger and Parse are those of an inline parser of goldmark.
func (wikiLinks) Trigger() []byte { return []byte{'!', '['} }

func (wikiLinks) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, at := block.PeekLine()
	rest, embed := bytes.CutPrefix(line, []byte("!"))
	inner, ok := bytes.CutPrefix(rest, []byte("[["))
	if !ok {
		return nil
	}
	stop := bytes.Index(inner, []byte("]]"))
	if stop <= 0 || bytes.ContainsAny(inner[:stop], "[]\n") {
		return nil
	}
	target, label, named := strings.Cut(string(inner[:stop]), "|")
	target = strings.TrimSpace(strings.TrimSuffix(target, `\`)) // in a table | is written \|
	start := at.Start + (len(line) - len(inner))
	from, to := start, start+stop
	if named {
		from = to - len(label)
	}
	link := ast.NewLink()
	link.Destination = []byte(wikiScheme + target)
	block.Advance(len(line) - len(inner) + stop + 2)
	if embed && picture(target) {
		image := ast.NewImage(link)
		image.Destination = []byte(strings.ReplaceAll(target, " ", "%20"))
		return image
	}
	link.AppendChild(link, ast.NewTextSegment(text.NewSegment(from, to)))
	return link
}

// picture says whether a file is one that browsers show.
func picture(name string) bool {
	name = strings.ToLower(name)
	for _, ext := range []string{".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif"} {
		if strings.HasSuffix(name, ext) {
			return true
		}
	}
	return false
}
