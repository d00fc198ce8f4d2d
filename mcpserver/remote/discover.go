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
		if c.Tools, err = list(ctx, s, c, &left, "tools", (*mcp.ClientSession).ListTools,
			func(cursor string) *mcp.ListToolsParams { return &mcp.ListToolsParams{Cursor: cursor} },
			func(r *mcp.ListToolsResult) ([]*mcp.Tool, string) { return r.Tools, r.NextCursor },
			func(item *mcp.Tool) string { return item.Name }); err != nil {
			return c, err
		}
	}
	if capabilities.Resources != nil {
		if c.Resources, err = list(ctx, s, c, &left, "resources", (*mcp.ClientSession).ListResources,
			func(cursor string) *mcp.ListResourcesParams { return &mcp.ListResourcesParams{Cursor: cursor} },
			func(r *mcp.ListResourcesResult) ([]*mcp.Resource, string) { return r.Resources, r.NextCursor },
			func(item *mcp.Resource) string { return item.URI }); err != nil {
			return c, err
		}
		if c.Templates, err = list(ctx, s, c, &left, "templates", (*mcp.ClientSession).ListResourceTemplates,
			func(cursor string) *mcp.ListResourceTemplatesParams {
				return &mcp.ListResourceTemplatesParams{Cursor: cursor}
			},
			func(r *mcp.ListResourceTemplatesResult) ([]*mcp.ResourceTemplate, string) {
				return r.ResourceTemplates, r.NextCursor
			},
			func(item *mcp.ResourceTemplate) string { return item.URITemplate }); err != nil {
			return c, err
		}
	}
	if capabilities.Prompts != nil {
		if c.Prompts, err = list(ctx, s, c, &left, "prompts", (*mcp.ClientSession).ListPrompts,
			func(cursor string) *mcp.ListPromptsParams { return &mcp.ListPromptsParams{Cursor: cursor} },
			func(r *mcp.ListPromptsResult) ([]*mcp.Prompt, string) { return r.Prompts, r.NextCursor },
			func(item *mcp.Prompt) string { return item.Name }); err != nil {
			return c, err
		}
	}
	return c, nil
}

// list reads one kind of list, page by page, to the end or to a limit with a warning. An item without a name, or with
// the name of an earlier one, is left out with a warning. If the server does not know the method, the list is empty.
// With an error it returns what was read before. Left is how many bytes of JSON the catalog may still take.
func list[Params, Result, Item any](ctx context.Context, s *session, c *catalog, left *int, what string,
	ask func(*mcp.ClientSession, context.Context, *Params) (*Result, error), params func(cursor string) *Params,
	page func(*Result) (items []*Item, next string), name func(*Item) string) ([]*Item, error) {
	warn := func(format string, args ...any) {
		if len(c.Warnings) < 20 {
			c.Warnings = append(c.Warnings, fmt.Sprintf(format, args...))
		}
	}
	var items []*Item
	names, cursors := map[string]bool{}, map[string]bool{"": true}
	cursor := ""
	for n := 1; ; n++ {
		answer, err := call(ctx, s, func(ctx context.Context, client *mcp.ClientSession) (*Result, error) {
			return ask(client, ctx, params(cursor))
		})
		var known *jsonrpc.Error
		if errors.As(err, &known) {
			if known.Code == jsonrpc.CodeMethodNotFound && n == 1 {
				return nil, nil
			}
			err = &Failure{Server: s.r.Name, Code: wire.CodeIO,
				Reason: fmt.Sprintf("it cannot list its %s: %s", what, wire.Shorten(wire.Clean(known.Message), 300))}
		}
		if err != nil {
			return items, err
		}
		got, next := page(answer)
		for _, item := range got {
			if item == nil {
				continue
			}
			itemName := name(item)
			switch data, err := json.Marshal(item); {
			case err != nil || itemName == "":
				warn("one of its %s has no name and is left out", what)
				continue
			case names[itemName]:
				warn("%q is twice among its %s; the first counts", wire.Shorten(itemName, 80), what)
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
			names[itemName] = true
			items = append(items, item)
		}
		switch {
		case next == "":
			return items, nil
		case cursors[next]:
			warn("its list of %s repeats a cursor; it may be incomplete", what)
			return items, nil
		case n == maxPages:
			warn("its list of %s has more than %d pages; the rest is left out", what, maxPages)
			return items, nil
		}
		cursor = next
		cursors[cursor] = true
	}
}
