package main

import (
	"slices"
	"strings"
	"testing"

	"kdd/cmd/internal/cli"
)

// TestElsewhere checks that kddq names the commands that kdd has beside it, and no other.
func TestElsewhere(t *testing.T) {
	var own []string
	for _, c := range append(modelCommands(), buildCommand()) {
		first, _, _ := strings.Cut(c.Name, " ")
		own = append(own, first)
	}
	slices.Sort(own)
	if own, named := slices.Compact(own), cli.Standalone().Elsewhere; !slices.Equal(own, slices.Sorted(slices.Values(named))) {
		t.Errorf("kddq says that kdd has %q, which has %q", named, own)
	}
}
