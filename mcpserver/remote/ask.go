package remote

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kdd/runtime/wire"
)

// Servers returns the state of each server. As with the other lists, ErrSomeDown and ErrDown come with an answer, other
// errors without one.
func (f *Fleet) Servers(ctx context.Context) (*ServerList, error) {
	all, err := f.discover(ctx)
	if err != nil {
		return nil, err
	}
	answer := &ServerList{SchemaVersion: "remote_servers.v1", Servers: servers(all)}
	answer.Count = len(answer.Servers)
	for i := range answer.Servers {
		if answer.Servers[i].State == StateFailing {
			answer.Failing++
		}
	}
	return answer, outcome(answer.Servers)
}

// Tools returns the tools of all servers.
func (f *Fleet) Tools(ctx context.Context) (*ToolList, error) {
	all, err := f.discover(ctx)
	if err != nil {
		return nil, err
	}
	answer := &ToolList{SchemaVersion: "remote_tools.v1", Tools: tools(all), Servers: servers(all)}
	answer.Count = len(answer.Tools)
	return answer, outcome(answer.Servers)
}

// Resources returns the resources and templates of all servers.
func (f *Fleet) Resources(ctx context.Context) (*ResourceList, error) {
	all, err := f.discover(ctx)
	if err != nil {
		return nil, err
	}
	answer := &ResourceList{SchemaVersion: "remote_resources.v1", Resources: resources(all), Templates: templates(all), Servers: servers(all)}
	answer.Count = len(answer.Resources) + len(answer.Templates)
	return answer, outcome(answer.Servers)
}

// Prompts returns the prompts of all servers.
func (f *Fleet) Prompts(ctx context.Context) (*PromptList, error) {
	all, err := f.discover(ctx)
	if err != nil {
		return nil, err
	}
	answer := &PromptList{SchemaVersion: "remote_prompts.v1", Prompts: prompts(all), Servers: servers(all)}
	answer.Count = len(answer.Prompts)
	return answer, outcome(answer.Servers)
}

// Capabilities returns all lists of all servers.
func (f *Fleet) Capabilities(ctx context.Context) (*Capabilities, error) {
	all, err := f.discover(ctx)
	if err != nil {
		return nil, err
	}
	answer := &Capabilities{SchemaVersion: "remote_capabilities.v1", Servers: servers(all), Tools: tools(all),
		Resources: resources(all), Templates: templates(all), Prompts: prompts(all)}
	for i := range all {
		answer.Servers[i].Instructions = all[i].catalog.Instructions
	}
	return answer, outcome(answer.Servers)
}

// Schema returns the input schema of a tool, nil if the server does not list it.
func (f *Fleet) Schema(ctx context.Context, full string) (map[string]any, error) {
	m, name, err := f.find(full)
	if err != nil {
		return nil, err
	}
	got, _, err := f.listing(ctx, m)
	if err != nil {
		return nil, wireFailure(err)
	}
	for _, t := range got.Tools {
		if t.Name == name {
			schema, _ := t.InputSchema.(map[string]any)
			return schema, nil
		}
	}
	return nil, nil
}

// Call calls a tool. An error that the tool or its server reports is an answer with is_error. The error of Call says
// that the server cannot be used (ErrDown) or that the name is wrong.
func (f *Fleet) Call(ctx context.Context, full string, args map[string]any) (*CallResult, error) {
	m, name, err := f.find(full)
	if err != nil {
		return nil, err
	}
	answer := &CallResult{SchemaVersion: "remote_call.v1", Name: full, Server: m.server.Name, OriginalName: name, Content: []Content{}}
	if args == nil {
		args = map[string]any{}
	}
	r, result, err := ask(ctx, f, m, func(ctx context.Context, client *mcp.ClientSession) (*mcp.CallToolResult, error) {
		return client.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: args})
	})
	var known *jsonrpc.Error
	if errors.As(err, &known) {
		answer.IsError = true
		answer.Content = append(answer.Content, Content{Type: "text", Text: known.Message})
		return answer, nil
	}
	if err != nil {
		return nil, wireFailure(err)
	}
	answer.IsError = result.IsError
	for _, c := range result.Content {
		answer.Content = append(answer.Content, content(r, c))
	}
	answer.StructuredContent = r.redactValue(result.StructuredContent)
	return answer, nil
}

// Read reads a resource. The URI goes to the server unchanged, with "..", escapes and all: only the server can
// interpret it.
func (f *Fleet) Read(ctx context.Context, full string) (*ReadResult, error) {
	m, uri, err := f.find(full)
	if err != nil {
		return nil, err
	}
	r, result, err := ask(ctx, f, m, func(ctx context.Context, client *mcp.ClientSession) (*mcp.ReadResourceResult, error) {
		return client.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
	})
	if err != nil {
		return nil, refused(m, "resources/read", err)
	}
	answer := &ReadResult{SchemaVersion: "remote_read.v1", Name: full, Server: m.server.Name, URI: uri, Contents: []Content{}}
	for _, c := range result.Contents {
		if c != nil {
			answer.Contents = append(answer.Contents, resourceContent(r, c))
		}
	}
	return answer, nil
}

// Prompt gets the messages of a prompt.
func (f *Fleet) Prompt(ctx context.Context, full string, args map[string]string) (*PromptResult, error) {
	m, name, err := f.find(full)
	if err != nil {
		return nil, err
	}
	r, result, err := ask(ctx, f, m, func(ctx context.Context, client *mcp.ClientSession) (*mcp.GetPromptResult, error) {
		return client.GetPrompt(ctx, &mcp.GetPromptParams{Name: name, Arguments: args})
	})
	if err != nil {
		return nil, refused(m, "prompts/get", err)
	}
	answer := &PromptResult{SchemaVersion: "remote_prompt.v1", Name: full, Server: m.server.Name, OriginalName: name,
		Description: r.redactContent(result.Description), Messages: []Content{}}
	for _, message := range result.Messages {
		if message == nil {
			continue
		}
		c := content(r, message.Content)
		c.Role = string(message.Role)
		answer.Messages = append(answer.Messages, c)
	}
	return answer, nil
}

// ask runs one request at a server, on the session that is open or on a new one.
func ask[T any](ctx context.Context, f *Fleet, m *member, do func(context.Context, *mcp.ClientSession) (T, error)) (*resolved, T, error) {
	var none T
	beginning, cancel := limit(ctx, f.options.Timeout)
	s, err := f.connected(beginning, m)
	cancel()
	if err != nil {
		return nil, none, err
	}
	ctx, cancel = limit(ctx, f.options.Patience)
	defer cancel()
	result, err := call(ctx, s, do)
	var failure *Failure
	if errors.As(err, &failure) {
		// One slow call must not end the others of the session.
		if failure.Code != wire.CodeTimeout || s.dead() {
			f.drop(m, s)
		} else {
			s.hung.Store(true)
		}
	}
	return s.r, result, err
}

// oldResourceNotFound is the code for an unknown resource up to protocol version 2025-11-25.
const oldResourceNotFound = -32002

// refused is the error of a request that a server answered with an error, or not at all.
func refused(m *member, method string, err error) error {
	var known *jsonrpc.Error
	if !errors.As(err, &known) {
		return wireFailure(err)
	}
	code := wire.CodeIO
	if method == "resources/read" && (known.Code == jsonrpc.CodeInvalidParams || known.Code == oldResourceNotFound) {
		code = wire.CodeNotFound
	}
	return wire.NewError(code, fmt.Sprintf("server %q refused %s: %s", m.server.Name, method, wire.Shorten(wire.Clean(known.Message), 500)), "").
		With("server", m.server.Name).With("rpc_code", known.Code)
}

// wireFailure gives a Failure its form of error.v1.
func wireFailure(err error) error {
	var failure *Failure
	if errors.As(err, &failure) {
		return failure.wire()
	}
	return err
}

func servers(all []status) []ServerStatus {
	out := make([]ServerStatus, len(all))
	for i := range all {
		out[i] = all[i].server
	}
	return out
}

func tools(all []status) []Tool {
	out := []Tool{}
	for _, s := range all {
		for _, t := range s.catalog.Tools {
			out = append(out, Tool{Name: Join(s.server.Name, t.Name), Server: s.server.Name, OriginalName: t.Name, Title: toolTitle(t),
				Description: t.Description, Hints: hints(t.Annotations), InputSchema: t.InputSchema, OutputSchema: t.OutputSchema})
		}
	}
	return out
}

func toolTitle(t *mcp.Tool) string {
	if t.Title == "" && t.Annotations != nil {
		return t.Annotations.Title
	}
	return t.Title
}

// hints names what a server claims about a tool.
func hints(a *mcp.ToolAnnotations) []string {
	if a == nil {
		return nil
	}
	var out []string
	add := func(is bool, name string) {
		if is {
			out = append(out, name)
		}
	}
	add(a.ReadOnlyHint, "read_only")
	add(a.DestructiveHint != nil && *a.DestructiveHint, "destructive")
	add(a.IdempotentHint, "idempotent")
	add(a.OpenWorldHint != nil && *a.OpenWorldHint, "open_world")
	return out
}

func resources(all []status) []Resource {
	out := []Resource{}
	for _, s := range all {
		for _, r := range s.catalog.Resources {
			out = append(out, Resource{Name: Join(s.server.Name, r.URI), Server: s.server.Name, URI: r.URI, Label: r.Name,
				Title: r.Title, Description: r.Description, MIMEType: r.MIMEType, SizeBytes: r.Size})
		}
	}
	return out
}

func templates(all []status) []Resource {
	out := []Resource{}
	for _, s := range all {
		for _, r := range s.catalog.Templates {
			out = append(out, Resource{Name: Join(s.server.Name, r.URITemplate), Server: s.server.Name, URI: r.URITemplate,
				Label: r.Name, Title: r.Title, Description: r.Description, MIMEType: r.MIMEType})
		}
	}
	return out
}

func prompts(all []status) []Prompt {
	out := []Prompt{}
	for _, s := range all {
		for _, p := range s.catalog.Prompts {
			prompt := Prompt{Name: Join(s.server.Name, p.Name), Server: s.server.Name, OriginalName: p.Name, Title: p.Title,
				Description: p.Description, Arguments: []Argument{}}
			for _, a := range p.Arguments {
				if a != nil {
					prompt.Arguments = append(prompt.Arguments, Argument{Name: a.Name, Description: a.Description, Required: a.Required})
				}
			}
			out = append(out, prompt)
		}
	}
	return out
}

// content converts a piece of content.
func content(r *resolved, c mcp.Content) Content {
	switch c := c.(type) {
	case *mcp.TextContent:
		return Content{Type: "text", Text: r.redactContent(c.Text)}
	case *mcp.ImageContent:
		return Content{Type: "image", Data: base64.StdEncoding.EncodeToString(c.Data), MIMEType: c.MIMEType}
	case *mcp.AudioContent:
		return Content{Type: "audio", Data: base64.StdEncoding.EncodeToString(c.Data), MIMEType: c.MIMEType}
	case *mcp.ResourceLink:
		return Content{Type: "resource_link", URI: c.URI, Name: c.Name, MIMEType: c.MIMEType}
	case *mcp.EmbeddedResource:
		if c.Resource != nil {
			return resourceContent(r, c.Resource)
		}
	}
	data, err := json.Marshal(c)
	if err != nil {
		data = nil
	}
	return Content{Type: "text", Text: r.redactContent(string(data))}
}

func resourceContent(r *resolved, c *mcp.ResourceContents) Content {
	return Content{Type: "resource", URI: c.URI, MIMEType: c.MIMEType, Text: r.redactContent(c.Text), Data: base64.StdEncoding.EncodeToString(c.Blob)}
}
