package runtime

import (
	"fmt"
	"slices"
	"testing"

	"kdd/runtime/wire"
)

// Columns are characters, of any number of bytes and UTF-16 code units.
func TestLintColumns(t *testing.T) {
	s := serve(t, tree{
		"a.md": "---\nstatus: quite unknown\n---\n# Ä\n\nÄÖÜ [one](gone.md)\n\n🦊🦊 and [two](gone2.md) [three](gone3.md)\n",
		"b.md": "# B\r\n\r\nß [four](gone4.md)\r\n",
		"c.md": "---\nid: C-1\n---\n# C\n", "d.md": "---\nid: C-1\n---\n# D\n",
	}.compile(t))
	resp, err := s.Lint(t.Context(), wire.LintRequest{Rules: []string{"broken-link"}, Places: true, Page: wire.Page{MaxBytes: -1}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range resp.Findings {
		got = append(got, fmt.Sprintf("%s:%d:%d", f.Path, f.Line, f.Col))
	}
	if want := []string{"a.md:6:5", "a.md:8:8", "a.md:8:24", "b.md:3:3"}; !slices.Equal(got, want) {
		t.Errorf("findings at %v, want %v", got, want)
	}
}

// Groups are found in any case, and those that have a rate give it however they are written.
func TestLintGroups(t *testing.T) {
	s := serve(t, tree{"a.md": "# A\n\n[one](gone.md)\n"}.compile(t))
	for _, tt := range []struct {
		rules []string
		total int
		rate  bool
	}{
		{[]string{"orphans"}, 1, true},
		{[]string{" Orphans "}, 1, true},
		{[]string{"VIOLATIONS"}, 0, true},
		{[]string{"ids"}, 0, false},
		{[]string{"orphans", "ids"}, 1, false},
	} {
		resp, err := s.Lint(t.Context(), wire.LintRequest{Rules: tt.rules})
		if err != nil || resp.Total != tt.total || (resp.Rate != nil) != tt.rate {
			t.Errorf("Lint(%q) = %+v, %v; want %d findings, a rate: %t", tt.rules, resp, err, tt.total, tt.rate)
		}
	}
}
