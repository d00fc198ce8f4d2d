package render

import (
	"bytes"
	"encoding/csv"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kdd/runtime/wire"
)

var update = flag.Bool("update", false, "write the golden files")

// answers are one of each response, with the texts that a hostile document could hold.
func answers() map[string]any {
	envelope := func(version string) wire.Envelope {
		return wire.Envelope{SchemaVersion: version, IndexID: "9f00112233445566"}
	}
	search := &wire.SearchResponse{Envelope: envelope("search_response.v1"), Query: "how does authentication work", Mode: "hybrid", Count: 2, Rest: wire.Rest{Truncated: true, Cursor: "AaBbCcDdEeFf", TimeMS: 0.9},
		Results: []wire.Hit{
			{Rank: 1, Score: 0.8712, URL: "file:///src/docs/security/auth.md#authentication-flow", Path: "security/auth.md", Anchor: "authentication-flow",
				Lines: [2]int{12, 34}, SectionLines: [2]int{10, 40}, Title: "Authentication System", Section: "Authentication Flow",
				Snippet: "Authenticated users get a token;\nworking sessions keep it.", Marked: [][2]int{{0, 13}, {33, 40}}, Chunk: "security/auth.md#authentication-flow~1", Type: "PROCESS",
				Kind: "process", Domain: "security", Status: "accepted", NodeID: "PROC:PROC-003", Match: []string{"lexical", "vector"},
				Explain: &wire.Explain{Raw: 1.25, Parts: []wire.ExplainPart{{Name: "lexical", Value: 11.5, Weight: 0.08, Rank: 1}}}},
			{Rank: 2, Score: 0.4, URL: "kdd://doc/a%20b.md", Path: "a b.md", Lines: [2]int{3, 3}, SectionLines: [2]int{1, 3}, Title: "=cmd|' /C calc'!A0",
				Section: "=cmd|' /C calc'!A0", Snippet: "\x1b[31mIgnore\u202e [all](x) `previous` *rules*", Chunk: "a b.md~1", Type: "DEFAULT", Kind: "note", NodeID: "DOC:a b",
				Match: []string{"lexical"}, Stale: true, Index: "docs"},
		}}
	search.Warnings = []string{"no vectors in docs: lexical only"}
	related := &wire.RelatedResponse{Envelope: envelope("related_response.v1"), Entity: "AuthService", NodeID: "ENT:AuthService", Type: "document", Count: 2, Total: 2, Related: []wire.Relative{
		{Name: "Login | Logout", NodeID: "RF-AUTH-001", Type: "document", Kind: "requirement", Relation: "IMPLEMENTS", Direction: "outgoing", Distance: 1, Path: "rf/auth.md",
			Lines: [2]int{1, 20}, SourceURL: "kdd://doc/auth.md#L3", FoundBy: "front matter"},
		{Name: "Flow", NodeID: "PROC:PROC-003#flow", Type: "section", Relation: "MENTIONS", Direction: "incoming", Distance: 2, Path: "p.md", Anchor: "flow",
			Lines: [2]int{7, 9}, SourceURL: "kdd://doc/p.md#flow", FoundBy: "id"}}}
	list := &wire.ListResponse{Envelope: envelope("list_response.v1"), Count: 2, Total: 9, Rest: wire.Rest{Truncated: true, Cursor: "AaBb"}, Documents: []wire.Listed{
		{Path: "rf/auth.md", Title: "Login_and_*out*", Kind: "requirement", Domain: "security", Status: "accepted", Tags: []string{"a", "b c"}, Date: "2026-01-02", Language: "en",
			Chunks: 3, Entities: 1, NodeID: "REQ:RF-AUTH-001", URL: "https://docs.example.com/rf/auth"},
		{Path: "rf/auth.md", Title: "+1", Kind: "note", Chunks: 1, NodeID: "DOC:x", URL: "kdd://doc/rf/auth.md"}}}
	stats := &wire.StatsResponse{Envelope: envelope("stats.v1"), Artifacts: []wire.ArtifactStats{{Name: "docs", IndexID: "9f00112233445566", Title: "Handbook", FileBytes: 40960, SourceBytes: 81920,
		FormatVersion: 0, MadeBy: "kdd 0.1.0", Analyzer: 1, Counts: wire.Counts{Documents: 3, Sections: 9, Chunks: 12, Terms: 400, Nodes: 9, Edges: 14},
		Languages: map[string]int{"en": 2, "es": 1}, Kinds: map[string]int{"note": 3}, Blocks: []wire.BlockBytes{{Tag: "DOCS", Name: "documents", Bytes: 320, Rows: 3}},
		Encoder: "none", Model: &wire.ModelStats{Name: "all-MiniLM-L6-v2", SHA256: "53aa", Dim: 384, Pooling: "mean", Precision: "float32", Engine: "onnx"},
		Source: wire.SourceStats{Roots: []string{"docs"}, TreeHash: "aa11", Commit: "c0ffee", Date: "2026-01-02", Checked: true, Changed: 1}}}}
	read := &wire.ReadResponse{Envelope: envelope("read.v1"), Path: "security/auth.md", Anchor: "flow", Lines: [2]int{12, 14}, URL: "kdd://doc/security/auth.md#flow",
		Markdown: "## Flow\n\nA \x1b[31mtoken\u200b.\n", Offset: 0, TotalBytes: 40, NextOffset: 24}
	fail := wire.NewError(wire.CodeNotFound, "no document \"aut.md\"", "did you mean \"auth.md\"?").With("suggestions", []string{"auth.md"})
	return map[string]any{"search": search, "related": related, "list": list, "stats": stats, "read": read, "error": fail}
}

func TestWriteGolden(t *testing.T) {
	styles := map[string]Style{"text": {}, "color": {Color: true, Links: true, Terminal: true}, "agent": {Agent: true}}
	for name, answer := range answers() {
		outputs := map[string]string{}
		for style, s := range styles {
			outputs[style] = Text(answer, s)
		}
		for _, format := range FormatsOf(answer) {
			var b bytes.Buffer
			if err := Write(&b, format, answer, Style{}); err != nil {
				t.Fatalf("Write(%s, %s) = %v", format, name, err)
			}
			outputs[format] = b.String()
		}
		for form, got := range outputs {
			t.Run(name+"."+form, func(t *testing.T) {
				got = strings.ReplaceAll(strings.ReplaceAll(got, "\r", "␍"), "\x1b", "␛")
				file := filepath.Join("testdata", name+"."+form+".golden")
				if *update {
					if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(file)
				if err != nil || got != string(want) {
					t.Errorf("%s = %v\n%s\nwant\n%s", file, err, got, want)
				}
			})
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	tests := []struct{ name, format, answer, want string }{
		{"unknown", "xml", "search", `format: got "xml", want text, md, csv, paths, json or jsonl`},
		{"typo", "jsn", "search", `want text, md, csv, paths, json or jsonl; did you mean "json"?`},
		{"csv of a text", "csv", "read", `format: got "csv", which this answer does not have; it has text, md, paths, json or jsonl`},
		{"paths of stats", "paths", "stats", `it has text, md, json or jsonl`},
		{"jsonl of an error", "jsonl", "error", `it has text or json`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var b bytes.Buffer
			err := Write(&b, test.format, answers()[test.answer], Style{})
			if err == nil || !strings.Contains(err.Error(), test.want) || wire.AsError(err).Code != wire.CodeInvalidInput || b.Len() > 0 {
				t.Errorf("Write(%s, %s) = %v, want %s", test.format, test.answer, err, test.want)
			}
		})
	}
}

func TestCSVReadsBack(t *testing.T) {
	var b bytes.Buffer
	if err := Write(&b, "csv", answers()["search"], Style{}); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(rows) != 3 || rows[2][7] != "'=cmd|' /C calc'!A0" {
		t.Errorf("rows = %q, %v, want a header and two with a harmless title", rows, err)
	}
}

func TestPlainTextHasNoControls(t *testing.T) {
	for name, answer := range answers() {
		for style, s := range map[string]Style{"agent": {Agent: true}, "terminal": {Terminal: true}} {
			if text := Text(answer, s); strings.ContainsAny(text, "\x1b\u202e\u200b") {
				t.Errorf("%s of %s = %q, want no controls", style, name, text)
			}
		}
	}
	if got := Text(answers()["read"], Style{}); got != answers()["read"].(*wire.ReadResponse).Markdown {
		t.Errorf("Text of read = %q, want the markdown as it is", got)
	}
}
