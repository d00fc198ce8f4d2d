package mcpserver

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kdd/runtime/wire"
)

const (
	drainTime       = 2 * time.Second        // for running calls once the input has ended
	stopTime        = 100 * time.Millisecond // for those that were cancelled then
	maxCalls        = 1024                   // in flight; more wait in the pipe
	maxCallsBytes   = 64 << 20               // of their requests together
	maxErrorMessage = 1000                   // bytes of an error's text: the SDK quotes whole requests
)

// lineConn is an mcp.Connection over lines. It refuses lines that are not messages and counts the calls in flight. When
// the input ends, it reports that to the SDK only after those calls have been answered.
type lineConn struct {
	ctx   context.Context // of the server: when it ends, so does the session
	lines chan line
	out   io.Writer
	end   chan struct{} // closed when the SDK has been told that the input ended
	ended sync.Once
	late  time.Time // when calls that still run are given up; set before end is closed

	closed chan struct{}
	once   sync.Once

	writing sync.Mutex // for whole lines on out
	mute    bool       // nothing is written any more

	mu       sync.Mutex
	calls    map[jsonrpc.ID]int // request bytes by id
	answers  int                // of calls that are being written
	bytes    int
	finished chan struct{} // holds a token when a call ended
}

// line is what was read: either data or err.
type line struct {
	data []byte
	err  error
}

func newLineConn(ctx context.Context, in io.Reader, out io.Writer) *lineConn {
	c := &lineConn{ctx: ctx, lines: make(chan line), out: out, end: make(chan struct{}), closed: make(chan struct{}),
		calls: map[jsonrpc.ID]int{}, finished: make(chan struct{}, 1)}
	// A read of standard input cannot be interrupted: this goroutine lives until the input or the process ends.
	go func() {
		reader := newFrameReader(in, maxFrameBytes)
		for {
			data, err := reader.next()
			select {
			case c.lines <- line{data, err}:
			case <-c.closed:
				return
			}
			if err != nil && !errors.Is(err, errFrameTooLong) {
				return
			}
		}
	}()
	return c
}

// Connect makes the connection its own transport.
func (c *lineConn) Connect(context.Context) (mcp.Connection, error) { return c, nil }

// SessionID is empty: a stream is one session.
func (c *lineConn) SessionID() string { return "" }

// Read returns the next request or notification, and io.EOF after the end of the input once all calls are answered.
func (c *lineConn) Read(context.Context) (jsonrpc.Message, error) {
	for {
		select {
		case <-c.closed:
			return nil, io.EOF
		case <-c.ctx.Done():
			return nil, c.stop()
		case l := <-c.lines:
			request, err := c.accept(l)
			if err != nil {
				return nil, err
			}
			if request != nil {
				return request, nil
			}
		}
	}
}

// accept returns the request in a line, or the error that ends the session. Both are nil if the line was refused or
// needs no answer.
func (c *lineConn) accept(l line) (*jsonrpc.Request, error) {
	switch {
	case errors.Is(l.err, errFrameTooLong):
		return nil, c.write(refuse(nil, jsonrpc.CodeInvalidRequest, "message longer than %d bytes", maxFrameBytes).bytes())
	case l.err != nil:
		c.late = time.Now().Add(drainTime)
		c.wait(drainTime, func() bool { return len(c.calls)+c.answers == 0 })
		return nil, c.stop()
	}
	request, refused := parseFrame(l.data)
	if refused != nil {
		return nil, c.write(refused.bytes())
	}
	if request == nil || !request.IsCall() {
		return request, nil
	}
	c.wait(0, func() bool {
		running := len(c.calls) + c.answers
		return running < maxCalls && c.bytes+len(l.data) <= maxCallsBytes || running == 0
	})
	c.mu.Lock()
	_, twice := c.calls[request.ID]
	if !twice {
		c.calls[request.ID] = len(l.data)
		c.bytes += len(l.data)
	}
	c.mu.Unlock()
	if twice {
		return nil, c.write(refuse(nil, jsonrpc.CodeInvalidRequest, "id %v belongs to a call that is still running", request.ID.Raw()).bytes())
	}
	return request, nil
}

// wait blocks until ready returns true, but not longer than limit (0: no limit). ready is called with mu held.
func (c *lineConn) wait(limit time.Duration, ready func() bool) {
	var late <-chan time.Time
	if limit > 0 {
		timer := time.NewTimer(limit)
		defer timer.Stop()
		late = timer.C
	}
	for {
		c.mu.Lock()
		ok := ready()
		c.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-c.finished:
		case <-late:
			return
		case <-c.closed:
			return
		case <-c.ctx.Done():
			return
		}
	}
}

// stop tells serve that the input has ended.
func (c *lineConn) stop() error {
	c.ended.Do(func() {
		if c.late.IsZero() { // the context has ended, not the input
			c.late = time.Now().Add(drainTime)
		}
		close(c.end)
	})
	return io.EOF
}

// Write sends a message of the SDK as one line.
func (c *lineConn) Write(_ context.Context, message jsonrpc.Message) error {
	response, isResponse := message.(*jsonrpc.Response)
	if isResponse && response.Error != nil {
		tidied := *response
		tidied.Error = tidyError(response.Error)
		message = &tidied
	}
	data, err := jsonrpc.EncodeMessage(message)
	if err != nil {
		return err
	}
	if isResponse { // once a client has the answer, it may use the id again
		c.mu.Lock()
		c.answers++
		c.bytes -= c.calls[response.ID]
		delete(c.calls, response.ID)
		c.mu.Unlock()
	}
	err = c.write(PlainHTML(data))
	if isResponse {
		c.mu.Lock()
		c.answers--
		c.mu.Unlock()
		select {
		case c.finished <- struct{}{}:
		default:
		}
	}
	return err
}

// write sends one line, whole.
func (c *lineConn) write(data []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	if c.mute {
		return io.ErrClosedPipe
	}
	_, err := c.out.Write(append(data, '\n'))
	return err
}

// Close ends reading. in and out are the caller's to close.
func (c *lineConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return nil
}

// silence stops all later writes. It does not wait for a write that hangs.
func (c *lineConn) silence() {
	if c.writing.TryLock() {
		c.mute = true
		c.writing.Unlock()
	}
}

// tidyError gives an error of the SDK a code and a message that help a reader.
//
// The SDK has no error types for these, so two of its texts are known here; lifecycle.txtar and bad_requests.txtar show
// if they change.
func tidyError(err error) error {
	var known *jsonrpc.Error
	tidied := jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: err.Error()}
	if errors.As(err, &known) {
		tidied.Code, tidied.Data = known.Code, known.Data
	}
	if strings.HasSuffix(tidied.Message, "is invalid during session initialization") {
		tidied.Message += `: send "initialize" first, or a protocol version in _meta`
	}
	// what follows quotes the request and Go types
	tidied.Message, _, _ = strings.Cut(tidied.Message, ": unmarshaling ")
	tidied.Message = wire.Shorten(wire.Clean(tidied.Message), maxErrorMessage)
	return &tidied
}

// PlainHTML undoes the escapes of <, > and & in the SDK's JSON, so that structured content has the same bytes as on the
// command line. An escaped backslash before "u003c" is left alone. The result overwrites data.
func PlainHTML(data []byte) []byte {
	if !bytes.Contains(data, []byte(`\u00`)) {
		return data
	}
	out := data[:0]
	for i := 0; i < len(data); i++ {
		if data[i] != '\\' || i+1 == len(data) {
			out = append(out, data[i])
			continue
		}
		if i+6 <= len(data) {
			switch string(data[i : i+6]) {
			case `\u003c`:
				out = append(out, '<')
				i += 5
				continue
			case `\u003e`:
				out = append(out, '>')
				i += 5
				continue
			case `\u0026`:
				out = append(out, '&')
				i += 5
				continue
			}
		}
		out = append(out, data[i], data[i+1])
		i++
	}
	return out
}
