//go:build !windows

package remote

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// pipeConn returns a connection whose child is the end of a pipe. Windows has no deadlines on pipes.
func pipeConn(t *testing.T) (*lineConn, *os.File) {
	t.Helper()
	theirs, ours, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { theirs.Close(); ours.Close() })
	return &lineConn{process: &process{in: ours}}, theirs
}

// TestWriteGivenUp checks what is left of a stream whose writer gives up: all of it, unless a part of a message is
// written.
func TestWriteGivenUp(t *testing.T) {
	message := &jsonrpc.Request{Method: "notifications/cancelled"}
	t.Run("before", func(t *testing.T) {
		c, theirs := pipeConn(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := c.Write(ctx, &jsonrpc.Request{Method: "nobody/waits"}); !errors.Is(err, context.Canceled) {
			t.Errorf("Write = %v, want the cancellation", err)
		}
		if err := c.Write(t.Context(), message); err != nil {
			t.Fatalf("the next Write = %v", err)
		}
		if line, err := bufio.NewReader(theirs).ReadString('\n'); err != nil || !strings.Contains(line, message.Method) {
			t.Errorf("the child reads %q, %v, want the second message alone", line, err)
		}
	})
	t.Run("nothing written", func(t *testing.T) {
		c, theirs := pipeConn(t)
		c.process.in.SetWriteDeadline(time.Now().Add(50 * time.Millisecond))
		filled := 0
		for full := false; !full; {
			n, err := c.process.in.Write(make([]byte, 4096)) // whole pages: no room is left for one byte
			filled += n
			full = err != nil
		}
		c.process.in.SetWriteDeadline(time.Time{})
		ctx, cancel := context.WithCancel(t.Context())
		go cancel()
		if err := c.Write(ctx, message); err == nil {
			t.Error("Write to a full pipe = nil")
		}
		r := bufio.NewReader(theirs)
		if _, err := r.Discard(filled); err != nil {
			t.Fatal(err)
		}
		if err := c.Write(t.Context(), message); err != nil {
			t.Fatalf("the next Write = %v", err)
		}
		if line, err := r.ReadString('\n'); err != nil || line[0] != '{' {
			t.Errorf("the child reads %q, %v", line, err)
		}
	})
	t.Run("a part written", func(t *testing.T) {
		c, theirs := pipeConn(t)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			theirs.Read(make([]byte, 1))
			cancel()
		}()
		long, err := json.Marshal(map[string]string{"text": strings.Repeat("x", 1<<20)})
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Write(ctx, &jsonrpc.Request{Method: "x", Params: long}); err == nil {
			t.Error("Write of what nobody reads = nil")
		}
		if err := c.Write(t.Context(), message); err == nil {
			t.Error("a message was written into the middle of another")
		}
	})
}
