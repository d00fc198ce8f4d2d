package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// ignored is a block that is not text: an MDX comment or module statement.
type ignored struct {
	ownBlock
	until int // offset at which it ends
}

// commentParser reads MDX's "{/* … */}" and Obsidian's "%% … %%" that begin a line and have nothing after them.
type commentParser struct{ leaf }

// Trigger returns the byte that a comment begins with.
func (commentParser) Trigger() []byte { return []byte{'{', '%'} }

// Open begins a comment whose end is found within maxTag bytes, with nothing else on its last line. A search
// that fails uses up fuel, so that many openings without an end take linear time.
func (commentParser) Open(_ ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, seg := r.PeekLine()
	pos := pc.BlockOffset()
	if pos < 0 {
		return nil, parser.NoChildren
	}
	opening, closing := "{/*", "*/}"
	if line[pos] == '%' {
		opening, closing = "%%", "%%"
	}
	if !bytes.HasPrefix(line[pos:], []byte(opening)) {
		return nil, parser.NoChildren
	}
	start := seg.Start - seg.Padding + pos
	source := r.Source()
	limit := min(len(source), start+maxTag)
	d := definedIn(pc)
	if d.fuel <= 0 {
		return nil, parser.NoChildren
	}
	inside := min(limit, start+len(opening))
	n := bytes.Index(source[inside:limit], []byte(closing))
	if n < 0 {
		d.fuel -= limit - start
		return nil, parser.NoChildren
	}
	d.fuel -= n
	end := inside + n + len(closing)
	if _, blank := lineRest(source, end); !blank {
		return nil, parser.NoChildren
	}
	if text := source[inside : inside+n]; line[pos] == '%' && bytes.IndexByte(text, '\n') >= 0 && !standsAlone(text) {
		return nil, parser.NoChildren
	}
	r.AdvanceToEOL()
	return &ignored{until: end}, parser.NoChildren
}

// standsAlone reports whether the marks before and after text stand on lines of their own, quote marks aside. Other
// languages use "%%" too, so only such lines, or a single line, are a comment.
func standsAlone(text []byte) bool {
	_, first := lineRest(text, 0)
	last := text[bytes.LastIndexByte(text, '\n')+1:]
	return first && len(bytes.Trim(last, " \t>")) == 0
}

// Continue takes the lines that begin before the comment's end.
func (commentParser) Continue(node ast.Node, r text.Reader, _ parser.Context) parser.State {
	if _, seg := r.PeekLine(); seg.Start < node.(*ignored).until {
		r.AdvanceToEOL()
		return parser.Continue | parser.NoChildren
	}
	return parser.Close
}

// moduleParser reads MDX's import and export statements: at the top level, up to an empty line.
type moduleParser struct{ leaf }

// Trigger returns the first bytes of "import" and "export".
func (moduleParser) Trigger() []byte { return []byte{'i', 'e'} }

// CanInterruptParagraph is false: within a paragraph a line that begins with "import" is text.
func (moduleParser) CanInterruptParagraph() bool { return false }

// Open begins a statement, at the top level only.
func (moduleParser) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, _ := r.PeekLine()
	if parent.Kind() != ast.KindDocument || !isModuleLine(line) {
		return nil, parser.NoChildren
	}
	r.AdvanceToEOL()
	return &ignored{}, parser.NoChildren
}

// Continue takes lines up to an empty one: a statement may go on over several.
func (moduleParser) Continue(_ ast.Node, r text.Reader, _ parser.Context) parser.State {
	if line, _ := r.PeekLine(); util.IsBlank(line) {
		return parser.Close
	}
	r.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}

// isModuleLine tells an import or export statement from a sentence that begins with the word.
func isModuleLine(line []byte) bool {
	word, rest, found := bytes.Cut(line, []byte(" "))
	rest = bytes.TrimSpace(rest)
	if !found || len(rest) == 0 {
		return false
	}
	switch string(word) {
	case "import":
		if rest[0] == '{' || rest[0] == '\'' || rest[0] == '"' || rest[0] == '*' {
			return true
		}
		_, from, found := bytes.Cut(rest, []byte(" from "))
		from = bytes.TrimSpace(from)
		return found && len(from) > 1 && (from[0] == '\'' || from[0] == '"')
	case "export":
		if rest[0] == '{' || rest[0] == '*' {
			return true
		}
		next, more, _ := bytes.Cut(rest, []byte(" "))
		switch string(next) {
		case "const", "let", "var":
			return bytes.IndexByte(more, '=') > 0
		case "function", "class", "async", "function*":
			return bytes.ContainsAny(more, "({")
		case "default":
			return bytes.ContainsAny(more, "({;=") || bytes.HasPrefix(more, []byte("function")) || bytes.IndexByte(bytes.TrimSpace(more), ' ') < 0
		}
	}
	return false
}
