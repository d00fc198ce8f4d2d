package markdown

import (
	"fmt"
	"strings"
)

var blockNames = [...]string{Paragraph: "paragraph", ListItem: "item", Code: "code", Table: "table", HTML: "html", Quote: "quote"}

var linkNames = [...]string{Inline: "inline", Reference: "reference", Wiki: "wiki", Auto: "auto", Image: "image", Raw: "raw"}

var typeNames = [...]string{"string", "bool", "int", "float", "date", "null"}

// dump writes all of a document as text, one thing a line.
func dump(d *Document) string {
	var b strings.Builder
	out := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	out("title %q from %s%s", d.Title, d.TitleFrom, when(d.Draft, " draft"))
	if m := d.FrontMatter; m != nil {
		out("front matter %s, lines %d-%d", m.Form, m.LineStart, m.LineEnd)
		for _, f := range m.Fields {
			out("  %d: %s %s%s %q", f.Line, f.Name, typeNames[f.Type], when(f.List, " list"), f.Values)
		}
	}
	for i, s := range d.Sections {
		out("section %d in %d, level %d, #%s%s %q, lines %d-%d", i, s.Parent, s.Level, s.Anchor,
			when(s.Explicit, " explicit"), s.Heading, s.LineStart, s.LineEnd)
		for _, a := range s.Aliases {
			out("  alias #%s", a)
		}
		if len(s.Tags) > 0 {
			out("  tags %q", s.Tags)
		}
		for _, k := range s.Blocks {
			last := max(k.Start, k.End-1)
			out("  %s%s lines %d-%d %q", blockNames[k.Kind], when(k.Info != "", " "+fmt.Sprintf("%q", k.Info)), d.Line(k.Start), d.Line(last), k.Text)
			if k.Kind == Table {
				out("    header %q", k.Header)
				for _, r := range k.Rows {
					out("    row %d %q", r.Line, r.Cells)
				}
			}
		}
	}
	for _, l := range d.Links {
		domain := ""
		if l.Domain != "" {
			domain = " domain " + l.Domain
		}
		out("link %d:%d %s %q to %q%s in %d", l.Line, l.Col, linkNames[l.Kind], l.Text, l.Target, domain, l.Section)
	}
	for _, m := range d.Mentions {
		out("text %d in %d %q", m.Line, m.Section, m.Text)
	}
	for _, a := range d.Anchors {
		out("anchor %d #%s in %d", a.Line, a.ID, a.Section)
	}
	for _, x := range d.Diags {
		out("%s %d: %s", x.Rule, x.Line, x.Text)
	}
	return b.String()
}

func when(on bool, text string) string {
	if on {
		return text
	}
	return ""
}
