package markdown

import (
	"fmt"
	"strings"
	"testing"
)

// brief is what a document holds in one line: sections as "#anchor heading", blocks as "kind: text", then its links,
// anchors and rules of diagnostics.
func brief(d *Document) string {
	var parts []string
	for i, s := range d.Sections {
		if i > 0 {
			parts = append(parts, fmt.Sprintf("#%s %s", s.Anchor, s.Heading))
		}
		for _, b := range s.Blocks {
			kind := blockNames[b.Kind]
			if b.Info != "" {
				kind += " " + b.Info
			}
			parts = append(parts, kind+": "+b.Text)
		}
	}
	for _, l := range d.Links {
		parts = append(parts, fmt.Sprintf("%s %s > %s", linkNames[l.Kind], l.Text, l.Target))
	}
	for _, a := range d.Anchors {
		parts = append(parts, fmt.Sprintf("anchor %d %s", a.Line, a.ID))
	}
	for _, g := range d.Diags {
		parts = append(parts, "diag "+string(g.Rule))
	}
	return strings.Join(parts, " / ")
}

// TestBlocks has what blocks become: those of Markdown that we read ourselves, and what generators of sites add.
func TestBlocks(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		// tables
		{"a table", "|a|b|\n|-|-|\n|c|d|", "table: a | b\nc | d"},
		{"a table without outer pipes", "a|b\n-|-\nc|d", "table: a | b\nc | d"},
		{"a table of one column", "a\n:-\nb", "table: a\nb"},
		{"a table below text", "x\na|b\n-|-\nc|d", "paragraph: x / table: a | b\nc | d"},
		{"a table of empty cells", "|a||\n|-|-|\n|||", "table: a | \n | "},
		{"a table's row with more cells", "|a|\n|-|\n|b|c|d|", "table: a\nb | c | d"},
		{"a table's row with fewer cells", "|a|b|\n|-|-|\n|c|", "table: a | b\nc"},
		{"a table's pipes", "|a|b|\n|-|-|\n|c\\|d|`e\\|f`|\n|[[g|h]]|[[i]|j|",
			"table: a | b\nc|d | e|f\nh | [[i] | j / wiki h > g"},
		{"a table's last pipe", "|a|\n|-|\n|b\\|", "table: a\nb|"},
		{"a table's alignment", "|a|b|c|d|\n|:-|-:|:-:|---|\n", "table: a | b | c | d"},
		{"a table in a list", "- |a|\n  |-|\n  |b|", "table: a\nb"},
		{"a table in a quote", "> |a|\n> |-|\n> |b|", "table: a\nb"},
		{"a table in a callout", "> [!NOTE]\n> |a|\n> |-|\n> |b|", "table: a\nb"},
		{"a table after a table", "|a|\n|-|\n|b|\n\n|c|\n|-|\n|d|", "table: a\nb / table: c\nd"},
		{"no table: more cells than columns", "|a|b|\n|-|", "paragraph: |a|b| |-|"},
		{"no table: fewer cells than columns", "|a|\n|-|-|", "paragraph: |a| |-|-|"},
		{"no table: no delimiter row", "|a|\n|x|", "paragraph: |a| |x|"},
		{"no table: a delimiter row without dashes", "|a|b|\n|:|-|", "paragraph: |a|b| |:|-|"},
		{"links in a table", "|a|\n|-|\n|[b](c) ![d](e)|\n|<a id=\"f\"></a>g|",
			"table: a\nb d\ng / inline b > c / image d > e / anchor 4 f"},
		// definitions of references and footnotes
		{"definitions", "[a]: b\n[c]: <d e> \"f\"\n[g]:\n  h\n  'i'\n\n[a] [c] [g]",
			"paragraph: a c g / reference a > b / reference c > d e / reference g > h"},
		{"a definition of a label in another case", "[A  b]: c\n\n[a\nB]", "paragraph: a B / reference a B > c"},
		{"the first definition counts", "[a]: b\n[a]: c\n\n[a]", "paragraph: a / reference a > b"},
		{"a definition with a template", "[a]: {{< ref \"b c\" >}}\n\n[a]", "paragraph: a / reference a > b c"},
		{"text below a definition", "[a]: b\nc [a]", "paragraph: c a / reference a > b"},
		{"no definition: text behind it", "[a]: b c\n\n[a]", "paragraph: [a]: b c / paragraph: [a]"},
		{"no definition: it interrupts text", "x\n[a]: b\n\n[a]", "paragraph: x [a]: b / paragraph: [a]"},
		{"no definition: no label", "[ ]: b\n[]: c", "paragraph: [ ]: b []: c"},
		{"no definition: no target", "[a]:\n\n[a]", "paragraph: [a]: / paragraph: [a]"},
		{"definitions in a list and in a quote", "- [a]: b\n\n> [c]: d\n\n[a] [c]",
			"paragraph: a c / reference a > b / reference c > d"},
		{"footnotes", "a[^b]\n\n# C\n\n[^b]: d\n    e\n\n    - f\n\n# G",
			"paragraph: a / #c C / paragraph: d e / item: f / #g G"},
		{"a footnote beside a footnote", "[^a]: b\n[^c]: d [^a]", "paragraph: b / paragraph: d"},
		{"no footnote: no label", "[^]: a", "paragraph: [^]: a"},
		// lists of definitions
		{"terms", "A *b*\n: c\n: d\n\nE\n\n:   f\n\n    g",
			"paragraph: A b / item: c / item: d / paragraph: E / item: f / item: g / anchor 1 a-b / anchor 5 e"},
		{"terms below text", "a\nb\n: c", "paragraph: a b / item: c / anchor 2 b"},
		{"no terms", "# a\n: b\n\nc\n:d\n\ne\n:", "#a a / paragraph: : b / paragraph: c :d / paragraph: e :"},
		// attribute lists
		{"ids of headings", "# a {#b}\n# c {#d .e f=g}\n# h {.i}\n# j {:#k}\n# l {m}\n# n \\{#o}",
			"#b a / #d c / #h h / #k j / #l-m l {m} / #o n"},
		{"ids of text", "a [b](c){#d} `e`{: #f} *g*{#h i='j k'}",
			"paragraph: a b e g / inline b > c / anchor 1 d / anchor 1 f / anchor 1 h"},
		{"a list on a line of its own", "# a\n{: #b}\n\nc\n{: #d .e}", "#b a / paragraph: c / anchor 5 d"},
		{"a list that is text", "{#}\n\n{a}\n\n{.1}\n\n{a='b}\n\n{a=b}",
			"paragraph: {#} / paragraph: {a} / paragraph: {.1} / paragraph: {a='b} / paragraph: {a=b}"},
		// quotes, items, names of blocks
		{"callouts", "> [!tip]- A *b*\n> c\n\n> [!x y] d\n\n> [! ] e\n\n> [!f]g",
			"quote: A b / quote: c / quote: d / quote: e / quote: [!f]g"},
		{"tasks", "- [ ] a\n- [x] b\n- [X]c\n- [y] d", "item: a / item: b / item: [X]c / item: [y] d"},
		{"names of blocks", "a ^b1\n\n- c ^dd\n\ne ^1\n\nf^g",
			"paragraph: a / item: c / paragraph: e ^1 / paragraph: f^g / anchor 1 ^b1 / anchor 3 ^dd"},
		{"headings in a list and in a quote", "- # a\n\n> ## b\n> c\n\n# a",
			"item: a / quote: b / quote: c / #a-1 a / anchor 1 a / anchor 3 b"},
		// HTML
		{"HTML", "<div>a *b*\n[c](d) &amp; <a href='e'>f</a> \\<b>g</b>\\\nh  \ni</div>",
			"html: a *b* [c](d) & f \\g\\ h i / raw f > e"},
		{"HTML headings", "<h2 id=\"a\">b <i>c</i></h2>\n<p>d</p>\n\n<div>e<h3>f</h3></div>",
			"#a b c / html: d / html: e f"},
		{"folded parts", "<details><summary>A <b>b</b></summary>\n\nc\n\n</details>",
			"html: A b / paragraph: c / anchor 1 a-b"},
		{"scripts and styles", "<script>\na\n\nb</script>\n\n<style>c</style> d\n\n<pre>e\n\n[[f]]</pre>",
			"html:  d / html: e [[f]]"},
		{"comments", "<!-- a -->\n\n<!-- b\n\nc --> d\n\n<!-- e", "html: d / html: <!-- e"},
		{"declarations", "<?a?>\n\n<!B c>\n\n<![CDATA[d]]>", ""},
		{"images and links of HTML", "<p><img src=\"a\" alt=\"b  c\"> d <a name=\"e\"></a><a href=\"f\">g</a><br>h</p>",
			"html: b c d g h / image b c > a / raw g > f / anchor 1 e"},
		{"HTML in text", "a <details>\nb", "paragraph: a <details> b"},
		// what generators add
		{"containers", ":::note[A [b] c]\nd\n:::\n\n::: tip E {#f}\n\n:::: {.g title=\"H\"}\n\n:::danger{title='I'}",
			"paragraph: A [b] c / paragraph: d / paragraph: E / paragraph: H / paragraph: I"},
		{"containers that are text", "::: a.b\n\n:::[c\n\n::: 1",
			"paragraph: ::: a.b / paragraph: :::[c / paragraph: ::: 1"},
		{"blocks of PyMdown", "/// note | A\nb\n///\n\n/// c", "paragraph: A / paragraph: b / paragraph: /// c"},
		{"notes", "!!! note \"A\"\n    b\n\n    c\n\nd\n\n??? e\n    f",
			"paragraph: A / paragraph: b / paragraph: c / paragraph: d / paragraph: f"},
		{"tabs", "=== \"A\"\n\n    b\n\n=== \"C\"\n\n    d",
			"paragraph: A / paragraph: b / paragraph: C / paragraph: d"},
		{"tables of contents", "[TOC]\n\n[[_TOC_]]\n\n* a\n{:toc}", ""},
		{"insertions", "--8<-- \"a.md\"\n\n<<< @/b.js{1}\n\n@[code](c.js)\n\n{* d.py hl[1] *}\n\n{!e.md!}", ""},
		{"tags of templates", "{% tab title=\"A\" %}\nb\n{% endtab %}\n\n{% include c.md %}\n\nd {{< ref \"e\" >}}",
			"paragraph: A / paragraph: b / paragraph: d / raw  > c.md / raw  > e"},
		{"raw and comments of templates", "a {% raw %}{% b %}{% endraw %} c {% comment %} d {% endcomment %} e",
			"paragraph: a {% b %} c e"},
		{"code of templates", "{% highlight go %}\na *b*\n{% endhighlight %}\n\n{{< tab lang=\"c\" >}}\n[[d]]\n{{< /tab >}}",
			"code go: a *b* / code c: [[d]]"},
		{"code with includes", "```a b\n{{#include c.rs}}\nd\n```\n\n    e\n\tf", "code a b: d / code: e\nf"},
		{"components", "<A b=\"/c\" id=\"d\">\n\ne\n\n</A>\n\n<F path=\"./g\" title=\"h\" />",
			"paragraph: e / raw h > ./g / anchor 1 d"},
		{"code between components", "<A>\n\n`a`\n\n</A>\n\n`b` `", "paragraph: a / paragraph: b `"},
		{"modules", "import a from 'b'\nexport const c = {\n  d\n}\n\ne", "paragraph: e"},
		{"comments of MDX", "{/* a */}\n\nb {/* c */} d\n\n{/*\ne\n*/}", "paragraph: b d"},
		{"comments of Obsidian", "%% a %%\n\nb\n\n%%\nc\n%%\n\nd", "paragraph: b / paragraph: d"},
	} {
		d := Parse("a.md", []byte(c.source))
		if got := brief(d); got != c.want {
			t.Errorf("%s: Parse(%q) = %q, want %q", c.name, c.source, got, c.want)
		}
		if err := broken(d); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
