package units

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"kdd/compiler/chunk"
	"kdd/compiler/markdown"
	"kdd/format/index"
)

// shown is a unit as a test writes it.
func shown(text string, u index.Unit) string {
	return [...]string{"sentence", "item", "step", "code", "row", "head"}[u.Kind] + " " + text[u.Start:u.End]
}

func TestSplit(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"empty", "", nil},
		{"heading alone", "## Setup {/*setup*/}\n", nil},
		{"two sentences", "One thing. Another!\n", []string{"sentence One thing.", "sentence Another!"}},
		{"a sentence over lines", "One\nthing. Two", []string{"sentence One\nthing.", "sentence Two"}},
		{"CRLF", "One\r\nthing.\r\n\r\nTwo.\r\n", []string{"sentence One\r\nthing.", "sentence Two."}},
		{"abbreviation and number", "Use 1.5 s, e.g. Here. Then stop.", []string{"sentence Use 1.5 s, e.g. Here.", "sentence Then stop."}},
		{"code in a sentence", "Call `a. B()` now. Done.", []string{"sentence Call `a. B()` now.", "sentence Done."}},
		{"small letter goes on", "See node.js. and more", []string{"sentence See node.js. and more"}},
		{"Chinese", "第一句。第二句！", []string{"sentence 第一句。", "sentence 第二句！"}},
		{"inverted mark", "Sí. ¿Y ahora? Nada.", []string{"sentence Sí.", "sentence ¿Y ahora?", "sentence Nada."}},
		{"bullets", "- one\n- two\n  goes on\n", []string{"item one", "item two\n  goes on"}},
		{"steps with a blank line and code", "1. one\n\n   ```js\n   x()\n   ```\n2. two\n", []string{"step one", "code    ```js\n   x()\n   ```", "step two"}},
		{"item of two sentences", "* One. Two.\n", []string{"item One.", "item Two."}},
		{"table", "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\nText.", []string{"head | a | b |\n|---|---|", "row | 1 | 2 |", "row | 3 | 4 |", "sentence Text."}},
		{"code", "Run:\n\n```sh\nmake\n```\n", []string{"sentence Run:", "code ```sh\nmake\n```"}},
		{"code cut off", "```sh\nmake\n", nil},
		{"quote", "> One. Two.\n", []string{"sentence One.", "sentence Two."}},
		{"tags and comments", "<Intro>\n\nText.\n\n</Intro>\n<!-- not\nthis -->\n{/* nor this */}\n", []string{"sentence Text."}},
		{"scenario", "Given a file\n  | a | b |\n  | 1 | 2 |\nWhen I read\nThen it is there\n", []string{"item Given a file", "head | a | b |", "row | 1 | 2 |", "item When I read", "item Then it is there"}},
		{"a sentence that begins like a step", "When I read,\nthe file is there.\n", []string{"sentence When I read,\nthe file is there."}},
		{"a sentence that ends inside of a link", "See [the guide.](a.md) Then [e.g. this.](b.md) go on.", []string{"sentence See [the guide.](a.md)", "sentence Then [e.g. this.](b.md) go on."}},
		{"rule", "One.\n\n---\n\nTwo.", []string{"sentence One.", "sentence Two."}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, u := range Split(tt.text, 0) {
				got = append(got, shown(tt.text, u))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("Split(%q) = %q, want %q", tt.text, got, tt.want)
			}
		})
	}
}

// TestMarks checks what units say of themselves, and what is one block.
func TestMarks(t *testing.T) {
	const text = "This is so. A ref is two things:\n\n- one\n  Is it? See the guide.\n  1. npm install it\n\n```\n4\n```\n\n| a |\n|---|\n| 3 |\n"
	want := []string{
		"sentence This is so. begins-block leans 1", "sentence A ref is two things: number open announces 2",
		"item one\n  Is it? begins-block begins-item 1", "item See the guide. points", "step npm install it begins-item open command 2",
		"code ```\n4\n``` begins-block number", "head | a |\n|---| begins-block", "row | 3 | number",
	}
	var got []string
	for _, u := range Split(text, 0) {
		s := shown(text, u) + u.Marks.String()
		if u.Subject > 0 || u.Depth > 0 {
			s += fmt.Sprint(" ", int(u.Subject)+int(u.Depth))
		}
		got = append(got, s)
	}
	if !slices.Equal(got, want) {
		t.Errorf("Split(%q) = %q, want %q", text, got, want)
	}
}

// TestShare checks which chunk each unit goes to: what a chunk begins with may begin before it, a table that goes on
// comes with its header, and what is in no chunk is none.
func TestShare(t *testing.T) {
	const text = "One. **Two** goes on.\n\nimport x\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\n```\nfour\n```\n"
	at := func(part string) int { return strings.Index(text, part) }
	chunks := []chunk.Chunk{
		{Start: 0, End: 4}, {Start: at("Two"), End: at("\n\nimport")}, {Start: at("| a"), End: at("2 |")}, {Start: at("3"), End: at("4 |")},
		{Start: at("four"), End: at("four") + 4},
	}
	want := []string{
		"sentence One. begins-block", "sentence **Two** goes on. number", "head | a | b |\n|---|---| begins-block; row | 1 | 2 | number",
		"head | a | b |\n|---|---|; row | 3 | 4 | number", "code ```\nfour\n``` begins-block number",
	}
	for i, own := range share(Split(text, 0), chunks) {
		var got []string
		for _, u := range own {
			got = append(got, shown(text, u)+u.Marks.String())
		}
		if s := strings.Join(got, "; "); s != want[i] {
			t.Errorf("chunk %d has %q, want %q", i, s, want[i])
		}
	}
}

// FuzzEncode checks that the units of any document are ranges of its text in order, none empty, each in its chunk.
func FuzzEncode(f *testing.F) {
	f.Add("# A\n\nOne. Two.\n\n- a\n  - b\n\n1. c\n\n| x |\n|---|\n| y |\n\n```\nz\n```\n")
	f.Add("> q\n\r\n<!--\n| | |\n--|--\n|\n")
	f.Add("Given a\n | b |\n | c |\nThen d\n |\n")
	f.Add("- ```\n- ~~~\n\xff\xfe. A")
	f.Add("| a |\n|---|\n" + strings.Repeat("| b c d e f |\n", 30) + "\n" + strings.Repeat("One, two. ", 60))
	f.Fuzz(func(t *testing.T, text string) {
		at := uint64(0)
		for i, u := range Split(text, 0) {
			if u.Start < at || u.Start >= u.End || u.End > uint64(len(text)) {
				t.Fatalf("unit %d of %q is [%d, %d), the one before ends at %d", i, text, u.Start, u.End, at)
			}
			at = u.End
		}
		doc := markdown.Parse("a.md", []byte(text))
		chunks := chunk.Split(doc, chunk.Limit{Max: 12, Count: chunk.CountWords})
		at = 0
		for i, own := range Of(doc.Source, chunks) {
			c := &chunks[i]
			for k, u := range own {
				if u.Kind == index.HeadUnit && k+1 < len(own) && own[k+1].Kind == index.RowUnit {
					continue
				}
				if u.Kind == index.HeadUnit || u.Start < at || u.Start >= uint64(c.End) || u.End <= uint64(c.Start) {
					t.Fatalf("unit %d of chunk %d, [%d, %d), of %q is %+v, one before it ends at %d", k, i, c.Start, c.End, text, u, at)
				}
				at = u.End
			}
		}
	})
}

// TestHostile cuts texts that take long where the end of something is looked for again and again.
func TestHostile(t *testing.T) {
	r := strings.Repeat
	for _, text := range []string{
		r("[a. ](b. ", 12_000), r("[", 20_000) + r("]", 20_000), r("Given a\n", 20_000) + "no", r("- a\n\n", 20_000), r("```\n", 20_000) + "~~~",
		r("<a ", 40_000), r("<!--\n", 20_000), r("| a ", 40_000) + "\n|-|\n|", r("> ", 60_000), r("`a. ", 20_000), r("{/*\n", 20_000), r("(a. ", 20_000),
	} {
		at := uint64(0)
		for i, u := range Split(text, 0) {
			if u.Start < at || u.End <= u.Start {
				t.Fatalf("unit %d of %.20q… is %+v, the one before ends at %d", i, text, u, at)
			}
			at = u.End
		}
	}
}
