package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kdd/runtime"
	"kdd/runtime/render"
	"kdd/runtime/wire"
)

const (
	indexURI        = "kdd://index"
	docTemplate     = "kdd://doc/{+path}" // {path} would not match a slash; it takes #anchor too
	sectionTemplate = "kdd://doc/{+path}{#anchor}"

	maxResourceBytes = 64 << 10 // of a document; kdd_read_section reads the rest
	maxIndexBytes    = 16 << 10
	maxURI           = 200 // of an address in an error
)

// addResources registers what a host can attach: an overview of the index, and each document and section by its
// address.
func addResources(server *mcp.Server, svc *runtime.Service) {
	server.AddResource(&mcp.Resource{
		URI: indexURI, Name: "index", Title: "What the index holds", MIMEType: "text/markdown",
		Description: "Counts, kinds, model and freshness of the documentation index, and the documents in it.",
	}, overview(svc))
	read := document(svc)
	server.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: docTemplate, Name: "document", Title: "A document", MIMEType: "text/markdown",
		Description: "The markdown of a document, by its path as search results have it, up to 64 KiB; behind # an anchor for one section.",
	}, read)
	server.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: sectionTemplate, Name: "section", Title: "A section of a document", MIMEType: "text/markdown",
		Description: "The markdown of one section, by the path of its document and its anchor.",
	}, read)
}

// overview answers kdd://index with what kdd_stats and kdd_list answer.
func overview(svc *runtime.Service) mcp.ResourceHandler {
	return func(ctx context.Context, request *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		stats, err := svc.Stats(ctx, wire.StatsRequest{Page: wire.Page{MaxBytes: maxIndexBytes}})
		if err != nil {
			return nil, err
		}
		list, err := svc.List(ctx, wire.ListRequest{Limit: 200, Page: wire.Page{MaxBytes: maxIndexBytes}})
		if err != nil {
			return nil, err
		}
		return contents(request.Params.URI, agentText(brief(stats))+"\n"+agentText(list)), nil
	}
}

// document answers kdd://doc/PATH[?index=NAME][#ANCHOR] with the text that kdd_read_section has for it.
func document(svc *runtime.Service) mcp.ResourceHandler {
	return func(ctx context.Context, request *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		answer, err := svc.Read(ctx, wire.ReadRequest{File: request.Params.URI, MaxBytes: maxResourceBytes})
		if err != nil {
			return nil, err
		}
		return contents(request.Params.URI, agentText(answer)), nil
	}
}

// readResource asks next for a resource, with the address in the form that the templates match. An error becomes a
// protocol error whose data is error.v1. That of the SDK for an unknown address is replaced too: its data repeats the
// address with control characters.
func readResource(ctx context.Context, next mcp.MethodHandler, method string, request mcp.Request, params *mcp.ReadResourceParams) (mcp.Result, error) {
	asked := params.URI
	params.URI = plainURI(asked)
	result, err := next(ctx, method, request)
	var rpc *jsonrpc.Error
	switch {
	case hasCode(err, jsonrpc.CodeInvalidParams):
		message := fmt.Sprintf("no resource %q", wire.Clean(wire.Shorten(asked, maxURI)))
		return nil, protocolError(wire.NewError(wire.CodeNotFound, message, "there are kdd://index and kdd://doc/PATH"), asked)
	case errors.As(err, &rpc):
		return nil, err
	case err != nil:
		return nil, protocolError(err, params.URI)
	}
	if read, ok := result.(*mcp.ReadResourceResult); ok {
		for _, c := range read.Contents {
			c.URI = wire.Clean(asked)
		}
	}
	return result, nil
}

func contents(uri, text string) *mcp.ReadResourceResult {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: "text/markdown", Text: text}}}
}

// brief removes the size of each block from an overview: only people who examine the file need it.
func brief(answer any) any {
	if stats, ok := answer.(*wire.StatsResponse); ok {
		for i := range stats.Artifacts {
			stats.Artifacts[i].Blocks = nil
		}
	}
	return answer
}

// agentText is the text form of an answer for a model. All prose that leaves this server goes through here.
func agentText(answer any) string {
	text := render.Text(answer, render.Style{Agent: true})
	if _, reading := answer.(*wire.ReadResponse); !reading { // the parts of a document, joined, are the document
		text = strings.TrimSuffix(text, "\n")
	}
	return wire.CleanLines(text)
}

// protocolError is a failure of a method whose result cannot hold one. If something is missing or wrong its code is
// invalid params, else internal error. Its data is error.v1.
func protocolError(err error, uri string) error {
	e := wire.AsError(err)
	code := int64(jsonrpc.CodeInternalError)
	switch e.Code {
	case wire.CodeNotFound, wire.CodeInvalidInput, wire.CodeTooLarge:
		code = jsonrpc.CodeInvalidParams
	}
	data := map[string]any{"error": e}
	if uri != "" {
		data["uri"] = wire.Shorten(uri, maxURI)
	}
	return &jsonrpc.Error{Code: code, Message: wire.Clean(e.Code + ": " + e.Error()), Data: json.RawMessage(wire.CleanJSON(wire.Encode(data)))}
}

// plainURI percent-encodes characters that people leave unencoded in an address, so that the templates match: spaces,
// letters beyond ASCII, quotes, a percent sign. Other addresses are returned unchanged.
func plainURI(uri string) string {
	const plain = "-._~:/?#[]@!$&'()*+,;="
	if !strings.HasPrefix(uri, "kdd://doc/") {
		return uri
	}
	var b strings.Builder
	for i, r := range uri {
		switch {
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(plain, r),
			r == '%' && len(uri) > i+2 && isHex(uri[i+1]) && isHex(uri[i+2]):
			b.WriteRune(r)
		default:
			b.WriteString(url.PathEscape(string(r)))
		}
	}
	return b.String()
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }
