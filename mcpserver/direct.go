package mcpserver

import (
	"context"
	"encoding/json"
	"strings"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kdd/runtime"
	"kdd/runtime/wire"
)

// StatelessVersion is the first version of the protocol that knows no sessions.
const StatelessVersion = "2026-07-28"

// Direct answers calls of tools where no session is needed: the answer of NewServer's server to the same request, without
// the session, two goroutines and nine decoders of 32 KB that the SDK makes for a request over HTTP.
type Direct struct {
	svc  *runtime.Service
	last atomic.Pointer[clientMeta]
	meta []byte // the members of a result that StatelessVersion wants before the content
}

// NewDirect returns a Direct that opens nothing.
func NewDirect(svc *runtime.Service, info Info) *Direct {
	object := wire.Encode(map[string]any{"_meta": map[string]any{mcp.MetaKeyServerInfo: implementation(info)}})
	return &Direct{svc: svc, meta: append(object[1:len(object)-1], ',')}
}

// clientMeta is a request's _meta that was found to be right, with its version: a client sends the same with each call.
type clientMeta struct{ raw, version string }

// Call is a request that Direct answers.
type Call struct {
	Tool    string
	Version string // of the protocol, as the request's _meta has it; "" where it has none

	id        jsonrpc.ID
	arguments json.RawMessage
}

// Parse returns the call in a message, or nil if the SDK has to answer it: because it is of another method or an unknown tool, has
// members that tools/call does not need, asks for progress notifications, or is wrong in any way.
func (d *Direct) Parse(m *Message) *Call {
	request := m.request
	if request == nil || !request.IsCall() || request.Method != "tools/call" {
		return nil
	}
	var params map[string]json.RawMessage
	if json.Unmarshal(request.Params, &params) != nil {
		return nil
	}
	c := &Call{id: request.ID}
	for name, value := range params {
		switch name {
		case "name":
			if json.Unmarshal(value, &c.Tool) != nil {
				return nil
			}
		case "arguments":
			c.arguments = value
		case "_meta":
			var ok bool
			if c.Version, ok = d.version(value); !ok {
				return nil
			}
		default:
			return nil
		}
	}
	if tools()[c.Tool] == nil {
		return nil
	}
	return c
}

// version returns the version of the protocol in a request's _meta, and whether there is nothing else in it that matters.
func (d *Direct) version(raw json.RawMessage) (version string, ok bool) {
	if last := d.last.Load(); last != nil && last.raw == string(raw) {
		return last.version, true
	}
	var meta map[string]json.RawMessage
	if json.Unmarshal(raw, &meta) != nil {
		return "", false
	}
	var client *mcp.Implementation
	var able *mcp.ClientCapabilities
	for name, value := range meta {
		var err error
		switch name {
		case mcp.MetaKeyProtocolVersion:
			err = json.Unmarshal(value, &version)
		case mcp.MetaKeyClientInfo:
			err = json.Unmarshal(value, &client)
		case mcp.MetaKeyClientCapabilities:
			err = json.Unmarshal(value, &able)
		case "progressToken":
			return "", false
		default:
			if strings.HasPrefix(name, "io.modelcontextprotocol/") {
				return "", false
			}
		}
		if err != nil {
			return "", false
		}
	}
	if _, has := meta[mcp.MetaKeyClientInfo]; has && client == nil || meta != nil && (version == "" || able == nil) {
		return "", false
	}
	if len(raw) <= maxMetaKept {
		d.last.Store(&clientMeta{string(raw), version})
	}
	return version, true
}

// maxMetaKept bounds the bytes of the _meta that is remembered.
const maxMetaKept = 4096

// Answer runs a call and returns the response.
func (d *Direct) Answer(ctx context.Context, c *Call) []byte {
	return d.response(c, callTool(ctx, tools()[c.Tool], d.svc, c.arguments, nil))
}

// Failed returns the response to a call that err kept from being answered.
func (d *Direct) Failed(c *Call, err error) []byte { return d.response(c, failure(err)) }

func (d *Direct) response(c *Call, r *mcp.CallToolResult) []byte {
	text, structured := plainContent(r)
	result := make([]byte, 0, len(text.Text)+len(text.Text)/8+len(structured)+512)
	result = append(result, '{')
	if c.Version != "" {
		result = append(result, d.meta...)
	}
	result = appendContent(result, text.Text, structured)
	if r.IsError {
		result = append(result, `,"isError":true`...)
	}
	result = append(result, '}')
	if c.Version != "" {
		result = append(result[:len(result)-1], completeEnd...)
	}
	return appendResponse(make([]byte, 0, len(result)+128), c.id, result)
}
