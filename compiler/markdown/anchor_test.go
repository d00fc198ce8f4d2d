package markdown

import (
	"strings"
	"testing"
)

// TestAnchors has the anchors of a document: of its sections, then of what is none.
func TestAnchors(t *testing.T) {
	lower := func(title string) string { return strings.ReplaceAll(strings.ToLower(title), " ", "-") }
	for _, tt := range []struct {
		name, text, want string
		options          Options
	}{
		{"a comment in a heading", "# A {/*#one*/}\n## B { /*#two:-x*/ }\n## C { /* a remark */ }\n## D { /* #four */ }\n", "one two:-x c four", Options{}},
		{"tabs have none", "# A\n=== \"One\"\n    text\n", "a", Options{}},
		{"tabs by title", "# A\n=== \"One two\"\n    text\n\n=== \"One two\"\n    text\n", "a one-two one-two-1", Options{Tab: lower}},
		{"tabs below a heading", "=== \"No\"\n    x\n\n# A\n=== \"One\"\n    text\n!!! note \"Not\"\n    x\n", "a no a-one", Options{Tab: lower, TabBelow: true}},
		{"a fence", "# A\n``` { .sh #list }\nx\n```\n\n```js {1,3}\ny\n```\n", "a list", Options{}},
		{"a fence in a note", "# A\n??? note \"N\"\n\n    ``` { .sh .no-copy #list }\n    x\n    ```\n", "a list", Options{}},
	} {
		var got []string
		d := ParseWith("a.mdx", []byte(tt.text), tt.options)
		for _, s := range d.Sections[1:] {
			got = append(got, s.Anchor)
		}
		for _, a := range d.Anchors {
			got = append(got, a.ID)
		}
		if all := strings.Join(got, " "); all != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, all, tt.want)
		}
	}
}
