package graph

import (
	"cmp"
	_ "embed"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

//go:embed builtin.yaml
var builtinYAML []byte

// maxRulesBytes bounds kdd.yaml: the built-in table has 9 KB.
const maxRulesBytes = 1 << 20

// The yaml... types are the shape of the rules as they are written. Their tags and schema.json, for editors, say the
// same.
type yamlRules struct {
	Kinds      []yamlKind              `yaml:"kinds"`
	Layers     []string                `yaml:"layers"`
	Domains    []string                `yaml:"domains"`
	IndexFiles []string                `yaml:"index_files"`
	Stale      []string                `yaml:"stale"`
	Invariants []string                `yaml:"invariants"`
	Comments   []string                `yaml:"heading_comments"`
	IDs        []string                `yaml:"ids"`
	Fields     yamlFields              `yaml:"fields"`
	Relations  map[string]yamlRelation `yaml:"relations"`
	Sections   []yamlSection           `yaml:"sections"`
	Columns    yamlColumns             `yaml:"columns"`
	Edges      []yamlEdge              `yaml:"edges"`
	Coverage   []yamlCoverage          `yaml:"coverage"`
}

type yamlKind struct {
	Name       string   `yaml:"name"`
	Aliases    []string `yaml:"aliases"`
	Prefix     string   `yaml:"prefix"`
	LinkPrefix string   `yaml:"link_prefix"`
	ID         string   `yaml:"id"`
	Folders    []string `yaml:"folders"`
	Extensions []string `yaml:"extensions"`
	Chunk      string   `yaml:"chunk"`
	Required   []string `yaml:"required"`
	Statuses   []string `yaml:"statuses"`

	Signs         []yamlSign `yaml:"signs"`
	Aside         *bool      `yaml:"aside"`
	Asked         []string   `yaml:"asked"`
	AsideHeadings []string   `yaml:"aside_headings"`
}

type yamlSign struct {
	Stem     string   `yaml:"stem"`
	Folder   string   `yaml:"folder"`
	Title    string   `yaml:"title"`
	Dated    bool     `yaml:"dated"`
	Fields   []string `yaml:"fields"`
	Headings []string `yaml:"headings"`
	AtLeast  int      `yaml:"at_least"`
	Share    int      `yaml:"share"`
}

type yamlFields struct {
	ID          []string `yaml:"id"`
	Kind        []string `yaml:"kind"`
	KindIfKnown []string `yaml:"kind_if_known"`
	Status      []string `yaml:"status"`
	Domain      []string `yaml:"domain"`
	Tags        []string `yaml:"tags"`
	Aliases     []string `yaml:"aliases"`
	Date        []string `yaml:"date"`
	Paths       []string `yaml:"paths"`
}

type yamlRelation struct {
	Edge    string `yaml:"edge"`
	Reverse bool   `yaml:"reverse"`
}

// UnmarshalYAML takes "field: EDGE" for "field: {edge: EDGE}".
func (r *yamlRelation) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		return n.Decode(&r.Edge)
	}
	type plain yamlRelation
	return n.Decode((*plain)(r))
}

type yamlSection struct {
	Kinds    []string `yaml:"kinds"`
	Headings []string `yaml:"headings"`
	Targets  []string `yaml:"targets"`
	Except   []string `yaml:"except"`
	Edge     string   `yaml:"edge"`
	Reverse  bool     `yaml:"reverse"`
	Table    bool     `yaml:"table"`
	Mentions bool     `yaml:"mentions"`
}

type yamlColumns struct {
	Relation    []string `yaml:"relation"`
	Cardinality []string `yaml:"cardinality"`
	Target      []string `yaml:"target"`
}

type yamlEdge struct {
	Name    string `yaml:"name"`
	Depends string `yaml:"depends"`
	Weight  int    `yaml:"weight"`
	Impact  string `yaml:"impact"`
	About   string `yaml:"about"`
}

// RulesError lists all that is wrong with a table of rules.
type RulesError struct {
	Path     string
	Problems []RulesProblem // by line
}

// RulesProblem is one mistake in a table of rules, at a line and column from 1.
type RulesProblem struct {
	Line, Col int
	Text      string
}

// maxProblems is how many problems a RulesError names.
const maxProblems = 100

// Error returns one line per problem: "kdd.yaml:12:3: unknown key "kindz" (did you mean "kinds"?)".
func (e *RulesError) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = fmt.Sprintf("%s:%d:%d: %s", e.Path, p.Line, p.Col, p.Text)
	}
	return strings.Join(lines, "\n")
}

// Default returns the built-in rules.
func Default() *Rules { return builtin() }

var builtin = sync.OnceValue(newBuiltin)

// newBuiltin reads the built-in rules into a table of its own.
func newBuiltin() *Rules {
	r := newRules()
	if err := r.read(builtinYAML, "builtin.yaml"); err != nil {
		panic(err) // a mistake in this package; TestBuiltin reads it first
	}
	return r
}

// ParseRules returns the built-in rules with what yamlText adds to them. yamlText is kdd.yaml's "graph" part, or the
// whole of kdd.yaml with that key, which gives messages the right lines. path is only for messages.
//
// A kind or an edge type that is built in changes in the fields that yamlText gives; its signs are replaced. A
// relation for a field that has one, and layers, replace what was there. Section rules, folders of domains, stale statuses, headings of
// invariants, comments that stand for headings, ids and fields are added.
// Every mistake is reported, as a *RulesError.
func ParseRules(yamlText []byte, path string) (*Rules, error) {
	r := newBuiltin()
	if err := r.read(yamlText, path); err != nil {
		return nil, err
	}
	return r, nil
}

// read adds the rules in text to r. After an error r is of no use.
func (r *Rules) read(text []byte, path string) error {
	p := rulesParser{path: path}
	var raw yamlRules
	var at places
	if len(text) > maxRulesBytes {
		p.add(nil, "%d bytes of rules: the limit is %d", len(text), maxRulesBytes)
		return p.err()
	}
	var file yaml.Node
	if err := yaml.Unmarshal(text, &file); err != nil {
		p.addYAML(err)
		return p.err()
	}
	if len(file.Content) > 0 {
		root := file.Content[0]
		root = cmp.Or(valueOf(root, "graph"), root)
		if root.Kind != yaml.ScalarNode || root.Tag != "!!null" {
			p.check(root, reflect.TypeFor[yamlRules](), "the rules", 0)
			if len(p.problems) == 0 {
				if err := root.Decode(&raw); err != nil {
					p.addYAML(err)
				}
			}
			at = places{root}
		}
	}
	if len(p.problems) == 0 {
		merge(r, &raw, at, &p)
	}
	return p.err()
}

type rulesParser struct {
	path     string
	visits   int // nodes looked at, aliases followed: more than maxVisits is a trap
	problems []RulesProblem
}

const maxVisits = 200_000

func (p *rulesParser) add(n *yaml.Node, format string, args ...any) {
	problem := RulesProblem{Line: 1, Col: 1, Text: fmt.Sprintf(format, args...)}
	if n != nil {
		problem.Line, problem.Col = n.Line, n.Column
	}
	p.problems = append(p.problems, problem)
}

// addYAML turns an error of the YAML package, which begins with "yaml: line N: ", into a problem.
func (p *rulesParser) addYAML(err error) {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	problem := RulesProblem{Line: 1, Col: 1}
	if _, scanErr := fmt.Sscanf(text, "line %d:", &problem.Line); scanErr == nil {
		_, text, _ = strings.Cut(text, ": ")
	}
	if at := strings.IndexAny(text, "`'\""); at > 0 { // what it quotes of the file
		text = strings.TrimSpace(text[:at]) + "…"
	}
	problem.Text = "not YAML: " + text
	p.problems = append(p.problems, problem)
}

// err returns the problems by line, nil if there are none.
func (p *rulesParser) err() error {
	if len(p.problems) == 0 {
		return nil
	}
	slices.SortStableFunc(p.problems, func(a, b RulesProblem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	return &RulesError{Path: p.path, Problems: p.problems[:min(len(p.problems), maxProblems)]}
}

// check compares n with the shape of t: keys that exist, lists where lists belong, scalars of the right type.
func (p *rulesParser) check(n *yaml.Node, t reflect.Type, what string, depth int) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if p.visits++; depth > 8 || n == nil || p.visits > maxVisits {
		if p.visits == maxVisits+1 {
			p.add(n, "aliases expand to more than %d values", maxVisits)
		}
		return
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == reflect.TypeFor[yamlRelation]() && n.Kind == yaml.ScalarNode:
		p.scalar(n, reflect.TypeFor[string](), what)
	case t.Kind() == reflect.Struct || t.Kind() == reflect.Map:
		p.mapping(n, t, what, depth)
	case t.Kind() == reflect.Slice:
		if n.Kind != yaml.SequenceNode {
			p.add(n, "%s: got %s, want a list, such as [%s]", what, describe(n), "a, b")
			return
		}
		for _, item := range n.Content {
			p.check(item, t.Elem(), "an item of "+what, depth+1)
		}
	default:
		p.scalar(n, t, what)
	}
}

func (p *rulesParser) mapping(n *yaml.Node, t reflect.Type, what string, depth int) {
	if n.Kind != yaml.MappingNode {
		p.add(n, "%s: got %s, want keys and values", what, describe(n))
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if seen[key.Value] {
			p.add(key, "key %q appears twice", key.Value)
			continue
		}
		seen[key.Value] = true
		if t.Kind() == reflect.Map {
			p.check(value, t.Elem(), fmt.Sprintf("%q", key.Value), depth+1)
			continue
		}
		field, ok := fieldOf(t, key.Value)
		if !ok {
			known := keysOf(t)
			p.add(key, "unknown key %q in %s (%s)", key.Value, what, cureOf(key.Value, known, "want one of "+strings.Join(known, ", ")))
			continue
		}
		p.check(value, field, fmt.Sprintf("%q", key.Value), depth+1)
	}
}

func (p *rulesParser) scalar(n *yaml.Node, t reflect.Type, what string) {
	want, ok := "text", n.Kind == yaml.ScalarNode && n.Tag != "!!null"
	switch t.Kind() {
	case reflect.Bool:
		want, ok = "true or false", ok && n.Tag == "!!bool"
	case reflect.Int:
		want, ok = "a whole number", ok && n.Tag == "!!int"
	}
	if !ok {
		p.add(n, "%s: got %s, want %s", what, describe(n), want)
	}
}

func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "keys and values"
	case yaml.SequenceNode:
		return "a list"
	}
	if n.Tag == "!!null" {
		return "nothing"
	}
	return fmt.Sprintf("%.40q", n.Value)
}

// keysOf returns the keys of a yaml... type in the order of its fields.
func keysOf(t reflect.Type) []string {
	keys := make([]string, t.NumField())
	for i := range keys {
		keys[i] = t.Field(i).Tag.Get("yaml")
	}
	return keys
}

func fieldOf(t reflect.Type, key string) (reflect.Type, bool) {
	for i := range t.NumField() {
		if t.Field(i).Tag.Get("yaml") == key {
			return t.Field(i).Type, true
		}
	}
	return nil, false
}

// valueOf returns what a mapping has for a key; nil if it is none, or has nothing.
func valueOf(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}
