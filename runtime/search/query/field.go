package query

import (
	"strings"

	"kdd/format/index"
	"kdd/runtime/wire"
)

// field is what a value can be asked of: a field of the lexicon, or a set of documents.
type field struct {
	name, alias string                         // alias = as filters and answers call it, where that is another name
	text        []index.FieldID                // of the lexicon; nil = it is a set of documents
	filter      func(value string) wire.Filter // of documents; nil = path, which takes more than a glob
}

var fields = []field{
	{name: "title", text: []index.FieldID{index.TitleField}},
	{name: "heading", text: []index.FieldID{index.PathField}},
	{name: "path"},
	{name: "kind", filter: func(v string) wire.Filter { return wire.Filter{Kinds: []string{v}} }},
	{name: "tag", filter: func(v string) wire.Filter { return wire.Filter{Tags: []string{v}} }},
	{name: "domain", filter: func(v string) wire.Filter { return wire.Filter{Domains: []string{v}} }},
	{name: "status", filter: func(v string) wire.Filter { return wire.Filter{Status: []string{v}} }},
	{name: "lang", alias: "language", filter: func(v string) wire.Filter { return wire.Filter{Languages: []string{v}} }},
}

// maxField is more than the longest field's name and its colon.
const maxField = 12

func fieldOf(name string) *field {
	for i := range fields {
		if f := &fields[i]; strings.EqualFold(f.name, name) || f.alias != "" && strings.EqualFold(f.alias, name) {
			return f
		}
	}
	return nil
}

func (f *field) documents() bool { return f != nil && f.text == nil }

// misspelt notes a field that is one edit away from one there is.
func (s *scanner) misspelt(name string) {
	for k := range fields {
		for _, known := range []string{fields[k].name, fields[k].alias} {
			if known != "" && oneEdit(name, known) {
				s.note("there is no field " + quote(name+":") + ", it is read as words; did you mean " + known + ":?")
				return
			}
		}
	}
}

// oneEdit says whether a is b with one letter changed, dropped, added or swapped with the next.
func oneEdit(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if a == b || len(b)-len(a) > 1 || len(a) < 3 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:]
	}
	return a[i+1:] == b[i+1:] || i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}
