package compiler

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"kdd/compiler/filetest"
	"kdd/runtime"
	"kdd/runtime/wire"
)

// utf16Text is a text as Windows writes it.
func utf16Text(s string) string {
	b := []byte("\xff\xfe")
	for _, u := range utf16.Encode([]rune(s)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return string(b)
}

// wordy returns n different words around "marmalade".
func wordy(n int) string {
	var b strings.Builder
	for i := range n {
		if i == n/2 {
			b.WriteString("marmalade ")
		}
		fmt.Fprintf(&b, "w%d ", i%5000)
	}
	return b.String()
}

// TestBadInput builds documents that break tools. Each is compiled, has its findings, can be read back byte for byte,
// listed, found by its name, and by a word of its text.
func TestBadInput(t *testing.T) {
	const word = "marmalade" // in each document that has text
	long := strings.Repeat(strings.Repeat("long ", 200)+"line ", 50_000)
	var table strings.Builder
	table.WriteString("# Table\n\n| key | value |\n|---|---|\n")
	for i := range 5000 {
		fmt.Fprintf(&table, "| k%d | %s |\n", i, [...]string{"plain", word}[i/4999])
	}
	tests := []struct {
		name  string
		path  string
		text  string
		rules []string // of the findings about it, sorted, "unreachable-document" aside
		empty bool     // it has no text
		spec  string   // its name, where that is not the stem
	}{
		{name: "empty", path: "blank-page.md", text: "", rules: []string{"empty-file"}, empty: true},
		{name: "white space only", path: "blank-page.md", text: " \n\t\n\n", rules: []string{"empty-file"}, empty: true},
		{name: "byte order mark only", path: "blank-page.md", text: "\xef\xbb\xbf", rules: []string{"empty-file"}, empty: true},
		{name: "front matter only", path: "only-front.md", text: "---\nowner: ana\n---\n", empty: true},
		{name: "front matter only, with a title", path: "x.md", text: "---\ntitle: Nothing but a title\n---", empty: true, spec: "Nothing but a title"},
		{name: "front matter only, with an id", path: "x.md", text: "---\nid: RF-AUTH-001\n---", empty: true, spec: "RF-AUTH-001"},
		{name: "an empty title", path: "named.md", text: "---\ntitle: \"\"\n---\n#\n\n" + word},
		{name: "a heading only", path: "h.md", text: "# Just a heading", empty: true, spec: "Just a heading"},
		{name: "comments only", path: "c.md", text: "<!-- nothing -->\n", empty: true},
		{name: "no letters", path: "digits.md", text: "# 123\n\n12 34 marmalade 56\n"},
		{name: "no letters at all", path: "digits.md", text: "# 1 2 3\n\n--- 45,6 +++ ... %%%\n", empty: true},
		{name: "CRLF", path: "crlf.md", text: "---\r\ntitle: Windows\r\n---\r\n# Windows\r\n\r\nSome marmalade.\r\n\r\n## More\r\n\r\nText.\r\n"},
		{name: "CR alone", path: "cr.md", text: "# Old Mac\r\rSome marmalade.\r"},
		{name: "byte order mark", path: "bom.md", text: "\xef\xbb\xbf---\ntitle: Marked\n---\nSome marmalade.\n", spec: "Marked"},
		{name: "UTF-16", path: "u16.md", text: utf16Text("# Wide\n\nSome märmalade and marmalade.\n"), rules: []string{"utf16"}, spec: "Wide"},
		{name: "invalid UTF-8", path: "latin.md", text: "# Latin\n\nCaf\xe9 marmalade.\n", rules: []string{"not-utf8"}},
		{name: "a NUL further on", path: "nul.md", text: "# N\n\nmarmalade\n" + strings.Repeat("x y z\n", 2000) + "\x00\n", rules: []string{"nul-byte"}},
		{name: "broken front matter", path: "broken.md", text: "---\ntitle: [unclosed\n: x\n---\n# B\n\nmarmalade\n", rules: []string{"front-matter-syntax"}},
		{name: "front matter without an end", path: "open.md", text: "---\ntitle: Open\n\n# Heading\n\nmarmalade\n", rules: []string{"front-matter-open"}},
		{name: "front matter of odd types", path: "odd.md", text: "---\naliases: [2024, true, ~, {a: b}]\ntitle: 2024-01-01\ntags: 7\nid: [a, b]\ndate: yesterday\n---\nmarmalade\n", rules: []string{"unread-date"}},
		{name: "front matter of a scalar", path: "scalar.md", text: "---\njust words here\n---\n\nmarmalade\n"},
		{name: "huge front matter", path: "hugefront.md", text: "---\ntitle: Huge\nnotes: " + strings.Repeat("lorem ipsum ", 100_000) + "\n---\nmarmalade\n", rules: []string{"front-matter-size"}},
		{name: "front matter with 50,000 values", path: "many.md", text: "---\ntags: [" + strings.Repeat("a, ", 50_000) + "b]\n---\nmarmalade\n", rules: []string{"front-matter-size"}},
		{name: "a bomb of aliases", path: "bomb.md", text: "---\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\ng: [*f,*f,*f,*f,*f,*f,*f,*f,*f]\n---\nmarmalade\n", rules: []string{"front-matter-size"}},
		{name: "a single line of 50 MB", path: "line.md", text: long + word, rules: []string{"long-block"}},
		{name: "a heading of 1 MB above 3,000 sections", path: "heading.md", text: "# T\n\n## " + strings.Repeat("wide ", 200_000) + "\n\nmarmalade\n" + strings.Repeat("\n### s\n\nx\n", 3000)},
		{name: "quotes nested 10,000 deep", path: "deep.md", text: strings.Repeat(">", 10_000) + " marmalade\n", rules: []string{"nested-too-deep"}},
		{name: "lists nested 10,000 deep", path: "deep.md", text: strings.Repeat("- ", 10_000) + "marmalade\n", rules: []string{"nested-too-deep"}},
		{name: "brackets nested 10,000 deep", path: "deep.md", text: strings.Repeat("[", 10_000) + "marmalade" + strings.Repeat("](x)", 10_000) + "\n", rules: []string{"broken-link"}},
		{name: "a block of 80,000 words", path: "block.md", text: "# Block\n\n" + wordy(80_000)},
		{name: "a table of 5,000 rows", path: "table.md", text: table.String()},
		{name: "a word of 1 MB", path: "word.md", text: strings.Repeat("x", 1<<20) + "\n\n" + word},
		{name: "100,000 headings", path: "headings.md", text: strings.Repeat("# same\n", 100_000) + word},
		{name: "an anchor twice", path: "anchors.md", text: "# A {#one}\n\nmarmalade\n\n## B {#one}\n\nx\n", rules: []string{"duplicate-anchor"}},
		{name: "a name with a space", path: "a folder/the page.md", text: word},
		{name: "a name with #", path: "c#/notes#1.md", text: word},
		{name: "a name with %", path: "100%/50%25.md", text: word},
		{name: "a name with a line feed", path: "two\nlines.md", text: word},
		{name: "a name with quotes and a back-slash", path: `it's "a\b".md`, text: word},
		{name: "a name that is not ASCII", path: "año/Straße 東京.md", text: word},
		{name: "a name with an escape", path: "red\x1b[31m.md", text: word},
		{name: "a name like a flag", path: "--strict.md", text: word},
		{name: "a long name", path: strings.Repeat("d", 200) + "/" + strings.Repeat("n", 240) + ".md", text: word},
		{name: "Chinese", path: "zh.md", text: "# 指南\n\n这是一个文档，关于索引。marmalade\n", spec: "指南"},
		{name: "a Git LFS pointer", path: "lfs.md", text: "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n", rules: []string{"lfs-pointer"}, empty: true},
		{name: "an empty feature", path: "none.feature", text: "# a comment\n", rules: []string{"gherkin-syntax"}, empty: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			filetest.Write(t, dir, map[string]string{"docs/" + tt.path: tt.text, "docs/other.md": "# Other\n\nThe page of words that others have.\n"})
			o := Options{Sources: []string{filepath.Join(dir, "docs")}, NoVectors: true, Output: filepath.Join(dir, "out.kddx"), Version: "test"}
			r, _ := mustBuild(t, o)
			if r.Counts.Documents != 2 {
				t.Fatalf("%d documents, skipped %v, want 2", r.Counts.Documents, r.Skipped)
			}
			found := map[string]bool{}
			for _, d := range r.Diags {
				if d.Path == tt.path && d.Rule != "unreachable-document" {
					found[d.Rule] = true
				}
			}
			if got := slices.Sorted(maps.Keys(found)); !slices.Equal(got, tt.rules) {
				t.Errorf("findings %q, want %q", got, tt.rules)
			}
			verified(t, o.Output)
			s := runtime.New(runtime.Config{Index: []string{o.Output}})
			defer s.Close()
			answers(t, s, tt.path, tt.text, map[bool]string{false: word}[tt.empty], tt.spec)
		})
	}
}

// answers asks for one document in every way: its text, the list, its name, and a word of it unless that is "".
func answers(t *testing.T, s *runtime.Service, path, text, word, spec string) {
	t.Helper()
	ctx := t.Context()
	list, err := s.List(ctx, wire.ListRequest{Limit: 200})
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(list.Documents, func(d wire.Listed) bool { return d.Path == path })
	if at < 0 || list.Documents[at].Title == "" {
		t.Errorf("List does not have %q, or no title: %+v", path, list.Documents)
	}
	want := text
	if strings.HasPrefix(text, "\xff\xfe") {
		want = ""
	}
	read, err := s.Read(ctx, wire.ReadRequest{File: path, MaxBytes: 65536})
	switch {
	case err != nil:
		t.Errorf("Read(%q): %v", path, err)
	case want != "" && (read.TotalBytes != len(want) || !strings.HasPrefix(want, read.Markdown)) && !bytes.ContainsRune([]byte(want), '\ufffd') && strings.ToValidUTF8(want, "") == want:
		t.Errorf("Read(%q) = %d bytes %.60q, want %d bytes %.60q", path, read.TotalBytes, read.Markdown, len(want), want)
	}
	if spec == "" {
		spec = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	}
	specs, err := s.FindSpec(ctx, wire.FindSpecRequest{Name: spec})
	if err != nil || len(specs.Results) == 0 || specs.Results[0].Path != path {
		t.Errorf("FindSpec(%.60q) = %v, %v, want %q first", spec, hits(specs), err, path)
	}
	if word == "" {
		return
	}
	found, err := s.Search(ctx, wire.SearchRequest{Query: word})
	if err != nil || len(found.Results) == 0 || found.Results[0].Path != path || !strings.Contains(found.Results[0].Snippet, word) {
		t.Errorf("Search(%q) = %v, %v, want %q first", word, hits(found), err, path)
	}
}

// hits shows the results of a search.
func hits(r *wire.SearchResponse) []string {
	if r == nil {
		return nil
	}
	var list []string
	for _, h := range r.Results {
		list = append(list, fmt.Sprintf("%q %q", h.Path, h.Snippet))
	}
	return list
}
