package markdown

import (
	"fmt"
	"strings"
	"testing"
)

// TestModuleLines: a line of MDX is code only if it is all that an import or export statement needs.
func TestModuleLines(t *testing.T) {
	for _, test := range []struct {
		line string
		want bool
	}{
		{"import 'a.css'", true},
		{`import "a.css"`, true},
		{"import {", true},
		{"import * as a from 'a'", true},
		{"import A, { b } from 'a'", true},
		{"import A from a", false},
		{"import from '", false},
		{"import goods from abroad", false},
		{"import", false},
		{"import ", false},
		{"export {a}", true},
		{"export * from 'a'", true},
		{"export const a = 1", true},
		{"export let a", false},
		{"export var a = 1", true},
		{"export var = a", false},
		{"export function f(", true},
		{"export class A {", true},
		{"export async function f() {", true},
		{"export function of goods", false},
		{"export default A", true},
		{"export default function A", true},
		{"export default ({children}) => <b/>", true},
		{"export default values of the form", false},
		{"export goods = more", false},
		{"exports const a = 1", false},
	} {
		if got := isModuleLine([]byte(test.line)); got != test.want {
			t.Errorf("isModuleLine(%q) = %t, want %t", test.line, got, test.want)
		}
	}
}

func TestWithoutComment(t *testing.T) {
	for value, want := range map[string]string{
		"": "", "1 # one": "1 ", `"a # b" # c`: `"a # b" `, `'a # b'`: `'a # b'`, `"a \" # b"`: `"a \" # b"`, `'a \' # b'`: `'a \' `, `"open # b`: `"open # b`, `"\`: `"\`,
	} {
		if got := withoutComment(value); got != want {
			t.Errorf("withoutComment(%q) = %q, want %q", value, got, want)
		}
	}
}

// TestTrimURL: what ends a sentence does not belong to a bare URL, as GFM has it.
func TestTrimURL(t *testing.T) {
	for _, test := range []struct{ url, want string }{
		{"a.b/c", "a.b/c"},
		{"a.b/c.", "a.b/c"},
		{"a.b/c?!,:*_~'\"]|`", "a.b/c"},
		{"a.b/c)", "a.b/c"},
		{"a.b/(c)", "a.b/(c)"},
		{"a.b/(c))", "a.b/(c)"},
		{"a.b/((c)", "a.b/((c)"},
		{"a.b/c);", "a.b/c"},
		{"a.b/c&amp;", "a.b/c"},
		{"a.b/c&lt;&gt;", "a.b/c"},
		{"a.b/c&;", "a.b/c&"},
		{"a.b/c;", "a.b/c"},
		{"...", ""},
		{"", ""},
	} {
		raw := []byte("http://" + test.url)
		if got := string(raw[7:trimURL(raw, 7, len(raw))]); got != test.want {
			t.Errorf("trimURL(%q) leaves %q, want %q", test.url, got, test.want)
		}
	}
}

func TestClosingBracket(t *testing.T) {
	for _, test := range []struct {
		line string
		want int
	}{
		{"[a]", 2}, {"[a [b] c] d]", 8}, {`[a \] b]`, 7}, {"[a", -1}, {`[a \`, -1}, {"[[a]", -1}, {"[]", 1},
	} {
		if got := closingBracket([]byte(test.line), 0); got != test.want {
			t.Errorf("closingBracket(%q) = %d, want %d", test.line, got, test.want)
		}
	}
}

// TestLinkTitles gives what follows a title, or "none" where there is no title.
func TestLinkTitles(t *testing.T) {
	for _, test := range []struct{ raw, rest string }{
		{`"a" b`, " b"}, {"'a'b", "b"}, {"(a)b", "b"}, {`"a \" b"c`, "c"}, {"\"a\nb\"c", "c"},
		{"\"a\n\nb\"", "none"}, {"(a (b))", "none"}, {`"a`, "none"}, {"a", "none"}, {"", "none"}, {`"` + strings.Repeat("a", 2*maxTarget) + `"`, "none"},
	} {
		got := "none"
		if next, ok := linkTitle([]byte(test.raw), 0); ok {
			got = test.raw[next:]
		}
		if got != test.rest {
			t.Errorf("linkTitle(%.40q) leaves %q, want %q", test.raw, got, test.rest)
		}
	}
}

// TestExpressions has JSX expressions, what is inside their braces, and the string that this is.
func TestExpressions(t *testing.T) {
	for _, test := range []struct{ raw, inside, value, rest string }{
		{"{a}b", "a", "", "b"},
		{"{ 'a b' }", " 'a b' ", "a b", ""},
		{`{"a"}`, `"a"`, "a", ""},
		{"{`a`}", "`a`", "a", ""},
		{"{`a ${b}`}", "`a ${b}`", "", ""},
		{`{"a\n"}`, `"a\n"`, "", ""},
		{`{'}' + "{"}c`, `'}' + "{"`, "", "c"},
		{`{"a\"}"}c`, `"a\"}"`, "", "c"},
		{"{a: {b: 1}}c", "a: {b: 1}", "", "c"},
		{"{}", "", "", ""},
	} {
		inside, next, ok := braces([]byte(test.raw), 0)
		if !ok || string(inside) != test.inside || test.raw[next:] != test.rest {
			t.Errorf("braces(%q) = %q and %q behind it, %t; want %q and %q", test.raw, inside, test.raw[next:], ok, test.inside, test.rest)
		}
		if got := stringLiteral(inside); got != test.value {
			t.Errorf("stringLiteral(%q) = %q, want %q", inside, got, test.value)
		}
	}
	for _, raw := range []string{"{a", "{{a}", "{'a}", `{"a\`} {
		if inside, _, ok := braces([]byte(raw), 0); ok {
			t.Errorf("braces(%q) = %q, want none", raw, inside)
		}
	}
}

func TestComponentNames(t *testing.T) {
	for rest, want := range map[string]bool{
		"Card>": true, "/Card>": true, ">": true, "/>": true, "motion.div>": true, "a.b": true, "div>": false, ".a": false, "": false, "/": false, "a-b.c": false,
		strings.Repeat("a", 70) + ".b": false,
	} {
		if got := mayBeComponent([]byte(rest)); got != want {
			t.Errorf("mayBeComponent(%q) = %t, want %t", rest, got, want)
		}
	}
}

// TestColumns: tabs end at each fourth column.
func TestColumns(t *testing.T) {
	for text, want := range map[string]int{"": 0, "a": 1, "\t": 4, " \t": 4, "   \ta": 5, "    \t": 8, "\t\t": 8} {
		if got := columns([]byte(text)); got != want {
			t.Errorf("columns(%q) = %d, want %d", text, got, want)
		}
	}
}

// TestShouts: "!!! note" begins a note if the next line with text is indented by four columns more.
func TestShouts(t *testing.T) {
	for _, test := range []struct {
		source string
		want   bool
	}{
		{"!!! note\n    in it\n", true},
		{"!!! note\n\tin it\n", true},
		{"!!! note\n\n    in it\n", true},
		{"  !!! note\n      in it\n", true},
		{"> !!! note\n>     in it\n", true},
		{"  !!! note\n    not in it\n", false},
		{"!!! note\nnot in it\n", false},
		{"!!! note", false},
		{"!!! note\n\n\n\n\n\n    too far\n", false},
	} {
		at := strings.Index(test.source, "!!!")
		if got := holdsMore([]byte(test.source), at); got != test.want {
			t.Errorf("holdsMore(%q) = %t, want %t", test.source, got, test.want)
		}
	}
}

// TestTemplateValues has outputs and tags of templates in targets of links, and what they stand for.
func TestTemplateValues(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`{{ "a/b" }}c`, `"a/b" c`},
		{`{{ 'a' | relative_url }}`, `"a" `},
		{`{{- "a" -}}`, `"a" `},
		{"{{ site.baseurl }}/a", `"" /a`},
		{"{{ Site.BaseURL | trim }}/a", `"" /a`},
		{"{{ page.title }}", "none"},
		{`{{ "a }}`, "none"},
		{"{{ }}", "none"},
		{"{{ a", "none"},
		{"{% link a/b.md %}#c", `"/a/b.md" #c`},
		{"{% link /a.md %}", `"/a.md" `},
		{"{% post_url 2026-01-02-a %}", `"/_posts/2026-01-02-a" `},
		{"{% endif %}", "none"},
		{"a", "none"},
	} {
		got := "none"
		if value, n, ok := templateValue(test.text); ok {
			got = fmt.Sprintf("%q %s", value, test.text[n:])
		}
		if got != test.want {
			t.Errorf("templateValue(%q) = %s, want %s", test.text, got, test.want)
		}
	}
}

// TestListsOfMappings: what mappings in a list of YAML have is one list for each key.
func TestListsOfMappings(t *testing.T) {
	source := "---\nauthors:\n  - name: Ana\n    at: {city: Lugo, zip: 27001}\n  - &bo {name: Bo, tags: [x, y]}\n  - *bo\n---\ntext\n"
	got := map[string]string{}
	for _, f := range Parse("a.md", []byte(source)).FrontMatter.Fields {
		got[f.Name] = strings.Join(f.Values, "|")
	}
	want := map[string]string{"authors.name": "Ana|Bo|Bo", "authors.at.city": "Lugo", "authors.at.zip": "27001", "authors.tags": "x|y|x|y"}
	for name, values := range want {
		if got[name] != values {
			t.Errorf("%s = %q, want %q; all: %q", name, got[name], values, got)
		}
	}
}

// TestFits: an option is named whole, or by how it begins.
func TestFits(t *testing.T) {
	for _, test := range []struct {
		word, name string
		want       bool
	}{
		{"a:b", "a:b", true}, {"a:b", "a:*", true}, {"a:", "a:*", true}, {"b:a", "a:*", false}, {"a:b", "a:", false}, {"a", "", false}, {"a", "*", true},
	} {
		if got := fits(test.word, test.name); got != test.want {
			t.Errorf("fits(%q, %q) = %t, want %t", test.word, test.name, got, test.want)
		}
	}
}
