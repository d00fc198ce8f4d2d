package render

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"kdd/runtime/wire"
)

// TestFormsGolden compares every form of reports with testdata/NAME.txtar, whose files are named by format or style.
// JSON aside: what the wire has is another package's matter.
func TestFormsGolden(t *testing.T) {
	for name, answer := range reports() {
		t.Run(name, func(t *testing.T) {
			forms := &txtar.Archive{}
			add := func(form, text string) {
				text = strings.ReplaceAll(strings.ReplaceAll(text, "\r", "␍"), "\x1b", "␛")
				forms.Files = append(forms.Files, txtar.File{Name: form, Data: []byte(text)})
			}
			add("color", Text(answer, Style{Color: true, Links: true, Terminal: true}))
			add("agent", Text(answer, Style{Agent: true}))
			for _, format := range FormatsOf(answer) {
				var b bytes.Buffer
				if err := Write(&b, format, answer, Style{}); err != nil {
					t.Fatalf("Write(%s) = %v", format, err)
				}
				if format != "json" && format != "jsonl" {
					add(format, b.String())
				}
			}
			file := filepath.Join("testdata", name+".txtar")
			got := txtar.Format(forms)
			if *update {
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s = %v\n%s\nwant\n%s", file, err, got, want)
			}
		})
	}
}

// reports are one of each answer that is about the graph, the files or the quality of an index, with all that their
// forms print: empty parts, several indexes, text that would be markup.
func reports() map[string]any {
	envelope := wire.Envelope{SchemaVersion: "v", IndexID: "9f00112233445566", Warnings: []string{"one index is stale"}}
	rest := wire.Rest{Truncated: true, Cursor: "AaBb", TimeMS: 1}
	relative := wire.Relative{Name: "Login", NodeID: "UC:UC-001", Type: "document", Kind: "use-case", Relation: "IMPLEMENTS", Direction: "incoming", Distance: 1,
		Path: "uc/login.md", Lines: [2]int{1, 20}, SourceURL: "kdd://doc/uc/login.md", FoundBy: "front matter"}
	far := relative
	far.Name, far.NodeID, far.Path, far.Anchor, far.Index, far.Distance = "Pay | *now*", "UC:UC-002", "uc/pay.md", "flow", "other", 2
	section := 0.25
	return map[string]any{
		"answer": &wire.AnswerResponse{Envelope: envelope, Query: "How long?", Answer: "Ten minutes. [1] It is renewed. [2]\n", Outcome: wire.OutcomeAnswered, Confidence: 0.914, Mode: "extractive",
			Citations: []wire.Citation{
				{Marker: 1, Path: "a b.md", Anchor: "token", Lines: [2]int{3, 3}, URL: "kdd://doc/a%20b.md#token", Quote: "Ten minutes.", Title: "Tokens"},
				{Marker: 2, Path: "b.md", Lines: [2]int{7, 9}, URL: "kdd://doc/b.md", Quote: "=1+1", Title: "\x1b[31mB", Index: "other"}},
			Explain: &wire.AnswerExplain{Compared: "with vectors", Evidence: []wire.ExplainPart{{Name: "cosine", Value: 0.5, Weight: 2}, {Name: "nothing", Value: 0, Weight: 3}}, Sum: 1,
				Enough: 0.7, Near: 0.2, Run: "a-run", SentenceRun: "b-run", Sentences: []wire.ExplainSentence{{Marker: 1, Text: "Ten minutes.", Reason: "best", Score: 1.5, Parts: []wire.ExplainPart{{Name: "words", Value: 1, Weight: 1.5}}}},
				Limits: []wire.ExplainLimit{{Name: "near", Value: 0.9}}}},
		"closest": &wire.AnswerResponse{Query: "Who?", Answer: "They may not say. The closest passages:\n\n- Tokens (a.md#token)", Outcome: wire.OutcomeClosest, RefusalReason: wire.RefusedLowEvidence, Citations: []wire.Citation{}},
		"refusal": &wire.AnswerResponse{Query: "Who?", Answer: "The documents do not say.", Outcome: wire.OutcomeRefused, RefusalReason: wire.RefusedNoHits, Citations: []wire.Citation{}},
		"context": &wire.ContextResponse{Envelope: envelope, Tokens: 40, MaxTokens: 4000, LeftOutTotal: 3,
			Hints: []wire.ContextHint{{Hint: "login", Resolved: []string{"UC:UC-001"}}, {Hint: "nowhere", Resolved: []string{}, Warning: "nothing has this name"}},
			Items: []wire.ContextItem{
				{Group: "rule", NodeID: "BR:BR-1", Kind: "rule", Title: "Ten minutes", Path: "br.md", Lines: [2]int{1, 4}, Text: "# Rule\n\n> ten minutes\n", Tokens: 20,
					Via: []wire.ContextStep{{NodeID: "UC:UC-001"}, {NodeID: "BR:BR-1", Relation: "UC_APPLIES_RULE", Direction: "outgoing"}}},
				{Group: "other", NodeID: "DOC:old", Kind: "note", Title: "Old [way]", Path: "old.md", Anchor: "way", Lines: [2]int{2, 3}, Text: "old", Tokens: 20, Status: "superseded",
					SupersededBy: []string{"DOC:new"}, Index: "other"},
				{Group: "other", NodeID: "DOC:gone", Kind: "note", Title: "Gone", Path: "gone.md", Lines: [2]int{1, 1}, Text: "gone", Status: "deprecated"}},
			LeftOut: []wire.LeftOut{{NodeID: "BR:BR-9", Reason: "no room: 900 tokens"}, {NodeID: "BR:BR-8", Reason: "too far", Index: "other"}}},
		"coverage": &wire.CoverageResponse{Envelope: envelope, NodeID: "ENT:Order", Kind: "entity", Percent: 66.7, Present: 2, Missing: 1, Rest: rest, Categories: []wire.CoverageCategory{
			{Name: "use cases", Relation: "IMPLEMENTS", Status: "present", Total: 3, Found: []string{"UC:UC-001", "UC:UC-002"}},
			{Name: "events", Relation: "EMITS", Status: "present", Total: 1, Found: []string{"EVT:Paid"}}, {Name: "rules", Relation: "APPLIES", Status: "missing", Found: []string{}}}},
		"doctor":  &wire.DoctorResponse{Envelope: envelope, Failed: 1, Checks: []wire.Check{{Name: "model", OK: true, Detail: "all-MiniLM-L6-v2"}, {Name: "index", Index: "docs", Detail: "3 files | changed", Hint: "kdd build docs"}}},
		"healthy": &wire.DoctorResponse{OK: true, Checks: []wire.Check{{Name: "index", OK: true, Detail: "whole"}}},
		"graph": &wire.GraphResponse{Envelope: envelope, NodeID: "UC:UC-001", Count: 2, Total: 5, Truncated: true,
			Nodes: []wire.GraphNode{{NodeID: "UC:UC-001", Label: "UC-001", Title: "UC-001 — Login", Kind: "use-case", Path: "uc/login.md"},
				{NodeID: "BR:BR-1", Label: "BR-1 \"<ten>\"", Title: "Ten minutes", Kind: "rule", Path: "br.md", Anchor: "ten"}},
			Edges: []wire.GraphEdge{{From: "UC:UC-001", To: "BR:BR-1", Relation: "APPLIES", Edges: 2}, {From: "BR:BR-1", To: "UC:UC-001", Relation: "MENTIONS", Edges: 1, Weak: true, Violation: true}}},
		"impact": &wire.ImpactResponse{Envelope: envelope, Entity: "Order", NodeID: "ENT:Order", Type: "document", Count: 3, Total: 4, Rest: rest,
			Direct: []wire.Affected{{Relative: relative, Phrase: "UC-001 implements Order"}}, Transitive: []wire.Affected{{Relative: far,
				Via: []wire.ImpactStep{{NodeID: "UC:UC-001", Relation: "IMPLEMENTS"}}, Phrase: "UC-002 follows UC-001"}},
			Scenarios: []wire.Scenario{{Name: "A login *fails*", NodeID: "SCN:1", Path: "login.feature", Anchor: "a-login-fails", Lines: [2]int{4, 9}, Validates: "UC:UC-001", Distance: 1}},
			Totals:    wire.ImpactTotals{Direct: 1, Transitive: 2, Scenarios: 1}},
		"lint": &wire.LintReport{Envelope: envelope, NodeID: "UC:UC-001", Counts: wire.LintCounts{Errors: 1, Warnings: 1, Notes: 1}, Count: 3, Total: 4, Rest: rest, Version: "0.1.0",
			Rate: &wire.LintRate{Edges: 1, Of: 8, Percent: 12.5, By: map[string]int{"MENTIONS": 1}}, Baseline: &wire.LintBaseline{Known: 2, Gone: 1},
			Findings: []wire.LintFinding{
				{Rule: "broken-link", Code: "KDD201", Severity: "warning", Path: "a|b.md", Line: 12, Col: 4, Message: "link \"x\": no such document", Hint: "did you mean \"y\"?", Fingerprint: "00", Source: "docs/a|b.md"},
				{Rule: "unreadable", Code: "KDD001", Severity: "error", Path: "c.md", Message: "cannot be read", Fingerprint: "11", Index: "other"},
				{Rule: "coverage-hole", Code: "KDD234", Severity: "note", Message: "about the whole", Fingerprint: "22"}},
			Known: []wire.LintRule{{Code: "KDD201", Name: "broken-link", Severity: "warning", About: "a link leads to a document that does not exist"}}},
		"clean": &wire.LintReport{Findings: []wire.LintFinding{}},
		"eval": &wire.EvalReport{Envelope: envelope, Set: wire.EvalSet{Name: "docs", Questions: 2, Document: 2, Section: 1, Groups: []string{"es"}}, Mode: "hybrid", Encoder: "distilled",
			Rows: []wire.EvalRow{{System: "docs", Level: "document", Questions: 2, NDCG10: 0.5, MRR10: 0.25, Hit1: 0.5, Hit3: 0.5, Recall10: 1, Recall100: 1},
				{System: "before", Level: "document", Questions: 2, NDCG10: 0.25}, {System: "docs", Level: "section", Questions: 1, NDCG10: 1}, {System: "docs", Level: "document", Group: "es", Questions: 1}},
			Differences: []wire.EvalDifference{{System: "docs", Less: "before", Level: "document", Metric: "nDCG@10", Questions: 2, Mean: 0.25, Low: -0.125, High: 0.5, Won: 1, Tied: 1,
				WonBy: []wire.EvalChange{{ID: "q1", Text: "How *long*?", From: 0, To: 0.5}}}},
			Gates: []wire.EvalGate{{Gate: "nDCG@10=.4", Got: 0.5, Want: 0.4, OK: true}, {Gate: "es.hit@1=.9", Got: 0, Want: 0.9}}, Failing: 1,
			Worst: []wire.EvalQuestion{{ID: "q2", Text: "Who?", Group: "es", NDCG10: 0, Section: &section, Found: []string{"a.md#b"}, Want: []string{"c.md"}}}},
		"schema": &wire.SchemaResponse{Envelope: envelope, Version: "0.1.0", FormatVersion: 0, Analyzer: 2, Artifacts: []wire.ArtifactCapabilities{{Name: "docs", IndexID: "9f", Modes: []string{"lexical", "hybrid"},
			Encoder: "distilled", Model: "all-MiniLM-L6-v2", Documents: 1, Chunks: 2, Edges: 3, FileBytes: 4096}},
			Tools: []wire.ToolSchema{{Name: "search", Summary: "finds sections", Answers: []string{"search_response.v1"}, Examples: []map[string]any{{"query": "login"}}, Input: map[string]any{"type": "object"}, Output: []any{true}}}},
		"feedback": &wire.FeedbackStats{Records: 3, Positive: 2, Negative: 1, PositiveShare: 2.0 / 3, PositiveConfidence: 0.9, NegativeConfidence: 0.4, Queries: 2, Sessions: 1, Comments: 1, Cited: 1,
			First: "2026-01-02", Last: "2026-01-03", Broken: 1, Worst: []wire.FeedbackQuery{{Query: "Who?", Negative: 1, Positive: 0}}},
		"similar": &wire.SimilarResponse{Envelope: envelope, File: "draft.md", Path: "a.md", Anchor: "one", Title: "A", Mode: "vector", Count: 1, Results: []wire.Hit{{Rank: 1, Score: 0.9, URL: "kdd://doc/b.md", Path: "b.md", Lines: [2]int{1, 2}, Title: "B", Snippet: "as a says", Chunk: "b.md~1", Type: "DEFAULT"}}},
	}
}
