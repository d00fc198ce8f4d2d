package render

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"kdd/runtime/wire"
)

// wild returns a string of at most n bytes from letters of many lengths, controls and markup.
func wild(r *rand.Rand, n int) string {
	alphabet := []rune("aaabcde  Zéß€漢字🙂\"\\<>&\u0007\u202e\u200b\x1b\n\tआ\u200d")
	var b strings.Builder
	for size := r.IntN(n + 1); b.Len() < size; {
		b.WriteRune(alphabet[r.IntN(len(alphabet))])
	}
	if r.IntN(20) == 0 {
		b.WriteString("\xff\xfe")
	}
	return b.String()
}

func length(r *rand.Rand) int {
	return []int{8, 8, 40, 40, 40, 200, 10_000}[r.IntN(7)]
}

func wildEnvelope(r *rand.Rand, version string) wire.Envelope {
	e := wire.Envelope{SchemaVersion: version, IndexID: "0123456789abcdef"}
	for range r.IntN(3) {
		e.Warnings = append(e.Warnings, wild(r, length(r)))
	}
	if r.IntN(8) == 0 {
		for i := range r.IntN(60) {
			e.Indexes = append(e.Indexes, wire.IndexName{Name: fmt.Sprintf("i%d", i), ID: "0123456789abcdef"})
		}
	}
	return e
}

func wildHit(r *rand.Rand, rank int) wire.Hit {
	path := wild(r, []int{20, 40, 80, 4000}[r.IntN(4)])
	h := wire.Hit{Rank: rank, Score: r.Float64(), URL: "kdd://doc/" + path, Path: path, Anchor: wild(r, 30), Lines: [2]int{r.IntN(90000), r.IntN(90000)},
		Title: wild(r, length(r)), Section: wild(r, length(r)), Snippet: wild(r, 600), Chunk: path + "~1", Type: "PROCESS", Kind: wild(r, 8), NodeID: wild(r, 40)}
	if r.IntN(3) == 0 {
		h.Explain = &wire.Explain{Raw: r.Float64(), Parts: []wire.ExplainPart{{Name: "lexical", Value: r.Float64(), Weight: 1, Rank: 3}}}
	}
	return h
}

func budgetOf(most int, next func(kept int) string) wire.Budget {
	return wire.Budget{Bytes: most, Next: next, Text: func(answer any) int { return len(Text(answer, Style{Agent: true})) }}
}

func TestFitKeepsTheBudget(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	rounds := 800
	if testing.Short() {
		rounds = 300
	}
	for round := range rounds {
		most := []int{512, 513, 600, 700, 1024, 4096, 65536, 0, -1}[r.IntN(9)]
		n := r.IntN(12)
		next := func(kept int) string { return wire.EncodeCursor("i", "o", map[string]any{"q": round}, kept) }
		var answer any
		var count, items int
		var truncated bool
		var cursor string
		switch r.IntN(4) {
		case 0:
			v := &wire.SearchResponse{Envelope: wildEnvelope(r, "search_response.v1"), Query: wild(r, length(r)), Mode: "hybrid"}
			for i := range n {
				v.Results = append(v.Results, wildHit(r, i+1))
			}
			wire.FitSearch(v, budgetOf(most, next))
			answer, count, items, truncated, cursor = v, v.Count, len(v.Results), v.Truncated, v.Cursor
		case 1:
			v := &wire.RelatedResponse{Envelope: wildEnvelope(r, "related_response.v1"), Entity: wild(r, length(r)), NodeID: "DOC:a", Type: "document", Total: n}
			for range n {
				h := wildHit(r, 1)
				v.Related = append(v.Related, wire.Relative{Name: h.Title, NodeID: h.NodeID, Type: "section", Relation: "LINK", Direction: "incoming",
					Distance: 2, Path: h.Path, Anchor: h.Anchor, Lines: h.Lines, SourceURL: h.URL, FoundBy: "link"})
			}
			wire.FitRelated(v, budgetOf(most, next))
			answer, count, items, truncated, cursor = v, v.Count, len(v.Related), v.Truncated, v.Cursor
		case 2:
			v := &wire.ListResponse{Envelope: wildEnvelope(r, "list_response.v1"), Total: n}
			for range n {
				h := wildHit(r, 1)
				v.Documents = append(v.Documents, wire.Listed{Path: h.Path, Title: h.Title, Kind: h.Kind, Domain: wild(r, length(r)), Tags: []string{h.Section, wild(r, 9)},
					Chunks: 3, NodeID: h.NodeID, URL: h.URL})
			}
			wire.FitList(v, budgetOf(most, next))
			answer, count, items, truncated, cursor = v, v.Count, len(v.Documents), v.Truncated, v.Cursor
		case 3:
			v := &wire.StatsResponse{Envelope: wildEnvelope(r, "stats.v1")}
			for i := range min(n, 3) {
				a := wire.ArtifactStats{Name: fmt.Sprintf("a%d", i), IndexID: "0123456789abcdef", Title: wild(r, length(r)), FileBytes: 1 << 40, MadeBy: "kdd 0.1.0",
					Encoder: "none", Kinds: map[string]int{}, Source: wire.SourceStats{TreeHash: strings.Repeat("0", 64), Roots: []string{wild(r, 40)}}}
				for j := range r.IntN(40) {
					a.Kinds[wild(r, 60)] = j
					a.Blocks = append(a.Blocks, wire.BlockBytes{Tag: fmt.Sprintf("B%03d", j), Name: "block", Bytes: int64(j)})
				}
				v.Artifacts = append(v.Artifacts, a)
			}
			n = len(v.Artifacts)
			wire.FitStats(v, budgetOf(most, next))
			answer, count, items, truncated, cursor = v, len(v.Artifacts), len(v.Artifacts), v.Truncated, v.Cursor
		}
		data, text := wire.Encode(answer), Text(answer, Style{Agent: true})
		if most == 0 {
			most = 4096
		}
		if most > 0 && (len(data) > most || len(text) > most) {
			t.Fatalf("round %d: JSON %d and text %d bytes, want at most %d:\n%s\n%s", round, len(data), len(text), most, data, text)
		}
		if len(text) > len(data) {
			t.Errorf("round %d: text form of %d bytes, want at most the JSON's %d:\n%s\n%s", round, len(text), len(data), text, data)
		}
		if !json.Valid(data) || !utf8.Valid(data) || !utf8.ValidString(text) || strings.Contains(string(data), "null") {
			t.Fatalf("round %d: not valid: %s", round, data)
		}
		if count != items || most < 0 && (items != n || truncated) || items < n && (!truncated || cursor == "" && n > 1) {
			t.Fatalf("round %d: count %d of %d items, %d before, truncated %v, cursor %q", round, count, items, n, truncated, cursor)
		}
	}
}

func TestFitKeepsTheLongestPrefix(t *testing.T) {
	build := func() *wire.SearchResponse {
		v := &wire.SearchResponse{Envelope: wire.Envelope{SchemaVersion: "search_response.v1"}, Query: "q", Mode: "lexical"}
		for i := range 20 {
			v.Results = append(v.Results, wire.Hit{Rank: i + 1, Path: fmt.Sprintf("a/%d.md", i), Title: strings.Repeat("t", i*7), Match: []string{}})
		}
		return v
	}
	next := func(kept int) string { return wire.EncodeCursor("i", "search", map[string]string{"query": "q"}, kept) }
	for most := 512; most < 8000; most += 97 {
		v := build()
		wire.FitSearch(v, budgetOf(most, next))
		if !v.Truncated {
			continue
		}
		offset, err := wire.DecodeCursor(v.Cursor, "i", "search", map[string]string{"query": "q", "cursor": v.Cursor})
		if err != nil || offset != v.Count {
			t.Fatalf("FitSearch(%d): cursor for %d, %v, want %d", most, offset, err, v.Count)
		}
		larger := build()
		larger.Results = larger.Results[:v.Count+1]
		larger.Count, larger.Truncated, larger.Cursor, larger.TimeMS = v.Count+1, true, next(v.Count+1), 99999.999
		if size := len(wire.Encode(larger)); size <= most {
			t.Errorf("FitSearch(%d) kept %d results, but %d take %d bytes", most, v.Count, v.Count+1, size)
		}
	}
}

func TestFitShortensTheOnlyHit(t *testing.T) {
	v := &wire.SearchResponse{Envelope: wire.Envelope{SchemaVersion: "search_response.v1"}, Query: "q", Mode: "lexical", Results: []wire.Hit{{Rank: 1, Path: "a.md", Title: strings.Repeat("漢", 4000), Snippet: "text"}}}
	wire.FitSearch(v, budgetOf(512, func(int) string { return "never" }))
	if v.Count != 1 || !v.Truncated || v.Cursor != "" || v.Results[0].Path != "a.md" || !strings.HasSuffix(v.Results[0].Title, "漢…") {
		t.Errorf("FitSearch = count %d, truncated %v, cursor %q, title %q", v.Count, v.Truncated, v.Cursor, v.Results[0].Title)
	}
	v = &wire.SearchResponse{Envelope: wire.Envelope{SchemaVersion: "search_response.v1"}, Query: "q", Mode: "lexical", Results: []wire.Hit{{Rank: 1, Path: strings.Repeat("p", 4000)}, {Rank: 2, Path: "b.md"}}}
	wire.FitSearch(v, budgetOf(512, func(kept int) string { return fmt.Sprintf("from%d", kept) }))
	if v.Count != 0 || !v.Truncated || v.Cursor != "from1" || len(v.Warnings) != 1 {
		t.Errorf("FitSearch of a path without room = count %d, cursor %q, warnings %q", v.Count, v.Cursor, v.Warnings)
	}
}

func BenchmarkFitSearch(b *testing.B) {
	for _, n := range []int{5, 100} {
		b.Run(fmt.Sprintf("hits=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				v := &wire.SearchResponse{Envelope: wire.Envelope{SchemaVersion: "search_response.v1"}, Query: "q", Mode: "lexical"}
				for i := range n {
					v.Results = append(v.Results, wire.Hit{Rank: i + 1, Path: "guides/authentication.md", Title: "Authentication", Snippet: strings.Repeat("word ", 30)})
				}
				wire.FitSearch(v, budgetOf(4096, func(kept int) string { return wire.EncodeCursor("i", "search", wire.SearchRequest{Query: "q"}, kept) }))
				if v.Count == 0 {
					b.Fatal("no hits")
				}
			}
		})
	}
}
