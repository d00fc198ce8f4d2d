package runtime

import (
	"strings"
	"testing"

	"kdd/runtime/wire"
)

// TestContextBeginsWhatIsTooLarge: a hint whose text is one piece over a quarter of the budget gives its first lines,
// or all where it fits by itself.
func TestContextBeginsWhatIsTooLarge(t *testing.T) {
	line := "one sentence of the same forty bytes ok\n"
	s := serve(t, tree{"long.md": "# Long\n\n" + strings.Repeat(line, 60), "short.md": "# Short\n\n" + strings.Repeat(line, 8), "wide.md": "# Wide\n\n" + strings.Repeat("word ", 2000) + "\n"}.compile(t))
	tests := []struct {
		hint      string
		max       int
		last      int // line of the item
		leftOut   string
		something bool
	}{
		{"long.md", 300, 28, "in part: 1 of 2 pieces over the budget", true},
		{"short.md", 200, 10, "", true},
		{"wide.md", 300, 0, "over the budget", false}, // a line is not cut
	}
	for _, tt := range tests {
		r, err := s.Context(t.Context(), wire.ContextRequest{Hints: []string{tt.hint}, MaxTokens: tt.max})
		if err != nil || (len(r.Items) == 1) != tt.something || r.Tokens > tt.max {
			t.Fatalf("%s: %+v, %v", tt.hint, r, err)
		}
		reason := ""
		for _, l := range r.LeftOut {
			reason += l.Reason
		}
		if reason != tt.leftOut {
			t.Errorf("%s: left out %q, want %q", tt.hint, reason, tt.leftOut)
		}
		if !tt.something {
			continue
		}
		if item := r.Items[0]; item.Lines[0] != 1 || item.Lines[1] < tt.last || strings.Count(item.Text, "\n")+1 != item.Lines[1] || !strings.HasSuffix(item.Text, strings.TrimSpace(line)) {
			t.Errorf("%s: lines %v of %d tokens, want at least 1-%d: %q", tt.hint, item.Lines, item.Tokens, tt.last, item.Text)
		}
	}
}
