package cli

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestHelp checks that the help of every command names all its flags, fits a screen, and has no line wider than that.
func TestHelp(t *testing.T) {
	tool := Standalone()
	for _, c := range tool.commands() {
		var out bytes.Buffer
		if err := tool.run(t.Context(), append([]string{"help"}, strings.Fields(c.Name)...), nil, &out,
			io.Discard); err != nil {
			t.Fatal(err)
		}
		for _, f := range c.flags() {
			if !strings.Contains(out.String(), " "+f.spelling()) {
				t.Errorf("help of %s does not name %s", c.Name, f.spelling())
			}
		}
		if n := strings.Count(out.String(), "\n"); n > helpLines {
			t.Errorf("help of %s has %d lines, at most %d", c.Name, n, helpLines)
		}
		for line := range strings.Lines(out.String()) {
			if len(line) > helpWidth+1 && !strings.HasPrefix(line, "  "+tool.Name+" ") { // an example may be longer
				t.Errorf("help of %s has a line of %d bytes: %s", c.Name, len(line), line)
			}
		}
	}
}

// TestExamples checks that the examples in help and the indented commands of README.md and docs have only flags and
// arguments that there are. Commands that kdd alone has are left to the scripts.
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
		if first, _, _ := strings.Cut(m[1], " "); !slices.Contains(Standalone().Elsewhere, first) {
			lines = append(lines, m[1])
		}
	}
	if len(lines) < 50 {
		t.Fatalf("%d examples, want those of all commands", len(lines))
	}
	var run []string // the name and the arguments that a line leads to
	idle := Tool{Name: tool.Name}
	for _, c := range tool.commands() {
		stub := *c
		stub.ConfigDir = nil
		stub.Run = func(call *Call) error {
			run = append([]string{c.Name}, call.Args...)
			return nil
		}
		idle.Commands = append(idle.Commands, &stub)
	}
	for _, line := range lines {
		run = nil
		if strings.HasPrefix(line, "completion ") { // it takes the place of the library's own, so that it is not idle
			continue
		}
		if err := idle.run(t.Context(), exampleWords(line), nil, io.Discard, io.Discard); err != nil &&
			!strings.Contains(err.Error(), "no such folder") {
			t.Errorf("%s: %v", line, err)
		} else if err == nil && (run == nil || !strings.HasPrefix(line, run[0])) && !strings.HasPrefix(line, "help") {
			t.Errorf("%s runs %q", line, run)
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

// TestHelpCommand checks whose help is shown, with flags among the words too.
func TestHelpCommand(t *testing.T) {
	tests := []struct{ argv, want string }{
		{"help", "kddq: ask compiled"},
		{"help -h", "kddq: ask compiled"},
		{"help --help", "kddq: ask compiled"},
		{"help -x", "kddq: ask compiled"},
		{"help search", "kddq search: "},
		{"help search -h", "kddq search: "},
		{"help --help search", "kddq search: "},
		{"help search -i docs.kddx", "kddq search: "},
		{"help remote -h", "usage: kddq remote "},
		{"help remote call --help", "kddq remote call: "},
		{"help -5", "kddq: ask compiled"},
		{"help nothing -h", `unknown command "nothing"; see kddq help`},
		{"help remote nothing -h", `remote takes list, `},
	}
	for _, tt := range tests {
		t.Run(tt.argv, func(t *testing.T) {
			var out bytes.Buffer
			tool := Standalone()
			err := tool.run(t.Context(), strings.Fields(tt.argv), nil, &out, io.Discard)
			got := out.String()
			if err != nil {
				got = err.Error()
			}
			if !strings.HasPrefix(got, tt.want) {
				t.Errorf("%q begins %.60q, want %q", tt.argv, got, tt.want)
			}
		})
	}
}
