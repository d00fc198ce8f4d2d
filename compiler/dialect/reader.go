package dialect

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"go.yaml.in/yaml/v3"
)

// maxConfig bounds a configuration file, in bytes, and maxDepth the values in it.
const (
	maxConfig = 1 << 20
	maxDepth  = 64
)

// Reader reads the files of one site's configuration.
type Reader struct {
	files  Files
	finder *finder
	site   *Site
	sum    hash.Hash
	used   bool
}

// bytes returns a file below the site's folder; nil if it is not there or too large.
func (r *Reader) bytes(file string) []byte {
	data, err := r.files.Read(file, maxConfig)
	if err != nil {
		return nil
	}
	fmt.Fprintf(r.sum, "%s %d\n", file, len(data))
	r.sum.Write(data)
	r.used = true
	return data
}

// has reports whether there is a file or folder, by its path from the site's folder.
func (r *Reader) has(file string) bool {
	p := r.site.at(file)
	dir, base := path.Split(p)
	return r.finder.has(join(dir), base)
}

// assume notes what is taken for granted, once.
func (r *Reader) assume(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(r.site.Assume, text) {
		r.site.Assume = append(r.site.Assume, text)
	}
}

// config reads the site's configuration by its extension. It is empty where there is none or where it cannot be read,
// which is noted.
func (r *Reader) config() values {
	if r.site.Config == "" {
		return values{}
	}
	return r.values(r.site.Config)
}

// values reads a file of keys and values.
func (r *Reader) values(file string) values {
	data := r.bytes(file)
	if data == nil {
		r.assume("it cannot be read: the defaults of %s are taken", r.site.Dialect)
		return values{}
	}
	v, err := parse(path.Ext(file), data)
	if err != nil {
		r.assume("%s: the defaults of %s are taken", firstLine(err), r.site.Dialect)
	}
	return v
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(strings.TrimPrefix(err.Error(), "yaml: "), "\n")
	return line
}

// parse reads TOML, YAML, JSON or the plain values of JavaScript.
func parse(extension string, data []byte) (v values, err error) {
	defer func() { // of a library, on bytes that somebody made up
		if caught := recover(); caught != nil {
			v, err = values{}, fmt.Errorf("it cannot be parsed (%v)", caught)
		}
	}()
	var tree any
	switch strings.ToLower(extension) {
	case ".toml":
		table := map[string]any{}
		err = toml.Unmarshal(data, &table)
		tree = table
	case ".json":
		err = json.Unmarshal(data, &tree)
	case ".yml", ".yaml":
		tree, err = yamlTree(data)
	default:
		tree, err = scriptTree(data)
	}
	if err != nil {
		return values{}, err
	}
	return values{tree}, nil
}

// maxNodes bounds what a YAML file may expand to by its aliases.
const maxNodes = 100000

// yamlTree reads YAML as far as it is plain: a value with a tag of a program, such as MkDocs's !ENV, is left out.
func yamlTree(data []byte) (any, error) {
	var node yaml.Node
	if err := yaml.Unmarshal(data, &node); err != nil {
		return nil, err
	}
	left := maxNodes
	var plain func(n *yaml.Node, depth int) any
	plain = func(n *yaml.Node, depth int) any {
		if left--; left < 0 || depth > maxDepth {
			return nil
		}
		switch n.Kind {
		case yaml.DocumentNode:
			if len(n.Content) > 0 {
				return plain(n.Content[0], depth+1)
			}
		case yaml.AliasNode:
			return plain(n.Alias, depth+1)
		case yaml.MappingNode:
			m := map[string]any{}
			for i := 0; i+1 < len(n.Content); i += 2 {
				m[n.Content[i].Value] = plain(n.Content[i+1], depth+1)
			}
			return m
		case yaml.SequenceNode:
			list := make([]any, 0, len(n.Content))
			for _, item := range n.Content {
				list = append(list, plain(item, depth+1))
			}
			return list
		case yaml.ScalarNode:
			if strings.HasPrefix(n.Tag, "!!") {
				var v any
				if n.Decode(&v) == nil {
					if _, isText := v.(string); !isText && n.Tag == "!!timestamp" {
						return n.Value
					}
					return v
				}
			}
			switch {
			case !strings.HasPrefix(n.Tag, "!"):
				return n.Value
			case strings.HasPrefix(n.Tag, "!!python/"): // the name of a function
				return n.Tag
			}
		}
		return nil
	}
	tree := plain(&node, 0)
	if left < 0 {
		return nil, errors.New("it expands to more than is read")
	}
	return tree, nil
}

// values are keys and values of a configuration; each of its methods takes what is not there, or of another type, for
// absent.
type values struct{ any }

// get follows keys. A key is found in any case.
func (v values) get(keys ...string) values {
	for _, key := range keys {
		table, ok := v.any.(map[string]any)
		if !ok {
			return values{}
		}
		next, found := table[key]
		if !found {
			for _, name := range sortedKeys(table) {
				if strings.EqualFold(name, key) {
					next = table[name]
					break
				}
			}
		}
		v = values{next}
	}
	return v
}

func (v values) has(key string) bool { return v.get(key).any != nil }

// text returns a text, or otherwise.
func (v values) text(otherwise string) string {
	if s, ok := v.any.(string); ok {
		return s
	}
	return otherwise
}

func (v values) truth(otherwise bool) bool {
	if b, ok := v.any.(bool); ok {
		return b
	}
	return otherwise
}

// list returns the items of a list, or the one value that there is.
func (v values) list() []values {
	switch x := v.any.(type) {
	case nil:
		return nil
	case []any:
		list := make([]values, len(x))
		for i := range x {
			list[i] = values{x[i]}
		}
		return list
	case []map[string]any:
		list := make([]values, len(x))
		for i := range x {
			list[i] = values{x[i]}
		}
		return list
	}
	return []values{v}
}

// keys returns the names of a table's keys, sorted.
func (v values) keys() []string {
	table, _ := v.any.(map[string]any)
	return sortedKeys(table)
}

func sortedKeys(table map[string]any) []string { return slices.Sorted(maps.Keys(table)) }
