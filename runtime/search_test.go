package runtime

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"kdd/format/index"
	"kdd/runtime/render"
	"kdd/runtime/search"
	"kdd/runtime/search/snippet"
	"kdd/runtime/wire"
)

var asked = []string{
	"render", "the component state", "memo", "retry queue policy", "update of the tree", "login session token", "search", "nothing at all", "schema query parser build", "the of",
}

// each runs a test over an artifact without vectors and over one with.
func each(t *testing.T, docs int, test func(t *testing.T, s *Service, mode string)) {
	f := random(1, docs)
	for path, text := range random(1, docs) { // every third document has a near copy
		if len(path)%3 == 0 || strings.HasSuffix(path, "3.md") {
			f["copies/"+path] = text + "\nCopied.\n"
		}
	}
	path := f.compile(t)
	t.Run("lexical", func(t *testing.T) { test(t, serve(t, path), search.ModeLexical) })
	path = withVectors(t, path, "distilled")
	for _, mode := range []string{search.ModeHybrid, search.ModeVector} {
		t.Run(mode, func(t *testing.T) { test(t, serve(t, path), mode) })
	}
}

func searched(t *testing.T, s *Service, q wire.SearchRequest) *wire.SearchResponse {
	t.Helper()
	q.MaxBytes = -1
	resp, err := s.Search(t.Context(), q)
	if err != nil {
		t.Fatalf("Search(%+v): %v", q, err)
	}
	return resp
}

func TestPagingGivesEveryHitOnce(t *testing.T) {
	each(t, 12, func(t *testing.T, s *Service, mode string) {
		for _, text := range asked[:4] {
			whole := searched(t, s, wire.SearchRequest{Query: text, Mode: mode, Limit: 10_000})
			for _, limit := range []int{1, 3, 7} {
				for _, bytes := range []int{0, 1500, -1} {
					q := wire.SearchRequest{Query: text, Mode: mode, Limit: limit, Page: wire.Page{MaxBytes: bytes}}
					var got []string
					for pages := 0; ; pages++ {
						resp, err := s.Search(t.Context(), q)
						if err != nil {
							t.Fatal(err)
						}
						for _, h := range resp.Results {
							if got = append(got, h.Chunk); h.Rank != len(got) {
								t.Fatalf("%q by %d: rank %d, want %d", text, limit, h.Rank, len(got))
							}
						}
						if resp.Truncated != (resp.Cursor != "") {
							t.Fatalf("%q by %d: truncated %v with cursor %q", text, limit, resp.Truncated, resp.Cursor)
						}
						if resp.Cursor == "" || pages > 10_000 {
							break
						}
						q.Cursor = resp.Cursor
					}
					var all []string
					for _, h := range whole.Results {
						all = append(all, h.Chunk)
					}
					if !slices.Equal(got, all) {
						t.Fatalf("%q by %d: %d hits over all pages, want %d", text, limit, len(got), len(all))
					}
				}
			}
		}
	})
}

func TestCursorOfAnotherRequest(t *testing.T) {
	s := serve(t, random(1, 20).compile(t))
	first := searched(t, s, wire.SearchRequest{Query: "state", Limit: 1})
	for name, q := range map[string]wire.SearchRequest{
		"query":  {Query: "render", Limit: 1},
		"filter": {Query: "state", Limit: 1, Filter: wire.Filter{Kinds: []string{"adr"}}},
	} {
		q.Cursor = first.Cursor
		if _, err := s.Search(t.Context(), q); err == nil {
			t.Errorf("a cursor with another %s is accepted", name)
		} else {
			want(t, err, wire.CodeStaleCursor)
		}
	}
}

func TestScoreThreshold(t *testing.T) {
	each(t, 40, func(t *testing.T, s *Service, mode string) {
		for _, text := range asked {
			whole := searched(t, s, wire.SearchRequest{Query: text, Mode: mode, Limit: 10_000})
			for _, least := range []float64{0.05, 0.3, 0.5, 0.9, 1} {
				got := searched(t, s, wire.SearchRequest{Query: text, Mode: mode, Limit: 10_000, ScoreThreshold: least})
				n := 0
				for _, h := range whole.Results {
					if h.Score >= least+5e-5 {
						n++
					}
				}
				near := 0 // scores are shown rounded
				for _, h := range whole.Results {
					if math.Abs(h.Score-least) < 1e-4 {
						near++
					}
				}
				if got.Count < n || got.Count > n+near || got.Truncated {
					t.Fatalf("%q from %g: %d hits, want %d", text, least, got.Count, n)
				}
			}
		}
	})
}

func TestExplainSumsUp(t *testing.T) {
	each(t, 40, func(t *testing.T, s *Service, mode string) {
		parts := map[string]bool{}
		for _, text := range asked {
			resp := searched(t, s, wire.SearchRequest{Query: text, Mode: mode, Limit: 100, Explain: true})
			for _, h := range resp.Results {
				var sum, slack float64
				for _, p := range h.Explain.Parts {
					parts[p.Name] = true
					sum += p.Value * p.Weight
					slack += p.Weight * 5e-5
				}
				if math.Abs(sum-h.Explain.Raw) > slack+5e-5 {
					t.Fatalf("%q: the parts of %s sum up to %g, its raw score is %g: %+v", text, h.Chunk, sum, h.Explain.Raw, h.Explain.Parts)
				}
			}
		}
		lexical := mode != search.ModeVector
		for part, want := range map[string]bool{"section bm25": lexical, "document word pairs": lexical, "document link texts": lexical, "section cosine": mode != search.ModeLexical} {
			if parts[part] != want {
				t.Errorf("part %q is there: %v, want %v", part, parts[part], want)
			}
		}
	})
}

// holdsInOrder reports whether parts stand in text one after the other.
func holdsInOrder(text string, parts []string) bool {
	for _, part := range parts {
		_, after, ok := strings.Cut(text, part)
		if !ok {
			return false
		}
		text = after
	}
	return true
}

// TestSnippets checks that snippets have nothing but words of the lines they are cited with, in their order.
func TestSnippets(t *testing.T) {
	path := tree{
		"a.md": "# Álpha\n\nUn método **rápido** con `useState` y [un enlace](b.md) — «comillas».\r\n\r\nSegunda línea\tcon tabulador.\n\n| a | b |\n|---|---|\n| uno | método |\n",
		"b.md": "# Beta\n\n```go\nfunc main() { useState() }\n```\n\n" + strings.Repeat("palabra método larga ", 200) + "\n",
		"c.md": "日本語の文書。検索エンジンの設計。\n",
	}.compile(t)
	x := must(index.Open(path))
	defer x.File.Close()
	s := serve(t, path)
	shown := 0
	for _, text := range []string{"método", "useState", "comillas", "enlace", "検索", "索", "tabulador", "main func", "uno", "alpha", "palabra larga"} {
		resp := searched(t, s, wire.SearchRequest{Query: text, Limit: 100})
		if resp.Count == 0 {
			t.Errorf("%q finds nothing", text)
		}
		for _, h := range resp.Results {
			d, _ := x.FindDoc(h.Path)
			from, to := x.DocText(d)
			whole := string(x.AppendText(nil, x.Text.Reader(), d, 0, to-from))
			lines := strings.Split(strings.ReplaceAll(whole, "\r\n", "\n"), "\n")
			cited := strings.Join(lines[h.Lines[0]-1:h.Lines[1]], "\n")
			words := strings.NewReplacer("…", "", "|", "", "- ", "").Replace(h.Snippet)
			if h.Snippet == "" || !holdsInOrder(cited, strings.Fields(words)) || len([]rune(h.Snippet)) > snippet.SnippetRunes {
				t.Errorf("%q: snippet %q is not in lines %v of %s", text, h.Snippet, h.Lines, h.Path)
			}
			shown++
		}
	}
	if shown < 11 {
		t.Errorf("%d snippets", shown)
	}
}

func TestOddQueries(t *testing.T) {
	each(t, 20, func(t *testing.T, s *Service, mode string) {
		for name, text := range map[string]string{
			"letter": "a", "emoji": "🦊🚀", "sql": "'; DROP TABLE docs; --", "control": "\x00\x1b[31mstate\x07", "bidi": "state\u202e\u2066", "invalid": "state \xff\xfe",
			"long": strings.Repeat("state render ", 5000), "stop words": "the of a to", "one long word": strings.Repeat("x", 60_000), "punctuation": "?!... ---", "quotes": `"state" \`,
			"wide": "ｓｔａｔｅ", "regexp": "sta.*(te|", "newlines": "state\n\nrender\r\n",
		} {
			resp, err := s.Search(t.Context(), wire.SearchRequest{Query: text, Mode: mode})
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if b := wire.Encode(resp); len(b) > 4096 {
				t.Errorf("%s: %d bytes", name, len(b))
			}
			for _, h := range resp.Results {
				if math.IsNaN(h.Score) || h.Score < 0 || h.Score > 1 {
					t.Errorf("%s: score %g", name, h.Score)
				}
			}
		}
		for _, text := range []string{"", "  \n\t"} {
			_, err := s.Search(t.Context(), wire.SearchRequest{Query: text, Mode: mode})
			want(t, err, wire.CodeInvalidInput)
		}
	})
}

func TestModes(t *testing.T) {
	plain := random(1, 20).compile(t)
	distilled, none := withVectors(t, plain, "distilled"), withVectors(t, plain, "none")
	tests := []struct {
		name, index, mode, query string
		answered, code, warning  string
		hits                     bool
	}{
		{name: "lexical", index: plain, mode: "lexical", query: "state", answered: "lexical", hits: true},
		{name: "hybrid without vectors", index: plain, mode: "hybrid", query: "state", answered: "lexical", hits: true},
		{name: "vector without vectors", index: plain, mode: "vector", query: "state", code: wire.CodeNoVectors},
		{name: "hybrid", index: distilled, mode: "hybrid", query: "state", answered: "hybrid", hits: true},
		{name: "default is hybrid", index: distilled, query: "state", answered: "hybrid", hits: true},
		{name: "vector", index: distilled, mode: "vector", query: "state", answered: "vector", hits: true},
		{name: "hybrid without encoder", index: none, mode: "hybrid", query: "state", answered: "lexical", warning: "no query encoder in this index: lexical only", hits: true},
		{name: "vector without encoder", index: none, mode: "vector", query: "state", code: wire.CodeNoVectors},
		{name: "hybrid of unknown words", index: distilled, mode: "hybrid", query: "zxqwv", answered: "lexical", warning: `the query encoder knows no word of the query: lexical only|no document has "zxqwv"`},
		{name: "vector of unknown words", index: distilled, mode: "vector", query: "zxqwv", answered: "vector", warning: "the query encoder knows no word of the query"},
		{name: "another mode", index: plain, mode: "exact", query: "state", code: wire.CodeInvalidInput},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			resp, err := serve(t, tt.index).Search(t.Context(), wire.SearchRequest{Query: tt.query, Mode: tt.mode})
			if tt.code != "" {
				want(t, err, tt.code)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(resp.Warnings, "|"); resp.Mode != tt.answered || got != tt.warning || (resp.Count > 0) != tt.hits {
				t.Errorf("mode %s, warnings %q, %d hits; want %s, %q, hits %v", resp.Mode, got, resp.Count, tt.answered, tt.warning, tt.hits)
			}
		})
	}
}

// TestVectorRanking compares mode vector with cosines computed from what the file holds.
func TestVectorRanking(t *testing.T) {
	path := withVectors(t, random(4, 30).compile(t), "distilled")
	s := serve(t, path)
	resp := searched(t, s, wire.SearchRequest{Query: "token session", Mode: search.ModeVector, Limit: 1000, Explain: true, Diversity: search.DiversityOff})
	x := must(index.Open(path))
	defer x.File.Close()
	sections := 0
	for sec := range index.SectionID(x.Sections()) {
		if from, to := x.SectionChunks(sec); from < to {
			sections++
		}
	}
	if resp.Count != sections {
		t.Errorf("%d hits, want each of %d sections with text", resp.Count, sections)
	}
	last := math.Inf(1)
	for _, h := range resp.Results {
		if h.Explain.Raw > last {
			t.Fatalf("hit %d: raw score %g after %g", h.Rank, h.Explain.Raw, last)
		}
		last = h.Explain.Raw
	}
	if !strings.Contains(resp.Results[0].Snippet+resp.Results[1].Snippet, "token") && !strings.Contains(resp.Results[0].Snippet+resp.Results[1].Snippet, "session") {
		t.Errorf("the first hits are %q and %q", resp.Results[0].Snippet, resp.Results[1].Snippet)
	}
}

func TestExactNamesComeFirst(t *testing.T) {
	f := random(7, 40)
	f["adr/ADR-0004-tokens.md"] = "---\nid: ADR-0004\nkind: adr\naliases: [Signed Tokens]\n---\n# Short-lived tokens\n\nText.\n\n## Why\n\nBecause of memo.\n"
	f["guide/memo.md"] = "# Caching\n\nNo such word here.\n"
	f["guide/other.md"] = "# Other\n\nmemo memo memo memo memo.\n\n## memo\n\nmemo again.\n"
	f["guide/café.md"] = "# Café Société\n\nText.\n"
	path := f.compile(t)
	for _, index := range []string{path, withVectors(t, path, "distilled")} {
		s := serve(t, index)
		for _, tt := range []struct{ query, path, match string }{
			{"ADR-0004", "adr/ADR-0004-tokens.md", "id"},
			{"adr-0004", "adr/ADR-0004-tokens.md", "id"},
			{"ADR:ADR-0004", "adr/ADR-0004-tokens.md", "node_id"},
			{"signed tokens", "adr/ADR-0004-tokens.md", "alias"},
			{"  Short-Lived Tokens ", "adr/ADR-0004-tokens.md", "title"},
			{"memo", "guide/memo.md", "stem"},
			{"cafe societe", "guide/café.md", "title"},
			{"guide/memo.md", "guide/memo.md", "path"},
		} {
			resp := searched(t, s, wire.SearchRequest{Query: tt.query, Limit: 1000, Explain: true, Diversity: search.DiversityOff})
			if resp.Count == 0 || resp.Results[0].Path != tt.path || resp.Results[0].Match[0] != tt.match {
				t.Errorf("Search(%q) = %+v, want %s by %s first", tt.query, resp.Results[:min(1, resp.Count)], tt.path, tt.match)
				continue
			}
			seen := map[string]bool{}
			for i, h := range resp.Results {
				if i > 0 && h.Explain.Raw > resp.Results[i-1].Explain.Raw {
					t.Errorf("Search(%q): hit %d has %g after %g", tt.query, h.Rank, h.Explain.Raw, resp.Results[i-1].Explain.Raw)
				}
				if seen[h.Path+"#"+h.Anchor] {
					t.Errorf("Search(%q): %s#%s comes twice", tt.query, h.Path, h.Anchor)
				}
				seen[h.Path+"#"+h.Anchor] = true
			}
			// A filter that the document does not pass leaves it out, whatever it is called.
			if tt.path != "guide/café.md" {
				filtered := searched(t, s, wire.SearchRequest{Query: tt.query, Filter: wire.Filter{PathGlob: "guide/café.md"}})
				if slices.ContainsFunc(filtered.Results, func(h wire.Hit) bool { return h.Path == tt.path }) {
					t.Errorf("Search(%q) with a filter gives %s", tt.query, tt.path)
				}
			}
			found, err := s.FindSpec(t.Context(), wire.FindSpecRequest{Name: tt.query})
			if err != nil || found.Results[0].Path != tt.path || found.Results[0].Match[0] != tt.match {
				t.Errorf("FindSpec(%q) = %+v, %v, want %s first", tt.query, found, err, tt.path)
			}
		}
	}
	// A heading is found by name too, behind documents.
	found := must(serve(t, path).FindSpec(t.Context(), wire.FindSpecRequest{Name: "memo", Page: wire.Page{MaxBytes: -1}}))
	if found.Results[1].Path != "guide/other.md" || found.Results[1].Anchor != "memo-1" && found.Results[1].Anchor != "memo" || found.Results[1].Match[0] != "heading" {
		t.Errorf("FindSpec(memo) gives %+v second, want the heading", found.Results[1])
	}

	// What is only a hit of a search says so: else a model takes it for what it asked for.
	for name, want := range map[string]string{"ADR-0099 memo": `nothing is named "ADR-0099 memo": what a search finds instead`, "memo": ""} {
		resp := must(serve(t, path).FindSpec(t.Context(), wire.FindSpecRequest{Name: name}))
		if got := strings.Join(resp.Warnings, "|"); got != want && !strings.HasSuffix(got, "|"+want) || len(resp.Results) == 0 {
			t.Errorf("FindSpec(%s) = %d results, warnings %q, want %q", name, len(resp.Results), got, want)
		}
	}
}

// The name of a document shows its beginning, not the section that has most of the name's words; a heading that is the
// query, and a beginning that lacks what is required, show the section.
func TestNamedDocumentsShowTheirBeginning(t *testing.T) {
	s := serve(t, tree{
		"think.md":  "---\ntitle: Thinking in Parts\n---\nThis page is about design.\n\n## Step 1\n\nDraw a box.\n\n## Where to go\n\nThinking in parts takes time; thinking in parts is for all parts.\n",
		"h1.md":     "---\naliases: [Paper work]\n---\n# Shipping labels\n\n## Printing\n\nShipping labels are printed: shipping labels on paper.\n\n## Storing\n\nIn a box, as paper work.\n",
		"config.md": "---\ntitle: Configuration\n---\nAll there is to set.\n\n## Files\n\nThey lie in a folder.\n\n## Configuration\n\nConfiguration is read once.\n",
		"useRef.md": "# useRef\n\nIt holds a value.\n\n## Returns\n\nuseRef returns an object, the same useRef object each time.\n",
	}.compile(t))
	for _, tt := range []struct{ name, query, want string }{
		{"title", "thinking in parts", "think.md"},
		{"title, misspelt", "thinkng in parts", "think.md"},
		{"nothing below the title", "Shipping labels", "h1.md#printing"},
		{"title in the text", "useRef", "useRef.md#useref"},
		{"title as a heading too", "configuration", "config.md#configuration"},
		{"in quotes", `"thinking in parts"`, "think.md"},
		{"in quotes, which the beginning lacks", `"Paper Work"`, "h1.md#storing"},
		{"alias", "paper work", "h1.md#printing"},
		{"not the title alone", "thinking in parts time", "think.md#where-to-go"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := searched(t, s, wire.SearchRequest{Query: tt.query, Limit: 1}).Results[0]
			if got := render.Address("", h.Path, h.Anchor); got != tt.want {
				t.Errorf("Search(%q) shows %s, want %s", tt.query, got, tt.want)
			}
		})
	}
}

// TestNamesInMarks checks that marks around a name, as in a sentence, in code or in markdown, neither hide it nor are a
// mistake in it.
func TestNamesInMarks(t *testing.T) {
	f := random(7, 40)
	f["guide/use-memo.md"] = "# Caching\n\nNo such word here.\n"
	f["adr/ADR-0004-tokens.md"] = "---\nid: ADR-0004\nkind: adr\n---\n# Short-lived tokens\n\nText.\n"
	f["guide/cpp.md"] = "# C++\n\nText.\n"
	f["guide/why.md"] = "# Why tokens?\n\nText.\n"
	s := serve(t, f.compile(t))
	for _, tt := range []struct{ query, path string }{
		{"`useMemo`", "guide/use-memo.md"}, {"useMemo()", "guide/use-memo.md"}, {"`useMemo()`?", "guide/use-memo.md"}, {"**use memo**", "guide/use-memo.md"},
		{"'use-memo.md'", "guide/use-memo.md"}, {"use memo!?", "guide/use-memo.md"}, {"<useMemo />", "guide/use-memo.md"}, {"«use memo", "guide/use-memo.md"},
		{"ADR-0004?", "adr/ADR-0004-tokens.md"}, {"[ADR-0004]", "adr/ADR-0004-tokens.md"}, {"(short-lived tokens),", "adr/ADR-0004-tokens.md"},
		{"「ADR-0004」。", "adr/ADR-0004-tokens.md"}, {"C++?", "guide/cpp.md"}, {"`C++`", "guide/cpp.md"}, {"Why tokens?", "guide/why.md"}, {"Why tokens", "guide/why.md"},
	} {
		resp := searched(t, s, wire.SearchRequest{Query: tt.query})
		if warnings := strings.Join(resp.Warnings, "|"); resp.Count == 0 || resp.Results[0].Path != tt.path || resp.Results[0].Score < .99 || strings.Contains(warnings, "nothing is named") {
			t.Errorf("Search(%s) = %+v, warnings %q, want %s by its name", tt.query, resp.Results[:min(1, resp.Count)], warnings, tt.path)
		}
		found := must(s.FindSpec(t.Context(), wire.FindSpecRequest{Name: tt.query}))
		if warnings := strings.Join(found.Warnings, "|"); found.Results[0].Path != tt.path || strings.Contains(warnings, "nothing is named") {
			t.Errorf("FindSpec(%s) = %+v, warnings %q, want %s by its name", tt.query, found.Results[0], warnings, tt.path)
		}
	}
}

// TestMistakesFindEndings checks that a word with a mistake finds what the word that it is read as finds, other endings
// too, be it required or not.
func TestMistakesFindEndings(t *testing.T) {
	s := serve(t, tree{
		"a.md": "---\nlanguage: es\n---\n# Uno\n\nLa configuración de la red se guarda aquí.\n",
		"b.md": "---\nlanguage: es\n---\n# Dos\n\nLas configuraciones de los usuarios se guardan allí.\n",
		"c.md": "---\nlanguage: en\n---\n# Three\n\nEach component renders its children.\n",
		"d.md": "---\nlanguage: en\n---\n# Four\n\nThe components rendered by the server.\n",
	}.compile(t))
	for _, tt := range []struct{ word, typo string }{{"configuración", "confguración"}, {"configuración", "confguracion"}, {"component", "compnent"}, {"components", "compoenents"}} {
		for _, sign := range []string{"", "+"} {
			var lists [2][]string
			for i, word := range []string{tt.word, tt.typo} {
				for _, h := range searched(t, s, wire.SearchRequest{Query: sign + word}).Results {
					lists[i] = append(lists[i], h.Path)
				}
			}
			if len(lists[0]) != 2 || !slices.Equal(lists[0], lists[1]) {
				t.Errorf("Search(%s) finds %v, Search(%s) %v; want the same two", sign+tt.typo, lists[1], sign+tt.word, lists[0])
			}
		}
	}
}

// TestMistakeInANameInMarks checks that marks around a name with a mistake do not hide it either, and that it is said.
func TestMistakeInANameInMarks(t *testing.T) {
	f := random(7, 40)
	f["guide/use-memo.md"] = "# Caching\n\nNo such word here.\n"
	f["guide/why.md"] = "# Why tokens?\n\nText.\n"
	s := serve(t, f.compile(t))
	for query, want := range map[string]string{
		"`useMmeo`()":     "nothing is named \"`useMmeo`()\": read as \"use-memo\"",
		"“Wyh tokens?”":   `nothing is named "Wyh tokens?": read as "Why tokens?"`,
		"(why tokkens?)":  `nothing is named "(why tokkens?)": read as "Why tokens?"`,
		"*why toekns?*":   `nothing is named "*why toekns?*": read as "Why tokens?"`,
		"Why   Tokens ??": "",
	} {
		resp := searched(t, s, wire.SearchRequest{Query: query})
		i := slices.IndexFunc(resp.Warnings, func(w string) bool { return strings.HasPrefix(w, "nothing is named") })
		got := ""
		if i >= 0 {
			got = resp.Warnings[i]
		}
		if got != want {
			t.Errorf("Search(%s) warns %q, want %q", query, got, want)
		}
	}
}

func TestUnknownValuesWarn(t *testing.T) {
	s := serve(t, random(1, 20).compile(t))
	tests := []struct {
		name   string
		filter wire.Filter
		want   string
	}{
		{"kind", wire.Filter{Kinds: []string{"gide"}}, `no document has kind "gide"; did you mean "guide"?; kinds are `},
		{"one of two", wire.Filter{Kinds: []string{"guide", "nothing"}}, `no document has kind "nothing"; kinds are `},
		{"tag", wire.Filter{Tags: []string{"q"}}, `no document has tag "q"`},
		{"language", wire.Filter{Languages: []string{"xx"}}, `no document has language "xx"`},
		{"field", wire.Filter{Where: map[string][]string{"ownr": {"ana"}}}, `no document's front matter has the field "ownr"; did you mean "owner"?; fields are `},
		{"value", wire.Filter{Where: map[string][]string{"owner": {"bob"}}}, `no document has owner "bob"; values are `},
		{"path", wire.Filter{PathGlob: "nothing/**/*.txt"}, `no document has a path like "nothing/**/*.txt"; folders are `},
		{"date", wire.Filter{Since: "2999"}, `no document is dated on or after 2999`},
		{"known", wire.Filter{Kinds: []string{"Guide"}, Where: map[string][]string{"OWNER": {"JOSE"}}}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			resp := searched(t, s, wire.SearchRequest{Query: "state", Mode: search.ModeLexical, Filter: tt.filter})
			if got := strings.Join(resp.Warnings, "|"); (tt.want == "") != (got == "") || !strings.HasPrefix(got, tt.want) {
				t.Errorf("warnings %q, want %q", got, tt.want)
			}
		})
	}
	// Filters each of which some document meets, and no document all.
	both := tree{"a.md": "---\nkind: guide\n---\n# State\n", "b.md": "---\nstatus: live\n---\n# State\n"}
	s = serve(t, both.compile(t))
	f := wire.Filter{Kinds: []string{"guide"}, Status: []string{"live"}, PathGlob: "*.md"}
	together := "no document has all that the filters ask for: kind guide, status live, a path like *.md"
	resp := searched(t, s, wire.SearchRequest{Query: "state", Mode: search.ModeLexical, Filter: f})
	if !slices.Equal(resp.Warnings, []string{together}) {
		t.Errorf("Search warns %q, want %q", resp.Warnings, together)
	}
	list, err := s.List(t.Context(), wire.ListRequest{Kind: "guide", Status: "live", PathGlob: "*.md"})
	if err != nil || !slices.Equal(list.Warnings, []string{together}) {
		t.Errorf("List warns %q, %v, want %q", list.Warnings, err, together)
	}
	for name, f := range map[string]wire.Filter{"glob": {PathGlob: "a[b"}, "date": {Since: "yesterday"}, "month": {Since: "2024-13"}, "day": {Since: "2024-02-30"}} {
		_, err := s.Search(t.Context(), wire.SearchRequest{Query: "state", Filter: f})
		if e := want(t, err, wire.CodeInvalidInput); e.Hint == "" {
			t.Errorf("%s: no hint in %v", name, e)
		}
	}
}

// A threshold that nothing reaches says what there is below it; one that something reaches, and a query without hits,
// say nothing.
func TestThresholdWarns(t *testing.T) {
	s := serve(t, tree{"a.md": "# State\n\nThe state of a component.\n", "b.md": "# Other\n\nWords.\n"}.compile(t))
	best := searched(t, s, wire.SearchRequest{Query: "component words", Mode: search.ModeLexical}).Results[0].Score
	for _, tt := range []struct {
		name, query string
		threshold   float64
		want        string
	}{
		{"above all", "component words", 0.99, fmt.Sprintf("no section has the score 0.99 or more; the best has %.4f", best)},
		{"below the best", "component words", best / 2, ""},
		{"no hits at all", "zqzq", 0.99, "no document has \"zqzq\""},
	} {
		resp := searched(t, s, wire.SearchRequest{Query: tt.query, Mode: search.ModeLexical, ScoreThreshold: tt.threshold})
		if got := strings.Join(resp.Warnings, "|"); got != tt.want {
			t.Errorf("%s: warnings %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestSnippetsLeaveAddressesOut: a word in a link's target or in the name of an included file is no evidence, but where
// the query has an address.
func TestSnippetsLeaveAddressesOut(t *testing.T) {
	far := strings.Repeat("Some other sentence stands between them here. ", 8)
	s := serve(t, tree{"a.md": "# Guide\n\nOwnership decides who frees memory. " + far + "\n\n{{#include ../listings/ownership/ownership-moves/src/main.rs}}\n\n" + far + "See [more](https://example.org/ownership/ownership#ownership).\n",
		"b.md": "# 指南\n\n" + strings.Repeat("这里是别的内容。", 60) + "状态管理useKlar请参考ftp://beispiel.net/a。" + strings.Repeat("这里是别的内容。", 60) + "\n"}.compile(t))
	for _, tt := range []struct{ query, want string }{
		{"ownership", "Ownership decides who frees memory."},
		{"状态管理", "状态管理"}, {"useKlar", "useKlar"},
		{"https://example.org/ownership/ownership", "https://example.org/ownership/ownership#ownership"},
	} {
		r, err := s.Search(t.Context(), wire.SearchRequest{Query: tt.query})
		if err != nil || len(r.Results) == 0 || !strings.Contains(r.Results[0].Snippet, tt.want) {
			t.Errorf("Search(%s): %+v, %v; want the snippet to have %q", tt.query, r, err, tt.want)
		}
	}
}
