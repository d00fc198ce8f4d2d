package mcpserver

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kdd/runtime"
	"kdd/runtime/wire"
)

// templateArguments says how the variables of the resource templates are completed.
var templateArguments = map[string]map[string]string{
	docTemplate:     {"path": runtime.CompletePath},
	sectionTemplate: {"path": runtime.CompletePath, "anchor": runtime.CompleteAnchor},
}

// complete answers completion/complete for the arguments of prompts and the variables of resource templates.
func complete(svc *runtime.Service) func(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	return func(ctx context.Context, request *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
		ref, argument := request.Params.Ref, request.Params.Argument
		name, kinds := ref.URI, templateArguments[ref.URI]
		if ref.Type == "ref/prompt" {
			name, kinds = ref.Name, nil
			if p := promptNamed(ref.Name); p != nil {
				kinds = p.completed()
			}
		}
		if kinds == nil {
			return nil, invalid("nothing to complete for %q", name)
		}
		kind, ok := kinds[argument.Name]
		if !ok {
			return nil, invalid("%s has no argument %q", name, argument.Name)
		}
		q := runtime.CompleteRequest{Kind: kind, Typed: argument.Value}
		if request.Params.Context != nil {
			q.Of = request.Params.Context.Arguments["path"]
		}
		done, err := svc.Complete(ctx, q)
		if err != nil {
			return nil, protocolError(err, "")
		}
		return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: done.Values, Total: done.Total, HasMore: done.Total > len(done.Values)}}, nil
	}
}

// invalid is the protocol error for wrong parameters.
func invalid(format string, args ...any) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: wire.Clean(wire.Shorten(fmt.Sprintf(format, args...), 300))}
}
