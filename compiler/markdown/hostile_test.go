package markdown

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
)

// hostile are inputs that cost a careless parser more than linear time or memory.
func hostile() []input {
	r := strings.Repeat
	count := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	nested := func(n int, mark string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(r(" ", len(mark)*i) + mark + "a\n")
		}
		return b.String()
	}
	var all []input
	for name, text := range map[string]string{
		"one line":              r("word ", 1<<20),
		"one word":              r("a", 4<<20),
		"objects":               r(`{"a":`, 50_000),
		"objects that close":    r(`{"a":`, 9000) + "1" + r("}", 9000) + "\n",
		"an object of lists":    `{"a":[` + r("[1],", 200_000) + "1]}\n",
		"an object without end": "{" + r(`"a": "b",`+"\n", 200_000),
		"quotes":                r(">", 10_000) + " a\n",
		"quotes on each line":   r(r("> ", 90)+"a\n", 500),
		"quotes, then blanks":   r("> ", 90) + "a\n" + r(">\n", 50_000),
		"lists on one line":     r("- ", 10_000) + "a\n",
		"lists, then blanks":    r("- ", 90) + "a\n" + r("\n", 100_000) + "b\n",
		"nested lists":          nested(1000, "- "),
		"nested numbers":        nested(600, "1. "),
		"list":                  r("- a\n", 50_000),
		"brackets":              r("[", 100_000),
		"bracket pairs":         r("[", 50_000) + r("]", 50_000),
		"link starts":           r("[a](", 50_000),
		"link targets":          r("[a](b", 50_000),
		"angle targets":         r("[a](<b", 50_000),
		"titles":                r("[a](b \"", 50_000),
		"images":                r("![a", 30_000) + r("](b)", 30_000),
		"definitions":           count(50_000, "[a%d]: /b\n"),
		"references":            "[x]: y\n\n" + r("[", 30_000) + "x" + r("]", 30_000),
		"stars":                 r("*", 100_000),
		"openers":               r("*a ", 50_000),
		"unequal emphasis":      r("*a** ", 50_000),
		"crossed emphasis":      r("*a _b ", 30_000) + r("c* d_ ", 30_000),
		"openers of one kind":   "a*a " + r("_a ", 30_000) + r("b** ", 30_000),
		"openers before links":  r("_a ", 5000) + r("[*b](c) ", 20_000) + r("d* ", 5000),
		"emphasis in links":     r("[*a](b) ", 30_000),
		"emphasis in brackets":  r("[*a_ ![b", 10_000) + r("*c](d) _]", 10_000),
		"brackets of emphasis":  r(r("_a ", 500)+r("b* ", 500)+"[", 30),
		"emphasis in emphasis":  r("*a ", 30_000) + r("b* ", 30_000),
		"back-ticks":            ticks(800),
		"escaped back-ticks":    r("\\```a ", 50_000),
		"tags":                  r("<a ", 50_000),
		"attributes":            r("<a b=\"", 50_000),
		"expressions":           r("<A b={", 50_000),
		"expressions on lines":  r("<A b={\n", 50_000),
		"elements":              r("<A>\n", 20_000),
		"elements and text":     r("<A>\n\ntext\n\n", 5000) + r("</A>\n", 5000),
		"comments":              r("<!-- ", 50_000),
		"comment lines":         r("<!-- a\n\n", 50_000),
		"MDX comments":          r("{/* \n", 50_000),
		"instructions":          r("<? <![CDATA[ <!A ", 30_000),
		"div":                   r("<div>", 10_000),
		"unclosed b":            r("<b>", 50_000),
		"headings":              count(50_000, "# h%d\n"),
		"too many headings":     r("#\n", 150_000) + count(50_000, "# h%d\n"),
		"too many scenarios":    "Feature: a\n" + r("@t\nScenario: b\n", 110_000),
		"equal headings":        r("# h\n", 100_000),
		"equal anchors":         r("# h {#x}\n", 50_000),
		"HTML headings":         r("<h1>a</h1>", 20_000),
		"underlines":            r("a\n=\n", 50_000),
		"fences":                r("```a\nx\n~~~b\n", 50_000),
		"rows":                  "| a | b |\n|---|---|\n" + r("| x | [[y]] |\n", 50_000),
		"columns":               r("|a", 20_000) + "|\n" + r("|-", 20_000) + "|\n",
		"columns, short rows":   r("|a", 2000) + "|\n" + r("|-", 2000) + "|\n" + r("|\n", 50_000),
		"elements, lines":       r("<A>\n\n", 31) + r("y\n\n", 200_000),
		"delimiter rows":        "a\n" + r("|---|---|\n", 30_000),
		"words":                 r("word ", 80_000),
		"wiki links":            r("[[a", 50_000),
		"footnotes":             r("[^a]: ", 20_000),
		"URLs":                  r("http://a(", 50_000),
		"long URL":              "http://" + r("a.", 100_000),
		"keys":                  "---\n" + r("a: b\n", 20_000) + "---\n",
		"huge front matter":     "---\n" + count(50_000, "a%d: b\n") + "---\n",
		"open front matter":     "---\n" + r("a: b\n", 100_000),
		"flow lists":            "---\na: " + r("[", 9000) + r("]", 9000) + "\n---\n",
		"flow maps":             "---\na: " + r("{a: ", 9000) + r("}", 9000) + "\n---\n",
		"alias bomb":            "---\na0: &a0 [x,x,x,x,x,x,x,x,x,x]\n" + bomb(9) + "---\n",
		"notes":                 nested(400, "!!! note\n    "),
		"notes in notes":        r("!!! note\n", 20_000),
		"shouts":                r("!!! a\n\n\n", 30_000) + "!!! a\n" + r(" ", 100_000),
		"labels of fences":      r(":::a["+r("[", 500)+"\n\n", 200),
		"comments, one end":     r("{/*\n\n", 20_000) + "*/} a",
		"lists that end texts":  r("a {.b} ", 30_000),
		"definitions of terms":  "a\n" + r(": b\n", 50_000),
		"colon fences":          r("::: note {a\n", 50_000),
		"template tags":         r("{% a ", 50_000),
		"template openings":     r("{%", 100_000),
		"template tags, lines":  r("{% a \n\n", 50_000),
		"raw, never ended":      r("{% raw %}", 50_000),
		"highlights":            r("{% highlight a %}\n", 20_000),
		"highlights, one end":   r("{% highlight a %}\n\n", 20_000) + "{% endhighlight %}\n",
		"highlights in quotes":  r("> {% highlight a %}\n\n", 20_000) + "{% endhighlight %}\n",
		"names of tags":         "{% highlight a %}\n" + r("highlight ", 50_000),
		"template targets":      r("[a]({{ b", 50_000),
		"attribute lists":       r("*a*{.b ", 50_000),
		"attribute braces":      r("`a`{: ", 50_000),
		"block names":           r("a ^b1\n\n", 30_000),
		"percent comments":      r("%%\na\n\n", 30_000) + "b",
		"percent openings":      r("%% a\n", 30_000),
		"callouts":              r("> [!a] b\n", 30_000),
		"NUL":                   r("\x00", 100_000),
		"not UTF-8":             r("a\xff", 100_000),
		"blank":                 r(" ", 500_000),
	} {
		all = append(all, input{name, []byte(text)})
	}
	return all
}

// ticks returns runs of back-ticks no two of which are equally long.
func ticks(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat("`", i+1) + " ")
	}
	return b.String()
}

// bomb returns lists each of which has the one before ten times.
func bomb(levels int) string {
	var b strings.Builder
	for i := 1; i < levels; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i-1), 10), ","))
	}
	return b.String()
}

// TestHostile parses hostile inputs within a bound on memory that a quadratic parser would pass many times over. What
// takes quadratic time without memory is caught by the test's time limit: it would take minutes.
func TestHostile(t *testing.T) {
	const perByte, base = 2500, 4 << 20
	for _, c := range hostile() {
		t.Run(c.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			d := Parse("a.md", c.data)
			runtime.ReadMemStats(&after)
			if used, want := after.TotalAlloc-before.TotalAlloc, uint64(poolLoss*perByte*len(c.data)+base); used > want {
				t.Errorf("Parse of %d bytes allocates %d, want at most %d", len(c.data), used, want)
			}
			if err := broken(d); err != nil {
				t.Error(err)
			}
			if len(d.Diags) > 3*maxRepeats {
				t.Errorf("%d diagnostics, want at most %d", len(d.Diags), 3*maxRepeats)
			}
		})
	}
}

// TestHostileText checks that what is too deep or too long is kept as text, and said.
func TestHostileText(t *testing.T) {
	for _, c := range []struct {
		name, text, rule, want string
	}{
		{"quotes", "before\n\n" + strings.Repeat("> ", 200) + "deep ADR-1\n\nafter\n", "nested-too-deep", "deep ADR-1"},
		{"lists", strings.Repeat("- ", 200) + "deep", "nested-too-deep", "deep"},
		{"long", strings.Repeat("word ", 300_000) + "*end*", "long-block", "*end*"},
		{"headings", strings.Repeat("#\n", 100_000) + "## a heading [[more]] {#x}\n", "many-headings", "a heading more"},
		{"HTML headings", strings.Repeat("#\n", 100_000) + "<h2>a heading</h2>\n", "many-headings", "a heading"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Parse("a.md", []byte(c.text))
			var all strings.Builder
			for _, s := range d.Sections {
				for _, b := range s.Blocks {
					all.WriteString(b.Text + "\n")
				}
			}
			if !strings.Contains(all.String(), c.want) {
				t.Errorf("the text lacks %q", c.want)
			}
			if len(d.Diags) != 1 || d.Diags[0].Rule != c.rule {
				t.Errorf("diagnostics = %v, want one of rule %s", d.Diags, c.rule)
			}
		})
	}
}

// TestLinear parses patterns of two sizes, the larger one four times as long. Time that grows by much more than that is
// quadratic, which would be sixteen times as long. The best of several runs counts, as other programs run beside the
// test.
func TestLinear(t *testing.T) {
	r := strings.Repeat
	for _, c := range []struct {
		name string
		text func(n int) string
	}{
		{"link starts", func(n int) string { return r("[a](", n) }},
		{"link starts and a link", func(n int) string { return r("[a](", n) + " [b](c)" }},
		{"link targets", func(n int) string { return r("[a](b", n) }},
		{"angle targets", func(n int) string { return r("[a](<b", n) }},
		{"titles", func(n int) string { return r("[a](b \"", n) }},
		{"template targets", func(n int) string { return r("[a]({{ b", n) }},
		{"brackets", func(n int) string { return r("[", n) }},
		{"bracket pairs", func(n int) string { return r("[", n) + r("]", n) }},
		{"brackets around links", func(n int) string { return r("[a [b](c) ", n) + r("]", n) }},
		{"images in images", func(n int) string { return r("![a", n) + r("](b)", n) }},
		{"references", func(n int) string { return "[x]: y\n\n" + r("[", n) + "x" + r("]", n) }},
		{"definitions", func(n int) string { return r("[x]: y\n", n) }},
		{"footnotes", func(n int) string { return r("[^a] ", n) + "\n\n" + r("[^a]: b\n\n", n) }},
		{"openers", func(n int) string { return r("_a ", n) }},
		{"openers of one kind", func(n int) string { return "a*a " + r("_a ", n) + r("b** ", n) }},
		{"openers in links", func(n int) string { return r("[*a](b) ", n) }},
		{"openers before links", func(n int) string { return r("_a [*b](c) d* ", n) }},
		{"openers before brackets", func(n int) string { return r("_a *b [", n) + r("c* ", n) }},
		{"strikes", func(n int) string { return r("~a ~~b ", n) }},
		{"back-ticks", func(n int) string { return r("`a ``b ```c ", n) + "`" }},
		{"HTML blocks", func(n int) string { return r("<pre>\na </pr\n<div a=b\n\n", n) }},
		{"HTML lines", func(n int) string { return "<div " + r("a=\"b\" ", n) + "\n\n<a " + r("b='c' ", n) }},
		{"comments", func(n int) string { return "a " + r("<!-- ", n) }},
		{"scripts", func(n int) string { return "a " + r("<script> </script", n) }},
		{"autolinks", func(n int) string { return r("<a:b", n) + r("<a@b", n) }},
		{"wiki links", func(n int) string { return r("[[a", n) }},
		{"template tags", func(n int) string { return r("{% a ", n) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			const size, runs = 5000, 3
			var short, long time.Duration
			for range 3 {
				short, long = fastest(runs, c.text(size)), fastest(runs, c.text(4*size))
				if long <= 10*short+50*time.Millisecond {
					return
				}
			}
			t.Errorf("Parse takes %v, and %v for four times the input", short, long)
		})
	}
}

// fastest returns the least time in which a text was parsed.
func fastest(runs int, text string) time.Duration {
	best := time.Hour
	for range runs {
		start := time.Now()
		Parse("a.md", []byte(text))
		best = min(best, time.Since(start))
	}
	return best
}

// TestClosedLinks checks that no link is lost because of what is open beside it.
func TestClosedLinks(t *testing.T) {
	r := strings.Repeat
	for _, c := range []struct{ name, text string }{
		{"behind link starts", r("[a](", 20_000) + " [b](c)"},
		{"behind open brackets", r("[", 20_000) + " [b](c)"},
		{"behind brackets far apart", "[x " + r("long ", 300) + "[y " + r("long ", 300) + "[b](c)"},
		{"inside brackets far apart", "[x " + r("long ", 300) + "[y " + r("long ", 300) + "[b](c) ] ]"},
		{"before open brackets", "[b](c) " + r("[", 20_000)},
		{"behind openers", r("*a ", 20_000) + "[b](c)"},
		{"among brackets and openers", r("*a [_d ", 5000) + "[b](c)" + r(" e_] f*", 5000)},
		{"behind open images", r("![a", 20_000) + " [b](c)"},
		{"behind back-ticks", ticks(200) + "[b](c)"},
		{"behind open tags", r("<a href=\"", 2000) + " [b](c)"},
		{"behind templates", r("[a]({{ b", 2000) + " [b](c)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Parse("a.md", []byte(c.text))
			if err := broken(d); err != nil {
				t.Error(err)
			}
			want := Link{Kind: Inline, Text: "b", Target: "c", Offset: strings.Index(c.text, "[b]"), Line: 1}
			want.Col = want.Offset + 1
			if len(d.Links) != 1 || d.Links[0] != want {
				t.Errorf("%d links, %+v, want %+v", len(d.Links), d.Links[:min(1, len(d.Links))], want)
			}
		})
	}
}
