package markdown

import (
	"fmt"
	"strings"
	"testing"
)

// TestFrontMatter has what front matter becomes: its form, fields as "name type values", rules of diagnostics, and the
// text that is left.
func TestFrontMatter(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"values", "---\na: b\nc: 1\nd: 1.5\ne: true\nf: 2026-01-02\ng:\nh: \"1\"\n---\nx",
			`yaml 1-9 / a string ["b"] / c int ["1"] / d float ["1.5"] / e bool ["true"] / f date ["2026-01-02"] / g null [""] / h string ["1"] / paragraph: x`},
		{"numbers of other bases", "---\na: 0x10\nb: 0o17\nc: 1_000\nd: .inf\ne: 010\n---\n",
			`yaml 1-7 / a int ["16"] / b int ["15"] / c int ["1000"] / d string [".inf"] / e string ["010"] / `},
		{"words for yes and no", "---\na: yes\nb: Off\nc: TRUE\n---\n",
			`yaml 1-5 / a string ["yes"] / b string ["Off"] / c bool ["true"] / `},
		{"times", "---\na: 2026-01-02T03:04:05Z\nb: 2026-01-02 03:04:05\nc: 12:30\n---\n",
			`yaml 1-5 / a date ["2026-01-02T03:04:05Z"] / b date ["2026-01-02T03:04:05Z"] / c string ["12:30"] / `},
		{"lists", "---\na: [b, 1, true]\nc:\n  - d\n  - [e, f]\n  - g: h\ni: []\n---\n",
			`yaml 1-8 / a string list ["b" "1" "true"] / c.g string list ["h"] / c string list ["d" "e" "f"] / i string list [] / `},
		{"maps", "---\na:\n  b: c\n  d:\n    e: [f]\ng: {h: i}\nj: {}\n---\n",
			`yaml 1-8 / a.b string ["c"] / a.d.e string list ["f"] / g.h string ["i"] / `},
		{"texts of several lines", "---\na: |\n  b\n  c\nd: >\n  e\n  f\n---\n",
			"yaml 1-8 / a string [\"b\\nc\"] / d string [\"e f\"] / "},
		{"aliases", "---\na: &x [b, c]\nd: *x\ne: &y {f: g}\nh:\n  <<: *y\n  i: j\n---\n",
			`yaml 1-8 / a string list ["b" "c"] / d string list ["b" "c"] / e.f string ["g"] / h.i string ["j"] / h.f string ["g"] / `},
		{"merges of several", "---\na: &x {b: c}\nd: &y {b: e, f: g}\nh:\n  <<: [*x, *y]\n---\n",
			`yaml 1-6 / a.b string ["c"] / d.b string ["e"] / d.f string ["g"] / h.b string ["c"] / h.f string ["g"] / `},
		{"a key twice", "---\na: b\na: c\n---\n", `yaml 1-4 / a string ["b"] / diag front-matter-duplicate`},
		{"a syntax error", "---\na: b\nc: [d\ne: f\n---\nx",
			`yaml 1-5 / a string ["b"] / c string ["[d"] / e string ["f"] / paragraph: x / diag front-matter-syntax`},
		{"a tag", "---\na: !x b\nc: !!str 1\n---\n", `yaml 1-4 / a string ["b"] / c string ["1"] / `},
		{"a comment", "---\n# a\nb: c # d\n---\nx", `yaml 1-4 / b string ["c"] / paragraph: x`},
		{"no front matter: a list", "---\n- a\n- b\n---\nx",
			"item: a / item: b / paragraph: x / diag front-matter-root"},
		{"no front matter: text", "---\na\n---\nx", "title a / #a a / paragraph: x"},
		{"only comments", "---\n# a\n---\nx", "yaml 1-3 / paragraph: x"},
		{"no front matter: comments and text", "---\n# a\n\n---\nx", "title a / #a a / paragraph: x"},
		{"no end", "---\na: b\n\nx", `yaml 1-2 / a string ["b"] / paragraph: x / diag front-matter-open`},
		{"no front matter: a line before it", "x\n\n---\na: b\n---\n", "paragraph: x / #a-b a: b"},
		{"an end of dots", "---\na: b\n...\nx", `yaml 1-3 / a string ["b"] / paragraph: x`},
		{"empty", "---\n---\nx", "yaml 1-2 / paragraph: x"},
		{"TOML", "+++\na = 'b'\nc = [1, 2]\nd = 2026-01-02\n[e]\nf = true\n[[g]]\nh = 1.5\n+++\nx",
			`toml 1-9 / a string ["b"] / c int list ["1" "2"] / d date ["2026-01-02"] / e.f bool ["true"] / g.h float ["1.5"] / paragraph: x / diag front-matter-form`},
		{"TOML with a syntax error", "+++\na = b = c\nd = 'e'\n+++\nx",
			`toml 1-4 / a string ["b = c"] / d string ["e"] / paragraph: x / diag front-matter-form`},
		{"JSON", "{\n\"a\": \"b\",\n\"c\": [1, true, null],\n\"d\": {\"e\": 1.5}\n}\nx",
			`json 1-5 / a string ["b"] / c string list ["1" "true"] / d.e float ["1.5"] / paragraph: x / diag front-matter-form`},
		{"under a heading", "# A\n\n```yaml\nb: c\n```\n\nx", "title A / #a A / code yaml: b: c / paragraph: x"},
		{"under a heading, between dashes", "# A\n\n---\nb: c\n---\n\nx",
			`heading 3-5 / b string ["c"] / title A / #a A / paragraph: x`},
		{"a title with markup", "---\ntitle: \"*A* `b` [c](d) &amp; e\"\ndraft: true\n---\n",
			"yaml 1-4 / title string [\"*A* `b` [c](d) &amp; e\"] / draft bool [\"true\"] / title A b c & e / draft"},
		{"not published", "---\npublished: no\n---\n", `yaml 1-3 / published string ["no"] / draft`},
	} {
		d := Parse("a.md", []byte(c.source))
		var parts []string
		if m := d.FrontMatter; m != nil {
			parts = append(parts, fmt.Sprintf("%s %d-%d", m.Form, m.LineStart, m.LineEnd))
			for _, f := range m.Fields {
				parts = append(parts, fmt.Sprintf("%s %s%s %q", f.Name, typeNames[f.Type], when(f.List, " list"), f.Values))
			}
		}
		if d.TitleFrom != "stem" {
			parts = append(parts, "title "+d.Title)
		}
		got := strings.Join(append(parts, when(d.Draft, "draft")+brief(d)), " / ")
		if got != c.want {
			t.Errorf("%s: Parse(%q) = %q, want %q", c.name, c.source, got, c.want)
		}
	}
}
