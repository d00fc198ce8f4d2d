package snippet

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestSnippet(t *testing.T) {
	filler := strings.Repeat("Nothing of interest is said in this sentence. ", 20)
	tests := []struct{ name, text, query, want string }{
		{"empty", "", "login", ""},
		{"short", "The login flow.", "login", "The login flow."},
		{"no evidence", filler, "login", "Nothing of interest is said in this sentence. Nothing of interest is said in this sentence. Nothing of interest is said in this sentence. Nothing of"},
		{"densest place", filler + "A login here. " + filler + "The login needs a token. " + filler, "login token",
			"The login needs a token. Nothing of interest is said in this sentence. Nothing of interest is said in this sentence. Nothing of interest is said in"},
		{"in its paragraph", "Before it.\n\n" + "A login " + strings.Repeat("word ", 12) + "ends.\n\nAfter it.", "login", "A login " + strings.Repeat("word ", 12) + "ends."},
		{"heading left out", "## Login\n\nThe token is checked at once and then again by the second service.\n\n## Next", "token", "The token is checked at once and then again by the second service."},
		{"list mark", "- the login\n- the token", "login token", "the login\n- the token"},
		{"quote and emphasis", "> **The login** is *here*", "login", "**The login** is *here*"},
		{"emphasis without its end", "**The login " + strings.Repeat("word ", 40) + "ends.**", "login", "The login " + strings.TrimSpace(strings.Repeat("word ", 27))},
		{"table row", "| a | login |\n|---|---|\n| b | token |", "token", "b | token"},
		{"a sentence begins a little before the evidence", "Nothing. Access tokens are signed " + strings.Repeat("words ", 19) + "with a key set. " + filler, "tokens key set",
			"Access tokens are signed " + strings.Repeat("words ", 19) + "with a key"},
		{"a row begins a little before the evidence", "| name | type |\n|---|---|\n| `limit` | the number of results " + strings.Repeat("words ", 20) + "at the end of it |", "number results end",
			"`limit` | the number of results " + strings.TrimSpace(strings.Repeat("words ", 19))},
		{"evidence in a longer word at the end", "The token " + strings.Repeat("words ", 22) + "[token-value] follows.", "token", "The token " + strings.TrimSpace(strings.Repeat("words ", 22))},
		{"evidence in a longer word at the beginning", strings.Repeat("words ", 40) + "[[my-token-value]] is " + strings.Repeat("words ", 18) + "a login " + filler, "token login",
			"[[my-token-value]] is " + strings.Repeat("words ", 18) + "a login Nothing of"},
		{"between the marks of a container", "Before.\n:::note[Title]\nThe token is checked at once and then again by the second service.\n:::\nAfter.", "token", "The token is checked at once and then again by the second service."},
		{"between the tags of a template", "Before.\n{% hint %}\nThe token is checked at once and then again by the second service.\n{% endhint %}\nAfter.", "token", "The token is checked at once and then again by the second service."},
		{"between tags", "Before.\n<details open>\nThe token is checked at once and then again by the second service.\n</details>\nAfter.", "token", "The token is checked at once and then again by the second service."},
		{"after the end of a container", "Before.\n:::\n\nThe token is checked.", "token", "The token is checked."},
		{"after tags, without evidence", "<Intro>\n\n{% include nav.html %}\n{/* for later */} <Badge />\n\nThe token is checked.\n\n</Intro>", "", "The token is checked.\n\n</Intro>"},
		{"after a tag of many characters", "<Diagram name=\"flow\" alt=\"" + strings.Repeat("words ", 40) + "\">\n\nThe token is checked.", "", "The token is checked."},
		{"code without its fence", "```js title=\"a.js\"\nlet token = 1;\n```\n", "js token", "let token = 1;"},
		{"evidence in a tag", "<Token name=\"a\" />\n<Other />\nThe end.", "token", "<Token name=\"a\" />\n<Other />\nThe end."},
		{"evidence in a container's title", ":::note[Token]\nIt is checked.\n:::", "token", ":::note[Token]\nIt is checked."},
		{"text between tags of a line", "{{< hint >}}The token.{{< /hint >}}\nIt is checked.", "", "{{< hint >}}The token.{{< /hint >}}\nIt is checked."},
		{"an address in its marks", "<https://example.org/token>\nIt is checked.", "", "<https://example.org/token>\nIt is checked."},
		{"nothing but tags", "<A>\n<B />\n</A>", "", "<A>\n<B />\n</A>"},
		{"the end of a container at the end", "The token is checked at once, and again.\n:::\n", "token", "The token is checked at once, and again."},
		{"in its paragraph of a quote", "> Before.\n>\n> The token is checked at once and then again by the second service.\n>\n> After.", "token", "The token is checked at once and then again by the second service."},
		{"one endless word", strings.Repeat("x", 400), "", strings.Repeat("x", 150)},
		{"no spaces between words", strings.Repeat("漢", 200) + "認証" + strings.Repeat("字", 200), "認証", strings.Repeat("漢", 49) + "認証" + strings.Repeat("字", 99)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			hits := words(test.text, evidence(test.query))
			if test.query == "認証" { // an analyzer finds it, words do not
				at := strings.Index(test.text, test.query)
				hits = []Span{{Start: at, End: at + len(test.query)}}
			}
			if got := Snippet(test.text, hits, SnippetRunes); got != test.want {
				t.Errorf("Snippet(%q) = %q, want %q", test.text, got, test.want)
			}
		})
	}
}

func FuzzSnippet(f *testing.F) {
	f.Add("The **login** flow.\n\n- token", 1, 4, 3, 150)
	f.Add("漢字 🙂‍💻 é\u0301 \xff", 0, 2, 1, 5)
	f.Add(strings.Repeat("word ", 100), 100, 90, 300, 20)
	f.Fuzz(func(t *testing.T, text string, a, b, c, most int) {
		most %= 300
		hits := []Span{{Start: a, End: b, Term: 1}, {Start: b, End: c, Term: 2, Weight: 3}, {Start: c, End: c + 1, Term: 1}}
		for _, spans := range [][]Span{nil, hits, words(text, func(w string) bool { return len(w)%2 == 0 })} {
			got := Snippet(text, spans, most)
			if !strings.Contains(text, got) {
				t.Fatalf("Snippet(%q) = %q, not verbatim", text, got)
			}
			if n := utf8.RuneCountInString(got); n > max(most, 0) {
				t.Fatalf("Snippet(%q) has %d characters, want at most %d", text, n, most)
			}
			if utf8.ValidString(text) && !utf8.ValidString(got) {
				t.Fatalf("Snippet(%q) = %q: cut within a character", text, got)
			}
		}
	})
}

func BenchmarkSnippet(b *testing.B) {
	text := strings.Repeat("Some words that lead to the login of a user, and then further. ", 200)
	hits := words(text, evidence("login user"))
	b.ReportAllocs()
	for b.Loop() {
		if Snippet(text, hits, SnippetRunes) == "" {
			b.Fatal("no snippet")
		}
	}
}

func TestInAddress(t *testing.T) {
	tests := []struct {
		text string // the word is WORD
		want bool
	}{
		{"a WORD in prose", false},
		{"WORD", false},
		{"see <https://example.org/docs/WORD> there", true},
		{"see [the docs](https://example.org/a#WORD).", true},
		{"see [WORD](https://example.org/a)", false},
		{"see [docs](/guide/WORD)", true},
		{"see [docs](WORD.md)", true},
		{`<LearnMore path="/learn/WORD-more">`, true},
		{`<a href="#WORD">there</a>`, true},
		{`<Img alt="the WORD" src="/a.png">`, false},
		{"call f](WORD", true},
		{"{{#include ../listings/WORD/src/main.rs}}", true},
		{"{* ../../docs_src/WORD/a.py hl[1] *}", true},
		{"/etc/WORD/WORD.conf", false},
		{"GET /api/WORD and WORD", false},
		{"(https://example.org/a) WORD", false},
		{"https://example.org/" + strings.Repeat("a", maxAddress) + "WORD", false}, // its beginning is too far away
	}
	for _, tt := range tests {
		at := strings.Index(tt.text, "WORD")
		if got := InAddress(tt.text, at, at+4); got != tt.want {
			t.Errorf("InAddress(%q) = %v, want %v", tt.text, got, tt.want)
		}
	}
}

// TestCutBefore marks with | where a text may be cut: between words as far as the script shows them.
func TestCutBefore(t *testing.T) {
	for _, marked := range []string{
		"新|し|い|設|定", "データベース|設|定は|サーバーを|読みます", "useStateを|使う", "設|定。|次", "あ、|い", "数|据|库", "two| |words", "서버를| |켠다", "ป|ระ|ตู", "เก็|บ|ไว้", "前|（中）|後", "「名|前」を|見る",
	} {
		marked = strings.ReplaceAll(marked, "新|し|い", "新しい")
		text := strings.ReplaceAll(marked, "|", "")
		var b strings.Builder
		for at, r := range text {
			if at > 0 && cutBefore(text, at) {
				b.WriteByte('|')
			}
			b.WriteRune(r)
		}
		if b.String() != marked {
			t.Errorf("cuts of %q: %q, want %q", text, b.String(), marked)
		}
	}
}

// TestSnippetsOfScriptsWithoutSpaces looks at both ends of snippets of a text without a full stop.
func TestSnippetsOfScriptsWithoutSpaces(t *testing.T) {
	text := strings.Repeat("新しいデータベースを使いながらコンポーネントの状態が更新されるまで待ち、", 20)
	for most := 80; most <= SnippetRunes; most += 7 {
		for at := strings.Index(text, "ポーネ"); at < len(text)/2; at += 3 * 36 {
			got := Snippet(text, []Span{{Start: at, End: at + len("ポーネ")}}, most)
			first, _ := utf8.DecodeRuneInString(got)
			last, _ := utf8.DecodeLastRuneInString(got)
			from := strings.Index(text, got)
			before, _ := utf8.DecodeLastRuneInString(text[:from])
			after, _ := utf8.DecodeRuneInString(text[from+len(got):])
			if !strings.Contains(got, "コンポーネント") || isKatakana(before) && isKatakana(first) || isKatakana(last) && isKatakana(after) || unicode.Is(unicode.Hiragana, first) {
				t.Errorf("Snippet at %d of %d = %q", at, most, got)
			}
		}
	}
}

// evidence returns a test for words of a text that a query asks for: the same letters whatever their case, or the same
// beginning of four letters and more with endings of at most three. It is for marking words, not for finding them.
func evidence(query string) func(word string) bool {
	var asked []string
	for _, w := range strings.FieldsFunc(strings.ToLower(query), func(r rune) bool { return !wordRune(r) }) {
		if len(asked) < 64 && (len(w) > 2 || len(w) > 0 && (w[0] >= 0x80 || unicode.IsDigit(rune(w[0])))) && !smallWords[w] {
			asked = append(asked, w)
		}
	}
	return func(word string) bool {
		word = strings.ToLower(word)
		for _, a := range asked {
			n := 0
			for n < len(a) && n < len(word) && a[n] == word[n] {
				n++
			}
			if n == len(a) && n == len(word) || n >= 4 && len(a)-n <= 3 && len(word)-n <= 3 {
				return true
			}
		}
		return false
	}
}

var smallWords = map[string]bool{
	"the": true, "and": true, "for": true, "how": true, "does": true, "what": true, "are": true, "with": true, "can": true,
	"when": true, "why": true, "that": true, "this": true, "from": true, "not": true, "you": true, "use": true, "into": true,
}

// words returns the spans of the words of text for which match is true, each a term of its own weight 1. words are
// runs of letters, marks, digits and "_".
func words(text string, match func(word string) bool) []Span {
	var spans []Span
	terms := map[string]int{}
	start := -1
	for i := 0; i <= len(text); {
		r, n := rune(' '), 1
		if i < len(text) {
			r, n = utf8.DecodeRuneInString(text[i:])
		}
		switch inside := wordRune(r); {
		case inside && start < 0:
			start = i
		case !inside && start >= 0:
			if word := text[start:i]; match(word) {
				key := strings.ToLower(word)
				if _, ok := terms[key]; !ok {
					terms[key] = len(terms)
				}
				spans = append(spans, Span{Start: start, End: i, Term: terms[key]})
			}
			start = -1
		}
		i += n
	}
	return spans
}

func wordRune(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

func TestMarks(t *testing.T) {
	const text = "größe und Straße, Größe"
	tests := []struct {
		name string
		hits []Span
		want string
	}{
		{"none", nil, "[]"},
		{"characters, not bytes", []Span{{Start: 0, End: 7}, {Start: 12, End: 19}}, "[[0 5] [10 16]]"},
		{"unordered", []Span{{Start: 12, End: 19}, {Start: 0, End: 7}}, "[[0 5] [10 16]]"},
		{"the longer of two at one place", []Span{{Start: 0, End: 4}, {Start: 0, End: 11}, {Start: 8, End: 11}}, "[[0 9]]"},
		{"to the end", []Span{{Start: 21, End: len(text)}}, "[[18 23]]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := fmt.Sprint(Marks(text, tt.hits)); got != tt.want {
				t.Errorf("Marks = %s, want %s", got, tt.want)
			}
		})
	}
}
