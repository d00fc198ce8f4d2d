package runtime

import (
	"strings"
	"testing"

	"kdd/runtime/wire"
)

// TestNumberedDocuments: KEP-1287 is the document 1287-in-place.md where nothing is called so, and what is ambiguous, a
// date or a name of its own is none.
func TestNumberedDocuments(t *testing.T) {
	f := tree{
		"1287-in-place.md": "# In-place Update\n\nResize.\n", "753-sidecars.md": "# KEP-753: Sidecars\n\nSee KEP-1287.\n", "0412-use-postgres.md": "# Postgres\n\nChosen.\n",
		"2024-05-01-news.md": "# News\n\nText.\n", "2025-roadmap.md": "# Roadmap\n\nText.\n", "12873-other.md": "# Other\n\nText.\n",
	}
	for _, folder := range []string{"a", "b", "c", "d"} {
		f[folder+"/404-page.md"] = "# Page\n\nNot there.\n"
	}
	s := serve(t, f.compile(t))
	tests := []struct{ name, path, warning string }{
		{"KEP-1287", "1287-in-place.md", `nothing is named "KEP-1287": read as "1287-in-place"`},
		{"1287", "1287-in-place.md", `nothing is named "1287": read as "1287-in-place"`},
		{"rfc 412", "0412-use-postgres.md", `nothing is named "rfc 412": read as "0412-use-postgres"`},
		{"kep 753", "753-sidecars.md", ""}, // its title has it
		{"2025", "2025-roadmap.md", `nothing is named "2025": read as "2025-roadmap"`},
		{"2024", "", ""},
		{"404", "", ""},
	}
	for _, tt := range tests {
		r, err := s.FindSpec(t.Context(), wire.FindSpecRequest{Name: tt.name})
		if err != nil {
			t.Fatal(err)
		}
		first := ""
		if len(r.Results) > 0 && strings.HasPrefix(strings.Join(r.Results[0].Match, " ")+" ", "near ") {
			first = r.Results[0].Path
		}
		if first != tt.path || strings.Join(r.Warnings, "|") != tt.warning {
			t.Errorf("FindSpec(%s): %q first, warnings %q; want %q, %q", tt.name, first, r.Warnings, tt.path, tt.warning)
		}
	}
	_, err := s.Related(t.Context(), wire.RelatedRequest{Entity: "KEP-1287"})
	if e := want(t, err, wire.CodeNotFound); !strings.HasPrefix(e.Hint, "did you mean 1287-in-place") {
		t.Errorf("Related(KEP-1287): %v", e)
	}
	_, err = s.Read(t.Context(), wire.ReadRequest{File: "KEP-1287"})
	if e := want(t, err, wire.CodeNotFound); !strings.HasPrefix(e.Hint, "did you mean 1287-in-place.md") {
		t.Errorf("Read(KEP-1287): %v", e)
	}
}

// TestSearchForNumbers: a question that ends in a number is about the document of that number only if its word is what
// the documents are called; else the hits are those of any question.
func TestSearchForNumbers(t *testing.T) {
	s := serve(t, tree{
		"1287-in-place.md": "# In-place Update\n\nResize.\n", "404-not-found.md": "# Missing\n\nThe page.\n", "753-sidecars.md": "# KEP-753: Sidecars\n\nSee it.\n",
		"2024-roadmap.md": "# Plans\n\nMore.\n", "rfcs/0412-store.md": "# Store\n\nChosen.\n", "limits.md": "# Limits\n\nThe HTTP status 404, port 1287, the sidecars of release 2024, python 3.\n",
	}.compile(t))
	for _, tt := range []struct{ query, first string }{
		{"KEP-1287", "1287-in-place.md"}, {"kep 1287", "1287-in-place.md"}, {"1287", "1287-in-place.md"}, {"RFC-412", "rfcs/0412-store.md"}, {"rfc 0412", "rfcs/0412-store.md"},
		{"http 404", "limits.md"}, {"port 1287", "limits.md"}, {"release 2024", "limits.md"}, {"2024 sidecars", "limits.md"}, {"python 3", "limits.md"}, {"KEP-412", "limits.md"},
		{"2024", "2024-roadmap.md"},
	} {
		r := searched(t, s, wire.SearchRequest{Query: tt.query})
		guessed := strings.Contains(strings.Join(r.Warnings, "|"), "nothing is named")
		if first := append(r.Results, wire.Hit{})[0].Path; tt.first != "limits.md" && (first != tt.first || !guessed) || tt.first == "limits.md" && guessed {
			t.Errorf("Search(%s): %q first, warnings %q; want %q", tt.query, first, r.Warnings, tt.first)
		}
	}
}
