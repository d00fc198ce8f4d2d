package hostile

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"kdd/format/index"
	"kdd/format/text"
)

// request is a call of an operation that costs as much as a caller can make it cost.
type request struct {
	name, operation string
	args            map[string]any
}

// The lengths of the queries: what is read of one, and what a caller may send.
const (
	readBytes = 4096
	sentBytes = 60_000
)

// requests are made of the words of an artifact, so that they meet as much of it as can be.
func requests(x *index.Index) []request {
	w := wordsOf(x)
	long := func(words []string) string { return repeat(words, readBytes) }
	first := func(n int) []string { return w.frequent[:min(n, len(w.frequent))] }
	each := func(words []string, before, after string, n int) string {
		marked := make([]string, 0, n)
		for i := range min(n, len(words)) {
			marked = append(marked, before+words[i]+after)
		}
		return strings.Join(marked, " ")
	}
	var letters []string
	for c := 'a'; c <= 'z'; c++ {
		letters = append(letters, string(c))
	}
	phrase := `"` + strings.Join(first(4), " ") + `"`
	queries := []struct{ name, query string }{
		{"an ordinary question (for comparison)", strings.Join(w.usual[:min(12, len(w.usual))], " ")},
		{"stop words, 3 KB", repeat(stopWords, 3000)},
		{"stop words, 60 KB", repeat(stopWords, sentBytes)},
		{"the most frequent words, 4 KB", long(w.frequent)},
		{"words of all kinds, 4 KB", long(w.usual)},
		{"words of all kinds, 60 KB", repeat(w.usual, sentBytes)},
		{"one frequent word, a thousand times", repeat(first(1), 5000)},
		{"two frequent words in turn, 4 KB", long(first(2))},
		{"* alone", "*"},
		{"one prefix of one letter", "s*"},
		{"a prefix for each letter", each(letters, "", "*", 26)},
		{"a prefix for each letter, required", each(letters, "+", "*", 26)},
		{"200 prefixes of two letters", each(twoLetters(), "", "*", 200)},
		{"200 fuzzy words", each(w.usual, "", "~2", 200)},
		{"200 fuzzy words that are unknown", each(w.misspelt, "", "~", 200)},
		{"a phrase of frequent words", phrase},
		{"a phrase of 64 frequent words", `"` + strings.Join(first(64), " ") + `"`},
		{"60 phrases of frequent words", phrases(w.frequent, 60)},
		{"60 phrases of two words", phrases(first(2), 60)},
		{"phrases with a distance", strings.ReplaceAll(phrases(w.frequent, 40), `" "`, `"~5 "`)},
		{"NEAR between words", strings.Join(first(60), " NEAR ")},
		{"100 required frequent words", each(w.frequent, "+", "", 100)},
		{"required and forbidden in turn", each(w.frequent, "+", "", 50) + " " + each(w.frequent[min(50, len(w.frequent)):], "-", "", 50)},
		{"one required, the others forbidden", "+" + w.usual[0] + " " + each(w.frequent, "-", "", 95)},
		{"frequent words with AND", strings.Join(first(100), " AND ")},
		{"frequent words with OR", strings.Join(first(100), " OR ")},
		{"groups within groups", strings.Repeat("(", 14) + strings.Join(first(80), " OR ") + strings.Repeat(")", 14) + " AND " + first(1)[0]},
		{"title and heading of frequent words", each(w.frequent, "title:", "", 50) + " OR " + each(w.frequent, "heading:", "", 50)},
		{"8 paths that all documents have", each([]string{"*.md", "m", "d", ".", "**/*.md", "*{a,b,c}*", "**/**/**/*", "*"}, "path:", "", 8) + " " + first(1)[0]},
		{"a path that no document has", "path:nothing/here " + first(1)[0]},
		{"words that are misspelt, 4 KB", long(w.misspelt)},
		{"one misspelt word, a thousand times", repeat(w.misspelt[:1], 5000)},
		{"unknown words, 4 KB", long(w.unknown)},
		{"unknown compounds, 4 KB", long(w.compounds)},
		{"a title with a mistake", mistakes(w.title)},
		{"a title with other joints", strings.ReplaceAll(w.title, " ", "_")},
		{"a long text that is nearly a title", strings.Repeat(w.title+" ", 8)[:min(500, 8*len(w.title))]},
		{"numbers", long([]string{"1000", "1001", "1002", "2024-01-01", "3.14", "0x1f"})},
		{"one token of 4 KB", strings.Repeat("abcdefgh", readBytes/8)},
		{"one token of 60 KB", strings.Repeat("abcdefgh", sentBytes/8)},
		{"one identifier of many parts", strings.Repeat("aB1_", readBytes/4)},
		{"Chinese, 4 KB", repeat([]string{"如何部署应用程序到生产环境的服务器"}, readBytes)},
		{"Japanese, 4 KB", repeat([]string{"認証トークンの有効期限を確認する方法"}, readBytes)},
		{"Korean, 60 KB", repeat([]string{"인증 토큰의 만료 시간을 확인하는 방법"}, sentBytes)},
		{"single Han characters", repeat(strings.Split("的一是不了人我在有他这为之大来以个中上们", ""), readBytes)},
		{"another language", repeat([]string{"wie", "kann", "ich", "die", "Einstellungen", "der", "Anwendung", "ändern", "und", "löschen"}, readBytes)},
		{"accents", repeat([]string{"thé", "ànd", "ôf", "à", "tö", "ïn"}, readBytes)},
		{"signs alone", long([]string{"+", "-", "()", "\"\"", "~", "#", "::"})},
		{"# a thousand times", strings.Repeat("a#", 2000)},
		{"/ a thousand times", strings.Repeat("a/", 2000)},
		{"quotes that are not closed", repeat([]string{`"` + first(1)[0]}, readBytes)},
		{"parentheses that are not closed", strings.Repeat("( ", 100) + strings.Join(first(50), " AND ( ")},
		{"not UTF-8", strings.Repeat("\xff\xfe the ", 500)},
	}
	var list []request
	add := func(name, operation string, args map[string]any) { list = append(list, request{name, operation, args}) }
	for _, q := range queries {
		add(q.name, "search", map[string]any{"query": q.query})
	}
	question, frequent := queries[0].query, strings.Join(first(8), " ")
	for _, query := range []struct{ name, text string }{{"a question", question}, {"frequent words", frequent}} {
		for _, o := range []struct {
			name string
			args map[string]any
		}{
			{"facets", map[string]any{"facets": true}},
			{"facets of hits over a threshold", map[string]any{"facets": true, "score_threshold": .01}},
			{"by date", map[string]any{"sort": "date"}},
			{"by date with facets", map[string]any{"sort": "date", "facets": true}},
			{"100 hits", map[string]any{"limit": 100, "max_bytes": 65536}},
			{"100 hits, explained", map[string]any{"limit": 100, "max_bytes": 65536, "explain": true, "detail": "full"}},
			{"neighbours of hits", map[string]any{"expand": 5, "limit": 100}},
			{"a filter that one document passes", map[string]any{"path_glob": w.path}},
			{"a filter that all but one pass", map[string]any{"path_glob": "{[!" + w.path[:1] + "]*,?}**"}},
			{"a filter that all pass", map[string]any{"path_glob": "**"}},
			{"a glob of 64 alternatives", map[string]any{"path_glob": "{**/*a*,**/*b*,**/*c*,**/*d*}{*a,*b,*c,*d}{a,b,c,.md}"}},
			{"a glob of 4 KB", map[string]any{"path_glob": strings.Repeat("**/", 1300) + "*.md"}},
			{"a glob that matches nothing", map[string]any{"path_glob": strings.Repeat("*a", 30) + "z"}},
			{"since the first day", map[string]any{"since": "0001-01-01"}},
			{"since the last day", map[string]any{"since": "9999-12-31"}},
			{"a thousand tags, none there", map[string]any{"tags": w.unknown[:min(1000, len(w.unknown))]}},
			{"a thousand tags", map[string]any{"tags": tags()}},
			{"all kinds", map[string]any{"kinds": []string{"document", "guide", "adr", "runbook", "requirement"}}},
		} {
			args := map[string]any{"query": query.text}
			maps.Copy(args, o.args)
			add(query.name+": "+o.name, "search", args)
		}
	}
	for _, q := range queries {
		add(q.name, "ask", map[string]any{"query": q.query})
	}
	for _, q := range queries {
		add(q.name, "find-spec", map[string]any{"name": q.query})
		add(q.name, "context", map[string]any{"hints": []string{q.query}})
	}
	hints := make([]string, 0, 20)
	for i := range 20 {
		hints = append(hints, repeat(w.frequent[i%len(w.frequent):], 3000))
	}
	add("20 hints of 3 KB", "context", map[string]any{"hints": hints})
	for i := range hints {
		hints[i] = repeat(w.misspelt[i:], 3000)
	}
	add("20 hints of misspelt words", "context", map[string]any{"hints": hints})
	for _, operation := range []string{"related", "impact", "coverage", "similar", "read"} {
		arg := map[string]string{"related": "entity", "impact": "entity", "coverage": "node"}[operation]
		if arg == "" {
			arg = "file"
		}
		for _, q := range []struct{ name, text string }{
			{"a path", w.path}, {"a title", w.title}, {"a title with a mistake", mistakes(w.title)}, {"words, 4 KB", long(w.usual)}, {"words, 60 KB", repeat(w.usual, sentBytes)},
			{"# a thousand times", strings.Repeat("a#", 2000)}, {"/ a thousand times", strings.Repeat("a/", 2000)}, {"one frequent word", first(1)[0]},
		} {
			add(q.name, operation, map[string]any{arg: q.text})
		}
	}
	add("by date with facets", "list", map[string]any{"sort": "date", "facets": true, "limit": 100})
	add("by title", "list", map[string]any{"sort": "title"})
	add("a glob of 4 KB", "list", map[string]any{"path_glob": strings.Repeat("**/", 1300) + "*.md"})
	return list
}

// stopWords are some of English.
var stopWords = strings.Fields(`
	the of and a to in is you that it he was for on are as with his they I at be this have from or had by not but
	what some we can out other were all there when up use your how said an each she which do their time if will
	way about many then them would like so these her long make thing see him two has look more day could go come
	did my no most who over know than call first people may down been now find`)

// words are words of an artifact, and some that it lacks.
type words struct {
	frequent, usual              []string // in most chunks, the most first; in some, in no order
	misspelt, unknown, compounds []string
	path, title                  string // of a document in the middle
}

// wordsOf takes words from the dictionary: the same ones of the same artifact.
func wordsOf(x *index.Index) *words {
	type counted struct {
		word   string
		chunks uint32
	}
	var all []counted
	for id, key := range x.TermDict().From(text.FirstFold) {
		if w := string(key); len(w) >= 2 && strings.Trim(w, "abcdefghijklmnopqrstuvwxyz") == "" {
			all = append(all, counted{w, x.Postings(index.TermID(id)).Chunks})
		}
	}
	slices.SortStableFunc(all, func(a, b counted) int { return int(b.chunks) - int(a.chunks) })
	w := &words{}
	for i := range min(400, len(all)) {
		w.frequent = append(w.frequent, all[i].word)
	}
	for i := 0; i < len(all) && len(w.usual) < 4000; i = i*21/20 + 1 {
		w.usual = append(w.usual, all[(i*31)%len(all)].word)
	}
	for i := 50; i < len(all) && len(w.misspelt) < 1000; i += 7 {
		if word := mistakes(all[i].word); len(word) >= 6 {
			if _, known := x.Term(word); !known {
				w.misspelt = append(w.misspelt, word)
			}
			w.unknown = append(w.unknown, "qx"+all[i].word+"zzq")
			w.compounds = append(w.compounds, all[i].word+all[(i*13)%len(all)].word)
		}
	}
	d := index.DocID(x.Docs() / 2)
	w.path, w.title = x.DocPath(d), x.DocTitle(d)
	return w
}

// mistakes swaps two letters in the middle of a text.
func mistakes(s string) string {
	b := []byte(s)
	if n := len(b); n >= 4 && utf8.ValidString(s) {
		b[n/2-1], b[n/2] = b[n/2], b[n/2-1]
	}
	return string(b)
}

// repeat joins words, from the first one again and again, up to a length in bytes.
func repeat(words []string, bytes int) string {
	var b strings.Builder
	for i := 0; b.Len() < bytes; i++ {
		b.WriteString(words[i%len(words)])
		b.WriteByte(' ')
	}
	return b.String()[:bytes]
}

func phrases(words []string, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = `"` + words[i%len(words)] + " " + words[(i+1)%len(words)] + `"`
	}
	return strings.Join(list, " ")
}

func twoLetters() (list []string) {
	for a := 'a'; a <= 'z'; a++ {
		for b := 'a'; b <= 'z'; b += 3 {
			list = append(list, string([]rune{a, b}))
		}
	}
	return list
}

func tags() (list []string) {
	for i := range 1000 {
		list = append(list, "t"+strings.TrimLeft(string([]rune{rune('0' + i/100), rune('0' + i/10%10), rune('0' + i%10)}), "0"))
	}
	return list
}
