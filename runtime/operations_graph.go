package runtime

import (
	"context"
	"strings"

	"kdd/runtime/eval"
	"kdd/runtime/graph"
	"kdd/runtime/wire"
)

// graphOperations are the operations on relations, findings and questions with known answers.
func graphOperations() []Operation {
	return []Operation{
		define((*Service).Impact, Operation{
			Name: "impact", Tool: "kdd_impact", Title: "What a change touches",
			Summary: "list what depends on an entity, and which scenarios to run again",
			Describe: "List what depends on a document, section or entity, directly and through others, with the way, and the scenarios to run again. " +
				"Use it before you change or remove something, instead of grepping for its name. " +
				`Example: {"entity":"CMD-001","depth":2}. Plain links and mentions count at distance 1 only.`,
			Hint: "impact of a change, dependants",
			Params: params([]Param{
				{Name: "entity", Type: StringParam, Required: true, Arg: true, Aliases: called("entity", "path"), Help: "id, name, path, alias, title or heading", Examples: []any{"RF-AUTH-001"}},
				{Name: "depth", Listed: "1 to 5 (3 unless given)", Type: IntParam, Default: 3, Min: 1, Max: 5, Help: "how many edges away, 1 to 5"},
				{Name: "edge_types", Listed: "-", Type: StringsParam, Aliases: []string{"edge_type"}, Split: true, Help: "only edges of these types, for example IMPLEMENTS, DEPENDS_ON", Examples: []any{[]string{"IMPLEMENTS", "DEPENDS_ON"}}},
				{Name: "violations", Listed: "-", Type: BoolParam, Help: "follow edges that break the layer rule too"},
				limitParam(20, 100),
			}, pageParams()),
			Examples: []map[string]any{{"entity": "RF-AUTH-001"}},
		}),
		define((*Service).Context, Operation{
			Name: "context", Tool: "kdd_context", Title: "The text that matters for a task",
			Summary: "collect the text that matters for files, ids, names or words",
			Describe: "Collect the text that matters for the files, ids, names or words of a task: rules first, then behaviour (use cases, commands, requirements), then the rest, each verbatim with path and lines, within a budget; and what was left out. " +
				"Use it at the start of a task instead of searching and reading one by one. " +
				`Example: {"hints":["docs/security/auth.md","session"],"max_tokens":8000}.`,
			Hint: "context for a task, rules that apply",
			Params: []Param{
				{Name: "hints", Listed: "at most 20", Type: StringsParam, Required: true, Arg: true, Aliases: []string{"hint", "query", "files", "ids", "entities"}, Help: "files, ids, names or words", Examples: []any{[]string{"RF-AUTH-001"}}},
				{Name: "depth", Listed: "1 to 3 (1 unless given)", Type: IntParam, Default: 1, Min: 1, Max: 3, Help: "how many edges away, 1 to 3"},
				{Name: "max_tokens", Listed: "200 to 32000 (4000 unless given)", Type: IntParam, Default: graph.DefaultTokens, Min: 200, Max: 32000, Help: "size of all text in tokens, 200 to 32000"},
			},
			Examples: []map[string]any{{"hints": []string{"RF-AUTH-001"}}, {"hints": []string{"security/auth.md", "session"}, "max_tokens": 8000}},
		}),
		orCoverage(define((*Service).Lint, Operation{
			Name: "lint", Tool: "kdd_lint", Unlisted: true, Title: "What is wrong with the documentation", Whole: true,
			Summary: "list what is wrong with the sources",
			Describe: "List what is wrong with the documentation: links and anchors that lead nowhere, duplicate ids, references to a higher layer, missing relations, unreachable documents, broken front matter, documents that still depend on superseded ones. " +
				"Use it after editing documentation, or to judge how far to trust it. node limits it to one document or section, rules to some rules or groups: " +
				strings.Join(graph.RuleGroupNames(), ", ") + `. {"node":"UC-001","rules":["coverage"]} answers what that document should be related with and what of it is there. ` +
				`Other examples: {}; {"rules":["orphans"]}; {"fail_on":"warning"}. limit is 1 to 200 (50 unless given).`,
			Hint: "broken links, lint, coverage, orphans",
			Params: params([]Param{
				nodeParam("only what is in this document or section"),
				{Name: "rules", Type: StringsParam, Aliases: []string{"rule"}, Split: true, Help: "only these rules, by name, code or group (" + strings.Join(graph.RuleGroupNames(), ", ") + ")", Examples: []any{[]string{"orphans"}}},
				{Name: "fail_on", Type: StringParam, Enum: []string{"note", "warning", "error"}, Help: "count as failing what is at least this bad: note, warning or error"},
				limitParam(50, 200),
			}, pageParams()),
			Examples: []map[string]any{{"rules": []string{"orphans", "anchors"}}, {"node": "RF-AUTH-001", "rules": []string{"coverage"}}},
		})),
		define((*Service).Coverage, Operation{
			Name: "coverage", Title: "What a document should be related with",
			Summary:  "show what a document should be related with, and what is missing",
			Params:   params([]Param{required(nodeParam("the document or scenario"))}, pageParams()),
			Examples: []map[string]any{{"node": "RF-AUTH-001"}},
		}),
		define((*Service).Violations, Operation{
			Name: "violations", Title: "References to a higher layer", Whole: true,
			Summary:  "list references from a layer to a higher one, with their rate",
			Params:   params([]Param{nodeParam("only what is in this document or section"), limitParam(50, 200)}, pageParams()),
			Examples: []map[string]any{{}},
		}),
		define((*Service).Orphans, Operation{
			Name: "orphans", Title: "References that lead nowhere", Whole: true,
			Summary:  "list links and relations that lead nowhere, with their rate by reason",
			Params:   params([]Param{nodeParam("only what is in this document or section"), limitParam(50, 200)}, pageParams()),
			Examples: []map[string]any{{}},
		}),
		define((*Service).Eval, Operation{
			Name: "eval", Title: "How well questions are answered",
			Summary: "measure how well questions are answered whose answers are known",
			Params: []Param{
				{Name: "mode", Type: StringParam, Default: "hybrid", Enum: []string{"hybrid", "lexical", "vector"}, Help: "hybrid, lexical or vector"},
				{Name: "group", Type: StringParam, Help: "prefix: by the part of a question's id before its last \"-\"; none: no groups; without it the groups are the questions' own"},
				{Name: "gate", Type: StringsParam, Aliases: []string{"gates"}, Split: true, Help: "least values: nDCG@10=.76, section.nDCG@10=.48, GROUP.hit@1=.9", Examples: []any{[]string{"nDCG@10=.76"}}},
				{Name: "worst", Type: IntParam, Default: 0, Min: 0, Max: eval.MaxWorst, Help: "list so many of the questions that were answered worst"},
			},
			Examples: []map[string]any{{}},
		}),
		define((*Service).Graph, Operation{
			Name: "graph", Title: "A part of the graph", Whole: true,
			Summary: "print or draw the graph around a document, or the whole",
			Params: []Param{
				nodeParam("what to draw the surroundings of; all without one"),
				{Name: "depth", Type: IntParam, Default: 1, Min: 1, Max: 5, Help: "how many edges away, 1 to 5"},
				{Name: "edge_types", Type: StringsParam, Aliases: []string{"edge_type"}, Split: true, Help: "only edges of these types, for example IMPLEMENTS, DEPENDS_ON"},
				{Name: "limit", Type: IntParam, Default: 200, Min: 1, Max: 50000, Help: "how many nodes at most, the nearest and best connected"},
				{Name: "contents", Type: BoolParam, Help: "tables of contents too: documents that lead to at least half of all, and to 8"},
			},
			Examples: []map[string]any{{"node": "RF-AUTH-001"}},
		}),
	}
}

func nodeParam(help string) Param {
	return Param{Name: "node", Type: StringParam, Arg: true, Aliases: called("node", "path"), Help: help + ": id, name, path, alias, title or heading", Examples: []any{"RF-AUTH-001"}}
}

func required(p Param) Param {
	p.Required = true
	return p
}

// orCoverage makes lint answer with the coverage of a node if "coverage" is the only rule that is asked for.
func orCoverage(lint Operation) Operation {
	findings := lint.run
	lint.Also = []any{wire.CoverageResponse{}}
	lint.run = func(ctx context.Context, s *Service, request any) (any, error) {
		q := request.(*wire.LintRequest)
		if q.Node == "" || len(q.Rules) != 1 || !strings.EqualFold(q.Rules[0], "coverage") {
			return findings(ctx, s, request)
		}
		covered, err := s.Coverage(ctx, wire.CoverageRequest{Node: q.Node, Page: q.Page})
		if err != nil {
			return nil, err
		}
		return covered, nil
	}
	return lint
}
