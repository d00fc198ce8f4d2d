package markdown

import (
	"strings"
	"testing"
)

// TestLookalikes has prose that looks like what generators of sites add: none of its words may be lost.
func TestLookalikes(t *testing.T) {
	for _, text := range []string{
		":::note[Title] and more",
		"::: tip use {x} and {y z}",
		"::: package.module",
		"/// Adds two numbers\n/// Example",
		"/// Returns",
		"!!! do not touch",
		"!!! Important",
		"!!! warning\nin the same paragraph",
		"!!! warning\n\nin the next",
		"??? what",
		"??? really why",
		"=== Heading ===",
		"a\n\n=== b",
		"--8<-- cut here",
		"<<< ./a and b",
		"@[codex](a)",
		"%% one\ntwo\n\nthree %%",
		"100%%\n\n%%time\nx\n\n%%",
		"The function returns {:ok}",
		"*It* is {:ok} and `x`{:ok}",
		"f(a){n=3}",
		"a set {n=3}",
		"{n=3}",
		"a {.net} b",
		"a {#each} b",
		"- a {#each}\n  b",
		"x ^n",
		"10 ^6",
		"[tocs]",
		"[toc] first",
		"* a\n{: .toc}",
		"{%5 and 10%}",
	} {
		for _, in := range []string{"%s", "> %s", "- %s", "| %s |\n|---|\n"} {
			if strings.HasPrefix(in, "|") && strings.ContainsAny(text, "\n|") {
				continue
			}
			first, _, _ := strings.Cut(in, "%s")
			written := text
			if prefix := map[string]string{"> ": "> ", "- ": "  "}[first]; prefix != "" {
				written = strings.ReplaceAll(text, "\n", "\n"+prefix)
			}
			d := Parse("a.md", []byte(strings.Replace(in, "%s", written, 1)))
			var all strings.Builder
			for _, s := range d.Sections {
				for _, b := range s.Blocks {
					all.WriteString(b.Text + " ")
				}
			}
			got := all.String()
			for _, word := range wordsOf(text) {
				if n := strings.Index(got, word); n >= 0 {
					got = got[n+len(word):]
				} else {
					t.Errorf("%q: the text %q lacks %q", strings.Replace(in, "%s", written, 1), all.String(), word)
					break
				}
			}
		}
	}
}

// wordsOf returns the letters and digits of a text, without its addresses and what is markup in it.
func wordsOf(text string) []string {
	text = strings.NewReplacer("](a)", "", "{: .toc}", "", "::: tip", "").Replace(text)
	return strings.FieldsFunc(text, func(r rune) bool { return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9') })
}

// TestWeakAnchors has terms and folded parts that are called like a heading below them, whose anchor is GitHub's.
func TestWeakAnchors(t *testing.T) {
	for _, text := range []string{
		"<details>\n<summary>Use</summary>\n\n## Use\n\n</details>\n",
		"Use\n: of a term\n\n## Use\n",
	} {
		d := Parse("a.md", []byte(text))
		if len(d.Sections) != 2 || d.Sections[1].Anchor != "use" || len(d.Anchors) != 1 || d.Anchors[0].ID != "use-1" {
			t.Errorf("Parse(%q): sections %+v, anchors %+v", text, d.Sections, d.Anchors)
		}
	}
}

// TestCommentHeadings has headings that are comments: only what a plug-in makes a heading of is text.
func TestCommentHeadings(t *testing.T) {
	for comment, want := range map[string]string{
		"<!-- md:option a.b -->": "a.b", "<!-- exact a.b -->": "a.b", "<!-- exactly a.b -->": "", "<!-- omit in toc -->": "", "<!-- Later: write -->": "", "<!-- a:b -->": "", "<!---->": "",
	} {
		if got := Parse("a.md", []byte("# "+comment+"\n"), "md:*", "exact").Sections[1].Heading; got != want {
			t.Errorf("heading %q: %q, want %q", comment, got, want)
		}
	}
}
