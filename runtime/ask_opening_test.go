package runtime

import (
	"fmt"
	"strings"
	"testing"

	"kdd/runtime/shape"
)

// TestAskOpening checks that what a document is about is quoted where a question asks what its title is, though the search found
// other sections of it.
func TestAskOpening(t *testing.T) {
	files := tree{"gasket.md": "# Gasket\n\n## Description\n\nEach one lets two pipes meet without a leak.\n"}
	var b strings.Builder
	for i := range 8 {
		fmt.Fprintf(&b, "\n## Gasket case %d\n\nPut the gasket of case %d on the gasket rack %d.\n", i, i, i)
	}
	files["gasket.md"] += b.String()
	files["other.md"] = "# Pipes\n\nA pipe is a tube. Pipes meet at a flange.\n"
	s := serve(t, files.compile(t))
	const quote = "Each one lets two pipes meet"
	for _, test := range []struct {
		question string
		want     bool
	}{
		{"what is a gasket", true},
		{"what does the gasket do", true},
		{"where do I put the gasket", false},
		{"what is the gasket rack", false},
	} {
		a := ask1(t, s, shape.AskRequest{Query: test.question})
		if got := strings.Contains(a.Answer, quote); got != test.want || !a.Grounded {
			t.Errorf("%s: %q", test.question, a.Answer)
		}
		sections := a.Retrieval.Sections
		if got := sections[len(sections)-1].Anchor == "description"; got != test.want {
			t.Errorf("%s: the last of %d sections is %s", test.question, len(sections), sections[len(sections)-1].Anchor)
		}
	}
}
