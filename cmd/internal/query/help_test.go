package query

import (
	"bytes"
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
			if len(line) > helpWidth+20 {
				t.Errorf("help of %s has a line of %d bytes: %s", c.Name, len(line), line)
			}
		}
	}
}
