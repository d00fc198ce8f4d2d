package runtime

import (
	"slices"

	"kdd/runtime/shape"
)

// graphOperations are those that go by relations: what depends on a thing, what belongs to it.
func graphOperations() []Operation {
	return []Operation{
		{
			Name: "impact", Tool: "kdd_impact", Title: "What a change touches",
			Summary: "list what depends on an entity, and which scenarios to run again",
			Describe: "List what depends on a document, section or entity, directly and through others, each with the way it depends and a phrase that says it, and the scenarios to run again. " +
				"Use it before you change or remove something, instead of grepping for its name. " +
				`Examples: {"entity":"RF-AUTH-001"}; {"entity":"CMD-001","depth":2}. depth is 1 to 5 (3 unless given), limit 1 to 100 (20 unless given). Plain links and mentions count at distance 1 only.`,
			Hint: "impact of a change, dependants",
			Params: slices.Concat([]Param{
				{Name: "entity", Type: StringParam, Required: true, Arg: true, Aliases: []string{"node_id"}, Help: "id, name, path, alias, title or heading", Examples: []any{"RF-AUTH-001"}},
				{Name: "depth", Type: IntParam, Default: 3, Min: 1, Max: 5, Help: "how many edges away, 1 to 5"},
				{Name: "edge_types", Type: StringsParam, Aliases: []string{"edge_type"}, Split: true, Help: "only edges of these types, for example IMPLEMENTS, DEPENDS_ON", Examples: []any{[]string{"IMPLEMENTS", "DEPENDS_ON"}}},
				{Name: "violations", Type: BoolParam, Help: "follow edges that break the layer rule too"},
				limitParam(20, 100),
			}, pageParams()),
			Examples: []map[string]any{{"entity": "RF-AUTH-001"}},
			Response: shape.ImpactResponse{},
			run:      call((*Service).Impact),
		},
	}
}
