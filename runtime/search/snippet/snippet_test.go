package snippet

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"kdd/format/plain"
)

func TestSnippet(t *testing.T) {
	filler := strings.Repeat("Nothing of interest is said in this sentence. ", 20)
	tests := []struct{ name, text, query, want string }{
		{"empty", "", "login", ""},
		{"short", "The login flow.", "login", "The login flow."},
		{"no evidence", filler, "login", "Nothing of interest is said in this sentence. Nothing of interest is said in this sentence. Nothing of interest is said in this sentence. Nothing of…"},
		{"the sentence with most evidence", filler + "A login here. " + filler + "The login needs a token. " + filler, "login token",
			"The login needs a token. Nothing of interest is said in this sentence. Nothing of interest is said in this sentence. Nothing of interest is said in…"},
		{"whole paragraphs", "Before it.\n\nA login ends.\n\nAfter it.", "login", "A login ends.\nAfter it."},
		{"heading left out", "## Login\n\nThe token is checked.\n\n## Next", "login", "The token is checked."},
		{"lists", "Text before.\n\n- the *login*\n- the [token](a.md)", "login token", "- the login\n- the token"},
		{"indented lists", "- one\n  - the login\n    - the token\n- two", "login token", "- the login\n  - the token\n- two"},
		{"quote and emphasis", "> **The login** is *here*", "login", "The login is here"},
		{"table row", "| a | login |\n|---|---|\n| b | token |", "token", "b | token"},
		{"code", "Before.\n\n```js\nfunction a() {\n  if (token) {\n    login();\n  }\n}\n```", "token login", "if (token) {\n  login();\n}\n}"},
		{"few lines of code", "```\n" + strings.Repeat("a\n", 40) + "```", "", "a\na\na\na\na"},
		{"a line that would be cut off soon", "- the token " + strings.Repeat("words ", 20) + "ends\n- " + strings.Repeat("more ", 20), "token", "- the token " + strings.Repeat("words ", 20) + "ends"},
		{"inside of a long sentence", strings.Repeat("Words ", 60) + "that go on, until the login needs a token " + strings.Repeat("words ", 40), "login token",
			"… until the login needs a token " + strings.TrimSpace(strings.Repeat("words ", 19)) + "…"},
		{"a long sentence with most evidence near", "The login, the token and " + strings.Repeat("words ", 60) + "a key.", "login token key", "The login, the token and " + strings.TrimSpace(strings.Repeat("words ", 20)) + "…"},
		{"one endless word", strings.Repeat("x", 400), "", strings.Repeat("x", 149) + "…"},
		{"no spaces between words", strings.Repeat("漢", 200) + "認証" + strings.Repeat("字", 200), "認証", "… " + strings.Repeat("漢", 48) + "認証" + strings.Repeat("字", 97) + "…"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			text := plain.Read(test.text, plain.Options{})
			hits := words(text.String, evidence(test.query))
			if test.query == "認証" { // an analyzer finds it, words do not
				at := strings.Index(text.String, test.query)
				hits = []Span{{Start: at, End: at + len(test.query)}}
			}
			if got := Snippet(text, hits, SnippetRunes); got != test.want {
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
		read := plain.Read(text, plain.Options{})
		for _, spans := range [][]Span{nil, hits, words(read.String, func(w string) bool { return len(w)%2 == 0 })} {
			got := Snippet(read, spans, most)
			for line := range strings.SplitSeq(got, "\n") {
				if line = strings.Trim(strings.TrimPrefix(line, "… "), "… \t"); !strings.Contains(read.String, line) {
					t.Fatalf("Snippet(%q) = %q, of which %q is not in %q", text, got, line, read.String)
				}
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
	text := strings.Repeat("Some words that lead to the login of a user, and then *further*. ", 60)
	hits := words(plain.Read(text, plain.Options{}).String, evidence("login user"))
	b.ReportAllocs()
	for b.Loop() {
		if Snippet(plain.Read(text, plain.Options{}), hits, SnippetRunes) == "" {
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
			got := Snippet(plain.Read(text, plain.Options{}), []Span{{Start: at, End: at + len("ポーネ")}}, most)
			got = strings.TrimSuffix(strings.TrimPrefix(got, "… "), "…")
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
