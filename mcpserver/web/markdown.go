package web

import (
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// maxBrackets bounds the links that may begin in a text whose code is looked for: goldmark's time grows with the square
// of those that are never closed.
const maxBrackets = 1000

// maxMarks bounds the marks of lists and quotations that begin a line: its time grows with the square of the levels
// too.
const maxMarks = 200

// readable says whether goldmark reads a text in good time.
func readable(markdown string) bool {
	for line := range strings.Lines(markdown) {
		if len(line)-len(strings.TrimLeft(line, " \t>*+-.)0123456789")) > maxMarks {
			return false
		}
	}
	return strings.Count(markdown, "[") <= maxBrackets
}

// sanitizer makes markdown safe for pages whose renderer passes HTML and any address on. A server makes one.
type sanitizer struct {
	withoutHTML parser.Parser   // of GitHub's markdown in which nothing is HTML: what plain makes of it
	readers     []parser.Parser // as pages may read what they are sent
}

func newSanitizer() *sanitizer {
	plain := parser.NewParser(
		parser.WithBlockParsers(without(parser.DefaultBlockParsers(), parser.NewHTMLBlockParser())...),
		parser.WithInlineParsers(without(parser.DefaultInlineParsers(),
			parser.NewRawHTMLParser(), parser.NewAutoLinkParser())...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
	)
	return &sanitizer{
		withoutHTML: goldmark.New(goldmark.WithParser(plain), goldmark.WithExtensions(extension.Table)).Parser(),
		readers:     []parser.Parser{goldmark.DefaultParser(), goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser()},
	}
}

// without returns parsers but for those.
func without(parsers []util.PrioritizedValue, those ...any) []util.PrioritizedValue {
	return slices.DeleteFunc(parsers, func(p util.PrioritizedValue) bool { return slices.Contains(those, p.Value) })
}

// plain returns markdown without HTML and dangerous addresses. A "<" that would begin a tag becomes &lt;, and a link to
// anything but the web, mail or the same site becomes text that is no link. Code stays as it is, unless a reader of
// CommonMark or of GitHub's markdown then still finds HTML or a dangerous address: all "<" are escaped then, and the
// worst that can happen to code is that it shows "&lt;".
func (s *sanitizer) plain(markdown string) string {
	if !strings.ContainsAny(markdown, "<[") {
		return markdown
	}
	// as readers do, to whom each ends a line
	markdown = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(markdown)
	if readable(markdown) {
		if plain := plainExcept(markdown, s.code(markdown)); s.harmless(plain) {
			return plain
		}
	}
	return plainExcept(markdown, nil)
}

// plainExcept returns markdown with all that is not in code made safe. The segments are in order.
func plainExcept(markdown string, code []text.Segment) string {
	var b strings.Builder
	b.Grow(len(markdown) + len(markdown)/8)
	at := 0
	for _, s := range code {
		plainText(&b, markdown[at:s.Start])
		b.WriteString(markdown[s.Start:s.Stop])
		at = s.Stop
	}
	plainText(&b, markdown[at:])
	return b.String()
}

var (
	tagStart = regexp.MustCompile(`<([A-Za-z/!?]|$)`)
	linkTo   = regexp.MustCompile(`\](\(|:)[ \t]*`)
	safeLink = regexp.MustCompile(`^(?i:https?://|mailto:|#|[^:&\\()\s<]+[)\s])`) // behind linkTo

	safeAddress = regexp.MustCompile(`^(?i:https?://|mailto:|#|[^:&\\]*$)`)
)

// plainText writes text that is no code.
func plainText(b *strings.Builder, text string) {
	text = tagStart.ReplaceAllString(text, "&lt;$1")
	for {
		at := linkTo.FindStringIndex(text)
		if at == nil {
			b.WriteString(text)
			return
		}
		b.WriteString(text[:at[0]+1])
		if !safeLink.MatchString(text[at[1]:]) {
			b.WriteByte(' ') // so that it leads nowhere
		}
		b.WriteString(text[at[0]+1 : at[1]])
		text = text[at[1]:]
	}
}

// code returns what is code in a text, in order.
func (s *sanitizer) code(markdown string) []text.Segment {
	var code []text.Segment
	document := s.withoutHTML.Parse(text.NewReader([]byte(markdown)))
	ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			if entering {
				code = append(code, n.Lines().Sliced(0, n.Lines().Len())...)
			}
		case *ast.Text:
			if _, span := n.Parent().(*ast.CodeSpan); span && entering {
				code = append(code, n.Segment)
			}
		}
		return ast.WalkContinue, nil
	})
	return code
}

// harmless says whether no reader finds HTML or an address that might run a script.
func (s *sanitizer) harmless(markdown string) bool {
	source, safe := []byte(markdown), true
	for _, reader := range s.readers {
		ast.Walk(reader.Parse(text.NewReader(source)), func(n ast.Node, _ bool) (ast.WalkStatus, error) {
			switch n := n.(type) {
			case *ast.RawHTML, *ast.HTMLBlock:
				safe = false
			case *ast.Link:
				safe = safe && safeAddress.Match(n.Destination)
			case *ast.Image:
				safe = safe && safeAddress.Match(n.Destination)
			}
			return ast.WalkContinue, nil
		})
	}
	return safe
}
