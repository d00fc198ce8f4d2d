package render

import (
	"fmt"
	"strconv"
	"strings"

	"kdd/runtime/wire"
)

func (p *printer) context(v *wire.ContextResponse) {
	p.printf("%s, %d of %s\n", p.paint(bold, wire.Plural(len(v.Items), "piece", "pieces")), v.Tokens, wire.Plural(v.MaxTokens, "token", "tokens"))
	for i := range v.Hints {
		h := &v.Hints[i]
		said := wire.Clean(strings.Join(h.Resolved, ", "))
		if said == "" {
			said = "nothing"
		}
		p.printf("%s: %s\n", wire.OneLine(h.Hint), said)
		if h.Warning != "" {
			p.printf("   %s %s\n", p.paint(yellow, "warning:"), wire.OneLine(h.Warning))
		}
	}
	if p.Agent && len(v.Items) > 0 {
		p.printf("%s\n", contentNote)
	}
	for i := range v.Items {
		item := &v.Items[i]
		where, details := p.place(item.Index, item.Path, item.Anchor, item.Lines, "")
		p.printf("\n%s %s\n", p.paint(yellow, "["+item.Group+"]"), p.paint(bold, wire.OneLine(item.Title)))
		p.printf("   %s  %s\n", where, p.paint(dim, joined(", ", details, wire.Clean(item.NodeID), wire.Clean(item.Kind), ageOf(item), way(item.Via))))
		p.b.WriteString(strings.TrimRight(wire.CleanLines(item.Text), "\n") + "\n")
	}
	for i := range v.LeftOut {
		if i == 0 {
			p.printf("\n%s\n", p.paint(bold, fmt.Sprintf("left out: %d", v.LeftOutTotal)))
		}
		l := &v.LeftOut[i]
		p.printf("- %s: %s\n", wire.Clean(indexed(l.Index, l.NodeID)), wire.OneLine(l.Reason))
	}
	p.tail(&v.Envelope, false, "")
}

// ageOf names what replaces an item's document, or its status; "" if the document is in force.
func ageOf(i *wire.ContextItem) string {
	if len(i.SupersededBy) > 0 {
		return "superseded by " + wire.Clean(strings.Join(i.SupersededBy, ", "))
	}
	return wire.OneLine(i.Status)
}

// way says how an item was reached: "UC:UC-001 → UC_APPLIES_RULE → BR:BR-1".
func way(via []wire.ContextStep) string {
	var b strings.Builder
	for i, s := range via {
		if i > 0 {
			b.WriteString(" " + arrow(s.Direction) + " " + wire.Clean(s.Relation) + " " + arrow(s.Direction) + " ")
		}
		b.WriteString(wire.Clean(s.NodeID))
	}
	return b.String()
}

func contextMarkdown(v *wire.ContextResponse) string {
	var b strings.Builder
	for i := range v.Hints {
		if h := &v.Hints[i]; h.Warning != "" {
			fmt.Fprintf(&b, "Warning: %s: %s\n\n", escaped(h.Hint), escaped(h.Warning))
		}
	}
	group := ""
	headings := map[string]string{"rule": "Rules", "behaviour": "Behaviour", "other": "Other"}
	for i := range v.Items {
		item := &v.Items[i]
		if item.Group != group {
			group = item.Group
			fmt.Fprintf(&b, "# %s\n\n", headings[group])
		}
		details := joined(", ", code(Address(item.Index, item.Path, item.Anchor)), lineRange(item.Lines), code(item.NodeID), escaped(ageOf(item)), code(way(item.Via)))
		fmt.Fprintf(&b, "## %s\n\n%s\n\n> %s\n\n", escaped(item.Title), details,
			strings.ReplaceAll(strings.TrimRight(wire.CleanLines(item.Text), "\n"), "\n", "\n> "))
	}
	for i := range v.LeftOut {
		if i == 0 {
			fmt.Fprintf(&b, "# Left out: %d\n\n", v.LeftOutTotal)
		}
		fmt.Fprintf(&b, "- %s: %s\n", code(indexed(v.LeftOut[i].Index, v.LeftOut[i].NodeID)), escaped(v.LeftOut[i].Reason))
	}
	markdownTail(&b, &v.Envelope, false, "")
	return b.String()
}

var contextColumns = []column[wire.ContextItem]{
	{"group", func(i *wire.ContextItem) string { return i.Group }},
	{"node_id", func(i *wire.ContextItem) string { return i.NodeID }},
	{"kind", func(i *wire.ContextItem) string { return i.Kind }},
	{"title", func(i *wire.ContextItem) string { return i.Title }},
	{"index", func(i *wire.ContextItem) string { return i.Index }},
	{"path", func(i *wire.ContextItem) string { return i.Path }},
	{"anchor", func(i *wire.ContextItem) string { return i.Anchor }},
	{"first_line", func(i *wire.ContextItem) string { return strconv.Itoa(i.Lines[0]) }},
	{"last_line", func(i *wire.ContextItem) string { return strconv.Itoa(i.Lines[1]) }},
	{"tokens", func(i *wire.ContextItem) string { return strconv.Itoa(i.Tokens) }},
	{"via", func(i *wire.ContextItem) string { return way(i.Via) }},
	{"status", func(i *wire.ContextItem) string { return i.Status }},
	{"superseded_by", func(i *wire.ContextItem) string { return strings.Join(i.SupersededBy, " ") }},
	{"text", func(i *wire.ContextItem) string { return i.Text }},
}
