package mcpserver

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kdd/runtime"
)

// connected returns the SDK's own client, connected to ServeStdio through pipes.
func connected(t *testing.T, svc *runtime.Service, options *mcp.ClientSessionOptions) *mcp.ClientSession {
	t.Helper()
	serverIn, clientOut := io.Pipe()
	clientIn, serverOut := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := ServeStdio(context.WithoutCancel(t.Context()), svc, serverIn, serverOut, io.Discard, Info{Name: "kddq", Version: "1.0.0"})
		serverOut.Close()
		done <- err
	}()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: clientIn, Writer: clientOut}, options)
	if err != nil {
		t.Fatalf("Connect = %v", err)
	}
	t.Cleanup(func() {
		session.Close()
		if err := <-done; err != nil {
			t.Errorf("ServeStdio = %v, want nil", err)
		}
		svc.Close()
	})
	return session
}

// text returns the text of a result.
func text(t *testing.T, result *mcp.CallToolResult) string {
	t.Helper()
	if len(result.Content) != 1 {
		t.Fatalf("%d contents, want 1", len(result.Content))
	}
	content, ok := result.Content[0].(*mcp.TextContent)
	if !ok {
		t.Fatalf("content %T, want text", result.Content[0])
	}
	return content.Text
}

func TestTheSDKsClientListsAndCalls(t *testing.T) {
	for _, version := range mcp.SupportedProtocolVersions() {
		t.Run(version, func(t *testing.T) {
			session := connected(t, runtime.New(runtime.Config{Dir: t.TempDir()}), &mcp.ClientSessionOptions{ProtocolVersion: version})
			listed, err := session.ListTools(t.Context(), nil)
			if err != nil || len(listed.Tools) != len(runtime.Listed()) || listed.NextCursor != "" {
				t.Fatalf("ListTools = %v, %v, want all in one page", listed, err)
			}
			for _, tool := range listed.Tools {
				for name, schema := range map[string]any{"input": tool.InputSchema, "output": tool.OutputSchema} {
					if schema == nil {
						continue
					}
					data, err := json.Marshal(schema)
					if err != nil {
						t.Fatal(err)
					}
					var s jsonschema.Schema
					if err := json.Unmarshal(data, &s); err != nil {
						t.Fatalf("%s: %s schema: %v", tool.Name, name, err)
					}
					if _, err := s.Resolve(nil); err != nil {
						t.Errorf("%s: %s schema: %v", tool.Name, name, err)
					}
				}
			}
			result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "kdd_search", Arguments: map[string]any{"quary": "x"}})
			if err != nil || !result.IsError || !strings.Contains(text(t, result), `did you mean \"query\"?`) {
				t.Errorf("CallTool = %v, %v, want an error with a cure", result, err)
			}
			if _, err = session.CallTool(t.Context(), &mcp.CallToolParams{Name: "kdd_serch"}); err == nil || !strings.Contains(err.Error(), `did you mean "kdd_search"?`) {
				t.Errorf("CallTool of no tool = %v, want a protocol error with a cure", err)
			}
		})
	}
}
