package source

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestRuleList compares what is looked up with each rule tried in turn, from the last one.
func TestRuleList(t *testing.T) {
	parts := []string{"a", "b", "*", "*.md", "a.md", "a*", "?", "[ab]", "**", "b.md", "x"}
	r := rand.New(rand.NewPCG(7, 11))
	path := func(n int) string {
		names := make([]string, n)
		for i := range names {
			names[i] = parts[r.IntN(len(parts))]
		}
		return strings.Join(names, "/")
	}
	looked := 0
	for range 20_000 {
		var text strings.Builder
		for range 1 + r.IntN(6) {
			fmt.Fprintf(&text, "%s%s%s\n", []string{"", "", "!", "/"}[r.IntN(4)], path(1+r.IntN(2)), []string{"", "", "/"}[r.IntN(3)])
		}
		list := parseIgnore(text.String())
		subject, isDir := strings.NewReplacer("*", "ab", "?", "b", "[ab]", "a").Replace(path(1+r.IntN(3))), r.IntN(2) == 0
		name := subject[strings.LastIndexByte(subject, '/')+1:]
		var want *rule
		for i := range list.rules {
			r := &list.rules[i]
			against := subject
			if r.baseOnly {
				against = name
			}
			if (isDir || !r.dirOnly) && r.pattern.match(against) {
				want = r
			}
		}
		if got := list.last(subject, name, isDir); got != want {
			t.Fatalf("of the rules\n%s%q (folder: %v) gets %+v, want %+v", text.String(), subject, isDir, got, want)
		}
		if want != nil && list.globs() < len(list.rules) {
			looked++
		}
	}
	if looked < 1000 {
		t.Errorf("%d cases had a match and rules that are looked up, want many", looked)
	}
}
