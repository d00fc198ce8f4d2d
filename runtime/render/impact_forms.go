package render

import (
	"fmt"
	"strconv"
	"strings"

	"kdd/runtime/wire"
)

// impactRow is a dependent or a scenario as a row of a table.
type impactRow struct {
	group, name, nodeID, kind, relation, via, index, path, anchor, phrase string
	distance                                                              int
	lines                                                                 [2]int
}

// impactRows are the items in the order of the answer.
func impactRows(v *wire.ImpactResponse) []impactRow {
	var rows []impactRow
	add := func(group string, list []wire.Affected) {
		for i := range list {
			a := &list[i]
			via := make([]string, len(a.Via))
			for k, s := range a.Via {
				via[k] = s.Relation + " " + s.NodeID
			}
			rows = append(rows, impactRow{
				group, a.Name, a.NodeID, a.Kind, a.Relation, strings.Join(via, " > "), a.Index, a.Path, a.Anchor, a.Phrase, a.Distance, a.Lines,
			})
		}
	}
	add("direct", v.Direct)
	add("transitive", v.Transitive)
	for i := range v.Scenarios {
		s := &v.Scenarios[i]
		rows = append(rows, impactRow{
			"scenario", s.Name, s.NodeID, "scenario", "VALIDATES", s.Validates, s.Index, s.Path, s.Anchor, "", s.Distance, s.Lines,
		})
	}
	return rows
}

var impactColumns = []column[impactRow]{
	{"group", func(r *impactRow) string { return r.group }},
	{"distance", func(r *impactRow) string { return strconv.Itoa(r.distance) }},
	{"relation", func(r *impactRow) string { return r.relation }},
	{"name", func(r *impactRow) string { return r.name }},
	{"node_id", func(r *impactRow) string { return r.nodeID }},
	{"kind", func(r *impactRow) string { return r.kind }},
	{"via", func(r *impactRow) string { return r.via }},
	{"index", func(r *impactRow) string { return r.index }},
	{"path", func(r *impactRow) string { return r.path }},
	{"anchor", func(r *impactRow) string { return r.anchor }},
	{"first_line", func(r *impactRow) string { return strconv.Itoa(r.lines[0]) }},
	{"last_line", func(r *impactRow) string { return strconv.Itoa(r.lines[1]) }},
	{"phrase", func(r *impactRow) string { return r.phrase }},
}

func impactMarkdown(v *wire.ImpactResponse) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s** %s: %d direct, %d transitive, %s to run again\n", escaped(v.Entity), code(v.NodeID), v.Totals.Direct, v.Totals.Transitive,
		wire.Plural(v.Totals.Scenarios, "scenario", "scenarios"))
	write := func(heading string, list []wire.Affected) {
		if len(list) > 0 {
			fmt.Fprintf(&b, "\n%s\n\n", heading)
		}
		for i := range list {
			a := &list[i]
			fmt.Fprintf(&b, "- %s — %s, %s\n", linked(a.Phrase, a.SourceURL), code(Address(a.Index, a.Path, a.Anchor)), lineRange(a.Lines))
		}
	}
	write("Directly:", v.Direct)
	write("Through others:", v.Transitive)
	for i := range v.Scenarios {
		if i == 0 {
			b.WriteString("\nScenarios to run again:\n\n")
		}
		s := &v.Scenarios[i]
		fmt.Fprintf(&b, "- [ ] %s — %s, validates %s\n", escaped(s.Name), code(Address(s.Index, s.Path, s.Anchor)), code(s.Validates))
	}
	markdownTail(&b, &v.Envelope, v.Truncated, v.Cursor)
	return b.String()
}

// printImpact is printAs for an impact.
func printImpact(format string, v *wire.ImpactResponse) (string, bool) {
	rows := impactRows(v)
	if format == "jsonl" {
		var b strings.Builder
		line := func(group string, item any) {
			b.Write(wire.Encode(struct {
				Group string `json:"group"`
				Item  any    `json:"item"`
			}{group, item}))
			b.WriteByte('\n')
		}
		for i := range v.Direct {
			line("direct", &v.Direct[i])
		}
		for i := range v.Transitive {
			line("transitive", &v.Transitive[i])
		}
		for i := range v.Scenarios {
			line("scenario", &v.Scenarios[i])
		}
		return b.String(), true
	}
	return printItems(format, rows, v, impactMarkdown, impactColumns, func(r *impactRow) string { return indexed(r.index, r.path) })
}
