package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"kdd/format/index"
	"kdd/runtime/render"
	"kdd/runtime/wire"
	"kdd/runtime/yamltext"
)

// configName is the file that sets what is compiled and how it is shown.
const configName = "kdd.yaml"

// maxConfigBytes bounds kdd.yaml.
const maxConfigBytes = 1 << 20

// MaxDimensions is what dimensions and --dimensions may say at most.
const MaxDimensions = 1 << 16

// MaxFileMiB is what max_file_size and --max-file-size may say at most: a document of the format has no more.
const MaxFileMiB = index.MaxDocumentBytes >> 20

// Config is one kdd.yaml.
type Config struct {
	Path   string              // as messages name it; "" = there is none
	values map[string][]string // by key of settings
	Graph  []byte              // the text of "graph", on the lines where the file has it; nil = absent
}

// setting is a key that kdd.yaml may have. Keys below "show" are written "show.format".
type setting struct {
	key  string
	kind settingKind
	enum []string
	most int // of a number from 1 on; 0 = it is no number
}

type settingKind uint8

const (
	textSetting settingKind = iota
	listSetting
	boolSetting
	rawSetting
	folderSetting // a value for all, or one for each of several folders: "FOLDER=VALUE"
)

// settings lists every key, in the order in which an error names them.
func settings() []setting {
	return []setting{
		{key: "title"},
		{key: "language"},
		{key: "base_url"},
		{key: "site_url"},
		{key: "dialect", kind: folderSetting},
		{key: "include", kind: listSetting},
		{key: "exclude", kind: listSetting},
		{key: "drafts", kind: boolSetting},
		{key: "max_file_size", most: MaxFileMiB},
		{key: "strict", kind: boolSetting},
		{key: "no_vectors", kind: boolSetting},
		{key: "encoder", enum: []string{"distilled", "exact", "none"}},
		{key: "dimensions", most: MaxDimensions},
		{key: "stored_vectors", enum: []string{"int8", "float32"}},
		{key: "graph", kind: rawSetting},
		{key: "show.format", enum: render.Formats},
		{key: "show.color", enum: []string{"auto", "always", "never"}},
		{key: "show.mode", enum: []string{"hybrid", "lexical", "vector"}},
		{key: "show.limit", most: 100},
	}
}

// refusedKeys are settings that a kdd.yaml of somebody else must not decide, since they would let it reach out of its
// folder. Only flags and the environment set them.
func refusedKeys() []string {
	return []string{"index", "root", "output", "follow_links", "source_commit", "model", "engine", "endpoint", "endpoints",
		"url", "llm", "token", "tokens", "listen", "addr", "port", "log", "log_file", "feedback", "command", "program",
		"key", "keys", "require_signature", "signed_as", "max_age", "allow_older"}
}

// readConfig reads kdd.yaml in dir. Without one it returns an empty Config.
func readConfig(dir string) (*Config, error) {
	path := filepath.Join(dir, configName)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) || err != nil && dirIsNone(dir) {
		if other := filepath.Join(dir, "kdd.yml"); isFile(other) {
			return nil, hinted(usageError("%s is not read", other), "rename it to "+configName)
		}
		return &Config{}, nil
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, usageError("%s is not a file", path)
	}
	if err := insideFolder(dir, path); err != nil {
		return nil, err
	}
	if info.Size() > maxConfigBytes {
		return nil, usageError("%s has %d bytes, at most %d are read", path, info.Size(), maxConfigBytes)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parseConfig(path, data)
}

// insideFolder refuses a file that a link leads to from another place: it comes with the documents, and an error would
// show what lies there.
func insideFolder(dir, path string) error {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	folder, err := filepath.EvalSymlinks(cmp.Or(dir, "."))
	if err != nil {
		return err
	}
	if real, err = filepath.Abs(real); err != nil {
		return err
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return err
	}
	if below, err := filepath.Rel(folder, real); err != nil || !filepath.IsLocal(below) {
		return hinted(usageError("%s is a link out of its folder", path), "put a copy of the file there")
	}
	return nil
}

// dirIsNone says that dir is no folder. The command itself reports what is wrong with it.
func dirIsNone(dir string) bool {
	info, err := os.Stat(dir)
	return err != nil || !info.IsDir()
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// parseConfig reads the text of a kdd.yaml. Every error is a usage error that names path and line.
func parseConfig(path string, data []byte) (*Config, error) {
	c := &Config{Path: path, values: map[string][]string{}}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var document, second yaml.Node
	switch err := decoder.Decode(&document); {
	case errors.Is(err, io.EOF):
		return c, nil
	case err != nil:
		return nil, syntaxError(path, err)
	}
	if err := decoder.Decode(&second); err == nil {
		return nil, configError(path, second.Line, "a second document begins here, want one")
	} else if !errors.Is(err, io.EOF) {
		return nil, syntaxError(path, err)
	}
	root := document.Content[0]
	if root.Kind == yaml.ScalarNode && root.Tag == "!!null" {
		return c, nil
	}
	if root.Kind != yaml.MappingNode {
		return nil, configError(path, root.Line, "got %s, want keys and values", yamltext.Kind(root))
	}
	if err := c.mapping("", root, data); err != nil {
		return nil, err
	}
	return c, nil
}

// mapping reads the keys of one level: the top, or those below "show".
func (c *Config) mapping(prefix string, node *yaml.Node, data []byte) error {
	known := settings()
	seen := map[string]bool{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		name := prefix + key.Value
		if key.Kind != yaml.ScalarNode {
			return configError(c.Path, key.Line, "got %s as a key, want a name", yamltext.Kind(key))
		}
		if seen[name] {
			return configError(c.Path, key.Line, "%s is there twice", wire.Clean(name))
		}
		seen[name] = true
		if name == "show" && prefix == "" {
			if value.Kind != yaml.MappingNode {
				return configError(c.Path, value.Line, "show: got %s, want keys and values", yamltext.Kind(value))
			}
			if err := c.mapping("show.", value, data); err != nil {
				return err
			}
			continue
		}
		at := slices.IndexFunc(known, func(s setting) bool { return s.key == name })
		if at < 0 {
			return c.unknownKey(key, name, known)
		}
		if known[at].kind == rawSetting {
			end := bytes.Count(data, []byte("\n")) + 2
			if i+2 < len(node.Content) {
				end = node.Content[i+2].Line
			}
			c.Graph = part(data, key, end)
			continue
		}
		if err := c.set(&known[at], value); err != nil {
			return err
		}
	}
	return nil
}

// maxKeyShown is how many characters of an unknown key an error has.
const maxKeyShown = 40

func (c *Config) unknownKey(key *yaml.Node, name string, known []setting) error {
	plain := strings.ToLower(strings.ReplaceAll(name, "-", "_"))
	if slices.Contains(refusedKeys(), strings.TrimPrefix(plain, "show.")) {
		return hinted(configError(c.Path, key.Line, "%s cannot be set here", wire.Clean(name)),
			"a file that comes with the documents decides what is compiled and how it is shown, no more; "+
				"use a flag or the environment")
	}
	var names []string
	for _, s := range known {
		names = append(names, s.key)
	}
	names = append(names, "show")
	e := configError(c.Path, key.Line, "unknown key %q", wire.Clean(wire.Shorten(name, maxKeyShown)))
	if near := wire.Nearest(name, names); near != "" {
		return hinted(e, fmt.Sprintf("did you mean %q?", near))
	}
	return hinted(e, "the keys are "+wire.Alternatives(names))
}

// set checks one value and keeps it. Null counts as absent.
func (c *Config) set(s *setting, value *yaml.Node) error {
	if value.Kind == yaml.ScalarNode && value.Tag == "!!null" {
		return nil
	}
	items := []*yaml.Node{value}
	if value.Kind == yaml.SequenceNode && s.kind == listSetting {
		items = value.Content
	}
	values := []string{}
	if value.Kind == yaml.MappingNode && s.kind == folderSetting {
		for i := 0; i+1 < len(value.Content); i += 2 {
			folder, item := value.Content[i], value.Content[i+1]
			if folder.Kind != yaml.ScalarNode || item.Kind != yaml.ScalarNode {
				return configError(c.Path, folder.Line, "%s: got %s, want a value for each folder", s.key, yamltext.Kind(item))
			}
			values = append(values, folder.Value+"="+item.Value)
		}
		items = nil
	}
	for _, item := range items {
		if item.Kind != yaml.ScalarNode {
			return configError(c.Path, item.Line, "%s: got %s, want a value", s.key, yamltext.Kind(item))
		}
		text := item.Value
		if s.kind == boolSetting {
			truth := false
			if item.Decode(&truth) != nil {
				return configError(c.Path, item.Line, "%s takes true or false, got %q", s.key, wire.Clean(text))
			}
			text = strconv.FormatBool(truth)
		}
		if s.most > 0 {
			if n, err := strconv.Atoi(text); err != nil || n < 1 || n > s.most {
				return configError(c.Path, item.Line, "%s takes 1 to %d, got %q", s.key, s.most, wire.Clean(text))
			}
		}
		if len(s.enum) > 0 && !slices.Contains(s.enum, text) {
			return configError(c.Path, item.Line, "%s takes %s, got %q", s.key, wire.Alternatives(s.enum), wire.Clean(text))
		}
		values = append(values, text)
	}
	c.values[s.key] = values
	return nil
}

// part returns the lines of one key of data, with the key itself blanked. As many empty lines stand above them as the
// file has lines there, so that a message about the part names the right line.
func part(data []byte, key *yaml.Node, end int) []byte {
	lines := bytes.SplitAfter(data, []byte("\n"))
	end = min(end-1, len(lines))
	out := bytes.Repeat([]byte("\n"), key.Line-1)
	first := slices.Clone(lines[key.Line-1])
	if colon := bytes.IndexByte(first, ':'); colon >= 0 {
		for i := range first[:colon+1] {
			first[i] = ' '
		}
	}
	out = append(out, first...)
	for _, line := range lines[key.Line:max(end, key.Line)] {
		out = append(out, line...)
	}
	return out
}

func configError(path string, line int, text string, args ...any) *wire.Error {
	return usageError("%s:%d: %s", wire.Clean(path), line, fmt.Sprintf(text, args...))
}

// syntaxError puts the line that the YAML library names where compilers have it.
func syntaxError(path string, err error) error {
	line, text := yamltext.Syntax(err)
	return hinted(usageError("%s:%d: %s", wire.Clean(path), line, wire.Clean(text)),
		`indent with spaces, and quote values that hold ": " or begin with a special character`)
}
