package shape

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// describedBytes is how much of a description the lists show.
const describedBytes = 240

// remote prints the answers about other MCP servers; false = v is none.
func (p *printer) remote(v any) bool {
	switch v := v.(type) {
	case *RemoteServers:
		p.remoteServers(v.Servers, false)
		p.cutNote(v.Truncated)
	case *RemoteTools:
		p.remoteTools(v.Tools)
		p.remoteTail(v.Servers, v.Truncated)
	case *RemoteResources:
		p.remoteResources(v.Resources, "")
		p.remoteResources(v.Templates, "template ")
		p.remoteTail(v.Servers, v.Truncated)
	case *RemotePrompts:
		p.remotePrompts(v.Prompts)
		p.remoteTail(v.Servers, v.Truncated)
	case *RemoteCapabilities:
		p.remoteServers(v.Servers, true)
		p.remoteTools(v.Tools)
		p.remoteResources(v.Resources, "")
		p.remoteResources(v.Templates, "template ")
		p.remotePrompts(v.Prompts)
		p.cutNote(v.Truncated)
	case *RemoteCall:
		p.remoteContent(v.Content)
		if len(v.Content) == 0 && v.StructuredContent != nil {
			p.printf("%s\n", Encode(v.StructuredContent))
		}
	case *RemoteRead:
		p.remoteContent(v.Contents)
	case *RemoteMessages:
		p.remoteContent(v.Messages)
	default:
		return false
	}
	return true
}

// remoteServers prints a line per server, and with more what it says about itself.
func (p *printer) remoteServers(servers []RemoteServer, more bool) {
	width := 0
	for i := range servers {
		width = max(width, len([]rune(oneLine(servers[i].Name))))
	}
	for i := range servers {
		s := &servers[i]
		hue := cyan
		if s.State == RemoteFailing {
			hue = red
		}
		name := oneLine(s.Name)
		p.printf("%s%s  %-5s  %s  ", p.paint(bold, name), strings.Repeat(" ", width-len([]rune(name))), s.Transport, p.paint(hue, fmt.Sprintf("%-8s", s.State)))
		switch s.State {
		case RemoteOK:
			counts := []string{plural(s.Tools, "tool", "tools"), plural(s.Resources, "resource", "resources")}
			if s.Templates > 0 {
				counts = append(counts, plural(s.Templates, "template", "templates"))
			}
			counts = append(counts, plural(s.Prompts, "prompt", "prompts"))
			from := joined(", ", Shorten(oneLine(s.Server), 80), s.Protocol)
			if s.Cached {
				from = joined(", ", from, "cached")
			}
			p.printf("%s", strings.Join(counts, ", "))
			if from != "" {
				p.printf("  %s", p.paint(dim, from))
			}
			p.printf("\n")
		case RemoteFailing:
			p.printf("%s\n", Shorten(oneLine(s.Error), 400))
			p.stderrOf(s)
		default:
			p.printf("\n")
		}
		if more {
			p.printf("    %s\n", Shorten(oneLine(s.Address), 200))
			if s.Instructions != "" {
				p.printf("    %s\n", Shorten(oneLine(s.Instructions), describedBytes))
			}
		}
		p.remoteWarnings(s)
	}
}

func (p *printer) remoteWarnings(s *RemoteServer) {
	for _, w := range s.Warnings {
		p.printf("%s %s: %s\n", p.paint(yellow, "warning:"), oneLine(s.Name), Shorten(oneLine(w), 300))
	}
}

// stderrOf shows what a failing server said last.
func (p *printer) stderrOf(s *RemoteServer) {
	for line := range strings.Lines(s.Stderr) {
		p.printf("    %s\n", p.paint(dim, Shorten(oneLine(line), 200)))
	}
}

// remoteTail names the servers whose entries are missing.
func (p *printer) remoteTail(servers []RemoteServer, truncated bool) {
	p.cutNote(truncated)
	for i := range servers {
		s := &servers[i]
		if s.State == RemoteFailing {
			p.printf("%s %s: %s\n", p.paint(red, "failing:"), oneLine(s.Name), Shorten(oneLine(s.Error), 400))
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

func (p *printer) remoteTools(tools []RemoteTool) {
	for i := range tools {
		t := &tools[i]
		p.printf("%s(%s)", p.paint(bold, Shorten(oneLine(t.Name), 200)), Shorten(schemaArguments(t.InputSchema), 300))
		if len(t.Hints) > 0 {
			p.printf("  %s", p.paint(dim, strings.ReplaceAll(strings.Join(t.Hints, ", "), "_", "-")))
		}
		p.printf("\n")
		p.described(t.Description, t.Title)
	}
}

func (p *printer) described(texts ...string) {
	for _, text := range texts {
		if text = oneLine(text); text != "" {
			p.printf("    %s\n", Shorten(text, describedBytes))
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
		part := oneLine(name)
		if !needed[name] {
			part += "?"
		}
		if property, ok := properties[name].(map[string]any); ok {
			if kind, ok := property["type"].(string); ok {
				part += ": " + oneLine(kind)
			}
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

func (p *printer) remoteResources(resources []RemoteResource, what string) {
	for i := range resources {
		r := &resources[i]
		p.printf("%s%s", what, p.paint(bold, Shorten(oneLine(r.Name), 400)))
		if details := joined(", ", Shorten(oneLine(cmp.Or(r.Title, r.Label)), 100), oneLine(r.MIMEType)); details != "" {
			p.printf("  %s", p.paint(dim, details))
		}
		p.printf("\n")
		p.described(r.Description)
	}
}

func (p *printer) remotePrompts(prompts []RemotePrompt) {
	for i := range prompts {
		v := &prompts[i]
		var names []string
		for _, a := range v.Arguments {
			name := oneLine(a.Name)
			if !a.Required {
				name += "?"
			}
			names = append(names, name)
		}
		p.printf("%s(%s)\n", p.paint(bold, Shorten(oneLine(v.Name), 200)), Shorten(strings.Join(names, ", "), 300))
		p.described(v.Description, v.Title)
	}
}

// remoteContent prints texts as they are, neutralised, and names what is no text.
func (p *printer) remoteContent(content []RemoteContent) {
	role := ""
	for i := range content {
		c := &content[i]
		if c.Role != "" && c.Role != role {
			role = c.Role
			p.printf("%s\n", p.paint(dim, "["+oneLine(role)+"]"))
		}
		switch {
		case c.Text != "":
			text := CleanLines(c.Text)
			p.b.WriteString(text)
			if !strings.HasSuffix(text, "\n") {
				p.b.WriteByte('\n')
			}
		case c.Type == "text":
			p.b.WriteByte('\n')
		default:
			details := joined(", ", oneLine(c.Name), Shorten(oneLine(c.URI), 400), oneLine(c.MIMEType))
			if n := len(strings.TrimRight(c.Data, "=")) * 3 / 4; n > 0 {
				details = joined(", ", details, plural(n, "byte", "bytes"))
			}
			p.printf("%s\n", p.paint(dim, "["+joined(": ", oneLine(c.Type), details)+"]"))
		}
	}
}
