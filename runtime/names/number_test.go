package names

import "testing"

func TestNumberIn(t *testing.T) {
	tests := []struct{ text, want string }{
		{"1287", "1287"}, {"kep-1287", "1287"}, {"kep 1287", "1287"}, {"rfc1287", "1287"}, {"issue #1287", "1287"}, {"adr_0004", "0004"}, {"pep.0484", "0484"},
		{"", ""}, {"kep", ""}, {"12", ""}, {"adr-12", ""}, {"12345678", ""}, {"v1.30", ""}, {"1.300", ""}, {"2024-05", ""}, {"react 18 or 1287", ""}, {"kep-1287-in-place", ""},
		{"enhancementproposal-1287", ""}, {"été 1287", ""},
	}
	for _, tt := range tests {
		if _, got := numberIn(tt.text); got != tt.want {
			t.Errorf("numberIn(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}
