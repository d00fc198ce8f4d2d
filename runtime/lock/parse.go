package lock

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"kdd/format/sign"
	"kdd/format/text"
	"kdd/runtime/wire"
	"kdd/runtime/yamltext"
)

// Parse reads the text of a lock. path stands in errors, which are of code invalid_input, of a newer form
// index_version.
func Parse(path string, data []byte) (*Lock, error) {
	p := &parser{&Lock{Path: path, data: data}}
	if len(data) > maxBytes {
		return nil, p.wrong(0, "remove it, and add its artifacts again", "more than %d bytes", maxBytes)
	}
	if line := conflict(data); line > 0 {
		return nil, p.wrong(line, `keep one side, then run "kdd update" for the artifacts in question`, "a merge left its marks here")
	}
	root, err := p.document(data)
	if err != nil {
		return nil, err
	}
	version, artifacts := (*yaml.Node)(nil), (*yaml.Node)(nil)
	err = p.keys(root, "", map[string]func(*yaml.Node) error{
		"version":   func(n *yaml.Node) error { version = n; return nil },
		"artifacts": func(n *yaml.Node) error { artifacts = n; return nil },
	})
	if err != nil {
		if newer := p.version(version); version != nil && newer != nil {
			return nil, newer // which may have keys that this one does not know
		}
		return nil, err
	}
	switch err := p.version(version); {
	case err != nil:
		return nil, err
	case artifacts == nil:
		return nil, p.wrong(0, again, "artifacts is missing")
	}
	if err := p.artifacts(artifacts); err != nil {
		return nil, err
	}
	slices.SortFunc(p.lock.Artifacts, func(a, b Entry) int { return cmp.Compare(a.Name, b.Name) })
	return p.lock, nil
}

// again is the cure of a file that somebody has edited.
const again = `write it with "kdd add NAME SOURCE"`

// parser fills a lock.
type parser struct{ lock *Lock }

// wrong is an error about a line, 0 for the whole file.
func (p *parser) wrong(line int, hint, form string, args ...any) error {
	place := wire.Clean(p.lock.Path)
	if line > 0 {
		place = fmt.Sprintf("%s:%d", place, line)
	}
	return wire.NewError(wire.CodeInvalidInput, place+": "+fmt.Sprintf(form, args...), hint)
}

// conflict returns the line of the first mark of a merge, 0 if there is none.
func conflict(data []byte) int {
	for i, line := range bytes.Split(data, []byte("\n")) {
		if bytes.HasPrefix(line, []byte("<<<<<<< ")) || bytes.HasPrefix(line, []byte(">>>>>>> ")) {
			return i + 1
		}
	}
	return 0
}

// document returns the one mapping that the file has to be.
func (p *parser) document(data []byte) (*yaml.Node, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var document, second yaml.Node
	switch err := decoder.Decode(&document); {
	case errors.Is(err, io.EOF):
		return nil, p.wrong(0, again, "the file is empty")
	case err != nil:
		return nil, p.syntax(err)
	}
	if err := decoder.Decode(&second); err == nil {
		return nil, p.wrong(second.Line, again, "a second document begins here, want one")
	} else if !errors.Is(err, io.EOF) {
		return nil, p.syntax(err)
	}
	return document.Content[0], nil
}

// syntax is the error of the YAML library, without what it quotes of the file.
func (p *parser) syntax(err error) error {
	line, text := yamltext.Syntax(err)
	return p.wrong(line, again, "%s", wire.Clean(text))
}

// keys calls the function of each key of a mapping. of is the artifact, for messages; "" for the file.
func (p *parser) keys(node *yaml.Node, of string, known map[string]func(*yaml.Node) error) error {
	if node.Kind != yaml.MappingNode {
		return p.wrong(node.Line, again, "%sgot %s, want keys and values", of, yamltext.Kind(node))
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		set := known[key.Value]
		switch {
		case key.Kind != yaml.ScalarNode:
			return p.wrong(key.Line, again, "%sgot %s as a key, want a name", of, yamltext.Kind(key))
		case set == nil:
			names := make([]string, 0, len(known))
			for name := range known {
				names = append(names, name)
			}
			slices.Sort(names)
			hint := "the keys are " + wire.Alternatives(names)
			if near := wire.Nearest(key.Value, names); near != "" {
				hint = fmt.Sprintf("did you mean %q?", near)
			}
			return p.wrong(key.Line, hint, "%sunknown key %s", of, wire.Quote(key.Value))
		case seen[key.Value]:
			return p.wrong(key.Line, "remove one of the two", "%s%s is there twice", of, key.Value)
		case value.Kind == yaml.AliasNode || value.Anchor != "" || key.Anchor != "":
			return p.wrong(key.Line, "write the value out", "%s%s: aliases and anchors are not read", of, key.Value)
		}
		seen[key.Value] = true
		if err := set(value); err != nil {
			return err
		}
	}
	return nil
}

// version refuses a file of another form.
func (p *parser) version(node *yaml.Node) error {
	if node == nil {
		return p.wrong(0, again, "version is missing, want %d", Version)
	}
	n, err := strconv.Atoi(node.Value)
	switch {
	case node.Kind != yaml.ScalarNode || err != nil || n < 1:
		return p.wrong(node.Line, again, "version: got %s, want %d", got(node), Version)
	case n > Version:
		return wire.NewError(wire.CodeIndexVersion, fmt.Sprintf("%s:%d: a lock of version %d, this kdd reads %d", wire.Clean(p.lock.Path),
			node.Line, n, Version), "update kdd")
	}
	return nil
}

// got is a value, as messages have it.
func got(n *yaml.Node) string {
	if n.Kind == yaml.ScalarNode {
		return wire.Quote(n.Value)
	}
	return yamltext.Kind(n)
}

// artifacts reads the entries.
func (p *parser) artifacts(node *yaml.Node) error {
	if node.Kind != yaml.MappingNode {
		return p.wrong(node.Line, again, "artifacts: got %s, want a name and what it pins for each", yamltext.Kind(node))
	}
	if n := len(node.Content) / 2; n > maxArtifacts {
		return p.wrong(node.Line, "spread them over several locks", "artifacts: %d, want at most %d", n, maxArtifacts)
	}
	folded := map[string]string{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		if key.Kind != yaml.ScalarNode || key.Anchor != "" || value.Kind == yaml.AliasNode || value.Anchor != "" {
			return p.wrong(key.Line, "write the value out", "artifacts: aliases and anchors are not read, and a name is a text")
		}
		if err := CheckName(key.Value); err != nil {
			return p.wrong(key.Line, nameForm, "the name %s", wire.Quote(key.Value))
		}
		if other, twice := folded[text.Fold(key.Value)]; twice {
			return p.wrong(key.Line, "give one of them another name", "the name %s, and %s above", wire.Quote(key.Value), wire.Quote(other))
		}
		folded[text.Fold(key.Value)] = key.Value
		e, err := p.entry(key.Value, value)
		if err != nil {
			return err
		}
		e.line = key.Line
		p.lock.Artifacts = append(p.lock.Artifacts, *e)
	}
	return nil
}

// entry reads what a lock says of one artifact.
func (p *parser) entry(name string, node *yaml.Node) (*Entry, error) {
	e, of := &Entry{Name: name}, name+": "
	value := func(key string, set func(value string) error) func(*yaml.Node) error {
		return func(n *yaml.Node) error {
			if n.Kind != yaml.ScalarNode {
				return p.wrong(n.Line, again, "%s%s: got %s, want a text", of, key, yamltext.Kind(n))
			}
			if err := set(n.Value); err != nil {
				return p.wrong(n.Line, hintOf(err), "%s%s: %s", of, key, textOf(err))
			}
			return nil
		}
	}
	err := p.keys(node, of, map[string]func(*yaml.Node) error{
		"source":    value("source", func(v string) error { e.Source = v; return CheckSource(v) }),
		"resolved":  value("resolved", func(v string) error { e.Resolved = v; return checkResolved(v) }),
		"root":      value("root", func(v string) error { e.Root = v; return checkRoot(v) }),
		"bytes":     value("bytes", func(v string) (err error) { e.Bytes, err = parseBytes(v); return err }),
		"signed_as": value("signed_as", func(v string) error { e.SignedAs = v; return checkSignedAs(v) }),
		"keys": func(n *yaml.Node) error {
			if n.Kind != yaml.SequenceNode || len(n.Content) == 0 || len(n.Content) > maxKeys {
				return p.wrong(n.Line, again, "%skeys: got %s, want a list of 1 to %d public keys", of, got(n), maxKeys)
			}
			for _, item := range n.Content {
				if item.Kind != yaml.ScalarNode || item.Anchor != "" {
					return p.wrong(item.Line, again, "%skeys: got %s, want a public key", of, yamltext.Kind(item))
				}
				if _, err := sign.ParseKeys("keys", []byte(item.Value)); err != nil || strings.ContainsAny(item.Value, "\r\n") {
					return p.wrong(item.Line, "write a public key of minisign, signify or OpenSSH", "%skeys: %s is none", of, wire.Quote(item.Value))
				}
				e.Keys = append(e.Keys, item.Value)
			}
			return nil
		},
	})
	if err != nil {
		return nil, err
	}
	for _, missing := range []struct {
		key string
		is  bool
	}{{"source", e.Source == ""}, {"root", e.Root == ""}, {"bytes", e.Bytes == 0}} {
		if missing.is {
			return nil, p.wrong(node.Line, again, "%s%s is missing", of, missing.key)
		}
	}
	if e.SignedAs != "" && len(e.Keys) == 0 {
		return nil, p.wrong(node.Line, "name the keys too, or leave it out", "%ssigned_as without keys", of)
	}
	return e, nil
}

// textOf and hintOf are the two halves of an error of a check.
func textOf(err error) string {
	var e *wire.Error
	if errors.As(err, &e) {
		return e.Message
	}
	return err.Error()
}

func hintOf(err error) string {
	var e *wire.Error
	errors.As(err, &e)
	return cmp.Or(e.Hint, again)
}
