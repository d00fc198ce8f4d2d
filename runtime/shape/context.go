package shape

import (
	"fmt"
	"strconv"
	"strings"
)

// ContextRequest asks for the text that matters for some hints, within a budget.
type ContextRequest struct {
	Hints     []string `json:"hints"`
	Depth     int      `json:"depth,omitempty"`
	MaxTokens int      `json:"max_tokens,omitempty"`
}

// ContextHint says what a hint was found to be.
type ContextHint struct {
	Hint     string   `json:"hint"`
	Resolved []string `json:"resolved"` // node ids
	Warning  string   `json:"warning,omitempty"`
}

// ContextStep is one node of the way from a hint to an item.
type ContextStep struct {
	NodeID    string `json:"node_id"`
	Relation  string `json:"relation,omitempty"`  // by which it was reached; absent for the hint's own node
	Direction string `json:"direction,omitempty"` // outgoing, incoming; of the relation, seen from the node before
}

// ContextItem is one piece of text.
type ContextItem struct {
	Group  string `json:"group"` // rule, behaviour, other
	NodeID string `json:"node_id"`
	Kind   string `json:"kind"`
	Title  string `json:"title"` // of the document, and the heading where it is a section
	Path   string `json:"path"`
	Anchor string `json:"anchor,omitempty"` // of the section; absent for a whole document or its beginning
	Lines  [2]int `json:"lines"`            // of the text
	Status string `json:"status,omitempty"` // of a document that is no longer in force
	// SupersededBy are the paths of the documents that take its place.
	SupersededBy []string      `json:"superseded_by,omitempty"`
	Text         string        `json:"text"`          // markdown as it is written
	Via          []ContextStep `json:"via,omitempty"` // the way from a hint; absent where a hint names it
	Tokens       int           `json:"tokens"`        // of the text and its heading
	Index        string        `json:"index,omitempty"`
}

// LeftOut is a node whose text, or a part of it, is not in the answer.
type LeftOut struct {
	NodeID string `json:"node_id"`
	Reason string `json:"reason"`
	Index  string `json:"index,omitempty"`
}

// ContextResponse is context_response.v1.
type ContextResponse struct {
	Envelope
	Hints        []ContextHint `json:"hints"`          // in the order asked
	Items        []ContextItem `json:"items"`          // rules first, then behaviour, then the rest
	LeftOut      []LeftOut     `json:"left_out"`       // the first ones
	LeftOutTotal int           `json:"left_out_total"` // how many there are
	Tokens       int           `json:"tokens"`         // of all items
	MaxTokens    int           `json:"max_tokens"`     // the budget
	TimeMS       float64       `json:"time_ms"`        // milliseconds that the answer took
}

// CleanContext neutralises the text of an answer.
func CleanContext(v *ContextResponse) {
	v.Warnings = each(v.Warnings, Clean)
	for i := range v.Hints {
		h := &v.Hints[i]
		h.Hint, h.Warning = Shorten(Clean(h.Hint), 200), Clean(h.Warning)
		if h.Resolved == nil {
			h.Resolved = []string{}
		}
	}
	for i := range v.Items {
		v.Items[i].Title, v.Items[i].Text = Clean(v.Items[i].Title), CleanLines(v.Items[i].Text)
	}
}

func (p *printer) context(v *ContextResponse) {
	p.printf("%s, %d of %s\n", p.paint(bold, plural(len(v.Items), "piece", "pieces")), v.Tokens, plural(v.MaxTokens, "token", "tokens"))
	for i := range v.Hints {
		h := &v.Hints[i]
		said := strings.Join(each(h.Resolved, Clean), ", ")
		if said == "" {
			said = "nothing"
		}
		p.printf("%s: %s\n", oneLine(h.Hint), said)
		if h.Warning != "" {
			p.printf("   %s %s\n", p.paint(yellow, "warning:"), oneLine(h.Warning))
		}
	}
	if p.Agent && len(v.Items) > 0 {
		p.printf("%s\n", contentNote)
	}
	for i := range v.Items {
		item := &v.Items[i]
		where, details := p.place(item.Index, item.Path, item.Anchor, item.Lines, "")
		p.printf("\n%s %s\n", p.paint(yellow, "["+item.Group+"]"), p.paint(bold, oneLine(item.Title)))
		p.printf("   %s  %s\n", where, p.paint(dim, joined(", ", details, Clean(item.NodeID), Clean(item.Kind), item.age(), way(item.Via))))
		p.b.WriteString(strings.TrimRight(CleanLines(item.Text), "\n") + "\n")
	}
	for i := range v.LeftOut {
		if i == 0 {
			p.printf("\n%s\n", p.paint(bold, fmt.Sprintf("left out: %d", v.LeftOutTotal)))
		}
		l := &v.LeftOut[i]
		p.printf("- %s: %s\n", Clean(indexed(l.Index, l.NodeID)), oneLine(l.Reason))
	}
	p.tail(&v.Envelope, false, "")
}

// age says that an item's document is no longer in force.
func (i *ContextItem) age() string {
	if len(i.SupersededBy) > 0 {
		return "superseded by " + Clean(strings.Join(i.SupersededBy, ", "))
	}
	return oneLine(i.Status)
}

// way says how an item was reached: "UC:UC-001 → UC_APPLIES_RULE → BR:BR-1".
func way(via []ContextStep) string {
	var b strings.Builder
	for i, s := range via {
		if i > 0 {
			b.WriteString(" " + arrow(s.Direction) + " " + Clean(s.Relation) + " " + arrow(s.Direction) + " ")
		}
		b.WriteString(Clean(s.NodeID))
	}
	return b.String()
}

func contextMarkdown(v *ContextResponse) string {
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
		details := joined(", ", code(Address(item.Index, item.Path, item.Anchor)), lineRange(item.Lines), code(item.NodeID), escaped(item.age()), code(way(item.Via)))
		fmt.Fprintf(&b, "## %s\n\n%s\n\n> %s\n\n", escaped(item.Title), details,
			strings.ReplaceAll(strings.TrimRight(CleanLines(item.Text), "\n"), "\n", "\n> "))
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

var contextColumns = []column[ContextItem]{
	{"group", func(i *ContextItem) string { return i.Group }},
	{"node_id", func(i *ContextItem) string { return i.NodeID }},
	{"kind", func(i *ContextItem) string { return i.Kind }},
	{"title", func(i *ContextItem) string { return i.Title }},
	{"index", func(i *ContextItem) string { return i.Index }},
	{"path", func(i *ContextItem) string { return i.Path }},
	{"anchor", func(i *ContextItem) string { return i.Anchor }},
	{"first_line", func(i *ContextItem) string { return strconv.Itoa(i.Lines[0]) }},
	{"last_line", func(i *ContextItem) string { return strconv.Itoa(i.Lines[1]) }},
	{"tokens", func(i *ContextItem) string { return strconv.Itoa(i.Tokens) }},
	{"via", func(i *ContextItem) string { return way(i.Via) }},
	{"status", func(i *ContextItem) string { return i.Status }},
	{"superseded_by", func(i *ContextItem) string { return strings.Join(i.SupersededBy, " ") }},
	{"text", func(i *ContextItem) string { return i.Text }},
}
