package text

import "testing"

func TestSlug(t *testing.T) {
	for _, c := range []struct{ name, heading, want string }{
		{"empty", "", ""},
		{"words", "Hello World", "hello-world"},
		{"double space", "a  b", "a--b"},
		{"punctuation", "What's new, in 2.0?", "whats-new-in-20"},
		{"kept", "a_b-c", "a_b-c"},
		{"accents", "Descripción ÁÉ", "descripción-áé"},
		{"Japanese", "概要 とは", "概要-とは"},
		{"marks", "e\u0301", "e\u0301"},
		{"superscript", "x²", "x"},
		{"emoji", "🎉 party", "-party"},
		{"tab", "a\tb", "ab"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Slug(c.heading); got != c.want {
				t.Errorf("Slug(%q) = %q, want %q", c.heading, got, c.want)
			}
		})
	}
}
