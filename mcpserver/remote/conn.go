package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kdd/mcpserver"
	"kdd/runtime/wire"
)

const (
	maxMessageBytes = 16 << 20 // of one message from a server
	maxRubbishLines = 1000     // lines on a child's standard output that are not messages
)

// lineConn is the client's end of a child's standard streams. It skips lines that are not messages, for which the SDK
// would end the session: many servers print a greeting.
type lineConn struct {
	process *process
	next    func() ([]byte, error)
	rubbish int
	writing sync.Mutex

	mu      sync.Mutex
	first   string // line of rubbish
	problem error  // why reading ended
}

func newLineConn(p *process) *lineConn {
	return &lineConn{process: p, next: mcpserver.Frames(p.out, maxMessageBytes)}
}

// Connect makes the connection its own transport.
func (c *lineConn) Connect(context.Context) (mcp.Connection, error) { return c, nil }

// SessionID is empty: a stream is one session.
func (c *lineConn) SessionID() string { return "" }

// Read returns the next message. It ends when the child closes its output, writes too long a message or too much
// rubbish, or is stopped.
func (c *lineConn) Read(context.Context) (jsonrpc.Message, error) {
	for {
		line, err := c.next()
		switch {
		case errors.Is(err, mcpserver.ErrFrameTooLong):
			return nil, c.end(fmt.Errorf("it sent a message longer than %d bytes", maxMessageBytes))
		case err != nil:
			return nil, c.end(io.EOF)
		}
		if mcpserver.CheckFrame(line) == nil {
			if message, err := jsonrpc.DecodeMessage(line); err == nil {
				return message, nil
			}
		}
		c.mu.Lock()
		if c.rubbish == 0 {
			c.first = wire.Shorten(wire.Clean(string(line)), 80)
		}
		c.mu.Unlock()
		if c.rubbish++; c.rubbish > maxRubbishLines {
			return nil, c.end(fmt.Errorf("it writes text that is no protocol to standard output, first %q", c.first))
		}
	}
}

// end remembers why reading ended. The SDK is told io.EOF in any case.
func (c *lineConn) end(err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.problem == nil {
		c.problem = err
	}
	return io.EOF
}

// trouble returns the first line of rubbish and why reading ended, "" and nil if there was none.
func (c *lineConn) trouble() (rubbish string, problem error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if problem = c.problem; problem == io.EOF {
		problem = nil
	}
	return c.first, problem
}

// Write sends one message. It waits for a child that does not read until ctx ends. If a part of the message has been
// written then, the stream is broken and every later Write fails. If nothing or all of it has been written, other calls
// of the session go on.
func (c *lineConn) Write(ctx context.Context, message jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(message)
	if err != nil {
		return err
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	data = append(data, '\n')
	late := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		c.process.in.SetWriteDeadline(time.Unix(1, 0))
		close(late)
	})
	n, err := c.process.in.Write(data)
	if stop() {
		return err
	}
	<-late
	if n == len(data) || n == 0 {
		c.process.in.SetWriteDeadline(time.Time{})
	}
	return err
}

// Close closes the child's input. The session stops the process.
func (c *lineConn) Close() error {
	c.process.in.Close()
	c.process.out.Close()
	return nil
}
