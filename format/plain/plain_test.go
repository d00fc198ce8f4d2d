package plain

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestInline(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"nothing", "Water goes round.", "Water goes round."},
		{"emphasis", "*one* **two** ***three*** _four_ ~~five~~ ==six==", "one two three four five six"},
		{"no emphasis", "a * b, snake_case_name, 2 ** 3, H~2~O, a == b, docs/**/*.md", "a * b, snake_case_name, 2 ** 3, H~2~O, a == b, docs/**/*.md"},
		{"half of a pair", "**open and *closed*", "**open and closed"},
		{"code", "`a *b*` and ``c `d` [e](f)``", "`a *b*` and ``c `d` [e](f)``"},
		{"code without its end", "a `b *c*", "a `b c"},
		{"links", `[one](a.md "Title (x)") [two][ref] [three][] ![four](a(b).png) [five](<a b.md>)`, "one two three four five"},
		{"a link around an image", "[![Build](a.svg)](b) [*all*](c)", "Build all"},
		{"brackets", "a[0], [x] and [1], [the plug-in] of a[b c]", "a[0], [x] and [1], the plug-in of a[b c]"},
		{"wiki links", "[[Pump]] [[pump|the pump]] [[Pump#Valve]] ![[drop.png]] [[", "Pump the pump Pump › Valve drop.png [["},
		{"footnotes", "Text[^1] and more.[^note]", "Text and more."},
		{"tags", "a<br/>b <b>c</b>d <Intro title=\"x > y\" on={() => <i>e</i>}>f</Intro> <!-- g --> <>h</>", "a b cd f h"},
		{"tags over lines", "a <Diagram\n  name=\"flow\"\n  alt=\"x\">\nb</Diagram>", "a b"},
		{"no tags", "a < b, x <3, List<T, U>, <", "a < b, x <3, List<T, U>, <"},
		{"addresses", "<https://example.org/a> <me@example.org>", "https://example.org/a me@example.org"},
		{"braces", `a {/* b */} {% c %}d{% e %} {{< f >}} {{% g %}}h {{#include i}} j{: .k } l{ .m #n } {o} {{ p }}{" "}`, "a d h j l {o} {{ p }}"},
		{"icons", "One :material-check:{ .lg } two :octicons-x-16: std::map a:b:c :simple-", "One two std::map a:b:c :simple-"},
		{"entities and escapes", `a &lt;b&gt; &amp; c &nope; \*d\*`, "a <b> & c &nope; *d*"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := Inline(test.text); got != test.want {
				t.Errorf("Inline(%q) = %q, want %q", test.text, got, test.want)
			}
		})
	}
}

// TestRead reads parts of documents; "·" stands at the beginning of lines of code, "|" of rows and "*" of items.
func TestRead(t *testing.T) {
	marks := map[Kind]string{Prose: "", Item: "*", Code: "·", Row: "|"}
	for _, test := range []struct {
		name, text string
		options    Options
		want       string
	}{
		{"paragraphs", "# Pumps #\n\nTwice\n\nTwice\n\nOne\ntwo.  \nThree\\\nfour.\r\n\r\n***\n\nFive.", Options{}, "Twice\nOne two.\nThree\nfour.\nFive."},
		{"only a heading", "## Pumps\n", Options{}, ""},
		{"headings that are underlined", "Pumps\n=====\n\nOne.\n\nValves\n---\nTwo.", Options{}, "One.\nTwo."},
		{"the heading as text", "<h2>Pumps</h2>\n\nOne.", Options{Heading: "Pumps"}, "One."},
		{"lists", "- one\n  more\n- two\n  - *three*\n    1. four\n\n- five\n\n  Six.\n\nSeven.", Options{},
			"*- one more\n*- two\n*  - three\n*    1. four\n*- five\nSix.\nSeven."},
		{"code", "One:\n\n```js title=\"a\"\nlet a = `x`;\n\n  b(\"<i>\");\n```\nTwo.\n\n    three()\n", Options{},
			"One:\n·let a = `x`;\n·  b(\"<i>\");\nTwo.\n·three()"},
		{"code in items and quotations", "- ```sh\n  one\n  ```\n- two\n\n> ~~~\n> three\n> ~~~\n> four", Options{}, "·one\n*- two\n·three\nfour"},
		{"from inside code", "one()\n```\nTwo.", Options{InCode: true}, "·one()\nTwo."},
		{"highlighted code", "{% highlight js %}\none()\n{% endhighlight %}\nTwo.", Options{}, "·one()\nTwo."},
		{"tables", "a | b\n--|--\n1 | `x\\|y`\n\n| c |\n|:-:|\n| [d](e) |", Options{}, "|a | b\n|1 | `x|y`\n|c\n|d"},
		{"containers and notes", ":::note[*One*]\nTwo.\n:::\n::: tip Three\nFour.\n:::\n!!! note \"Five\"\n    Six.\n\n    Seven.\n\n=== \"Eight\"\n\n    Nine.\n\n> [!WARNING] Ten\n> Eleven.\n\n??? note\n    Twelve.", Options{},
			"One\nTwo.\nThree\nFour.\nFive\nSix.\nSeven.\nEight\nNine.\nTen\nEleven.\nTwelve."},
		{"comments, imports, includes", "import A from './a'\nexport const b = 1\n\n<!--\nc\n\nd -->\n{/* e\nf */}\n<style>\n.g {}\n</style>\n[h]: https://example.org\n*[I]: j\n--8<-- \"k\"\n\nImport of water.\nexport it", Options{},
			"Import of water. export it"},
		{"definitions", "Pump\n: moves water\n\n: and air", Options{}, "Pump\nmoves water\nand air"},
		{"scripts without spaces", "水が\n流れる。\nwater\n水", Options{}, "水が流れる。 water 水"},
		{"addresses", "[One](a.md) and [two](b.md \"Two\").", Options{Addresses: true}, "One (a.md) and two (b.md \"Two\")."},
		{"scenarios", "  @slow\n  Scenario: One\n    Given a pump # 1\n    | a | b |\n    # no\n", Options{Scenario: true}, "*Scenario: One\n*Given a pump # 1\n|a | b"},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := Read(test.text, test.options)
			var lines []string
			for _, l := range text.Lines {
				lines = append(lines, marks[l.Kind]+text.String[l.Start:l.End])
			}
			if got := strings.Join(lines, "\n"); got != test.want {
				t.Errorf("Read(%q) = %q, want %q", test.text, got, test.want)
			}
		})
	}
}

func TestEndsInCode(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "a\n```\nb": true, "```\na\n```\n": false, "````\n```\n": true, "- ```sh\n  a": true, "> ```\n> a": true, "```a```\n": false,
	} {
		if got := EndsInCode(text); got != want {
			t.Errorf("EndsInCode(%q) = %v, want %v", text, got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("- **a** [b](c)\n\n```\nd\n```\n| e | f |\n", false, false)
	f.Add("![[a|b]] <b c={\"}\"}> {: .d } &amp; \\* `e` ***f** g*", true, true)
	f.Fuzz(func(t *testing.T, markdown string, code, scenario bool) {
		text := Read(markdown, Options{InCode: code, Scenario: scenario})
		at := 0
		for i, l := range text.Lines {
			if i > 0 {
				at++
			}
			if l.Start != at || l.End <= l.Start || l.End > len(text.String) || strings.TrimSpace(text.String[l.Start:l.End]) == "" || strings.Contains(text.String[l.Start:l.End], "\n") {
				t.Fatalf("line %d of Read(%q) is %+v of %q", i, markdown, l, text.String)
			}
			at = l.End
		}
		if at != len(text.String) {
			t.Fatalf("Read(%q) = %q: the lines end at %d", markdown, text.String, at)
		}
		if utf8.ValidString(markdown) && !utf8.ValidString(text.String) {
			t.Fatalf("Read(%q) = %q: cut within a character", markdown, text.String)
		}
	})
}

// TestHostile reads patterns that take long where the end of something is looked for again and again.
func TestHostile(t *testing.T) {
	r := strings.Repeat
	for _, text := range []string{
		r("[a](", 20_000), r("[", 60_000), r("*a _b ", 10_000), r("`a ``b ```c ", 5000), r("<a ", 20_000), r("<!--", 20_000), r("{%", 30_000),
		r("[[a", 20_000), r("> ", 30_000), r("- ", 30_000), r("a|", 30_000) + "\n--|--", r("{a=", 20_000), r("&", 60_000), r("```\n", 15_000),
	} {
		if got := Read(text, Options{}); len(got.String) > 2*len(text) {
			t.Errorf("Read(%.20q…) has %d bytes of %d", text, len(got.String), len(text))
		}
	}
}
