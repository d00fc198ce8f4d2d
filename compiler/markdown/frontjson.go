package markdown

import (
	"bytes"
	"encoding/json"
	"strings"

	"go.yaml.in/yaml/v3"

	"kdd/compiler/diag"
)

// jsonBlock reads front matter that is a JSON object (RFC 8259), as Hugo has it: it begins with line number open, and
// nothing stands behind its "}" in that line. It reports whether there is any: what is no object, such as an expression
// or attributes, is text, and so is what is data: an object of more than maxFront bytes, or one with another in the
// next line (JSON Lines). An example that is pasted without a fence has the very form of front matter, with and without
// an empty line behind it: the finding says how to tell them apart.
func (b *builder) jsonBlock(open int) bool {
	start := b.lines.start(open)
	text := b.body[start:min(len(b.body), start+maxFront)]
	var object json.RawMessage
	d := json.NewDecoder(bytes.NewReader(text))
	if d.Decode(&object) != nil {
		return false
	}
	end := int(d.InputOffset())
	last := b.lines.line(start + end - 1)
	if len(bytes.TrimSpace(b.body[start+end:b.lines.end(last)])) > 0 {
		return false
	}
	if bytes.HasPrefix(bytes.TrimLeft(b.body[b.lines.end(last):], " \t"), []byte(`{"`)) {
		return false
	}
	r := jsonReader{text: text[:end], at: start, lines: b.lines}
	r.d = json.NewDecoder(bytes.NewReader(r.text))
	r.d.UseNumber()
	fields := b.flatten(r.value(), 0, start)
	b.report(diag.FrontMatterForm, start, "front matter is JSON, want YAML: %d fields are read", len(fields))
	told := &b.doc.Diags[len(b.doc.Diags)-1]
	*told = told.WithHint("write it as YAML between two lines of --- at the top; if it is an example, put it between two lines of ```")
	b.take(&FrontMatter{Form: "json", Fields: fields}, open, last)
	return true
}

// jsonReader makes YAML's nodes of JSON that is known to be well-formed: YAML's own parser refuses some of it, such as
// characters beyond U+FFFF as two escapes.
type jsonReader struct {
	d     *json.Decoder
	text  []byte
	at    int // source byte of text
	lines lineIndex
}

// value reads the next value, nil at the end of a list or object. What is known to be well-formed nests at most 10,000
// deep.
func (r *jsonReader) value() *yaml.Node {
	at := int(r.d.InputOffset())
	for at < len(r.text) && strings.IndexByte(" \t\r\n,:", r.text[at]) >= 0 {
		at++
	}
	token, err := r.d.Token()
	if err != nil {
		return nil
	}
	line := r.lines.line(r.at + at)
	n := &yaml.Node{Kind: yaml.ScalarNode, Line: line, Column: diag.Col(r.text[max(0, r.lines.start(line)-r.at):at])}
	switch t := token.(type) {
	case json.Delim:
		if t == '}' || t == ']' {
			return nil
		}
		if n.Kind = yaml.SequenceNode; t == '{' {
			n.Kind = yaml.MappingNode
		}
		for kid := r.value(); kid != nil; kid = r.value() {
			n.Content = append(n.Content, kid)
		}
	case string:
		n.Tag, n.Value = "!!str", t
	case json.Number:
		if n.Tag, n.Value = "!!int", t.String(); strings.ContainsAny(n.Value, ".eE") {
			n.Tag = "!!float"
		}
	case bool:
		if n.Tag, n.Value = "!!bool", "false"; t {
			n.Value = "true"
		}
	default:
		n.Tag = "!!null"
	}
	return n
}
