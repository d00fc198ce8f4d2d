package markdown

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v3"
)

// looseFields reads what it can of broken YAML: top-level keys with their scalars, flow lists, and items on the lines
// that follow.
func looseFields(text []byte, line int) []Field {
	var fields []Field
	seen := map[string]bool{}
	open := false // the last field takes items
	for n := line; len(text) > 0; n++ {
		row, rest, _ := bytes.Cut(text, []byte("\n"))
		text = rest
		if len(row) > maxTarget {
			row = row[:maxTarget]
		}
		if k := keyLength(row); k > 0 {
			name := strings.Trim(valid(string(row[:k])), `"' `)
			if open = !seen[name] && len(fields) < maxValues; !open {
				continue
			}
			seen[name] = true
			fields = append(fields, looseField(name, strings.TrimSpace(valid(string(row[k+1:]))), n))
			continue
		}
		trimmed := strings.TrimSpace(valid(string(row)))
		if item, found := strings.CutPrefix(trimmed, "- "); found && open {
			f := &fields[len(fields)-1]
			if f.Type == NullValue {
				f.Type, f.Values, f.List = StringValue, nil, true
			}
			if f.List {
				_, text := looseScalar(strings.TrimSpace(item))
				f.Values = append(f.Values, text)
			}
		}
	}
	return fields
}

// looseField reads a value that stands on one line.
func looseField(name, value string, line int) Field {
	f := Field{Name: name, Line: line}
	if strings.HasPrefix(value, "[") && strings.HasSuffix(value, "]") {
		f.List = true
		for _, item := range strings.Split(value[1:len(value)-1], ",") {
			if item = strings.TrimSpace(item); item != "" {
				kind, text := looseScalar(item)
				f.Type = kind
				f.Values = append(f.Values, text)
			}
		}
		return f
	}
	kind, text := looseScalar(value)
	f.Type, f.Values = kind, []string{text}
	return f
}

// looseScalar types a value by YAML's rules if it is a scalar, and else keeps it as it is written.
func looseScalar(value string) (ValueType, string) {
	if value == "" {
		return NullValue, ""
	}
	if n, err := decodeYAML([]byte(value)); err == nil && n != nil && n.Kind == yaml.ScalarNode {
		return scalar(n)
	}
	return StringValue, strings.Trim(value, `"'`)
}

// listFields makes lists of fields that people write as a string with commas: tags and aliases.
func listFields(fields []Field) []Field {
	for i := range fields {
		f := &fields[i]
		switch strings.ToLower(f.Name) {
		case "tags", "tag", "aliases", "alias", "keywords":
		default:
			continue
		}
		if f.List || len(f.Values) != 1 || f.Type == NullValue {
			continue
		}
		var items []string
		for _, v := range strings.Split(f.Values[0], ",") {
			if v = strings.TrimSpace(v); v != "" {
				items = append(items, v)
			}
		}
		f.Values, f.List = items, true
	}
	return fields
}
