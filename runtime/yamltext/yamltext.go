// Package yamltext says what is wrong with a YAML file that people write, kdd.yaml or kdd.lock, without quoting it.
package yamltext

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Syntax returns the line that an error of the YAML library names, and what it says. The library does not name the first
// line; what it quotes of the file is left out.
func Syntax(err error) (line int, text string) {
	line, text = 1, strings.TrimPrefix(err.Error(), "yaml: ")
	if rest, found := strings.CutPrefix(text, "line "); found {
		if number, what, cut := strings.Cut(rest, ": "); cut {
			if n, err := strconv.Atoi(number); err == nil {
				line, text = n, what
			}
		}
	}
	if at := strings.IndexAny(text, "`'\""); at > 0 {
		text = strings.TrimSpace(text[:at]) + "…"
	}
	return line, text
}

// Kind says what a node is, and nothing of what it holds.
func Kind(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "keys and values"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias"
	}
	return "a text"
}
