package runtime

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"kdd/runtime/wire"
)

// TestAskOpening checks that what a document is about is quoted where a question asks what its title is, though the
// search found other sections of it.
func TestAskOpening(t *testing.T) {
	var gasket, rule strings.Builder
	for i := range 8 {
		fmt.Fprintf(&gasket, "\n## Gasket case %d\n\nPut the gasket of case %d on the gasket rack %d.\n", i, i, i)
		fmt.Fprintf(&rule, "\n## BR-9 case %d\n\nIn case %d of BR-9 the flange %d leaks.\n", i, i, i)
	}
	s := serve(t, tree{
		"gasket.md": "# Gasket\n\n## Description\n\nEach one lets two pipes meet without a leak.\n" + gasket.String(),
		"rule.md":   "---\nid: BR-9\ntitle: Flanges\n---\n\n# BR-9, of flanges\n\n## Description\n\nAll of them stay shut at night.\n" + rule.String(),
		"other.md":  "# Pipes\n\nA pipe is a tube. Pipes meet at a flange.\n",
	}.compile(t))
	for _, test := range []struct {
		question, quote string
		want            bool
	}{
		{"what is a gasket", "Each one lets two pipes meet", true},
		{"what does the gasket do", "Each one lets two pipes meet", true},
		{"what is BR-9", "All of them stay shut", true},
		{"where do I put the gasket", "Each one lets two pipes meet", false},
		{"what is the gasket rack", "Each one lets two pipes meet", false},
	} {
		a := ask1(t, s, wire.AskRequest{Query: test.question})
		if got := strings.Contains(a.Answer, test.quote); got != test.want || !a.Answered() {
			t.Errorf("%s: %q", test.question, a.Answer)
		}
		if s := a.Retrieval.Sections; slices.ContainsFunc(s, func(s wire.AnswerSection) bool { return s.Anchor == "description" }) != test.want {
			t.Errorf("%s: the sections are not those that are cited: %+v", test.question, s)
		}
	}
}
