package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// definitions takes link reference definitions off the start of paragraphs. goldmark's time is quadratic (0.39 s for
// 20,000 of them, 14 times that for 5,000), and it reads no target with a template, such as "{{< ref "a b" >}}".
type definitions struct{}

// Transform takes the definitions that the paragraph begins with out of it, and the paragraph out of the document where
// nothing is left.
func (definitions) Transform(node *ast.Paragraph, r text.Reader, pc parser.Context) {
	lines := node.Lines()
	source := r.Source()
	if lines.Len() == 0 {
		return
	}
	first := lines.At(0)
	if line := bytes.TrimLeft(first.Value(source), " "); len(line) == 0 || line[0] != '[' {
		return
	}
	raw := lines.Value(source)
	defs := definedIn(pc)
	used, count := 0, 0
	for {
		label, target, next, ok := definition(raw, used)
		if !ok {
			break
		}
		if _, again := defs.refs[label]; !again || defs.last {
			defs.refs[label] = target
		}
		count += bytes.Count(raw[used:next], []byte("\n"))
		if next == len(raw) && raw[next-1] != '\n' {
			count++
		}
		used = next
	}
	switch {
	case count == 0:
	case count >= lines.Len():
		node.Parent().RemoveChild(node.Parent(), node)
	default:
		lines.SetSliced(count, lines.Len())
		node.SetLines(lines)
	}
}

// definition reads "[label]: target "title"" at i; next is the start of the line after it.
func definition(raw []byte, i int) (label, target string, next int, ok bool) {
	if i = skipSpaces(raw, i); i >= len(raw) || raw[i] != '[' {
		return "", "", 0, false
	}
	j, end := i+1, min(len(raw), i+1+maxLabel)
	for ; j < end && raw[j] != ']' && raw[j] != '['; j++ {
		if raw[j] == '\\' {
			j++
		}
	}
	if j+1 >= len(raw) || j >= end || raw[j] != ']' || raw[j+1] != ':' {
		return "", "", 0, false
	}
	if label = normalLabel(raw[i+1 : j]); label == "" || label[0] == '^' {
		return "", "", 0, false
	}
	dest, at, ok := destination(raw, skipWhite(raw, j+2))
	if !ok {
		return "", "", 0, false
	}
	afterTarget, atEnd := lineRest(raw, at)
	if title := skipWhite(raw, at); title > at {
		if after, ok := linkTitle(raw, title); ok {
			if next, ok := lineRest(raw, after); ok {
				return label, unescape(dest), next, true
			}
		}
	}
	return label, unescape(dest), afterTarget, atEnd
}
