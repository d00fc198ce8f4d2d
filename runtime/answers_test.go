package runtime

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kdd/runtime/render"
	"kdd/runtime/wire"
)

var updateAnswers = flag.Bool("update", false, "write the golden answers anew")

// question is one golden: an operation and its arguments, and the form of the answer that is kept.
type question struct {
	name, corpus, operation string
	args                    map[string]any
	format                  string
}

var questions = []question{
	{"impact_of_a_command", "kdd-specs", "impact", map[string]any{"entity": "CMD-001"}, "text"},
	{"impact_of_a_command_all", "kdd-specs", "impact", map[string]any{"entity": "CMD-001", "limit": 100, "max_bytes": NoLimit}, "csv"},
	{"impact_of_an_entity", "kdd-specs", "impact", map[string]any{"entity": "KDDDocument", "limit": 100, "max_bytes": NoLimit}, "csv"},
	{"impact_of_a_rule_by_its_title", "kdd-specs", "impact", map[string]any{"entity": "index level"}, "text"},
	{"impact_of_a_use_case", "kdd-specs", "impact", map[string]any{"entity": "UC-001"}, "json"},
	{"context_of_a_command", "kdd-specs", "context", map[string]any{"hints": []string{"CMD-001"}, "max_tokens": 2000}, "text"},
	{"context_of_a_file_and_words", "kdd-specs", "context", map[string]any{"hints": []string{"specs/02-behavior/use-cases/UC-004-RetrieveContext.md", "fusion score"}, "max_tokens": 1000}, "json"},
	{"coverage_of_an_entity", "kdd-specs", "coverage", map[string]any{"node": "Entity:KDDDocument"}, "json"},
	{"coverage_of_a_use_case", "kdd-specs", "coverage", map[string]any{"node": "UC-004"}, "text"},
	{"violations", "kdd-specs", "violations", map[string]any{"limit": 200, "max_bytes": NoLimit}, "text"},
	{"orphans", "kdd-specs", "orphans", map[string]any{}, "text"},
	{"lint", "kdd-specs", "lint", map[string]any{"limit": 200, "max_bytes": NoLimit}, "text"},
	{"lint_as_json", "kdd-specs", "lint", map[string]any{}, "json"},
	{"related", "kdd-specs", "related", map[string]any{"entity": "UC-001", "edge_types": []string{"UC_EXECUTES_CMD", "UC_APPLIES_RULE"}}, "text"},
	{"executed_commands", "kdd-specs", "graph", map[string]any{"edge_types": []string{"UC_EXECUTES_CMD"}, "limit": 5000}, "csv"},
	{"anchor_with_an_accent", "kdd-specs", "read", map[string]any{"file": "02-behavior/use-cases/UC-001-IndexDocument.md", "anchor": "descripcion"}, "text"},
	{"impact_of_a_requirement", "handbook", "impact", map[string]any{"entity": "RF-AUTH-001"}, "text"},
	{"impact_of_a_heading", "handbook", "impact", map[string]any{"entity": "security/auth.md#refresh"}, "text"},
	{"context_of_a_requirement", "handbook", "context", map[string]any{"hints": []string{"RF-AUTH-001"}, "max_tokens": 1500}, "text"},
	{"coverage_of_a_requirement", "handbook", "coverage", map[string]any{"node": "RF-AUTH-001"}, "text"},
	{"lint", "handbook", "lint", map[string]any{"limit": 200, "max_bytes": NoLimit}, "text"},
	{"orphans", "handbook", "orphans", map[string]any{}, "text"},
	{"search_with_operators", "handbook", "search", map[string]any{"query": `"refresh token" AND (rotation OR void) -kind:guide`, "mode": "lexical", "limit": 3}, "text"},
	{"search_with_mistakes", "handbook", "search", map[string]any{"query": "acount lockuot", "mode": "lexical", "limit": 2}, "text"},
	{"name_with_a_mistake", "kdd-specs", "find-spec", map[string]any{"name": "BR-DOCUMNT-001", "limit": 2}, "json"},
	{"graph_of_a_requirement", "handbook", "graph", map[string]any{"node": "RF-AUTH-002"}, "mermaid"},
}

// What differs between versions of the format, and what an answer shows for it.
var volatile = []struct {
	pattern *regexp.Regexp
	shown   string
}{
	{regexp.MustCompile(`"time_ms":[0-9.]+`), `"time_ms":0`},
	{regexp.MustCompile(`("index_id":")[0-9a-f]{16}`), `${1}INDEX`},
	{regexp.MustCompile(`("cursor":"|cursor )[A-Za-z0-9_-]{18,24}`), `${1}CURSOR`},
}

func answerOf(t testing.TB, s *Service, operation string, args map[string]any) any {
	t.Helper()
	for _, o := range operations() {
		if o.Name == operation {
			answer, err := o.Run(context.Background(), s, args)
			if err != nil {
				t.Fatalf("%s(%v) = %v", operation, args, err)
			}
			return answer
		}
	}
	t.Fatalf("no operation %q", operation)
	return nil
}

func TestAnswers(t *testing.T) {
	for _, q := range questions {
		t.Run(q.corpus+"/"+q.name, func(t *testing.T) {
			s := New(Config{Index: []string{corpus(t, q.corpus)}})
			defer s.Close()
			answer := answerOf(t, s, q.operation, q.args)
			var b strings.Builder
			if err := render.Write(&b, q.format, answer, render.Style{}); err != nil {
				t.Fatal(err)
			}
			got := b.String()
			for _, v := range volatile {
				got = v.pattern.ReplaceAllString(got, v.shown)
			}
			file := filepath.Join("testdata", "answers", q.corpus, q.name+"."+q.format)
			if *updateAnswers {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil || got != string(want) {
				t.Errorf("%s: %v, got\n%s\nwant\n%s", file, err, got, want)
			}
			if _, unlimited := q.args["max_bytes"]; unlimited || q.operation == "context" || q.operation == "graph" || q.operation == "read" {
				return
			}
			if n := max(len(wire.Encode(answer)), len(render.Text(answer, render.Style{Agent: true}))); n > 4096 {
				t.Errorf("%d bytes, want at most 4096", n)
			}
			if again := withoutTimes(wire.Encode(answerOf(t, s, q.operation, q.args))); again != withoutTimes(wire.Encode(answer)) {
				t.Errorf("the second answer differs: %s", again)
			}
		})
	}
}

func withoutTimes(data []byte) string { return volatile[0].pattern.ReplaceAllString(string(data), "") }

// Whatever document is asked about, an answer keeps its budget, goes on where it was cut, and gives each item once.
func TestEveryImpactIsWholeOverItsPages(t *testing.T) {
	for _, name := range []string{"kdd-specs", "handbook"} {
		s := New(Config{Index: []string{corpus(t, name)}})
		defer s.Close()
		list := answerOf(t, s, "list", map[string]any{"limit": 200, "max_bytes": NoLimit}).(*wire.ListResponse)
		if len(list.Documents) < 50 {
			t.Fatalf("%s has %d documents, want at least 50", name, len(list.Documents))
		}
		for _, d := range list.Documents {
			args := map[string]any{"entity": d.NodeID}
			seen, total := map[string]bool{}, 0
			for pages := 0; pages < 100; pages++ {
				v := answerOf(t, s, "impact", args).(*wire.ImpactResponse)
				total = v.Total
				if n := max(len(wire.Encode(v)), len(render.Text(v, render.Style{Agent: true}))); n > 4096 {
					t.Errorf("impact of %s: %d bytes, want at most 4096", d.NodeID, n)
				}
				note := func(id string) {
					if seen[id] || id == d.NodeID {
						t.Errorf("impact of %s: %s twice, or itself", d.NodeID, id)
					}
					seen[id] = true
				}
				for i := range v.Direct {
					note(v.Direct[i].NodeID)
				}
				for i := range v.Transitive {
					a := &v.Transitive[i]
					note(a.NodeID)
					if len(a.Via) != a.Distance || a.Via[len(a.Via)-1].NodeID != a.NodeID || a.Phrase == "" {
						t.Errorf("impact of %s: way %+v at distance %d", d.NodeID, a.Via, a.Distance)
					}
				}
				for i := range v.Scenarios {
					note(v.Scenarios[i].NodeID)
				}
				if v.Cursor == "" {
					break
				}
				args = map[string]any{"entity": d.NodeID, "cursor": v.Cursor}
			}
			if len(seen) != total {
				t.Errorf("impact of %s: %d items over all pages, want %d", d.NodeID, len(seen), total)
			}
		}
	}
}

func TestContextKeepsItsBudget(t *testing.T) {
	for _, name := range []string{"kdd-specs", "handbook"} {
		s := New(Config{Index: []string{corpus(t, name)}})
		defer s.Close()
		list := answerOf(t, s, "list", map[string]any{"limit": 200, "max_bytes": NoLimit}).(*wire.ListResponse)
		for _, d := range list.Documents {
			for _, budget := range []int{200, 1000, 4000} {
				v := answerOf(t, s, "context", map[string]any{"hints": []string{d.NodeID}, "max_tokens": budget, "depth": 2}).(*wire.ContextResponse)
				sum, group := 0, 0
				lines := map[string][][2]int{}
				source := map[string][]string{}
				for _, i := range v.Items {
					sum += i.Tokens
					at := strings.Index("rule behaviour other", i.Group)
					if at < group {
						t.Errorf("context of %s: %s behind a later group", d.NodeID, i.Group)
					}
					group = at
					for _, other := range lines[i.Path] {
						if i.Lines[0] <= other[1] && other[0] <= i.Lines[1] {
							t.Errorf("context of %s: %s lines %v and %v overlap", d.NodeID, i.Path, i.Lines, other)
						}
					}
					lines[i.Path] = append(lines[i.Path], i.Lines)
					if source[i.Path] == nil {
						data, err := os.ReadFile(filepath.Join("..", "testdata", "corpora", name, filepath.FromSlash(i.Path)))
						if err != nil {
							t.Fatal(err)
						}
						source[i.Path] = strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
					}
					if want := strings.TrimRight(strings.Join(source[i.Path][i.Lines[0]-1:i.Lines[1]], "\n"), " \t\n"); wire.CleanLines(want) != i.Text {
						t.Errorf("context of %s: %s lines %v is not the source's:\n%s\nwant\n%s", d.NodeID, i.Path, i.Lines, i.Text, want)
					}
				}
				if sum != v.Tokens || sum > budget {
					t.Errorf("context of %s: %d tokens, %d said, budget %d", d.NodeID, sum, v.Tokens, budget)
				}
				if budget == 4000 && len(v.Items) == 0 {
					t.Errorf("context of %s: nothing", d.NodeID)
				}
			}
		}
	}
}

// The reports of the build and of the service are the same findings.
func TestLintIsWhatTheBuildFound(t *testing.T) {
	s := New(Config{Index: []string{corpus(t, "kdd-specs")}})
	defer s.Close()
	v := answerOf(t, s, "lint", map[string]any{"limit": 200, "max_bytes": NoLimit}).(*wire.LintReport)
	stats := answerOf(t, s, "stats", map[string]any{"max_bytes": NoLimit}).(*wire.StatsResponse)
	var counts map[string]int
	if err := json.Unmarshal(wire.Encode(stats.Artifacts[0].Findings), &counts); err != nil {
		t.Fatal(err)
	}
	if v.Counts.Warnings != counts["warning"] || v.Counts.Notes != counts["note"] || v.Total != counts["warning"]+counts["note"]+counts["error"] {
		t.Errorf("lint has %+v, stats %v", v.Counts, counts)
	}
}
