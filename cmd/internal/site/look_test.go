package site

import (
	"strings"
	"testing"
)

// TestCodeStyles checks that a theme's colours of code do not reach the other theme, where they may be unreadable.
func TestCodeStyles(t *testing.T) {
	depth, rules := 0, 0
	for _, line := range strings.Split(codeStyles(), "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), ".") {
			if rules++; depth == 0 {
				t.Errorf("a rule of every theme: %s", line)
			}
		}
		depth += strings.Count(line, "{") - strings.Count(line, "}")
	}
	if rules < 100 || depth != 0 {
		t.Errorf("%d rules, braces off by %d", rules, depth)
	}
}

// TestLocalPictures checks the addresses of pictures, in markdown and HTML, and that all local ones are counted.
func TestLocalPictures(t *testing.T) {
	got, report := write(t, options(t, map[string]string{
		"guides/a.md": "# A\n\n![x](/img/x.png) ![y](y.png) <img src=\"/img/z.png\" alt=\"z > z\"> ![r](//host.example/r.png) " +
			"![s](https://host.example/s.png)\n\n`<img src=\"/kept.png\">`\n",
	}))
	page := got["guides/a.html"]
	for _, want := range []string{
		`src="../img/x.png"`, `src="y.png"`, `src="../img/z.png"`, `src="//host.example/r.png"`,
		`src="https://host.example/s.png"`, `/kept.png`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in\n%s", want, page)
		}
	}
	if strings.Contains(page, "../kept.png") {
		t.Error("text in code is changed")
	}
	if all := strings.Join(report.Warnings, "\n"); !strings.Contains(all, "3 pictures") {
		t.Errorf("warnings %q, want 3 pictures", all)
	}
}

// TestOwnIDs checks that no heading takes the id of the page's own content.
func TestOwnIDs(t *testing.T) {
	got, _ := write(t, options(t, map[string]string{"a.md": "# A\n\n## Content\n\nText.\n"}))
	if n := strings.Count(got["a.html"], `id="content"`); n != 1 {
		t.Errorf("%d elements have the id content, want the heading alone", n)
	}
}

// TestComponentLines checks that markdown right below a component is markdown.
func TestComponentLines(t *testing.T) {
	got, _ := write(t, options(t, map[string]string{
		"a.md": "# A\n\n<Note>\n#### Calls of `f` {/*calls*/}\n\nText.\n</Note>\n\n```jsx\n<Note>\n```\n",
	}))
	if page := got["a.html"]; !strings.Contains(page, `<h4 id="calls">Calls of <code>f</code>`) || !strings.Contains(page, "Note") {
		t.Errorf("a heading below a component is none, or code is changed:\n%s", page)
	}
}
