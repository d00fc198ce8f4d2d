package markdown

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// deep is a line that the block parser must not see.
var deep = strings.TrimSpace(strings.Repeat("> ", maxDepth+1))

// strange are bytes that are not quite text.
var strange = []struct {
	name, text string
	want       string // the text of all blocks, joined with "/"
}{
	{"nothing", "", ""},
	{"one newline", "\n", ""},
	{"white space", " \t\r\n  ", ""},
	{"only a BOM", "\ufeff", ""},
	{"BOM and heading", "\ufeff# A\n\nb", "b"},
	{"NUL", "a\x00b", "a\uFFFDb"},
	{"not UTF-8", "a\xffb \xc3(", "a\uFFFDb \uFFFD("},
	{"not UTF-8 in code", "```\n\xfe\n```", "\uFFFD"},
	{"not UTF-8 in a link", "[\xff](\xfe) `\xfd` [[\xfc]]", "\uFFFD \uFFFD \uFFFD"},
	{"lone CR", "a\rb\r\r# c\rd", "a b/d"},
	{"CR and LF", "a\r\nb\r\n\r\n```\r\nc\r\nd\r\n```\r\n", "a b/c\nd"},
	{"no final newline in a fence", "```", ""},
	{"unclosed everything", "[a](<b \"c `d **e <f {/* g <!-- h", "[a](<b \"c `d *e <f {/ g <!-- h"},
	{"backslash at the end", "a\\", "a\\"},
	{"truncated tag", "x <a href=\"", "x <a href=\""},
	{"closing tags only", "</A>\n\n</div>\n\n</b> x", "x"},
	{"table without rows", "|a|\n|-|", "a"},
	{"front matter without end", "---\n", ""},
	{"entity at the end", "&amp", "&amp"},
	{"the beginning of an entity", "&ltx; &lt9x&g\xf9; &#1\xf9; &semi; &#59;", "&ltx; &lt9x&g\uFFFD; &#1\uFFFD; ; ;"},
	{"a quote of nothing", ">", ""},
	{"a footnote's mark at the end", "[^a]", "[^a]"},
	{"a template that begins at the end", "[a]({{", "[a]({{"},
	{"a template that ends at the end", "[a]({{x}}", "[a]({{x}}"},
	{"numbers that are nested too deep are text", strings.Repeat("1. ", maxDepth+1) + "a\n\nb", strings.Repeat("1. ", maxDepth+1) + "a/b"},
	{"numbers in parentheses that are nested too deep are text", strings.Repeat("1) ", maxDepth+1) + "a\n\nb", strings.Repeat("1) ", maxDepth+1) + "a/b"},
	{"separator", "a\u2028b", "a\u2028b"},
	{"code that is nested too deep", "```\na\n" + deep + "\n```\nb", "a\n" + deep + "/b"},
	{"HTML that is nested too deep", "<pre>\na\n" + deep + "\n</pre>\nb", "a " + deep + "/b"},
}

func TestParseStrange(t *testing.T) {
	for _, c := range strange {
		t.Run(c.name, func(t *testing.T) {
			d := Parse("a.md", []byte(c.text))
			if err := broken(d); err != nil {
				t.Fatal(err)
			}
			var texts []string
			for _, s := range d.Sections {
				for _, b := range s.Blocks {
					texts = append(texts, b.Text)
				}
			}
			if got := strings.Join(texts, "/"); got != c.want {
				t.Errorf("Parse(%q) = %q, want %q", c.text, got, c.want)
			}
		})
	}
}

// TestSourceAt checks that each byte of plain text that stands for itself is where its block's map says.
func TestSourceAt(t *testing.T) {
	same, all := 0, 0
	for _, c := range corpus(t) {
		d := Parse(c.name, c.data)
		if err := broken(d); err != nil {
			t.Errorf("Parse(%s): %v", c.name, err)
		}
		for i := range d.Sections {
			for k := range d.Sections[i].Blocks {
				b := &d.Sections[i].Blocks[k]
				for j := range len(b.Text) {
					if c := b.Text[j]; c > ' ' && c != '|' {
						all++
						if d.Source[b.SourceAt(j)] == c {
							same++
						}
					}
				}
			}
		}
		for _, m := range d.Mentions {
			if d.Source[m.Offset] != m.Text[0] && d.Source[m.Offset] != '\\' && d.Source[m.Offset] != '&' {
				t.Errorf("%s: text %q stands at %q", c.name, m.Text, d.Source[m.Offset:min(len(d.Source), m.Offset+8)])
			}
		}
	}
	if same*100 < all*95 {
		t.Errorf("SourceAt finds %d of %d bytes, want nearly all: only entities and alternative texts differ", same, all)
	}
}

func TestGetFoldsCase(t *testing.T) {
	d := Parse("a.md", []byte("---\nTitle: x\nDRAFT: true\n---\n"))
	if d.Title != "x" || !d.Draft || d.FrontMatter.Get("tITLE") == nil || d.FrontMatter.Get("tags") != nil {
		t.Errorf("Parse = title %q, draft %v, %+v", d.Title, d.Draft, d.FrontMatter)
	}
}

// TestLongAnchor checks that anchors have a length that an answer has room for, and stay unique.
func TestLongAnchor(t *testing.T) {
	long := strings.Repeat("é", maxAnchor)
	d := Parse("a.md", []byte("# "+long+"x\n\n# "+long+"y\n\n# short {#"+long+"}\n"))
	seen := map[string]bool{}
	for _, s := range d.Sections[1:] {
		if len(s.Anchor) < maxAnchor-1 || len(s.Anchor) > maxAnchor+2 || !utf8.ValidString(s.Anchor) || seen[s.Anchor] {
			t.Errorf("a heading of %d bytes has the anchor %q (%d bytes)", len(s.Heading), s.Anchor, len(s.Anchor))
		}
		seen[s.Anchor] = true
	}
}
