package runtime

import (
	"context"
	"strings"
	"sync"

	"kdd/runtime/graph"
	"kdd/runtime/wire"
)

// inspected are the operations that kdd_inspect answers with.
var inspected = []string{"stats", "doctor", "lint", "schema"}

// inspect is the tool for what agents ask seldom. Each of its operations is a tool of its own too, which hosts do not
// list: a model reads the list of tools in every session.
var inspect = sync.OnceValue(func() Operation {
	o := define((*Service).Stats, Operation{
		Name: "inspect", Tool: "kdd_inspect", Title: "The index itself",
		Summary: "what the index holds, whether it is in order, what is wrong with the documentation, what each tool takes",
		Describe: "Look at the index itself. what is stats: what it holds, and whether the sources changed since. " +
			"doctor: what is out of order and what to do. Use it when answers are missing, old or wrong. " +
			"lint: what is wrong with the documentation, of one node or some rules: " + strings.Join(graph.RuleGroupNames(), ", ") + ". Use it after edits. " +
			`schema: every argument and answer of a tool. Examples: {"what":"doctor"}; {"what":"lint","node":"UC-001","rules":["coverage"]}; {"what":"schema","tool":"kdd_search"}.`,
		Hint: "stats, health, lint, coverage, JSON schemas",
		Params: params([]Param{
			{Name: "what", Type: StringParam, Required: true, Arg: true, Enum: inspected, Help: "stats, doctor, lint or schema"},
			nodeOption("of lint: only what is in this document or section"),
			{Name: "rules", Type: StringsParam, Aliases: []string{"rule"}, Split: true, Help: "of lint: only these rules or groups"},
			{Name: "tool", Type: StringParam, Help: "of schema: a tool, command or schema to show in full"},
		}, pageParams()),
		Examples: []map[string]any{{"what": "stats"}, {"what": "lint", "rules": []string{"orphans"}}},
		Prose:    true,
	})
	o.takes(wire.InspectRequest{})
	o.run = func(ctx context.Context, s *Service, request any) (any, error) {
		q := request.(*wire.InspectRequest)
		part := OperationNamed(q.What)
		args := map[string]any{"max_bytes": q.MaxBytes}
		give := func(name string, value any, given bool) { // what belongs to another operation is left out
			if given && part.Param(name) != nil {
				args[name] = value
			}
		}
		give("node", q.Node, q.Node != "")
		give("rules", q.Rules, len(q.Rules) > 0)
		give("tool", q.Tool, q.Tool != "")
		give("cursor", q.Cursor, q.Cursor != "")
		return part.Run(ctx, s, args)
	}
	for _, name := range inspected[1:] {
		part := OperationNamed(name)
		o.Also = append(append(o.Also, part.Response), part.Also...)
	}
	return o
})

// nodeOption is nodeParam where another parameter is positional.
func nodeOption(help string) Param {
	p := nodeParam(help)
	p.Arg = false
	return p
}
