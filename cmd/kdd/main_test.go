package main

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"kdd/cmd/internal/cli"
)

// TestElsewhere checks that kddq names the commands that kdd has beside it, and no other.
func TestElsewhere(t *testing.T) {
	var own []string
	for _, c := range ownCommands() {
		first, _, _ := strings.Cut(c.Name, " ")
		own = append(own, first)
	}
	slices.Sort(own)
	own, named := slices.Compact(own), cli.Standalone().Elsewhere
	if !slices.Equal(own, slices.Sorted(slices.Values(named))) {
		t.Errorf("kddq says that kdd has %q, which has %q", named, own)
	}
}

// TestHelp checks that the help of each command that only kdd has fits a screen of 60 lines and 100 columns.
func TestHelp(t *testing.T) {
	for _, c := range ownCommands() {
		var out bytes.Buffer
		if code := run(append([]string{"help"}, strings.Fields(c.Name)...), nil, &out, io.Discard); code != cli.ExitOK {
			t.Fatalf("help %s exits with %d", c.Name, code)
		}
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		if len(lines) > 60 {
			t.Errorf("help of %s has %d lines, at most 60", c.Name, len(lines))
		}
		for _, line := range lines {
			if len([]rune(line)) > 100 && !strings.HasPrefix(line, "  kdd ") { // an example may be longer
				t.Errorf("help of %s has a line of %d characters: %s", c.Name, len([]rune(line)), line)
			}
		}
	}
}
