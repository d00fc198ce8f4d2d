package render

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kdd/runtime/wire"
)

// describedBytes is how much of a description the lists show.
const describedBytes = 240

// remote prints the answers about other MCP servers; false = v is none.
func (p *printer) remote(v any) bool {
	switch v := v.(type) {
	case *wire.RemoteServers:
		p.remoteServers(v.Servers, false)
		p.cutNote(v.Truncated)
	case *wire.RemoteTools:
		p.remoteTools(v.Tools)
		p.remoteTail(v.Servers, v.Truncated)
	case *wire.RemoteResources:
		p.remoteResources(v.Resources, "")
		p.remoteResources(v.Templates, "template ")
		p.remoteTail(v.Servers, v.Truncated)
	case *wire.RemotePrompts:
		p.remotePrompts(v.Prompts)
		p.remoteTail(v.Servers, v.Truncated)
	case *wire.RemoteCapabilities:
		p.remoteServers(v.Servers, true)
		p.remoteTools(v.Tools)
		p.remoteResources(v.Resources, "")
		p.remoteResources(v.Templates, "template ")
		p.remotePrompts(v.Prompts)
		p.cutNote(v.Truncated)
	case *wire.RemoteCall:
		p.remoteContent(v.Content)
		if len(v.Content) == 0 && v.StructuredContent != nil {
			p.printf("%s\n", wire.Encode(v.StructuredContent))
		}
	case *wire.RemoteRead:
		p.remoteContent(v.Contents)
	case *wire.RemoteMessages:
		p.remoteContent(v.Messages)
	default:
		return false
	}
	return true
}

// remoteServers prints a line per server, and with more what it says about itself.
func (p *printer) remoteServers(servers []wire.RemoteServer, more bool) {
	width := 0
	for i := range servers {
		width = max(width, len([]rune(wire.OneLine(servers[i].Name))))
	}
	for i := range servers {
		s := &servers[i]
		hue := cyan
		if s.State == wire.RemoteFailing {
			hue = red
		}
		name := wire.OneLine(s.Name)
		p.printf("%s%s  %-5s  %s  ", p.paint(bold, name), strings.Repeat(" ", width-len([]rune(name))), s.Transport, p.paint(hue, fmt.Sprintf("%-8s", s.State)))
		switch s.State {
		case wire.RemoteOK:
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
		case wire.RemoteFailing:
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
		p.remoteWarnings(s)
	}
}

func (p *printer) remoteWarnings(s *wire.RemoteServer) {
	for _, w := range s.Warnings {
		p.printf("%s %s: %s\n", p.paint(yellow, "warning:"), wire.OneLine(s.Name), wire.Shorten(wire.OneLine(w), 300))
	}
}

// stderrOf shows what a failing server said last.
func (p *printer) stderrOf(s *wire.RemoteServer) {
	for line := range strings.Lines(s.Stderr) {
		p.printf("    %s\n", p.paint(dim, wire.Shorten(wire.OneLine(line), 200)))
	}
}

// remoteTail names the servers whose entries are missing.
func (p *printer) remoteTail(servers []wire.RemoteServer, truncated bool) {
	p.cutNote(truncated)
	for i := range servers {
		s := &servers[i]
		if s.State == wire.RemoteFailing {
			p.printf("%s %s: %s\n", p.paint(red, "failing:"), wire.OneLine(s.Name), wire.Shorten(wire.OneLine(s.Error), 400))
			p.stderrOf(s)
		}
		p.remoteWarnings(s)
	}
}

func (p *printer) cutNote(truncated bool) {
	if truncated {
		p.printf("truncated\n")
	}
}

func (p *printer) remoteTools(tools []wire.RemoteTool) {
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

func (p *printer) remoteResources(resources []wire.RemoteResource, what string) {
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

func (p *printer) remotePrompts(prompts []wire.RemotePrompt) {
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

// remoteContent prints texts as they are, neutralised, and names what is no text.
func (p *printer) remoteContent(content []wire.RemoteContent) {
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

// FitRemote cuts one of the answers above until its text form has at most most bytes, and sets truncated; 0 or less means
// no limit. Lists lose whole entries from their end, content is cut between characters, servers are never left out. It says
// whether it cut anything.
func FitRemote(answer any, most int) bool {
	if most <= 0 || len(Text(answer, Style{})) <= most {
		return false
	}
	size := func() int { return len(Text(answer, Style{})) }
	switch v := answer.(type) {
	case *wire.RemoteServers:
		v.Truncated = true
		cutRemote(&v.Servers, size, most)
	case *wire.RemoteTools:
		v.Truncated = true
		cutRemote(&v.Tools, size, most)
	case *wire.RemoteResources:
		v.Truncated = true
		cutRemote(&v.Templates, size, most)
		cutRemote(&v.Resources, size, most)
	case *wire.RemotePrompts:
		v.Truncated = true
		cutRemote(&v.Prompts, size, most)
	case *wire.RemoteCapabilities:
		v.Truncated = true
		cutRemote(&v.Prompts, size, most)
		cutRemote(&v.Templates, size, most)
		cutRemote(&v.Resources, size, most)
		cutRemote(&v.Tools, size, most)
	case *wire.RemoteCall:
		v.Truncated = true
		cutContent(v.Content, size, most)
	case *wire.RemoteRead:
		v.Truncated = true
		cutContent(v.Contents, size, most)
	case *wire.RemoteMessages:
		v.Truncated = true
		cutContent(v.Messages, size, most)
	}
	return true
}

// cutRemote keeps the longest prefix of items with which size is at most most; none where that is not enough.
func cutRemote[T any](items *[]T, size func() int, most int) {
	all := *items
	low, high := 0, len(all) // the answer fits with low, or low is 0
	for low < high {
		middle := (low + high + 1) / 2
		if *items = all[:middle]; size() <= most {
			low = middle
		} else {
			high = middle - 1
		}
	}
	*items = all[:low]
}

// cutContent shortens texts from the last one on.
func cutContent(content []wire.RemoteContent, size func() int, most int) {
	for i := len(content) - 1; i >= 0; i-- {
		over := size() - most
		if over <= 0 {
			return
		}
		c := &content[i]
		// Neutralising can lengthen a text threefold (a control byte becomes U+FFFD): cut what will be shown.
		shown := wire.CleanLines(c.Text)
		c.Text = wire.Shorten(shown, max(len(shown)-over, 0))
	}
}
