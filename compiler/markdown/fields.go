package markdown

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"kdd/compiler/diag"
)

// Limits on what front matter may expand to.
const (
	maxValues = 10_000
	maxNested = 32
)

// yamlFields decodes front matter that begins in line number line, and whose first line with text is first. It
// reports false if this is no front matter at all: nothing in it looks like a key.
func (b *builder) yamlFields(text []byte, line int, first []byte, loose bool) ([]Field, bool) {
	at := b.lines.start(line)
	if len(text) > maxFront {
		if !isKeyLine(first) && first[0] != '#' {
			return nil, false
		}
		fields := looseFields(text[:maxFront], line)
		b.report(diag.FrontMatterSize, at, "front matter has %d bytes, want at most %d: %d fields are read from its start", len(text), maxFront, len(fields))
		return listFields(fields), true
	}
	root, err := decodeYAML(text)
	if err != nil {
		if !isKeyLine(first) && first[0] != '#' {
			return nil, false
		}
		fields := looseFields(text, line)
		where, what := yamlError(err)
		b.doc.Diags = append(b.doc.Diags, diag.At(diag.FrontMatterSyntax, b.doc.Path, min(line+max(where, 1)-1, b.lineCount()), 0,
			"front matter is not YAML: %s; fields that were read line by line: %d", what, len(fields)))
		return listFields(fields), true
	}
	if root == nil {
		return nil, false // comments, which may be headings
	}
	if root.Kind != yaml.MappingNode {
		if root.Kind == yaml.SequenceNode || loose {
			b.report(diag.FrontMatterRoot, at, "front matter is a %s, want keys and values; it is kept as text", kindName(root.Kind))
		}
		return nil, false
	}
	if !isKeyLine(first) && first[0] != '#' && first[0] != '{' {
		return nil, false
	}
	return b.flatten(root, line-1, at), true
}

func kindName(k yaml.Kind) string {
	if k == yaml.SequenceNode {
		return "list"
	}
	return "single value"
}

// decodeYAML parses text without resolving aliases. It returns nil for text without a value.
func decodeYAML(text []byte) (root *yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			root, err = nil, fmt.Errorf("%v", r)
		}
	}()
	text = bytes.ToValidUTF8(text, []byte("\uFFFD"))
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	if len(doc.Content) == 0 || doc.Content[0].ShortTag() == "!!null" {
		return nil, nil
	}
	return doc.Content[0], nil
}

var yamlLine = regexp.MustCompile(`^(?:yaml: )?(?:line (\d+): )?`)

// yamlError splits the library's message into a line, 0 if unknown, and what is wrong.
func yamlError(err error) (line int, what string) {
	text := err.Error()
	m := yamlLine.FindStringSubmatch(text)
	line, _ = strconv.Atoi(m[1])
	return line, strings.ReplaceAll(strings.TrimPrefix(text, m[0]), "\n", " ")
}

// flattener turns a YAML mapping into fields.
type flattener struct {
	path   string
	line   int // lines before the YAML's first
	fields []Field
	seen   map[string]int // name → index into fields
	diags  []diag.Diagnostic
	values int
	deep   bool
}

// flatten returns the fields of front matter that begins at a source byte; before is how many lines are before root's
// first.
func (b *builder) flatten(root *yaml.Node, before, at int) []Field {
	f := flattener{path: b.doc.Path, line: before, seen: map[string]int{}}
	f.mapping(root, "", 0)
	if f.values > maxValues || f.deep {
		b.report(diag.FrontMatterSize, at, "front matter expands to more than %d values or is nested more than %d deep; the rest is left out", maxValues, maxNested)
	}
	b.doc.Diags = append(b.doc.Diags, f.diags...)
	return listFields(f.fields)
}

// spent counts a value and reports whether there were too many.
func (f *flattener) spent(depth int) bool {
	f.values++
	f.deep = f.deep || depth > maxNested
	return f.values > maxValues || depth > maxNested
}

// mapping adds the keys of n, and then those that it takes over with "<<".
func (f *flattener) mapping(n *yaml.Node, prefix string, depth int) {
	var merges []*yaml.Node
	defer func() {
		for _, m := range merges {
			f.merge(m, prefix, depth)
		}
	}()
	for i := 0; i+1 < len(n.Content); i += 2 {
		if f.spent(depth) {
			return
		}
		key, value := n.Content[i], resolve(n.Content[i+1])
		if key.Tag == "!!merge" {
			merges = append(merges, value)
			continue
		}
		key = resolve(key)
		if key == nil || key.Kind != yaml.ScalarNode || value == nil {
			continue
		}
		name := prefix + key.Value
		if j, twice := f.seen[name]; twice {
			if len(f.diags) >= maxRepeats {
				continue
			}
			f.diags = append(f.diags, diag.At(diag.FrontMatterDuplicate, f.path, f.line+key.Line, key.Column,
				"key %q is given twice, first in line %d, whose value counts", name, f.fields[j].Line))
			continue
		}
		if value.Kind == yaml.MappingNode {
			f.mapping(value, name+".", depth+1)
			continue
		}
		field := Field{Name: name, Line: f.line + key.Line}
		if value.Kind == yaml.SequenceNode {
			field.List = true
			before := len(f.fields)
			f.list(&field, value, depth+1)
			if len(field.Values) == 0 && len(f.fields) > before {
				continue // a list of mappings
			}
		} else {
			kind, text := scalar(value)
			field.Type, field.Values = kind, []string{text}
		}
		f.seen[name] = len(f.fields)
		f.fields = append(f.fields, field)
	}
}

// merge adds the keys of a "<<" value that are not there yet.
func (f *flattener) merge(value *yaml.Node, prefix string, depth int) {
	if value == nil || f.spent(depth) {
		return
	}
	switch value.Kind {
	case yaml.SequenceNode:
		for _, v := range value.Content {
			f.merge(resolve(v), prefix, depth+1)
		}
	case yaml.MappingNode:
		kept := yaml.Node{Kind: yaml.MappingNode}
		for i := 0; i+1 < len(value.Content); i += 2 {
			if _, there := f.seen[prefix+value.Content[i].Value]; !there {
				kept.Content = append(kept.Content, value.Content[i], value.Content[i+1])
			}
		}
		f.mapping(&kept, prefix, depth+1)
	}
}

// list appends the scalars of a sequence to field. Mappings in it become fields of their own: name.key.
func (f *flattener) list(field *Field, n *yaml.Node, depth int) {
	typed := len(field.Values) > 0
	for _, item := range n.Content {
		if f.spent(depth) {
			return
		}
		switch item = resolve(item); {
		case item == nil:
		case item.Kind == yaml.SequenceNode:
			f.list(field, item, depth+1)
		case item.Kind == yaml.MappingNode:
			f.listMapping(field.Name, item, depth+1)
		default:
			kind, text := scalar(item)
			if kind == NullValue {
				continue
			}
			if !typed {
				field.Type, typed = kind, true
			} else if field.Type != kind {
				field.Type = StringValue
			}
			field.Values = append(field.Values, text)
		}
	}
}

// listMapping adds the scalars of a mapping inside a list to the lists name.key.
func (f *flattener) listMapping(name string, n *yaml.Node, depth int) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if f.spent(depth) {
			return
		}
		key, value := resolve(n.Content[i]), resolve(n.Content[i+1])
		if key == nil || value == nil || key.Kind != yaml.ScalarNode {
			continue
		}
		full := name + "." + key.Value
		if value.Kind == yaml.MappingNode {
			f.listMapping(full, value, depth+1)
			continue
		}
		j, there := f.seen[full]
		if !there {
			j = len(f.fields)
			f.seen[full] = j
			f.fields = append(f.fields, Field{Name: full, Line: f.line + key.Line, List: true})
		}
		sub := f.fields[j]
		f.list(&sub, &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{value}}, depth+1)
		f.fields[j] = sub
	}
}

func resolve(n *yaml.Node) *yaml.Node {
	for i := 0; n != nil && n.Kind == yaml.AliasNode; i++ {
		if i > maxNested {
			return nil
		}
		n = n.Alias
	}
	return n
}

var (
	plainInt   = regexp.MustCompile(`^-?(?:0|[1-9][0-9]*)$`)
	plainFloat = regexp.MustCompile(`^-?(?:0|[1-9][0-9]*)\.[0-9]+$`)
)

// scalar returns the type and canonical text of a YAML scalar. Numbers that people write for their digits keep them:
// 1.10 is not 1.1, and 007 is a string.
func scalar(n *yaml.Node) (ValueType, string) {
	switch n.ShortTag() {
	case "!!null":
		return NullValue, ""
	case "!!bool":
		return BoolValue, strings.ToLower(n.Value)
	case "!!int":
		if plainInt.MatchString(n.Value) {
			return IntValue, n.Value
		}
		var i int64
		if digits := strings.TrimLeft(n.Value, "+-"); len(digits) > 1 && digits[0] == '0' && isDigit(digits[1]) || n.Decode(&i) != nil {
			return StringValue, n.Value
		}
		return IntValue, strconv.FormatInt(i, 10)
	case "!!float":
		if plainFloat.MatchString(n.Value) {
			return FloatValue, n.Value
		}
		var f float64
		if n.Decode(&f) != nil || f != f || f-f != 0 {
			return StringValue, n.Value
		}
		return FloatValue, strconv.FormatFloat(f, 'g', -1, 64)
	case "!!timestamp":
		var t time.Time
		if n.Decode(&t) != nil {
			return StringValue, n.Value
		}
		if len(n.Value) <= len("2006-01-02") {
			return DateValue, t.Format("2006-01-02")
		}
		return DateValue, t.Format(time.RFC3339)
	}
	return StringValue, strings.TrimRight(n.Value, "\n")
}
