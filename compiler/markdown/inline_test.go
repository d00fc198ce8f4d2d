package markdown

import (
	"fmt"
	"strings"
	"testing"
)

// TestInlines has what inlines become: text, and links as "kind text > target @ column". Each text is tried as it is,
// in a list, in a quote and, if it has one line, in a cell of a table.
func TestInlines(t *testing.T) {
	for _, c := range []struct{ name, source, text, links string }{
		{"nothing special", "a b", "a b", ""},
		{"emphasis", "*a* **b** ***c*** _d_ __e__", "a b c d e", ""},
		{"emphasis inside a word", "a*b*c a_b_c", "abc a_b_c", ""},
		{"emphasis that nothing ends", "*a **b _c", "*a **b _c", ""},
		{"emphasis that begins nowhere", "a* b** c_", "a* b** c_", ""},
		{"emphasis across a link", "*a [b*](c)", "*a b*", "inline b* > c @4"},
		{"emphasis around a link", "*a [b](c)*", "a b", "inline b > c @4"},
		{"lengths that do not match", "*a** **b*", "a* *b", ""},
		{"strikes", "~a~ ~~b~~ ~~~c~~~ ~d", "a b ~~~c~~~ ~d", ""},
		{"escapes", `\*a\* \[b\](c) \\ \a \<b>`, `*a* [b](c) \ \a <b>`, ""},
		{"escape at the end", `a \`, `a \`, ""},
		{"code", "`a` ``b`c`` ` d ` `e", "a b`c d `e", ""},
		{"code before all else", "`*a*` `[b](c)` *d`*`", "*a* [b](c) *d*", ""},
		{"back-ticks of other lengths", "``a` b``` c", "``a` b``` c", ""},
		{"back-ticks behind a backslash", "\\`a` b`", "`a b", ""},
		{"entities", "&amp; &#42;&nbsp;&no; &ampx;", "& * &no; &ampx;", ""},
		{"autolinks", "<http://a.b> <c@d.e> <3@d.e> <xy:z>", "http://a.b c@d.e 3@d.e xy:z",
			"auto http://a.b > http://a.b @1, auto c@d.e > mailto:c@d.e @14, auto 3@d.e > mailto:3@d.e @22, auto xy:z > xy:z @30"},
		{"no autolinks", "<@c> <file> <x:y> <x y>", "<@c> <file> <x:y>", ""},
		{"bare URLs", "http://a.b/c. (https://d.e/f) www.g.h, xhttp://i", "http://a.b/c. (https://d.e/f) www.g.h, xhttp://i",
			"auto http://a.b/c > http://a.b/c @1, auto https://d.e/f > https://d.e/f @16, auto www.g.h > http://www.g.h @31"},
		{"a bare URL behind markup", "*http://a.b* `c`http://d.e", "http://a.b chttp://d.e", "auto http://a.b > http://a.b @2"},
		{"a bare URL in a link", "[http://a.b](c)", "http://a.b", "inline http://a.b > c @1"},
		{"titles", `[a](b "c") [d](e 'f') [g](h (i)) [j](k "l)`, `a d g [j](k "l)`,
			"inline a > b @1, inline d > e @12, inline g > h @23"},
		{"targets", `[a](<b c>) [d]() [e](f\)g) [h](i(j)k) [l](m&amp;n)`, "a d e h l",
			"inline a > b c @1, inline d >  @12, inline e > f)g @18, inline h > i(j)k @28, inline l > m&n @39"},
		{"no targets", "[a] (b) [c](d e) [f](g(h [i](<j)", "[a] (b) [c](d e) [f](g(h [i](<j)", ""},
		{"targets with templates", `[a]({{< ref "b c.md" >}}) [d]({% link e.md %}) [f]({{ "/g" | x }})`, "a d f",
			"inline a > b c.md @1, inline d > /e.md @27, inline f > /g @48"},
		{"brackets in a link", "[a [b] c](d) [[e]](f)", "a [b] c [e]", "inline a [b] c > d @1, inline [e] > f @14"},
		{"a link in a link", "[a [b](c) d](e)", "[a b d](e)", "inline b > c @4"},
		{"an image in a link", "[![a](b)](c) ![d [e](f)](g)", "a d e", "inline a > c @1, image a > b @2, image d e > g @14, inline e > f @18"},
		{"references", "[a][r] [r][] [R] [no] [a][no] ![b][r]", "a r R [no] [a][no] b",
			"reference a > /ref @1, reference r > /ref @8, reference R > /ref @14, image b > /ref @31"},
		{"footnotes", "a[^n] b[^no] c![^n]", "a b[^no] c![^n]", ""},
		{"wiki links", "[[a]] ![[b]] [[c::d#e]] [[f g]] [[]] [[h]i]]", "a b d#e f g [[]] [[h]i]]",
			"wiki a > a @1, wiki b > b @7, wiki d#e > d#e @14, wiki f g > f g @25"},
		{"a wiki link behind a mark", `\![[a]] *[[b]]*`, "!a b", "wiki a > a @3, wiki b > b @10"},
		{"tags", `<b>a</b> <a href="b">c</a> <img src="d" alt="e"> f`, "a c e f", `raw c > b @10, image e > d @28`},
		{"comments", "a <!-- b --> c <!-- d", "a c <!-- d", ""},
		{"a script", "a <script>b *c* [d](e)</script> f", "a  f", ""},
		{"attribute lists", "*a*{.b} [c](d){#e} f{n=1} `g`{:.h}", "a c f{n=1} g", "inline c > d @9"},
		{"shortcodes", `a {{< b >}} c {{% ref "d" %}} {% e f="g" %}`, "a c", `raw  > d @15`},
		{"soft line ends", "a \nb\nc", "a b c", ""},
		{"hard line ends", "a  \nb\\\nc   \n d", "a\nb\nc\nd", ""},
		{"line ends in markup", "*a\nb* [c\nd](e\n\"f\") `g` <b\ntitle='i'>j</b>", "a b c d g j", "inline c d > e @4"},
		{"line ends behind markup", "`a`\n*b*  \n[c](d)\\\ne", "a b\nc\ne", "inline c > d @1"},
		{"not ASCII", "é *ü* [日](本) ö", "é ü 日 ö", "inline 日 > 本 @7"},
		{"emphasis beside punctuation", "“*a*” .*b*. 1*“c”*", "“a” .b. 1*“c”*", ""},
	} {
		for _, in := range []string{"", "- ", "> ", "| "} {
			text, links, column := c.text, c.links, len(in)
			source := in + strings.ReplaceAll(c.source, "\n", "\n"+strings.NewReplacer("-", " ").Replace(in))
			if in == "| " {
				if strings.ContainsAny(c.source, "\n|") || strings.HasSuffix(c.source, `\`) {
					continue
				}
				source += " |\n|---|\n"
				text = strings.ReplaceAll(text, "\n", " ")
			}
			d := Parse("a.md", []byte(source+"\n\n[r]: /ref\n\n[^n]: x\n"))
			got := d.Sections[0].Blocks[0].Text
			var found []string
			for _, l := range d.Links {
				found = append(found, fmt.Sprintf("%s %s > %s @%d", linkNames[l.Kind], l.Text, l.Target, l.Col-column))
			}
			if linked := strings.Join(found, ", "); got != text || linked != links {
				t.Errorf("%s: Parse(%q) = %q with %q, want %q with %q", c.name, source, got, linked, text, links)
			}
		}
	}
}
