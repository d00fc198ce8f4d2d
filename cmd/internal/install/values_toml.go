package install

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// tomlValues returns what a TOML text says: tables as map[string]any, lists as []any, strings, and every other value as a
// tomlLiteral. The error is a *syntaxError.
//
// go-toml's parser reads the text, its decoder would add 200 KB to kddq. What a number or date stands for nobody here
// asks: the decoder refuses 2026-99-99 and integers beyond 64 bits, tomlValues does not. Which table or key may stand after
// which is checked as TOML 1.0 has it, and tests compare with the decoder.
func tomlValues(data []byte) (map[string]any, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	data = data[:len(data):len(data)] // an empty range at the end has its place by its capacity
	var p unstable.Parser
	p.Reset(data)
	root := newTOMLTable(headedTable)
	at := root
	var err error
	for err == nil && p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			at, err = root.header(&p, e)
		case unstable.KeyValue:
			err = at.add(&p, e)
		}
	}
	if err == nil {
		err = p.Error()
	}
	if wrong := (*unstable.ParserError)(nil); errors.As(err, &wrong) {
		start := p.Shape(p.Range(wrong.Highlight)).Start
		return nil, &syntaxError{start.Line, start.Column, wrong.Message}
	}
	if err != nil {
		return nil, err
	}
	return root.plain(), nil
}

// tomlLiteral is a value that is no string, list or table, as it is written.
type tomlLiteral struct{ kind, text string }

// madeBy says what made a table, which decides what may follow.
type madeBy uint8

const (
	implicitTable madeBy = iota // by the header of a table below it: a header of its own may follow
	headedTable                 // by its header
	dottedTable                 // by a dotted key: other such keys beside that may follow, and tables below it
)

// tomlTable is a table while a text is read: of strings, tomlLiterals, []any and map[string]any, which nothing may change
// any more, *tomlTable and *tomlTables.
type tomlTable struct {
	made   madeBy
	values map[string]any
}

// tomlTables is a list made by headers in double brackets.
type tomlTables struct{ list []*tomlTable }

func newTOMLTable(made madeBy) *tomlTable { return &tomlTable{made, map[string]any{}} }

// again is the error about a key that is there already.
func again(p *unstable.Parser, key *unstable.Node) error {
	return unstable.NewParserError(p.Raw(key.Raw), "%q is there already, as something else", key.Data)
}

// header returns the table that a header opens.
func (t *tomlTable) header(p *unstable.Parser, e *unstable.Node) (*tomlTable, error) {
	for keys := e.Key(); keys.Next(); {
		key := keys.Node()
		name := string(key.Data)
		known, there := t.values[name]
		if keys.IsLast() {
			opened := newTOMLTable(headedTable)
			list, isList := known.(*tomlTables)
			below, isTable := known.(*tomlTable)
			switch {
			case e.Kind == unstable.ArrayTable && !there:
				t.values[name] = &tomlTables{[]*tomlTable{opened}}
			case e.Kind == unstable.ArrayTable && isList:
				list.list = append(list.list, opened)
			case e.Kind == unstable.Table && !there:
				t.values[name] = opened
			case e.Kind == unstable.Table && isTable && below.made == implicitTable:
				opened, below.made = below, headedTable
			default:
				return nil, again(p, key)
			}
			return opened, nil
		}
		switch known := known.(type) {
		case nil:
			below := newTOMLTable(implicitTable)
			t.values[name], t = below, below
		case *tomlTable:
			t = known
		case *tomlTables:
			t = known.list[len(known.list)-1]
		default:
			return nil, again(p, key)
		}
	}
	return t, nil // the parser gives no header without a key
}

// add puts a key's value into the table, which makes tables of a dotted key.
func (t *tomlTable) add(p *unstable.Parser, e *unstable.Node) error {
	for keys := e.Key(); keys.Next(); {
		key := keys.Node()
		name := string(key.Data)
		known, there := t.values[name]
		if keys.IsLast() {
			if there {
				return again(p, key)
			}
			value, err := tomlValue(p, e.Value())
			t.values[name] = value
			return err
		}
		below, isTable := known.(*tomlTable)
		switch {
		case !there:
			below = newTOMLTable(dottedTable)
			t.values[name] = below
		case !isTable || below.made != dottedTable:
			return again(p, key)
		}
		t = below
	}
	return nil
}

// tomlValue returns what a node of a value says.
func tomlValue(p *unstable.Parser, node *unstable.Node) (any, error) {
	switch node.Kind {
	case unstable.String:
		return string(node.Data), nil
	case unstable.Array:
		list := []any{}
		for items := node.Children(); items.Next(); {
			value, err := tomlValue(p, items.Node())
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		return list, nil
	case unstable.InlineTable:
		table := newTOMLTable(headedTable)
		for items := node.Children(); items.Next(); {
			if err := table.add(p, items.Node()); err != nil {
				return nil, err
			}
		}
		return table.plain(), nil
	}
	return tomlLiteral{strings.ToLower(node.Kind.String()), string(node.Data)}, nil
}

// plain returns the table as a map.
func (t *tomlTable) plain() map[string]any {
	m := make(map[string]any, len(t.values))
	for name, value := range t.values {
		switch value := value.(type) {
		case *tomlTable:
			m[name] = value.plain()
		case *tomlTables:
			list := make([]any, len(value.list))
			for i, table := range value.list {
				list[i] = table.plain()
			}
			m[name] = list
		default:
			m[name] = value
		}
	}
	return m
}

// tomlKind names the kind of a value.
func tomlKind(v any) string {
	switch v := v.(type) {
	case []any:
		return "a list"
	case map[string]any:
		return "a table"
	case tomlLiteral:
		return fmt.Sprintf("a value (%s)", v.kind)
	}
	return "a value (string)"
}

// unquoted returns what a TOML string says.
func unquoted(quoted []byte) string {
	values, err := tomlValues(append([]byte("X = "), quoted...))
	if s, ok := values["X"].(string); ok && err == nil {
		return s
	}
	return string(quoted)
}
