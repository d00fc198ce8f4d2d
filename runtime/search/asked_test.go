package search

import "testing"

// TestCompound tells words with hyphens from identifiers.
func TestCompound(t *testing.T) {
	for text, want := range map[string]bool{
		"Puis-je": true, "Peut-on": true, "Faut-il": true, "Как-то": true, "Кто-нибудь": true, "lazy-load": true, "well-known": true,
		"Next-auth": false, "X-Frame": false, "EVT-Merged": false, "a-1": false,
	} {
		if got := compound(text+" ?", span{0, len(text)}); got != want {
			t.Errorf("compound(%q) = %v, want %v", text, got, want)
		}
	}
	const inside = "le champ Puis-je"
	if compound(inside, span{len(inside) - len("Puis-je"), len(inside)}) {
		t.Errorf("%q inside of a question is taken for a verb", "Puis-je")
	}
}
