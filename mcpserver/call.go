package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kdd/runtime"
	"kdd/runtime/wire"
)

// callTool answers a call of o. Every failure is a result: an agent reads it and can do better.
func callTool(ctx context.Context, o *runtime.Operation, svc *runtime.Service, call *mcp.CallToolRequest) (result *mcp.CallToolResult) {
	defer func() {
		if r := recover(); r != nil {
			result = Failure(wire.NewError(wire.CodeInternal, fmt.Sprintf("%s: %v", o.Tool, r), "this is a mistake in kdd; please report it"))
		}
	}()
	args, err := arguments(o, call.Params.Arguments)
	if err != nil {
		return Failure(err)
	}
	if args[runtime.Detail] == nil && o.Param(runtime.Detail) != nil { // every byte is paid for
		args = maps.Clone(args)
		if args == nil {
			args = map[string]any{}
		}
		args[runtime.Detail] = wire.DetailBrief
	}
	end := progressing(ctx, call)
	answer, err := o.Run(ctx, svc, args)
	end()
	if err != nil {
		return Failure(err)
	}
	return success(o, answer)
}

// arguments decodes the arguments of a call to o. Some hosts send the object as a string of JSON; that is taken too. No
// arguments and null are the empty object.
func arguments(o *runtime.Operation, raw json.RawMessage) (map[string]any, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) > 0 && raw[0] == '"' {
		var text string
		if json.Unmarshal(raw, &text) == nil && strings.HasPrefix(strings.TrimSpace(text), "{") {
			raw = bytes.TrimSpace([]byte(text))
		}
	}
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var args map[string]any
	if wire.Decode(raw, &args) != nil {
		kind := wire.JSONKind(raw[0])
		if raw[0] == '{' {
			kind = "a broken object"
		}
		e := wire.NewError(wire.CodeInvalidInput, "arguments: got "+kind+", want an object", "").With("field", "arguments")
		if len(o.Examples) > 0 {
			e.Hint = "for example " + string(wire.Encode(o.Examples[0]))
		}
		return nil, e
	}
	return args, nil
}

// success is an answer as text and, unless it is prose, as structured content.
func success(o *runtime.Operation, answer any) *mcp.CallToolResult {
	result := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: agentText(answer)}}}
	if !o.Prose {
		result.StructuredContent = json.RawMessage(wire.CleanJSON(wire.Encode(answer)))
	}
	return result
}

// Failure is the result of a call that failed: error.v1 as text. It has no structured content, which would have to
// match the tool's output schema.
func Failure(err error) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: string(wire.CleanJSON(wire.Encode(wire.AsError(err))))}}}
}
