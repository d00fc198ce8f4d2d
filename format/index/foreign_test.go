package index

import "testing"

func TestForeign(t *testing.T) {
	tests := []struct {
		name, rule, text string
		of, target       string // "" = no link to another artifact
	}{
		{"a title", ForeignRule, ForeignText("stock::Green tea"), "stock", "Green tea"},
		{"an anchor", ForeignRule, ForeignText(" stock :: green#prices "), "stock", "green#prices"},
		{"a name with colons", ForeignRule, ForeignText("stock::a::b"), "stock", "a::b"},
		{"cut off", ForeignRule, ForeignText("stock::A very long…"), "", ""},
		{"no target", ForeignRule, ForeignText("stock::"), "", ""},
		{"no name", ForeignRule, ForeignText("::a"), "", ""},
		{"no link", ForeignRule, ForeignText("stock"), "", ""},
		{"another text", ForeignRule, "[[stock::a]] is no link", "", ""},
		{"empty", ForeignRule, "", "", ""},
		{"another rule", "orphan-wiki-link", ForeignText("stock::Green tea"), "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := Finding{Rule: tt.rule, Text: tt.text}
			of, target, ok := f.Foreign()
			if !ok {
				of, target = "", ""
			}
			if of != tt.of || target != tt.target || ok != (tt.of != "") {
				t.Errorf("Foreign() = %q, %q, %t, want %q, %q", of, target, ok, tt.of, tt.target)
			}
		})
	}
}
