package yamltext

import (
	"testing"

	"go.yaml.in/yaml/v3"
)

func TestSyntax(t *testing.T) {
	for text, want := range map[string]struct {
		line int
		text string
	}{
		"a: [":         {1, "did not find expected node content"},
		"a: 1\n\tb: 2": {2, "found a tab character that violates indentation"},
		"a: *secret":   {1, "unknown anchor…"},
	} {
		var n yaml.Node
		err := yaml.Unmarshal([]byte(text), &n)
		if err == nil {
			t.Fatalf("%q is YAML", text)
		}
		if line, got := Syntax(err); line != want.line || got != want.text {
			t.Errorf("Syntax of %q: %v = %d, %q, want %d, %q", text, err, line, got, want.line, want.text)
		}
	}
}

func TestKind(t *testing.T) {
	for text, want := range map[string]string{"a: 1": "keys and values", "[1]": "a list", "x": "a text"} {
		var n yaml.Node
		if err := yaml.Unmarshal([]byte(text), &n); err != nil {
			t.Fatal(err)
		}
		if got := Kind(n.Content[0]); got != want {
			t.Errorf("Kind of %q = %q, want %q", text, got, want)
		}
	}
}
