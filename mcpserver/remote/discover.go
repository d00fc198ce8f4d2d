package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kdd/runtime/wire"
)

// Limits of what one server may list.
const (
	maxPages        = 100
	maxItems        = 5000     // of each kind
	maxCatalogBytes = 32 << 20 // of all kinds, as JSON
)

// catalog is what a server says it has.
type catalog struct {
	Server       string                  `json:"server,omitempty"` // name and version
	Protocol     string                  `json:"protocol,omitempty"`
	Instructions string                  `json:"instructions,omitempty"`
	Features     []string                `json:"features,omitempty"`
	Tools        []*mcp.Tool             `json:"tools,omitempty"`
	Resources    []*mcp.Resource         `json:"resources,omitempty"`
	Templates    []*mcp.ResourceTemplate `json:"templates,omitempty"`
	Prompts      []*mcp.Prompt           `json:"prompts,omitempty"`
	Warnings     []string                `json:"warnings,omitempty"`
}

// discover asks for all lists of the server. With an error it returns what was read before.
func (s *session) discover(ctx context.Context) (*catalog, error) {
	c := &catalog{}
	info := s.client.InitializeResult()
	capabilities := &mcp.ServerCapabilities{}
	if info != nil {
		c.Protocol, c.Instructions = info.ProtocolVersion, wire.Shorten(info.Instructions, 8<<10)
		if info.ServerInfo != nil {
			c.Server = wire.Shorten(info.ServerInfo.Name, 200)
			if info.ServerInfo.Version != "" {
				c.Server += " " + wire.Shorten(info.ServerInfo.Version, 100)
			}
		}
		if info.Capabilities != nil {
			capabilities = info.Capabilities
		}
	}
	for _, feature := range []struct {
		name string
		has  bool
	}{
		{"tools", capabilities.Tools != nil}, {"resources", capabilities.Resources != nil}, {"prompts", capabilities.Prompts != nil},
		{"completions", capabilities.Completions != nil},
		{"logging", capabilities.Logging != nil}, //lint:ignore SA1019 servers have it all the same
	} {
		if feature.has {
			c.Features = append(c.Features, feature.name)
		}
	}
	left := maxCatalogBytes
	var err error
	if capabilities.Tools != nil {
		l := lister[mcp.Tool]{what: "tools", name: func(t *mcp.Tool) string { return t.Name },
			page: func(ctx context.Context, client *mcp.ClientSession, cursor string) ([]*mcp.Tool, string, error) {
				r, err := client.ListTools(ctx, &mcp.ListToolsParams{Cursor: cursor})
				if err != nil {
					return nil, "", err
				}
				return r.Tools, r.NextCursor, nil
			}}
		if c.Tools, err = l.all(ctx, s, c, &left); err != nil {
			return c, err
		}
	}
	if capabilities.Resources != nil {
		l := lister[mcp.Resource]{what: "resources", name: func(r *mcp.Resource) string { return r.URI },
			page: func(ctx context.Context, client *mcp.ClientSession, cursor string) ([]*mcp.Resource, string, error) {
				r, err := client.ListResources(ctx, &mcp.ListResourcesParams{Cursor: cursor})
				if err != nil {
					return nil, "", err
				}
				return r.Resources, r.NextCursor, nil
			}}
		if c.Resources, err = l.all(ctx, s, c, &left); err != nil {
			return c, err
		}
		t := lister[mcp.ResourceTemplate]{what: "templates", name: func(r *mcp.ResourceTemplate) string { return r.URITemplate },
			page: func(ctx context.Context, client *mcp.ClientSession, cursor string) ([]*mcp.ResourceTemplate, string, error) {
				r, err := client.ListResourceTemplates(ctx, &mcp.ListResourceTemplatesParams{Cursor: cursor})
				if err != nil {
					return nil, "", err
				}
				return r.ResourceTemplates, r.NextCursor, nil
			}}
		if c.Templates, err = t.all(ctx, s, c, &left); err != nil {
			return c, err
		}
	}
	if capabilities.Prompts != nil {
		l := lister[mcp.Prompt]{what: "prompts", name: func(p *mcp.Prompt) string { return p.Name },
			page: func(ctx context.Context, client *mcp.ClientSession, cursor string) ([]*mcp.Prompt, string, error) {
				r, err := client.ListPrompts(ctx, &mcp.ListPromptsParams{Cursor: cursor})
				if err != nil {
					return nil, "", err
				}
				return r.Prompts, r.NextCursor, nil
			}}
		if c.Prompts, err = l.all(ctx, s, c, &left); err != nil {
			return c, err
		}
	}
	return c, nil
}

// lister reads one kind of list.
type lister[T any] struct {
	what string
	name func(*T) string
	page func(ctx context.Context, client *mcp.ClientSession, cursor string) ([]*T, string, error)
}

// all returns the items that follow gives.
func (l *lister[T]) all(ctx context.Context, s *session, c *catalog, left *int) ([]*T, error) {
	list, err := s.follow(ctx, l.what, c, left, func(ctx context.Context, client *mcp.ClientSession, cursor string) (page, error) {
		items, next, err := l.page(ctx, client, cursor)
		p := page{next: next}
		for _, item := range items {
			if item != nil {
				p.items = append(p.items, listed{l.name(item), item})
			}
		}
		return p, err
	})
	var items []*T
	for _, item := range list {
		items = append(items, item.value.(*T))
	}
	return items, err
}

// listed is an item of any kind of list.
type listed struct {
	name  string
	value any
}

// page is what a server answers at a time.
type page struct {
	items []listed
	next  string // cursor of the next page
}

// follow reads pages to the end, or to a limit with a warning. An item without a name, or with the name of an earlier
// one, is left out with a warning. If the server does not know the method, the list is empty.
func (s *session) follow(ctx context.Context, what string, c *catalog, left *int, read func(ctx context.Context, client *mcp.ClientSession, cursor string) (page, error)) ([]listed, error) {
	warn := func(format string, args ...any) {
		if len(c.Warnings) < 20 {
			c.Warnings = append(c.Warnings, fmt.Sprintf(format, args...))
		}
	}
	var items []listed
	names, cursors := map[string]bool{}, map[string]bool{"": true}
	cursor := ""
	for n := 1; ; n++ {
		p, err := call(ctx, s, func(ctx context.Context, client *mcp.ClientSession) (page, error) { return read(ctx, client, cursor) })
		var known *jsonrpc.Error
		if errors.As(err, &known) {
			if known.Code == jsonrpc.CodeMethodNotFound && n == 1 {
				return nil, nil
			}
			err = &Failure{Server: s.r.Name, Code: wire.CodeIO, Reason: fmt.Sprintf("it cannot list its %s: %s", what, wire.Shorten(wire.Clean(known.Message), 300))}
		}
		if err != nil {
			return items, err
		}
		for _, item := range p.items {
			switch data, err := json.Marshal(item.value); {
			case err != nil || item.name == "":
				warn("one of its %s has no name and is left out", what)
				continue
			case names[item.name]:
				warn("%q is twice among its %s; the first counts", wire.Shorten(item.name, 80), what)
				continue
			case len(items) == maxItems:
				warn("it has more than %d %s; the rest is left out", maxItems, what)
				return items, nil
			case len(data) > *left:
				warn("its lists have more than %d bytes; the rest is left out", maxCatalogBytes)
				return items, nil
			default:
				*left -= len(data)
			}
			names[item.name] = true
			items = append(items, item)
		}
		switch {
		case p.next == "":
			return items, nil
		case cursors[p.next]:
			warn("its list of %s repeats a cursor; it may be incomplete", what)
			return items, nil
		case n == maxPages:
			warn("its list of %s has more than %d pages; the rest is left out", what, maxPages)
			return items, nil
		}
		cursor = p.next
		cursors[cursor] = true
	}
}
