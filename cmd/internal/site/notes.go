package site

import (
	"html"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// noteKinds are the looks of notes, and the types that have each.
var noteKinds = map[string]string{
	"NOTE": "note", "INFO": "note", "ABSTRACT": "note", "SUMMARY": "note", "TLDR": "note",
	"SEEALSO": "note", "QUOTE": "note", "EXAMPLE": "note", "TODO": "note",
	"TIP": "tip", "HINT": "tip", "SUCCESS": "tip", "CHECK": "tip", "DONE": "tip",
	"IMPORTANT": "important", "QUESTION": "important", "HELP": "important", "FAQ": "important",
	"WARNING": "warning", "CAUTION": "warning", "ATTENTION": "warning",
	"DANGER": "danger", "ERROR": "danger", "BUG": "danger", "FAILURE": "danger", "FAIL": "danger", "MISSING": "danger",
}

var noteMark = regexp.MustCompile(`^\[!([A-Za-z][\w-]*)\][+-]?[ \t]*(.*)$`)

// note is a quotation that begins with [!TYPE], perhaps with a title.
type note struct {
	ast.BaseBlock
	kind, title string
}

var kindNote = ast.NewNodeKind("Note")

// Kind and Dump are those of a node of goldmark.
func (*note) Kind() ast.NodeKind              { return kindNote }
func (n *note) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// notes turns such quotations into notes.
type notes struct{}

// Transform is that of an AST transformer of goldmark.
func (notes) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	source := reader.Source()
	var quotes []*ast.Blockquote
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if q, ok := n.(*ast.Blockquote); ok && entering {
			quotes = append(quotes, q)
		}
		return ast.WalkContinue, nil
	})
	for _, q := range quotes {
		p, ok := q.FirstChild().(*ast.Paragraph)
		if !ok || p.Lines().Len() == 0 {
			continue
		}
		line := p.Lines().At(0)
		mark := noteMark.FindStringSubmatch(strings.TrimSpace(string(line.Value(source))))
		if mark == nil {
			continue
		}
		n := &note{kind: mark[1], title: mark[2]}
		// Inlines of the first line go: they are the type and the title.
		for c := p.FirstChild(); c != nil; {
			next := c.NextSibling()
			if end(c) > line.Stop {
				break
			}
			p.RemoveChild(p, c)
			c = next
		}
		if p.FirstChild() == nil {
			q.RemoveChild(q, p)
		}
		for c := q.FirstChild(); c != nil; c = q.FirstChild() {
			n.AppendChild(n, c)
		}
		q.Parent().ReplaceChild(q.Parent(), q, n)
	}
}

// end is where the text of an inline node ends; it has texts only where it matters.
func end(n ast.Node) int {
	if t, ok := n.(*ast.Text); ok {
		return t.Segment.Stop
	}
	last := 0
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		last = max(last, end(c))
	}
	return last
}

// noteHTML writes notes.
type noteHTML struct{}

// RegisterFuncs is that of a renderer of goldmark.
func (noteHTML) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(kindNote, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			_, err := w.WriteString("</aside>\n")
			return ast.WalkContinue, err
		}
		of := n.(*note)
		look, title := noteKinds[strings.ToUpper(of.kind)], of.title
		if look == "" {
			look = "note"
		}
		if title == "" {
			title = strings.ToUpper(of.kind[:1]) + strings.ToLower(of.kind[1:])
		}
		_, err := w.WriteString(
			`<aside class="note ` + look + `"><p class="note-title">` + html.EscapeString(title) + "</p>\n",
		)
		return ast.WalkContinue, err
	})
}
