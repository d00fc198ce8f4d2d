package lock

import (
	"strings"
	"testing"
	"time"
)

// TestParseHostile reads texts that a careless parser takes long for, or overflows its stack on.
func TestParseHostile(t *testing.T) {
	tests := []struct{ name, text string }{
		{"open lists", strings.Repeat("[", maxBytes)},
		{"open mappings", strings.Repeat("{a: ", maxBytes/4)},
		{"nested lists", strings.Repeat("- ", maxBytes/2)},
		{"nested keys", strings.Repeat("? ", maxBytes/2)},
		{"a long key", strings.Repeat("a", maxBytes-2) + ":"},
		{"a long value", "version: " + strings.Repeat("1", maxBytes-9)},
		{"many keys", strings.Repeat("a: 1\n", maxBytes/5)},
		{"many documents", strings.Repeat("---\n", maxBytes/4)},
		{"many artifacts", "version: 1\nartifacts:\n" + strings.Repeat("  a:\n", maxBytes/6)},
		{"many anchors", "version: 1\nartifacts: " + strings.Repeat("&a ", maxBytes/4)},
		{"no text", strings.Repeat("\x00\xff", maxBytes/2)},
		{"one line of quotes", `"` + strings.Repeat(`\u0041`, maxBytes/7)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			begun := time.Now()
			_, err := Parse("x.lock", []byte(tt.text))
			if err == nil || len(err.Error()) > 1000 {
				t.Errorf("Parse = %.200v, want a short error", err)
			}
			if took := time.Since(begun); took > 30*time.Second {
				t.Errorf("Parse took %v", took)
			} else {
				t.Logf("%v: %v", took, err)
			}
		})
	}
}
