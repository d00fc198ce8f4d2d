package runtime

import (
	"cmp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"kdd/format/index"
	"kdd/format/text"
	"kdd/runtime/artifact"
	"kdd/runtime/search"
	"kdd/runtime/wire"
)

// browserQuery is a search and what kdd finds.
type browserQuery struct {
	Request wire.SearchRequest `json:"request"`
	Offset  int                `json:"offset,omitempty"`
	Hits    []browserHit       `json:"hits"`
	More    bool               `json:"more"`
	Notes   []string           `json:"notes"` // kdd's warnings

	Cosines [][2]float64 `json:"cosines,omitempty"` // chunks and their cosines with the query
	Known   []string     `json:"known,omitempty"`   // words of it that the encoder knows

	kinds []string // what it is a test of
}

// browserHit is a hit as the reader in TypeScript gives it.
type browserHit struct {
	Score        float64  `json:"score"` // not rounded
	Raw          float64  `json:"raw"`
	Path         string   `json:"path"`
	Anchor       string   `json:"anchor"`
	Title        string   `json:"title"`
	Section      string   `json:"section"`
	Lines        [2]int   `json:"lines"`
	SectionLines [2]int   `json:"sectionLines"`
	Snippet      string   `json:"snippet"`
	Highlights   [][2]int `json:"highlights"`
	Match        []string `json:"match"`
	Duplicates   []string `json:"duplicates"`
	Moved        bool     `json:"moved"`
}

func (q *browserQuery) count(kinds map[string]int) {
	for _, k := range q.kinds {
		kinds[k]++
	}
}

// browserSearches asks an artifact its headings, alone, misspelt, in part and with operators and filters.
func browserSearches(t *testing.T, service *Service, set *artifact.Set) (list []browserQuery) {
	t.Helper()
	a := set.Artifacts[0]
	add := func(r wire.SearchRequest, offset int, kinds ...string) {
		if q, ok := browserSearch(t, service, set, r, offset); ok {
			q.kinds = append(q.kinds, kinds...)
			list = append(list, q)
		}
	}
	step := max(1, a.Sections()/100)
	for s := index.SectionID(0); int(s) < a.Sections(); s += index.SectionID(step) {
		heading, d := a.SectionHeading(s), a.DocOfSection(s)
		add(wire.SearchRequest{Query: heading}, 0)
		words := strings.Fields(heading)
		switch s % 10 {
		case 0:
			add(wire.SearchRequest{Query: heading, Filter: wire.Filter{Kinds: []string{a.DocKind(d)}}, Limit: 3}, 2, "filtered")
		case 1:
			add(wire.SearchRequest{Query: heading, Group: "document"}, 0)
		case 2:
			add(wire.SearchRequest{Query: heading + " " + a.DocTitle(d), Diversity: "off", Limit: 8}, 0)
		case 3:
			add(wire.SearchRequest{Query: heading, Sort: "date", Limit: 4}, 0)
		case 4:
			add(wire.SearchRequest{Query: `"` + words[0] + `" ` + strings.Join(words[1:], " ") + " OR title:" + words[0]}, 0, "required")
		case 5:
			add(wire.SearchRequest{Query: a.DocTitle(d)}, 0)
		case 6:
			add(wire.SearchRequest{Query: misspelt(heading)}, 0)
		case 7:
			add(wire.SearchRequest{Query: heading, Filter: wire.Filter{PathGlob: "**/*" + a.DocPath(d)[len(a.DocPath(d))-5:]}}, 5)
		case 8:
			add(wire.SearchRequest{Query: string([]rune(words[0])[:1+len([]rune(words[0]))/2]) + "* " + heading, ScoreThreshold: .2}, 0)
		case 9:
			add(wire.SearchRequest{Query: `+"` + heading + `"`}, 0, "required")
		}
	}
	for _, asked := range []string{
		"how do access tokens expire", "who is on call NOT incident", "deploy -rollback", "path:decisions accepted", "kind:adr tokens",
		"AuthService", "tokan rotaton", "ADR-0004", "what happens when a payment fails", "(login OR session) timeout", "retry~",
		"Wie lange gelten Tokens", "Datensicherungsaufgaben", "認証 トークン", "の", "useState hooks", "größe", "grosse", "c++",
		"decisions/ADR-0004.md#decision", "`ADR-0004`", "authentification sistem", "2026 release", "the of and", "token token token",
	} {
		add(wire.SearchRequest{Query: asked}, 0)
	}
	for _, f := range []wire.Filter{
		{Kinds: []string{"adrs", "nothing"}}, {Tags: []string{"scurity"}}, {Tags: []string{"auth"}, Since: "2031-02"},
		{ChunkTypes: []string{"process"}, Languages: []string{"pt-BR", "tlh"}}, {Status: []string{"acepted"}, Domains: []string{"x"}},
		{Where: map[string][]string{"owner": {"me", "teem"}, "ownr": {"me"}}}, {PathGlob: "guide"}, {PathGlob: "docs/security/*.md"},
		{PathGlob: "**/nothing/*.txt"}, {Since: "2099"}, {Kinds: []string{a.DocKind(0)}, PathGlob: a.DocPath(index.DocID(a.Docs() - 1))},
		{Kinds: []string{strings.Repeat("long\n", 30)}, Tags: []string{""}},
	} {
		add(wire.SearchRequest{Query: "access tokens", Filter: f}, 0, "refused")
	}
	if a.Meta.Encoder == index.EncoderNone {
		return list
	}
	for i, q := range list {
		r := q.Request
		for _, mode := range []string{search.ModeHybrid, search.ModeVector} {
			if r.Mode = mode; r.Sort == "" && i%2 == 0 {
				add(r, q.Offset, mode)
			}
		}
	}
	return list
}

// byGlossary says whether a query's language, which is none of the documents', was told by a glossary.
func byGlossary(set *artifact.Set, query string, language text.Lang) bool {
	var known []text.Lang
	for _, l := range set.Artifacts[0].Meta.Languages {
		known = append(known, text.Lang(l.Language))
	}
	told, _ := text.DetectQuery(query, known)
	return told != language && !slices.Contains(known, language)
}

// misspelt swaps two letters of the longest word.
func misspelt(s string) string {
	longest := slices.MaxFunc(strings.Fields(s), func(a, b string) int { return len(a) - len(b) })
	r := []rune(longest)
	if len(r) < 4 || !unicode.IsLower(r[1]) {
		return s
	}
	r[1], r[2] = r[2], r[1]
	return strings.Replace(s, longest, string(r), 1)
}

// browserSearch searches, by words if no mode is given. It is false for a query that kdd translates, which the reader does
// not.
func browserSearch(t *testing.T, service *Service, set *artifact.Set, r wire.SearchRequest, offset int) (browserQuery, bool) {
	t.Helper()
	r.Mode = cmp.Or(r.Mode, search.ModeLexical)
	limit := max(r.Limit, 5)
	r.Limit = limit + offset
	q := browserQuery{Request: r, Offset: offset, Hits: []browserHit{}}
	q.Request.Limit = limit
	ranked, more, err := search.Retrieve(t.Context(), set, &r, r.Limit)
	if err != nil {
		t.Fatal(err)
	}
	defer ranked.Release()
	if ranked.Queries[0].Into != "" || byGlossary(set, ranked.Queries[0].Text, ranked.Queries[0].Language) {
		return q, false
	}
	for c, cosine := range ranked.Scored[0].Signals.Cosine {
		q.Cosines = append(q.Cosines, [2]float64{float64(c), float64(cosine)})
	}
	if s, err := set.Artifacts[0].Encoder(); err == nil && s != nil {
		for _, w := range ranked.Queries[0].All {
			if _, ok := s.Vocab.Find(w.Text); ok {
				q.Known = append(q.Known, w.Text)
			}
		}
	}
	r.Detail, r.Explain, r.MaxBytes = wire.DetailFull, true, -1
	shown := must(service.Search(t.Context(), r)).Results
	q.More, q.Notes = more, append([]string{}, ranked.Warnings...)
	for i, h := range ranked.Hits[min(offset, len(ranked.Hits)):min(r.Limit, len(ranked.Hits))] {
		s := shown[offset+i]
		q.Hits = append(q.Hits, browserHit{
			Score: h.Calibrated, Raw: h.Score, Path: s.Path, Anchor: s.Anchor, Title: s.Title, Section: s.Section, Lines: s.Lines,
			SectionLines: s.SectionLines, Snippet: s.Snippet, Highlights: append([][2]int{}, s.Highlights...), Match: s.Match,
			Duplicates: append([]string{}, s.Duplicates...), Moved: s.Moved,
		})
		if s.Moved {
			q.kinds = append(q.kinds, "moved")
		}
		if s.Neighbour != nil {
			q.kinds = append(q.kinds, "neighbour")
		}
		if len(s.Match) > 0 && s.Match[0] != search.ModeLexical {
			q.kinds = append(q.kinds, "named")
		}
	}
	if more {
		q.kinds = append(q.kinds, "more")
	}
	for i := range ranked.Queries[0].All {
		w := &ranked.Queries[0].All[i]
		for kind, is := range map[string]bool{"accents": w.Accented, "identifiers": w.Whole, "corrected": len(w.Near) > 0} {
			if is {
				q.kinds = append(q.kinds, kind)
			}
		}
		if strings.ContainsFunc(w.Text, func(r rune) bool { return unicode.Is(unicode.Hiragana, r) }) {
			q.kinds = append(q.kinds, "grammar")
		}
	}
	return q, true
}
