package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestWrap(t *testing.T) {
	tests := []struct {
		name, text string
		width      int
		want       string
	}{
		{"empty", "", 10, ""},
		{"one word", "word", 2, "word"},
		{"exactly", "ab cd", 5, "ab cd"},
		{"one over", "ab cde", 5, "ab\ncde"},
		{"line feeds stay", "a b\nc", 10, "a b\nc"},
		{"examples stay", "see\n  a  b", 4, "see\n  a  b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := wrap(tt.text, tt.width, ""); got != tt.want {
				t.Errorf("wrap(%q, %d) = %q, want %q", tt.text, tt.width, got, tt.want)
			}
		})
	}
}

// TestHelp checks that the help of every command names all its flags, and that no line is wider than the page.
func TestHelp(t *testing.T) {
	tool := Standalone()
	for _, c := range tool.commands() {
		var out bytes.Buffer
		if err := c.writeHelp(&out, tool.Name); err != nil {
			t.Fatal(err)
		}
		for _, f := range c.flags() {
			if !strings.Contains(out.String(), " "+f.spelling()) {
				t.Errorf("help of %s does not name %s", c.Name, f.spelling())
			}
		}
		for line := range strings.Lines(out.String()) {
			if len(line) > helpWidth+1 && !strings.HasPrefix(line, "  "+tool.Name+" ") { // an example may be longer
				t.Errorf("help of %s has a line of %d bytes: %s", c.Name, len(line), line)
			}
		}
	}
}

// TestExamples checks that the examples in help and the indented commands of README.md and docs have only flags and arguments that there
// are. Commands that kdd alone has are left to the scripts.
func TestExamples(t *testing.T) {
	tool := Standalone()
	var lines []string
	for _, c := range tool.commands() {
		for _, e := range c.Examples {
			if !strings.HasPrefix(e, c.Name) {
				t.Errorf("example of %s: %s", c.Name, e)
			}
			lines = append(lines, e)
		}
	}
	pages, err := filepath.Glob("../../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	var raw []byte
	for _, page := range append(pages, "../../../README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		raw = append(raw, text...)
	}
	for _, m := range regexp.MustCompile(`(?m)^(?:    |\$ )kddq? ((?:[a-z-]+).*)$`).FindAllStringSubmatch(string(raw), -1) {
		if first, _, _ := strings.Cut(m[1], " "); first != "build" && first != "model" {
			lines = append(lines, m[1])
		}
	}
	if len(lines) < 50 {
		t.Fatalf("%d examples, want those of all commands", len(lines))
	}
	for _, line := range lines {
		words := exampleWords(line)
		c, n := tool.find(words)
		if c == nil {
			t.Errorf("%s: no such command", line)
			continue
		}
		arranged, err := arrange(c.flags(), words[n:])
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		parsed, err := parse(c.Name, c.flags(), arranged)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if err := c.checkArgs(tool.Name, parsed.Args().Slice()); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// exampleWords takes a command line apart as a shell does, up to a comment, a pipe, a redirection or "&".
func exampleWords(line string) []string {
	var words []string
	for _, m := range regexp.MustCompile(`"([^"]*)"|'([^']*)'|([^\s"']+)`).FindAllStringSubmatch(line, -1) {
		if strings.HasPrefix(m[3], "#") || strings.ContainsAny(m[3], "|<>&") {
			break
		}
		words = append(words, m[1]+m[2]+m[3])
	}
	return words
}
