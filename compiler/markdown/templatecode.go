package markdown

import (
	"bytes"
	"slices"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// rawBlock is code between two tags of a template, such as "{% highlight go %}" and "{% endhighlight %}".
type rawBlock struct {
	ownBlock
	tag         templateTag
	info        string
	first, last int // offsets of its first and last line
}

// rawParser reads the tags that hold code.
type rawParser struct{ leaf }

// codeTags hold code: in both languages, and in Hugo alone (GitBook's code holds a fence).
var codeTags, hugoCodeTags = nameSet("codeblock highlight mermaid"), nameSet("code code-block code-toggle")

// holdsCode reports whether what t holds is code: of a tab, as in Docsy, if it says in which language.
func (t *templateTag) holdsCode() bool {
	if t.hugo && t.name == "tab" {
		return slices.ContainsFunc(t.args, func(a templateArg) bool { return a.name == "lang" })
	}
	return codeTags[t.name] || t.hugo && hugoCodeTags[t.name]
}

// Trigger returns the byte that a tag begins with.
func (rawParser) Trigger() []byte { return []byte{'{'} }

// Open begins the block if its tag stands alone on the line and is closed further down. A search that finds no end is
// paid for with fuel.
func (rawParser) Open(_ ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, seg := r.PeekLine()
	pos := pc.BlockOffset()
	if pos < 0 || len(line) > maxTarget {
		return nil, parser.NoChildren
	}
	t, ok := readTemplate(line, pos)
	if !ok || t.closing || t.empty || !t.holdsCode() {
		return nil, parser.NoChildren
	}
	if _, blank := lineRest(line, t.end); !blank {
		return nil, parser.NoChildren
	}
	d, rest := definedIn(pc), r.Source()[seg.Stop:]
	if d.fuel <= 0 {
		return nil, parser.NoChildren
	}
	end := closingTag(rest, &t)
	if end < 0 {
		d.fuel -= len(rest)
		return nil, parser.NoChildren
	}
	d.fuel -= end
	n := &rawBlock{tag: t, first: seg.Start, last: seg.Start}
	for k, a := range t.args {
		if a.name == "lang" || a.name == "language" || a.name == "" && k == 0 {
			n.info = valid(string(line[a.start:a.end]))
		}
	}
	r.AdvanceToEOL()
	return n, parser.NoChildren
}

// closingTag returns the offset of a line that begins with the tag that closes t, -1 if none does.
func closingTag(text []byte, t *templateTag) int {
	for i := 0; ; {
		n := bytes.Index(text[i:], []byte(t.name))
		if n < 0 {
			return -1
		}
		start := bytes.LastIndexByte(text[:i+n], '\n') + 1
		if k := skipSpaces(text, start); k < len(text) && text[k] == '{' && i+n-k < maxTemplate {
			if end, ok := readTemplate(text, k); ok && closes(&end, t) {
				return start
			}
		}
		eol := bytes.IndexByte(text[i+n:], '\n')
		if eol < 0 {
			return -1
		}
		i += n + eol + 1
	}
}

// closes reports whether end closes t.
func closes(end, t *templateTag) bool {
	if t.hugo {
		return end.hugo && end.closing && end.name == t.name
	}
	return !end.hugo && end.name == "end"+t.name
}

// Continue takes lines up to the closing tag.
func (rawParser) Continue(node ast.Node, r text.Reader, _ parser.Context) parser.State {
	n := node.(*rawBlock)
	line, seg := r.PeekLine()
	n.last = seg.Start
	if i := skipSpaces(line, 0); i < len(line) && line[i] == '{' {
		if end, ok := readTemplate(line, i); ok && closes(&end, &n.tag) {
			r.AdvanceToEOL()
			return parser.Close
		}
	}
	n.Lines().Append(seg)
	r.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}
