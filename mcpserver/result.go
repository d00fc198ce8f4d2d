package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kdd/runtime/wire"
)

// plainResult is a result of a text and perhaps structured content that is JSON already. The SDK's encoder goes over all
// of it once for each of the four layers that it stands in; this one writes it once.
type plainResult struct {
	*mcp.CallToolResult
	complete bool // it says that it is, as StatelessVersion wants
}

// completeEnd ends a result of StatelessVersion, in place of its bracket.
const completeEnd = `,"resultType":"complete"}`

// plain returns a result as plainResult, if it is no more than that. Of one that is more the SDK sets the type of the result.
func plain(r *mcp.CallToolResult, version string) mcp.Result {
	if text, _ := plainContent(r); text == nil || r.InputRequests != nil {
		return r
	}
	return &plainResult{r, version >= StatelessVersion}
}

// plainContent returns the text and the structured content of a result; the text is nil where there is more or other content.
func plainContent(r *mcp.CallToolResult) (*mcp.TextContent, json.RawMessage) {
	if r == nil || len(r.Content) != 1 {
		return nil, nil
	}
	text, ok := r.Content[0].(*mcp.TextContent)
	if !ok || text == nil || text.Meta != nil || text.Annotations != nil {
		return nil, nil
	}
	structured, ok := r.StructuredContent.(json.RawMessage)
	if !ok && r.StructuredContent != nil {
		return nil, nil
	}
	return text, structured
}

// noContent is how the SDK encodes the content of a result that has none. Only a key can look like this: inside a string
// the quotes are escaped.
var noContent = []byte(`"content":[]`)

// MarshalJSON returns what the SDK returns, but for escapes of <, > and &: the SDK's encoding of all but the content, and
// the content in it.
func (r *plainResult) MarshalJSON() ([]byte, error) {
	rest := *r.CallToolResult
	rest.Content, rest.StructuredContent = []mcp.Content{}, nil
	around, err := rest.MarshalJSON()
	if err != nil {
		return nil, err
	}
	before, after, ok := bytes.Cut(around, noContent)
	if !ok {
		return nil, fmt.Errorf("a result without content is %s, want %s in it", around, noContent)
	}
	text, structured := plainContent(r.CallToolResult)
	out := make([]byte, 0, len(around)+len(text.Text)+len(text.Text)/8+len(structured)+128)
	out = append(appendContent(append(out, before...), text.Text, structured), after...)
	if r.complete {
		out = append(out[:len(out)-1], completeEnd...)
	}
	return out, nil
}

// appendContent appends the members content and, where there is structured content, structuredContent.
func appendContent(out []byte, text string, structured json.RawMessage) []byte {
	out = append(out, `"content":[{"type":"text","text":`...)
	out = append(append(out, wire.Encode(text)...), "}]"...)
	if structured != nil {
		out = append(append(out, `,"structuredContent":`...), structured...)
	}
	return out
}

// appendResponse appends a response of JSON-RPC.
func appendResponse(out []byte, id jsonrpc.ID, result json.RawMessage) []byte {
	out = append(out, `{"jsonrpc":"2.0","id":`...)
	out = append(append(out, wire.Encode(id.Raw())...), `,"result":`...)
	return append(append(out, result...), '}')
}
