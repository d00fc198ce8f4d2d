package query

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"kdd/compiler/corpustest"
	"kdd/format/index"
	"kdd/format/text"
)

// library is what the queries of these tests are asked of.
func library(t testing.TB) *index.Index {
	return corpustest.Index(t, map[string]string{
		"retry.md":   "---\nlanguage: en\nkind: guide\ntags: [ops]\nstatus: accepted\ndomain: delivery\n---\n# Retry policy\n\nThe queue of the retries renders useState and foo_bar.baz.\n\n## Waiting times\n\nCallbacks wait before a retry.\n",
		"doc-adr.md": "---\nlanguage: en\nkind: adr\n---\n# Search and find\n\nA document of rendering components with state, memo and C++.\n",
		"es.md":      "---\nlanguage: es\n---\n# Métodos\n\nLos métodos de la página son rápidos.\n",
	})
}

func TestRead(t *testing.T) {
	xs := []*index.Index{library(t)}
	tests := []struct{ name, query, text, clauses, notes string }{
		{"plain", "how do I retry", "", "-", ""},
		{"lower-case operators are words", "render and not retry or memo", "", "-", ""},
		{"phrase", `"retry policy"`, "retry policy", "all(phrase(retry policy))", ""},
		{"phrase across stop words", `"queue of the retries"`, "queue of the retries", "all(phrase(queue of the retries))", ""},
		{"typographic quotes", "“retry policy” queue", "retry policy queue", "all(phrase(retry policy))", ""},
		{"two words required", "render AND retry", "render retry", "all(all(word(render) word(retry)))", ""},
		{"either", "render OR retry queue", "render retry queue", "all(any(word(render) word(retry)))", ""},
		{"AND before OR", "a OR render AND retry", "a render retry", "all(any(word(a) all(word(render) word(retry))))", ""},
		{"parentheses", "(render OR retry) AND queue", "render retry queue", "all(all(all(any(word(render) word(retry))) word(queue)))", ""},
		{"forbidden", "render NOT retry", "render", "all(not(word(retry)))", ""},
		{"minus", "render -retry", "render", "all(not(word(retry)))", ""},
		{"typographic minus", "render −retry", "render", "all(not(word(retry)))", ""},
		{"plus", "render +retry queue", "render retry queue", "all(word(retry))", ""},
		{"forbidden phrase", `render -"retry policy"`, "render", "all(not(phrase(retry policy)))", ""},
		{"forbidden group", "render -(retry memo)", "render", "all(not(all(any(word(retry) word(memo)))))", ""},
		{"negation within negation", "render NOT (retry NOT memo)", "render memo", "all(not(all(not(word(memo)) any(word(retry)))))", ""},
		{"prefix", "rend*", "rend", "-", ""},
		{"required prefix", "+rend*", "rend", "all(word(rend*))", ""},
		{"prefix of an identifier", "+foo_b*", "foo_b", "all(word(foo_b*))", ""},
		{"fuzzy", "+rendre~", "rendre", "all(word(rendre~1))", ""},
		{"fuzzy by two", "+rnedr~2", "rnedr", "all(word(rnedr~2))", ""},
		{"title", "title:retry queue", "retry queue", "all(title:word(retry))", ""},
		{"heading phrase", `heading:"waiting times"`, "waiting times", "all(heading:phrase(waiting times))", ""},
		{"path", "path:adr render", "render", "all(in(1 documents))", ""},
		{"path glob", "path:*.md render", "render", "all(in(3 documents))", ""},
		{"path glob with a folder", "path:**/r*.md render", "render", "all(in(1 documents))", ""},
		{"kind", "kind:GUIDE render", "render", "all(in(1 documents))", ""},
		{"forbidden kind", "-kind:guide render", "render", "all(not(in(1 documents)))", ""},
		{"either kind", "kind:guide OR kind:adr OR render", "render", "all(any(in(1 documents) in(1 documents) word(render)))", ""},
		{"tag, status, domain and language", "tag:ops status:accepted domain:delivery lang:en render", "render", "all(in(1 documents) in(1 documents) in(1 documents) in(2 documents))", ""},
		{"identifier required", "+foo_bar.baz", "foo_bar.baz", "all(phrase(foo_bar.baz foo_bar foo bar baz))", ""},
		{"unknown identifier required", "+queue_times", "queue_times", "all(phrase(queue times))", ""},
		{"only narrows", "kind:guide", "", "all(in(1 documents))", "the query only narrows"},
		{"unknown value", "kind:gide render", "render", "all(in(0 documents))", `no document has kind "gide"; did you mean "guide"?`},

		{"field in capitals", "TITLE:retry Path:adr queue", "retry queue", "all(title:word(retry) in(1 documents))", ""},
		{"field of parentheses", "title:(retry OR memo) queue", "retry memo queue", "all(all(any(title:word(retry) title:word(memo))))", ""},
		{"field within a field of parentheses", `title:(retry heading:"waiting times")`, "retry waiting times", "all(all(title:word(retry) heading:phrase(waiting times)))", ""},
		{"documents of either kind", "kind:(guide OR adr) render -lang:(es)", "render", "all(all(any(in(1 documents) in(1 documents))) not(all(in(1 documents))))", ""},
		{"parentheses after those of a field", "title:(retry) (render AND queue)", "retry render queue", "all(all(title:word(retry)) all(all(word(render) word(queue))))", ""},
		{"lang by its other name", "language:en render", "render", "all(in(2 documents))", ""},
		{"other name of lang in capitals, of parentheses", "-LANGUAGE:(es) render", "render", "all(not(all(in(1 documents))))", ""},
		{"language with its region", "lang:en-GB -lang:ES_mx render", "render", "all(in(2 documents) not(in(1 documents)))", ""},
		{"language that no document has", "lang:pt-BR render", "render", "all(in(0 documents))", `no document has language "pt"; languages are en, es`},
		{"full width", "（render　ＯＲ　retry） ＡＮＤ title：queue －ｍｅｍｏ ＋＂retry policy＂", "render retry queue retry policy", "all(all(all(any(word(render) word(retry))) title:word(queue)) not(word(memo)) phrase(retry policy))", ""},
		{"full width that is no operator", "設定（初期値）：１～２", "", "-", ""},
		{"German quotes", "„retry policy“ -„queue of“", "retry policy", "all(phrase(retry policy) not(phrase(queue of)))", ""},
		{"French quotes", "queue « retry policy »", "queue retry policy", "all(phrase(retry policy))", ""},
		{"Swedish quotes", "”retry policy” queue", "retry policy queue", "all(phrase(retry policy))", ""},
		{"path of headings", "Retry policy » Waiting", "", "-", ""},
		{"phrase with a distance", `"retry policy"~2 queue`, "retry policy queue", "all(phrase(retry policy))", `"~2" after a phrase is left out`},
		{"phrase with a weight", `"retry policy"^1.5 queue`, "retry policy queue", "all(phrase(retry policy))", `"^1.5" after a phrase is left out`},
		{"fuzzy by more", "+rnedr~3", "rnedr", "all(word(rnedr~2))", `"rnedr~3" is read as "rnedr~2"`},

		{"field before nothing", "title:() queue", "", "-", ""},
		{"field of parentheses that stay open", "title:(retry queue", "", "-", "not closed"},
		{"unknown field", "foo:bar", "", "-", ""},
		{"misspelt field", "titel:retry", "", "-", "did you mean title:?"},
		{"misspelt alias", "langauge:en", "", "-", "did you mean language:?"},
		{"language name", "C++ C# memo", "", "-", ""},
		{"dash", "render - retry", "", "-", ""},
		{"command-line flag", "--no-cache render", "", "-", ""},
		{"short flags", "render -v -rf", "", "-", ""},
		{"identifier", "foo_bar.baz", "", "-", ""},
		{"address", "http://x:80", "", "-", ""},
		{"namespace", "std::vector", "", "-", ""},
		{"negative number", "-1 +1", "", "-", ""},
		{"key and value", "key: value title: render", "", "-", ""},
		{"open quote", `"retry policy`, "", "-", "not closed"},
		{"inches", `19" rack of 5'`, "", "-", ""},
		{"dangling AND", "render AND", "", "-", "ends in an operator"},
		{"dangling OR in front", "OR render", "", "-", "OR has nothing to join"},
		{"AND twice", "render AND AND retry", "", "-", "AND has nothing to join"},
		{"open parenthesis", "(render AND retry", "", "-", "not closed"},
		{"empty parentheses", "render AND ()", "", "-", "nothing in parentheses"},
		{"only forbidden", "NOT render", "", "-", "nothing but what must not be there"},
		{"call", "useState() render(x)", "", "-", ""},
		{"markdown", "**bold** _x_ `code*`", "", "-", ""},
		{"lone marks", `* ~ " ^ :`, "", "-", `not closed`},
		{"home folder", "~/.bashrc a~b", "", "-", ""},
		{"sentence with a quotation", `what does "retry policy" mean for me`, "", "-", "quotation marks in a sentence"},
		{"sentence with a required phrase", `what is +"retry policy" for the queue`, "what is retry policy for the queue", "all(phrase(retry policy))", ""},
		{"sentence with a dash", "what is the render -dash retry", "", "-", "NOT leaves a word out"},
		{"sentence with a minus at its end", "what is the render of it -memo", "what is the render of it", "all(not(word(memo)))", ""},
		{"SQL", "SELECT * FROM users WHERE id = 1 AND name = 'x' OR 1=1 --", "", "-", "read as words, since"},
		{"a name with an operator in it", "Retry policy", "", "-", ""},
		{"many parentheses", strings.Repeat("(", 1500) + "render AND retry" + strings.Repeat(")", 1500), "", "-", "too many operators"},
		{"deep parentheses", strings.Repeat("(", 30) + "render AND retry" + strings.Repeat(")", 30), "", "-", "too many parentheses"},
		{"many operators", strings.Repeat("a AND ", 600) + "b", "", "-", "too many operators"},
		{"nothing", "", "", "-", ""},
		{"controls", "\x00\x01\x1b[31mrender\x07", "", "-", ""},
		{"emoji", "🦊🦊 👩‍👩‍👧", "", "-", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q := Read(xs, tt.query, Options{})[0]
			want := tt.text
			if tt.clauses == "-" && want == "" {
				want = tt.query
			}
			if q.Text != want || q.Clauses.String() != tt.clauses {
				t.Errorf("Read(%.80q) = %.80q %.200s, want %.80q %s", tt.query, q.Text, q.Clauses, want, tt.clauses)
			}
			notes := strings.Join(q.Notes, "; ")
			if !strings.Contains(notes, tt.notes) || tt.notes == "" && notes != "" {
				t.Errorf("Read(%.80q) notes %q, want %q", tt.query, notes, tt.notes)
			}
			// a query that is plain has the words of the query
			if q.Clauses == nil && tt.clauses == "-" && want == tt.query {
				if plain := Read(xs, tt.query, Options{Plain: true})[0]; shown(plain.All) != shown(q.All) || shown(plain.Words) != shown(q.Words) {
					t.Errorf("Read(%.80q) has the words %s, want %s", tt.query, shown(q.All), shown(plain.All))
				}
			}
		})
	}
}

// TestNamesHaveNoOperators checks that a query which is a title is that title, whatever stands in it.
func TestNamesHaveNoOperators(t *testing.T) {
	x := corpustest.Index(t, map[string]string{"a.md": "# Search AND \"find\" -all\n\nText.\n"})
	if q := Read([]*index.Index{x}, `search AND "find" -ALL`, Options{}); q[0].Clauses != nil {
		t.Errorf("a title is read as %s", q[0].Clauses)
	}
}

// TestWordsThatAreAskedFor checks that stop words within operators count.
func TestWordsThatAreAskedFor(t *testing.T) {
	xs := []*index.Index{library(t)}
	for text, want := range map[string]string{
		"the render": "render", `"the queue" render`: "the queue render", "+the render": "the render", "the AND render": "the render", "the (render OR retry)": "render retry",
	} {
		if got := shown(Read(xs, text, Options{})[0].Words); got != want {
			t.Errorf("Read(%s) scores %q, want %q", text, got, want)
		}
	}
}

// TestRelevanceQueriesArePlain checks that the questions of the relevance sets are read as before there were operators:
// the same text, words, terms and weights, and nothing is required.
func TestRelevanceQueriesArePlain(t *testing.T) {
	xs := []*index.Index{library(t)}
	files, err := filepath.Glob("../../../testdata/relevance/*/queries.tsv")
	if err != nil || len(files) == 0 {
		t.Fatalf("no relevance sets: %v", err)
	}
	asked := 0
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for lines := bufio.NewScanner(f); lines.Scan(); {
			_, text, ok := strings.Cut(lines.Text(), "\t")
			if !ok {
				continue
			}
			text, _, _ = strings.Cut(text, "\t")
			asked++
			q := Read(xs, text, Options{AsTyped: true})[0]
			if all, words := before(xs[0], text); q.Text != text || q.Clauses != nil || !slices.Equal(all, exact(q.All)) || !slices.Equal(words, exact(q.Words)) {
				t.Errorf("%q is read as %q, %s: %q", text, q.Text, q.Clauses, exact(q.All))
			}
		}
	}
	if asked < 25 {
		t.Errorf("only %d questions", asked)
	}
}

// before is how a query was analysed before there were operators and corrections.
func before(x *index.Index, raw string) (all, words []string) {
	known, each, _ := languages([]*index.Index{x})
	language, _ := text.DetectQuery(raw, known)
	a := text.New()
	var list []Word
	content := false
	for _, t := range a.Tokens(nil, raw) {
		if t.IndexOnly() {
			continue
		}
		w := Word{Text: t.Fold, Pos: t.Pos, Whole: t.Whole, Part: t.Part, Stop: text.IsStop(language, t.Fold)}
		w.look(x, stemsOf(a, each[0], t), each[0], t, text.Subject)
		if t.Whole && len(w.Terms) == 0 {
			continue
		}
		content = content || !w.Stop
		w.IDF = IDF(float64(x.Chunks()), float64(w.DF))
		if t.Whole {
			w.IDF *= x.Meta.Weights.Whole
		}
		list = append(list, w)
	}
	all = exact(list)
	return all, exact(slices.DeleteFunc(list, func(w Word) bool { return w.Stop && content }))
}

// exact shows words with all that scoring uses. What an unknown word is read as is left out.
func exact(words []Word) []string {
	var list []string
	for _, w := range words {
		idf := w.IDF
		if len(w.Near) > 0 {
			idf = IDF(5, 0)
		}
		if len(w.Terms) == 0 {
			w.DF, idf = 0, 0
		}
		list = append(list, fmt.Sprint(w.Text, w.Terms, w.Pos, w.Stop, w.Whole, w.Part, w.DF, idf))
	}
	return list
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{
		`"retry policy" AND (render OR -memo)`, "title:retry path:*.md kind:guide", "rend* rendre~2 +queue −state", `"`, "((((", ")", "a AND", "NOT NOT x", "-(a)", "title:", "lang:\"", "“a” ”", "\xff\xfe AND \x00", "kind:{a,b", "path:[", "+\"a b\"~1", "a:b:c", "検索 AND \"索\"", "🦊*", "title:(a OR kind:(b", "（a ＡＮＤ b）", "„a“ «b» ”c”~2", "a~9",
	} {
		f.Add(s)
	}
	x := library(f)
	xs := []*index.Index{x, x}
	f.Fuzz(func(t *testing.T, text string) {
		queries := Read(xs, text, Options{})
		q := queries[0]
		if utf8.ValidString(text) && !utf8.ValidString(q.Text) {
			t.Errorf("Read(%q): the text %q is no UTF-8", text, q.Text)
		}
		if len(q.Text) > maxText+maxItems || len(q.Words) > len(q.All) || len(q.All) > maxWords {
			t.Errorf("Read(%q): %d bytes, %d words of %d", text, len(q.Text), len(q.Words), len(q.All))
		}
		if q.Clauses.String() != queries[1].Clauses.String() || shown(q.All) != shown(queries[1].All) {
			t.Errorf("Read(%q) differs between equal artifacts", text)
		}
		if again := Read(xs, text, Options{})[0]; again.Clauses.String() != q.Clauses.String() || again.Text != q.Text {
			t.Errorf("Read(%q) differs the second time", text)
		}
	})
}

// A field that has two names is one field.
func TestFieldAlias(t *testing.T) {
	if lang := fieldOf("lang"); lang == nil || fieldOf("Language") != lang || fieldOf("") != nil {
		t.Errorf("fieldOf(Language) = %v, fieldOf(lang) = %v, fieldOf() = %v, want one field and nil", fieldOf("Language"), lang, fieldOf(""))
	}
}
