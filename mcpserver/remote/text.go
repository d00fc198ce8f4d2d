package remote

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kdd/runtime/render"
	"kdd/runtime/wire"
)

// describedBytes is how much of a description the lists show.
const describedBytes = 240

// Text is the text form of the answer, ended by a line feed.
func (v *ServerList) Text(style render.Style) string {
	return printed(style, func(p *printer) {
		p.servers(v.Servers, false)
		p.cutNote(v.Truncated)
	})
}

// Text is the text form of the answer, ended by a line feed.
func (v *ToolList) Text(style render.Style) string {
	return printed(style, func(p *printer) {
		p.tools(v.Tools)
		p.tail(v.Servers, v.Truncated)
	})
}

// Text is the text form of the answer, ended by a line feed.
func (v *ResourceList) Text(style render.Style) string {
	return printed(style, func(p *printer) {
		p.resources(v.Resources, "")
		p.resources(v.Templates, "template ")
		p.tail(v.Servers, v.Truncated)
	})
}

// Text is the text form of the answer, ended by a line feed.
func (v *PromptList) Text(style render.Style) string {
	return printed(style, func(p *printer) {
		p.prompts(v.Prompts)
		p.tail(v.Servers, v.Truncated)
	})
}

// Text is the text form of the answer, ended by a line feed.
func (v *Capabilities) Text(style render.Style) string {
	return printed(style, func(p *printer) {
		p.servers(v.Servers, true)
		p.tools(v.Tools)
		p.resources(v.Resources, "")
		p.resources(v.Templates, "template ")
		p.prompts(v.Prompts)
		p.cutNote(v.Truncated)
	})
}

// Text is the text form of the answer, ended by a line feed.
func (v *CallResult) Text(style render.Style) string {
	return printed(style, func(p *printer) {
		p.content(v.Content)
		if len(v.Content) == 0 && v.StructuredContent != nil {
			p.printf("%s\n", wire.Encode(v.StructuredContent))
		}
	})
}

// Text is the text form of the answer, ended by a line feed.
func (v *ReadResult) Text(style render.Style) string {
	return printed(style, func(p *printer) { p.content(v.Contents) })
}

// Text is the text form of the answer, ended by a line feed.
func (v *PromptResult) Text(style render.Style) string {
	return printed(style, func(p *printer) { p.content(v.Messages) })
}

// printer writes text forms. Everything from a server is neutralised.
type printer struct {
	color bool
	b     strings.Builder
}

// printed returns what print writes.
func printed(style render.Style, print func(*printer)) string {
	p := &printer{color: style.Color}
	print(p)
	return p.b.String()
}

func (p *printer) printf(format string, args ...any) { fmt.Fprintf(&p.b, format, args...) }

// ANSI codes of colours.
const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	yellow = "33"
	cyan   = "36"
)

// paint puts text in a colour, where there are colours.
func (p *printer) paint(code, text string) string {
	if !p.color || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// joined joins what is not empty.
func joined(separator string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), separator)
}

// servers prints a line per server, and with more its address and instructions.
func (p *printer) servers(servers []ServerStatus, more bool) {
	width := 0
	for i := range servers {
		width = max(width, len([]rune(wire.OneLine(servers[i].Name))))
	}
	for i := range servers {
		s := &servers[i]
		hue := cyan
		if s.State == StateFailing {
			hue = red
		}
		name := wire.OneLine(s.Name)
		p.printf("%s%s  %-5s  %s  ", p.paint(bold, name), strings.Repeat(" ", width-len([]rune(name))), s.Transport, p.paint(hue, fmt.Sprintf("%-8s", s.State)))
		switch s.State {
		case StateOK:
			counts := []string{wire.Plural(s.Tools, "tool", "tools"), wire.Plural(s.Resources, "resource", "resources")}
			if s.Templates > 0 {
				counts = append(counts, wire.Plural(s.Templates, "template", "templates"))
			}
			counts = append(counts, wire.Plural(s.Prompts, "prompt", "prompts"))
			from := joined(", ", wire.Shorten(wire.OneLine(s.Server), 80), s.Protocol)
			if s.Cached {
				from = joined(", ", from, "cached")
			}
			p.printf("%s", strings.Join(counts, ", "))
			if from != "" {
				p.printf("  %s", p.paint(dim, from))
			}
			p.printf("\n")
		case StateFailing:
			p.printf("%s\n", wire.Shorten(wire.OneLine(s.Error), 400))
			p.stderrOf(s)
		default:
			p.printf("\n")
		}
		if more {
			p.printf("    %s\n", wire.Shorten(wire.OneLine(s.Address), 200))
			if s.Instructions != "" {
				p.printf("    %s\n", wire.Shorten(wire.OneLine(s.Instructions), describedBytes))
			}
		}
		p.warnings(s)
	}
}

func (p *printer) warnings(s *ServerStatus) {
	for _, w := range s.Warnings {
		p.printf("%s %s: %s\n", p.paint(yellow, "warning:"), wire.OneLine(s.Name), wire.Shorten(wire.OneLine(w), 300))
	}
}

// stderrOf prints the last lines of a failing server's standard error.
func (p *printer) stderrOf(s *ServerStatus) {
	for line := range strings.Lines(s.Stderr) {
		p.printf("    %s\n", p.paint(dim, wire.Shorten(wire.OneLine(line), 200)))
	}
}

// tail names the servers whose entries are missing.
func (p *printer) tail(servers []ServerStatus, truncated bool) {
	p.cutNote(truncated)
	for i := range servers {
		s := &servers[i]
		if s.State == StateFailing {
			p.printf("%s %s: %s\n", p.paint(red, "failing:"), wire.OneLine(s.Name), wire.Shorten(wire.OneLine(s.Error), 400))
			p.stderrOf(s)
		}
		p.warnings(s)
	}
}

func (p *printer) cutNote(truncated bool) {
	if truncated {
		p.printf("truncated\n")
	}
}

func (p *printer) tools(tools []Tool) {
	for i := range tools {
		t := &tools[i]
		p.printf("%s(%s)", p.paint(bold, wire.Shorten(wire.OneLine(t.Name), 200)), wire.Shorten(schemaArguments(t.InputSchema), 300))
		if len(t.Hints) > 0 {
			p.printf("  %s", p.paint(dim, strings.ReplaceAll(strings.Join(t.Hints, ", "), "_", "-")))
		}
		p.printf("\n")
		p.described(t.Description, t.Title)
	}
}

func (p *printer) described(texts ...string) {
	for _, text := range texts {
		if text = wire.OneLine(text); text != "" {
			p.printf("    %s\n", wire.Shorten(text, describedBytes))
			return
		}
	}
}

// schemaArguments writes the properties of an object schema as "path: string, head?: number".
func schemaArguments(schema any) string {
	object, _ := schema.(map[string]any)
	properties, _ := object["properties"].(map[string]any)
	needed := map[string]bool{}
	list, _ := object["required"].([]any)
	for _, name := range list {
		if s, ok := name.(string); ok {
			needed[s] = true
		}
	}
	names := slices.SortedStableFunc(maps.Keys(properties), func(a, b string) int {
		if needed[a] != needed[b] {
			if needed[a] {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	var parts []string
	for _, name := range names[:min(len(names), 40)] {
		part := wire.OneLine(name)
		if !needed[name] {
			part += "?"
		}
		if property, ok := properties[name].(map[string]any); ok {
			if kind, ok := property["type"].(string); ok {
				part += ": " + wire.OneLine(kind)
			}
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

func (p *printer) resources(resources []Resource, what string) {
	for i := range resources {
		r := &resources[i]
		p.printf("%s%s", what, p.paint(bold, wire.Shorten(wire.OneLine(r.Name), 400)))
		if details := joined(", ", wire.Shorten(wire.OneLine(cmp.Or(r.Title, r.Label)), 100), wire.OneLine(r.MIMEType)); details != "" {
			p.printf("  %s", p.paint(dim, details))
		}
		p.printf("\n")
		p.described(r.Description)
	}
}

func (p *printer) prompts(prompts []Prompt) {
	for i := range prompts {
		v := &prompts[i]
		var names []string
		for _, a := range v.Arguments {
			name := wire.OneLine(a.Name)
			if !a.Required {
				name += "?"
			}
			names = append(names, name)
		}
		p.printf("%s(%s)\n", p.paint(bold, wire.Shorten(wire.OneLine(v.Name), 200)), wire.Shorten(strings.Join(names, ", "), 300))
		p.described(v.Description, v.Title)
	}
}

// content prints texts, neutralised, and a line for content that is not text.
func (p *printer) content(content []Content) {
	role := ""
	for i := range content {
		c := &content[i]
		if c.Role != "" && c.Role != role {
			role = c.Role
			p.printf("%s\n", p.paint(dim, "["+wire.OneLine(role)+"]"))
		}
		switch {
		case c.Text != "":
			text := wire.CleanLines(c.Text)
			p.b.WriteString(text)
			if !strings.HasSuffix(text, "\n") {
				p.b.WriteByte('\n')
			}
		case c.Type == "text":
			p.b.WriteByte('\n')
		default:
			details := joined(", ", wire.OneLine(c.Name), wire.Shorten(wire.OneLine(c.URI), 400), wire.OneLine(c.MIMEType))
			if n := len(strings.TrimRight(c.Data, "=")) * 3 / 4; n > 0 {
				details = joined(", ", details, wire.Plural(n, "byte", "bytes"))
			}
			p.printf("%s\n", p.paint(dim, "["+joined(": ", wire.OneLine(c.Type), details)+"]"))
		}
	}
}
