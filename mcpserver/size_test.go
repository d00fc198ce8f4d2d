package mcpserver

import (
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kdd/runtime"
	"kdd/runtime/wire"
)

// What an agent pays in its context: the list of tools at the start of each session, and each answer. Bounds in bytes
// (bench/runs/2026-11-26-epyc/mcp-size).
const (
	maxListed  = 10_000 // names, titles, descriptions and input schemas of tools/list
	maxOutputs = 16_000 // output schemas of tools/list
	maxFive    = 1_950  // structured content of five hits of the handbook
)

func TestWhatAnAgentPays(t *testing.T) {
	outputs, listed := 0, 0
	for _, one := range described() {
		if one.OutputSchema != nil {
			outputs += len(wire.Encode(one.OutputSchema))
		}
		n := len(one.Name) + len(one.Title) + len(one.Description) + len(wire.Encode(one.InputSchema))
		t.Logf("%s: %d bytes", one.Name, n)
		listed += n
	}
	t.Logf("tools %d bytes, output schemas %d bytes", listed, outputs)
	if listed > maxListed || outputs > maxOutputs {
		t.Errorf("tools have %d bytes and their output schemas %d, want at most %d and %d", listed, outputs, maxListed, maxOutputs)
	}
	svc := runtime.New(runtime.Config{Index: []string{testIndex(t)}})
	defer svc.Close()
	for _, query := range []string{"how does authentication work", "refresh token", "retry policy of webhooks", "audit log", "access"} {
		args, err := json.Marshal(map[string]any{"query": query})
		if err != nil {
			t.Fatal(err)
		}
		result := callTool(t.Context(), runtime.OperationNamed("search"), svc, toolCall(args))
		data, _ := result.StructuredContent.(json.RawMessage)
		var answer wire.SearchResponse
		if err := json.Unmarshal(data, &answer); err != nil || answer.Count != 5 {
			t.Fatalf("%s: %s, %v, want five hits", query, data, err)
		}
		full, _ := json.Marshal(map[string]any{"query": query, "detail": "full"})
		whole := callTool(t.Context(), runtime.OperationNamed("search"), svc, toolCall(full)).StructuredContent.(json.RawMessage)
		said := result.Content[0].(*mcp.TextContent).Text
		t.Logf("%q: %d bytes of JSON, in full %d, %d of text", query, len(data), len(whole), len(said))
		if len(data) > maxFive {
			t.Errorf("%q: five hits have %d bytes, want at most %d:\n%s", query, len(data), maxFive, data)
		}
	}
}

// described are the tools as a host lists them.
func described() []*mcp.Tool {
	var all []*mcp.Tool
	operations := runtime.Listed()
	for i := range operations {
		all = append(all, tool(&operations[i]))
	}
	return all
}
