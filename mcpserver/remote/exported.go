package remote

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kdd/runtime/wire"
)

// Exported names. Model APIs take names of tools with [A-Za-z0-9_-] and up to 64 bytes.
const (
	maxExportedName = 64
	uriScheme       = "mcp://"
	hashDigits      = 8 // of the hash that replaces a part of a name
)

// exportName is Join with a length limit and with "_" for other characters. If that changes the name, or if taken has
// it already, it ends in "_" and a hash of the whole name. So different names stay different, and a name is always the
// same.
func exportName(server, name string, taken map[string]bool) string {
	full := Join(server, name)
	safe := strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '_'
	}, full)
	if safe != full || len(safe) > maxExportedName || taken[safe] {
		stem, hashed := safe, full
		for n := len(taken); ; n++ { // there is a second round only if a server lists a name twice
			sum := sha256.Sum256([]byte(hashed))
			end := "_" + hex.EncodeToString(sum[:])[:hashDigits]
			if safe = stem[:min(len(stem), maxExportedName-len(end))] + end; !taken[safe] {
				break
			}
			hashed = full + "\x00" + strconv.Itoa(n)
		}
	}
	taken[safe] = true
	return safe
}

// exportURI is the exported URI of a resource. It ends in the server's own URI, unchanged: templates keep their
// expressions, and reading cuts the beginning off.
func exportURI(server, uri string) string { return uriScheme + url.PathEscape(server) + "/" + uri }

// exports is what a fleet adds to the lists.
type exports struct {
	tools     []*mcp.Tool
	resources []*mcp.Resource
	templates []*mcp.ResourceTemplate
	prompts   []*mcp.Prompt
	toolOf    map[string]target
	promptOf  map[string]target
}

// target is a tool or prompt of a server.
type target struct {
	m    *member
	name string
}

// exported makes the lists for hosts from the lists of the servers. Titles and descriptions are neutralised and
// shortened. A tool whose input schema is not for an object gets one that accepts any object.
func exported(all []status) *exports {
	x := &exports{toolOf: map[string]target{}, promptOf: map[string]target{}}
	tools, prompts := map[string]bool{StatusTool: true}, map[string]bool{}
	for _, s := range all {
		for _, t := range s.catalog.Tools {
			out := &mcp.Tool{Name: exportName(s.server.Name, t.Name, tools), Title: wire.Clean(t.Title), Description: exportText(t.Description),
				Annotations: t.Annotations, InputSchema: objectSchema(t.InputSchema)}
			if out.InputSchema == nil {
				out.InputSchema = json.RawMessage(`{"type":"object"}`)
			}
			if schema := objectSchema(t.OutputSchema); schema != nil {
				out.OutputSchema = schema
			}
			x.tools = append(x.tools, out)
			x.toolOf[out.Name] = target{s.m, t.Name}
		}
		for _, r := range s.catalog.Resources {
			x.resources = append(x.resources, &mcp.Resource{URI: exportURI(s.server.Name, r.URI), Name: Join(s.server.Name, wire.Clean(r.Name)),
				Title: wire.Clean(r.Title), Description: exportText(r.Description), MIMEType: r.MIMEType, Size: r.Size, Annotations: r.Annotations})
		}
		for _, r := range s.catalog.Templates {
			x.templates = append(x.templates, &mcp.ResourceTemplate{URITemplate: exportURI(s.server.Name, r.URITemplate), Name: Join(s.server.Name, wire.Clean(r.Name)),
				Title: wire.Clean(r.Title), Description: exportText(r.Description), MIMEType: r.MIMEType, Annotations: r.Annotations})
		}
		for _, p := range s.catalog.Prompts {
			out := &mcp.Prompt{Name: exportName(s.server.Name, p.Name, prompts), Title: wire.Clean(p.Title), Description: exportText(p.Description)}
			for _, a := range p.Arguments {
				if a != nil {
					out.Arguments = append(out.Arguments, &mcp.PromptArgument{Name: a.Name, Title: wire.Clean(a.Title), Description: exportText(a.Description), Required: a.Required})
				}
			}
			x.prompts = append(x.prompts, out)
			x.promptOf[out.Name] = target{s.m, p.Name}
		}
	}
	return x
}

// exportText is a description for the model of a host, with at most 2,000 bytes, the limit of hosts.
func exportText(s string) string { return wire.Shorten(wire.CleanLines(s), 2000) }

// objectSchema returns a schema if it is for objects, else nil.
func objectSchema(schema any) any {
	if object, ok := schema.(map[string]any); ok && object["type"] == "object" {
		return object
	}
	return nil
}

// tool returns the server of an exported tool and the tool's name there. The lists are read only if exportName may have
// changed the name.
func (f *Fleet) tool(ctx context.Context, name string) (*member, string, error) {
	return f.exportedTarget(ctx, name, func(x *exports) map[string]target { return x.toolOf })
}

// prompt does the same as tool, for prompts.
func (f *Fleet) prompt(ctx context.Context, name string) (*member, string, error) {
	return f.exportedTarget(ctx, name, func(x *exports) map[string]target { return x.promptOf })
}

func (f *Fleet) exportedTarget(ctx context.Context, name string, table func(*exports) map[string]target) (*member, string, error) {
	m, theirs, err := f.find(name)
	if err == nil && m.lists(theirs) {
		return m, theirs, nil
	}
	all, failed := f.discover(ctx)
	if failed != nil {
		return nil, "", failed
	}
	if t, ok := table(exported(all))[name]; ok {
		return t.m, t.name, nil
	}
	return m, theirs, err // the server knows best what it has
}

// lists says whether the server has listed a tool or prompt of that name.
func (m *member) lists(name string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.catalog == nil {
		return false
	}
	for _, t := range m.catalog.Tools {
		if t.Name == name {
			return true
		}
	}
	for _, p := range m.catalog.Prompts {
		if p.Name == name {
			return true
		}
	}
	return false
}

// resource returns the server and its URI of a resource: mcp://SERVER/URI, or mcp__SERVER__URI.
func (f *Fleet) resource(uri string) (*member, string, error) {
	rest, found := strings.CutPrefix(uri, uriScheme)
	if !found {
		return f.find(uri)
	}
	server, theirs, _ := strings.Cut(rest, "/")
	if plain, err := url.PathUnescape(server); err == nil {
		server = plain
	}
	return f.find(Join(server, theirs))
}
