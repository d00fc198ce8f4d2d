package answers

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"kdd/mcpserver"
	"kdd/runtime"
)

// patience is how long an answer may take before it counts as none.
const patience = time.Minute

// session is a host's end of the MCP server's standard streams, one request at a time: what it reads are the bytes
// that a host gets.
type session struct {
	in    io.WriteCloser
	lines *bufio.Reader
	out   io.Closer
	last  int // id of the last request
}

// result is the result of tools/call.
type result struct {
	Content           []struct{ Type, Text string }
	StructuredContent json.RawMessage
	IsError           bool
}

// connect starts a server over pipes and shakes hands with it.
func connect(ctx context.Context, svc *runtime.Service) (*session, error) {
	serverIn, in := io.Pipe()
	out, serverOut := io.Pipe()
	go func() {
		err := mcpserver.ServeStdio(ctx, svc, serverIn, serverOut, io.Discard, mcpserver.Info{Name: "kddq", Version: "1"})
		serverOut.CloseWithError(errors.Join(err, io.EOF))
	}()
	s := &session{in: in, lines: bufio.NewReader(out), out: out}
	hello := json.RawMessage(`{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"answers","version":"1"}}`)
	if err := s.request("initialize", hello, nil); err != nil {
		return nil, err
	}
	_, err := io.WriteString(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	return s, err
}

func (s *session) close() {
	s.in.Close()
	s.out.Close()
}

// request sends a request and decodes its result. A JSON-RPC error, a line that is none of its answer, and no answer
// within patience are errors.
func (s *session) request(method string, params json.RawMessage, into any) error {
	s.last++
	timer := time.AfterFunc(patience, s.close)
	defer timer.Stop()
	if _, err := fmt.Fprintf(s.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", s.last, method, params); err != nil {
		return fmt.Errorf("%s is not taken within %v: %w", method, patience, err)
	}
	line, err := s.lines.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("%s is not answered within %v: %w", method, patience, err)
	}
	var message struct {
		ID     int
		Result json.RawMessage
		Error  json.RawMessage
	}
	if err := json.Unmarshal(line, &message); err != nil {
		return fmt.Errorf("%s: %w: %.200s", method, err, line)
	}
	if message.ID != s.last || message.Error != nil {
		return fmt.Errorf("%s with id %d: got %.300s", method, s.last, line)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(message.Result, into)
}

// call calls a tool with arguments, which may be any JSON.
func (s *session) call(name string, arguments json.RawMessage) (*result, error) {
	var r result
	params := fmt.Appendf(nil, `{"name":%q,"arguments":%s}`, name, arguments)
	return &r, s.request("tools/call", params, &r)
}
