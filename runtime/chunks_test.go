package runtime

import (
	"slices"
	"strings"
	"testing"

	"kdd/runtime/wire"
)

// FILE~N is a chunk of the text before the first heading, FILE#ANCHOR~N one of a section.
func TestReadChunk(t *testing.T) {
	s := serve(t, tree{"a.md": "Before all.\n\n# A\n\nOne.\n\n## B\n\nTwo.\n"}.compile(t))
	for _, tt := range []struct{ file, text, message string }{
		{file: "a.md~1", text: "Before all."},
		{file: "a.md#a~1", text: "One."},
		{file: "a.md#b~1", text: "Two."},
		{file: "a.md~2", message: `"a.md": no chunk 2 in it, it has 1`},
		{file: "a.md#b~3", message: `"a.md#b": no chunk 3 in it, it has 1`},
		{file: "b.md~1", message: `no document "b.md~1" in the index`},
	} {
		p, err := s.Read(t.Context(), wire.ReadRequest{File: tt.file})
		switch {
		case tt.message != "":
			if err == nil || !strings.HasPrefix(err.Error(), tt.message) {
				t.Errorf("Read(%s) = %v, want %s", tt.file, err, tt.message)
			}
		case err != nil || strings.TrimSpace(p.Markdown) != tt.text:
			t.Errorf("Read(%s) = %+v, %v, want %q", tt.file, p, err, tt.text)
		}
	}
}

// A query whose phrases take too many steps to look for is answered, and says that it requires nothing.
func TestPhrasesThatTakeTooLong(t *testing.T) {
	s := serve(t, tree{"a.md": "# Filled\n\n" + strings.Repeat("zeta ", 8000) + "\n", "b.md": "# Other\n\nOnce zeta.\n"}.compile(t))
	var phrases []string
	for i := range 20 {
		phrases = append(phrases, `"`+strings.Repeat("zeta ", 5+i)+`"`)
	}
	const warning = "what the query requires takes too long to check: it only ranks"
	for n, warned := range map[int]bool{1: false, len(phrases): true} {
		resp, err := s.Search(t.Context(), wire.SearchRequest{Query: strings.Join(phrases[:n], " AND ")})
		if err != nil || slices.Contains(resp.Warnings, warning) != warned || len(resp.Results) == 0 || resp.Results[0].Path != "a.md" {
			t.Errorf("Search for %d phrases = %+v, %v; want a.md, warned: %t", n, resp, err, warned)
		}
	}
}
