package remote

import (
	"bytes"
	"context"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kdd/mcpserver"
	"kdd/runtime"
	"kdd/runtime/wire"
)

// exportSession is a host's session with our own server that exports scripted ones. protocol "" is the newest.
func exportSession(t *testing.T, log io.Writer, protocol string, modes ...string) *mcp.ClientSession {
	t.Helper()
	server := mcpserver.NewServer(runtime.New(runtime.Config{Index: []string{"none.kddx"}}), io.Discard, mcpserver.Info{Name: "kdd", Version: "1"})
	Export(server, fleetOf(t, Options{}, modes...), log)
	theirs, ours := mcp.NewInMemoryTransports()
	if _, err := server.Connect(t.Context(), theirs, nil); err != nil {
		t.Fatal(err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), ours, &mcp.ClientSessionOptions{ProtocolVersion: protocol})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

func textOf(t *testing.T, r *mcp.CallToolResult) string {
	t.Helper()
	var b strings.Builder
	for _, c := range r.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			b.WriteString(text.Text)
		}
	}
	return b.String()
}

func TestExport(t *testing.T) {
	for _, protocol := range []string{"", "2025-06-18"} {
		t.Run("protocol "+protocol, func(t *testing.T) {
			var log bytes.Buffer
			session := exportSession(t, &log, protocol, "good", "crash", "evil")
			info := session.InitializeResult()
			if c := info.Capabilities; c.Tools == nil || c.Resources == nil || c.Prompts == nil || !strings.Contains(info.Instructions, StatusTool) {
				t.Errorf("begins with %+v", info)
			}
			list, err := session.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			safe := regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
			names := map[string]*mcp.Tool{}
			for _, tool := range list.Tools {
				if !safe.MatchString(tool.Name) || names[tool.Name] != nil {
					t.Errorf("tool name %q is unsafe or there twice", tool.Name)
				}
				if wire.CleanLines(tool.Description) != tool.Description {
					t.Errorf("description of %s is not neutralised: %q", tool.Name, tool.Description)
				}
				if schema, ok := tool.InputSchema.(map[string]any); !ok || schema["type"] != "object" {
					t.Errorf("%s takes %v, want an object", tool.Name, tool.InputSchema)
				}
				names[tool.Name] = tool
			}
			for _, want := range []string{"kdd_search", StatusTool, "mcp__good__echo", "mcp__good__a__b", "mcp__evil__no-schema"} {
				if names[want] == nil {
					t.Errorf("the tool %s is missing", want)
				}
			}
			if !strings.Contains(log.String(), `server "crash" is failing: it ended: exit status 3`) {
				t.Errorf("log = %q", log.String())
			}
			// Every listed tool can be called, under the name that it has there.
			called := map[string]bool{}
			for name := range names {
				if strings.HasPrefix(name, "mcp__evil__") {
					r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name})
					if err != nil || r.IsError {
						t.Fatalf("CallTool(%s) = %+v, %v", name, r, err)
					}
					called[textOf(t, r)] = true
				}
			}
			for _, want := range []string{"twice", strings.Repeat("long_", 30), "a b", "a.b", "no-schema", "a\ufffd[31mred"} {
				if !called[want+"(map[])"] {
					t.Errorf("%q was not called; got %v", want, called)
				}
			}
			// A failing server is a failed call with its reason, and in the list of servers.
			r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "mcp__crash__x"})
			if err != nil || !r.IsError || !strings.Contains(textOf(t, r), "exit status 3") {
				t.Errorf("a call of a failing server = %+v, %v", r, err)
			}
			r, err = session.CallTool(t.Context(), &mcp.CallToolParams{Name: StatusTool})
			if err != nil || r.IsError || !strings.Contains(textOf(t, r), "crash  stdio  failing") {
				t.Errorf("%s = %+v, %v", StatusTool, r, err)
			}
			// Ours are as before.
			r, err = session.CallTool(t.Context(), &mcp.CallToolParams{Name: "kdd_search", Arguments: map[string]any{"query": "x"}})
			if err != nil || !strings.Contains(textOf(t, r), "index_not_found") {
				t.Errorf("kdd_search = %+v, %v", r, err)
			}
			if _, err = session.CallTool(t.Context(), &mcp.CallToolParams{Name: "mcp__nobody__x"}); err != nil {
				t.Errorf("a call of an unknown server = %v, want a failed call", err)
			}
			// A server that dies in a call is started again by the next.
			r, err = session.CallTool(t.Context(), &mcp.CallToolParams{Name: "mcp__good__dies"})
			if err != nil || !r.IsError || !strings.Contains(textOf(t, r), "out of cheese") {
				t.Errorf("a call that kills = %+v, %v", r, err)
			}
			r, err = session.CallTool(t.Context(), &mcp.CallToolParams{Name: "mcp__good__echo", Arguments: map[string]any{"n": 1}})
			if err != nil || textOf(t, r) != "echo(map[n:1])" {
				t.Errorf("the call after it = %+v, %v", r, err)
			}
		})
	}
}

// TestExportBeforeListing calls a tool by the name that it has in the lists, which nobody asked for before.
func TestExportBeforeListing(t *testing.T) {
	session := exportSession(t, io.Discard, "", "evil")
	name := exportName("evil", "a b", map[string]bool{})
	r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name})
	if err != nil || textOf(t, r) != "a b(map[])" {
		t.Errorf("CallTool(%s) = %+v, %v, want that the tool was called", name, r, err)
	}
}

func TestExportResourcesAndPrompts(t *testing.T) {
	session := exportSession(t, io.Discard, "", "good")
	resources, err := session.ListResources(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var uris []string
	for _, r := range resources.Resources {
		uris = append(uris, r.URI)
	}
	for _, want := range []string{"mcp://good/file:///a/../b.md", "mcp://good/note://x__y"} {
		if !slices.Contains(uris, want) {
			t.Errorf("resources = %q, want %s among them", uris, want)
		}
	}
	for _, uri := range []string{"mcp://good/file:///a/../b.md", "mcp__good__file:///a/../b.md"} {
		r, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err != nil || r.Contents[0].Text != "content of file:///a/../b.md" || r.Contents[0].URI != "mcp://good/x" {
			t.Errorf("ReadResource(%s) = %+v, %v", uri, r, err)
		}
	}
	if _, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "mcp://nobody/x"}); err == nil || !strings.Contains(err.Error(), `no server "nobody"`) {
		t.Errorf("ReadResource of nobody = %v", err)
	}
	templates, err := session.ListResourceTemplates(t.Context(), nil)
	if err != nil || !slices.ContainsFunc(templates.ResourceTemplates, func(r *mcp.ResourceTemplate) bool { return r.URITemplate == "mcp://good/note://{id}" }) {
		t.Errorf("templates = %+v, %v", templates, err)
	}
	prompts, err := session.ListPrompts(t.Context(), nil)
	if err != nil || !slices.ContainsFunc(prompts.Prompts, func(p *mcp.Prompt) bool { return p.Name == "mcp__good__greet__twice" && len(p.Arguments) == 1 }) {
		t.Errorf("prompts = %+v, %v", prompts, err)
	}
	got, err := session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "mcp__good__greet__twice", Arguments: map[string]string{"who": "you"}})
	if err != nil || got.Messages[0].Content.(*mcp.TextContent).Text != "hello you" {
		t.Errorf("GetPrompt = %+v, %v", got, err)
	}
	done, err := session.Complete(t.Context(), &mcp.CompleteParams{Ref: &mcp.CompleteReference{Type: "ref/prompt", Name: "mcp__good__greet__twice"},
		Argument: mcp.CompleteParamsArgument{Name: "who", Value: "y"}})
	if err != nil || len(done.Completion.Values) != 0 {
		t.Errorf("Complete at a server without completion = %+v, %v", done, err)
	}
}

// TestExportCancel checks that a host's cancellation ends its call and no other.
func TestExportCancel(t *testing.T) {
	session := exportSession(t, io.Discard, "2025-06-18", "good")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "mcp__good__hangs"})
		done <- err
	}()
	if r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "mcp__good__echo"}); err != nil || r.IsError {
		t.Errorf("a call beside one that hangs = %+v, %v", r, err)
	}
	cancel()
	if err := <-done; err == nil {
		t.Error("a cancelled call succeeded")
	}
	if r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "mcp__good__echo"}); err != nil || r.IsError {
		t.Errorf("a call after it = %+v, %v", r, err)
	}
}

func TestExportName(t *testing.T) {
	taken := map[string]bool{}
	long := strings.Repeat("x", 60)
	// The hashes are the first digits of SHA-256("mcp__a__b") and so on.
	tests := []struct{ server, name, want string }{
		{"a", "b", "mcp__a__b"},
		{"a", "b__c", "mcp__a__b__c"},
		{"a", "b", "mcp__a__b_a9ac39f0"},
		{"a", "b.c", "mcp__a__b_c_edbae509"},
		{"a b", "c", "mcp__a_b__c_a3f6c1ef"},
		{"a", long[:56], "mcp__a__" + long[:56]},
		{"a", long, "mcp__a__" + long[:47] + "_ebc0ea76"},
	}
	for _, tt := range tests {
		if got := exportName(tt.server, tt.name, taken); got != tt.want {
			t.Errorf("exportName(%q, %q) = %q, want %q", tt.server, tt.name, got, tt.want)
		}
	}
}

// TestCancelledListing checks that who gives up while a server is being asked leaves no failure behind for the others.
func TestCancelledListing(t *testing.T) {
	fleet := fleetOf(t, Options{}, "good")
	m := fleet.members[0]
	<-m.lock // another is opening the session
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var down *Failure
	if _, _, err := fleet.listing(ctx, m); !errors.Is(err, context.Canceled) || errors.As(err, &down) {
		t.Errorf("a cancelled listing = %v, want the cancellation alone", err)
	}
	m.lock <- struct{}{}
	if got, _, err := fleet.listing(t.Context(), m); err != nil || len(got.Tools) == 0 {
		t.Errorf("the listing after it = %+v, %v", got, err)
	}
}
