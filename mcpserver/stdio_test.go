package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

func callOf(id int, tool string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q}}`, id, tool)
}

// fakeServer has one tool for each function.
func fakeServer(tools map[string]func(ctx context.Context) string) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "fake", Version: "0"}, nil)
	for name, f := range tools {
		s.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: f(ctx)}}}, nil
		})
	}
	s.AddReceivingMiddleware(guard)
	return s
}

// ids returns the id of each answer in out, in order.
func ids(t *testing.T, out string) []string {
	var got []string
	for line := range strings.Lines(out) {
		var answer struct {
			ID json.RawMessage `json:"id"`
		}
		if err := json.Unmarshal([]byte(line), &answer); err != nil {
			t.Fatalf("answer %q: %v", line, err)
		}
		got = append(got, string(answer.ID))
	}
	return got
}

// lockedBuffer is a writer that goroutines share.
type lockedBuffer struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// A script pipes its requests and closes: each gets its answer, and the slow do not hold back the quick.
func TestCallsAreAnsweredAfterTheInputEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := fakeServer(map[string]func(context.Context) string{
			"slow":  func(context.Context) string { time.Sleep(time.Second); return "slow" },
			"quick": func(context.Context) string { return "quick" },
		})
		var out lockedBuffer
		begin := time.Now()
		err := serve(t.Context(), server, strings.NewReader(hello+"\n"+callOf(1, "slow")+"\n"+callOf(2, "quick")), &out)
		if took := time.Since(begin); err != nil || took != time.Second {
			t.Errorf("serve = %v after %v, want nil after 1s", err, took)
		}
		if got := fmt.Sprint(ids(t, out.String())); got != "[0 2 1]" {
			t.Errorf("answers to %s, want [0 2 1]", got)
		}
	})
}

func TestACallThatHangsEndsWithTheSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := fakeServer(map[string]func(context.Context) string{
			"waits": func(ctx context.Context) string { <-ctx.Done(); return "" },
		})
		var out lockedBuffer
		begin := time.Now()
		err := serve(t.Context(), server, strings.NewReader(hello+"\n"+callOf(1, "waits")+"\n"), &out)
		if took := time.Since(begin); err != nil || took != drainTime {
			t.Errorf("serve = %v after %v, want nil after %v", err, took, drainTime)
		}
		if got := fmt.Sprint(ids(t, out.String())); got != "[0]" {
			t.Errorf("answers to %s, want [0]", got)
		}
	})
}

func TestTheEndOfTheContextEndsTheSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := fakeServer(map[string]func(context.Context) string{
			"waits": func(ctx context.Context) string { <-ctx.Done(); return "" },
			"deaf":  func(context.Context) string { time.Sleep(time.Hour); return "late" },
		})
		ctx, cancel := context.WithCancel(t.Context())
		in, client := io.Pipe()
		var out lockedBuffer
		done := make(chan error)
		begin := time.Now()
		go func() { done <- serve(ctx, server, in, &out) }()
		io.WriteString(client, hello+"\n"+callOf(1, "waits")+"\n"+callOf(2, "deaf")+"\n")
		synctest.Wait()
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) || time.Since(begin) != drainTime {
			t.Errorf("serve = %v after %v, want context.Canceled after %v", err, time.Since(begin), drainTime)
		}
		time.Sleep(2 * time.Hour)
		if got := fmt.Sprint(ids(t, out.String())); got != "[0]" {
			t.Errorf("answers to %s, want [0] and nothing after the end", got)
		}
		client.Close()
	})
}

func TestCancelledAndRepeatedCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := fakeServer(map[string]func(context.Context) string{
			"waits": func(ctx context.Context) string { <-ctx.Done(); return "stopped" },
		})
		in, client := io.Pipe()
		var out lockedBuffer
		done := make(chan error)
		go func() { done <- serve(t.Context(), server, in, &out) }()
		io.WriteString(client, hello+"\n"+callOf(1, "waits")+"\n"+callOf(1, "waits")+"\n")
		synctest.Wait()
		if got := out.String(); !strings.Contains(got, `"id":null,"error":{"code":-32600,"message":"id 1 belongs to a call that is still running"}`) {
			t.Errorf("answers = %s, want a refusal of the second call", got)
		}
		io.WriteString(client, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`+"\n")
		io.WriteString(client, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`+"\n")
		synctest.Wait()
		answered := ids(t, out.String())
		slices.Sort(answered) // the refusal does not wait for anything
		if got := fmt.Sprint(answered); got != "[0 1 null]" {
			t.Errorf("answers to %s, want [0 1 null]", got)
		}
		client.Close()
		if err := <-done; err != nil {
			t.Errorf("serve = %v, want nil", err)
		}
	})
}

func TestManyCallsInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		running := make(chan struct{}, 2*maxCalls)
		server := fakeServer(map[string]func(context.Context) string{
			"counted": func(context.Context) string { running <- struct{}{}; time.Sleep(time.Second); return "" },
		})
		var script strings.Builder
		script.WriteString(hello + "\n")
		for id := range maxCalls + 100 {
			script.WriteString(callOf(id+1, "counted") + "\n")
		}
		var out lockedBuffer
		done := make(chan error)
		go func() { done <- serve(t.Context(), server, strings.NewReader(script.String()), &out) }()
		synctest.Wait()
		if n := len(running); n != maxCalls {
			t.Errorf("%d calls run at once, want %d", n, maxCalls)
		}
		if err := <-done; err != nil {
			t.Errorf("serve = %v, want nil", err)
		}
		if n := len(ids(t, out.String())); n != maxCalls+101 {
			t.Errorf("%d answers, want %d", n, maxCalls+101)
		}
	})
}

// Large calls wait for each other: their requests are in memory. One is taken however large it is.
func TestLargeCallsInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		running := make(chan struct{}, 10)
		server := fakeServer(map[string]func(context.Context) string{
			"counted": func(context.Context) string { running <- struct{}{}; time.Sleep(time.Second); return "" },
		})
		var out bytes.Buffer
		in, client := io.Pipe()
		c := newLineConn(t.Context(), in, &out)
		session, err := server.Connect(t.Context(), c, nil)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(client, hello+"\n")
		synctest.Wait()
		line := callOf(1, "counted") // as long as those with ids 2 and 3
		c.mu.Lock()
		c.bytes = maxCallsBytes - 2*len(line) // of calls that run already
		c.mu.Unlock()
		go io.WriteString(client, line+"\n"+callOf(2, "counted")+"\n"+callOf(3, "counted")+"\n")
		synctest.Wait()
		if n := len(running); n != 2 {
			t.Errorf("%d calls run at once, want 2", n)
		}
		time.Sleep(time.Second + time.Millisecond)
		synctest.Wait()
		if n := len(running); n != 3 {
			t.Errorf("%d calls were begun when two had ended, want 3", n)
		}
		time.Sleep(time.Second)
		c.mu.Lock()
		c.bytes = maxCallsBytes // and yet none runs
		c.mu.Unlock()
		io.WriteString(client, callOf(4, "counted")+"\n")
		synctest.Wait()
		if n := len(running); n != 4 {
			t.Errorf("%d calls were begun, want the fourth too", n)
		}
		client.Close()
		if err := session.Wait(); err != nil {
			t.Errorf("the session ends with %v", err)
		}
		c.Close()
	})
}

func TestAPanicEndsOneCallOnly(t *testing.T) {
	server := fakeServer(map[string]func(context.Context) string{
		"panics": func(context.Context) string { panic("seen") },
		"quick":  func(context.Context) string { return "quick" },
	})
	var out lockedBuffer
	if err := serve(t.Context(), server, strings.NewReader(hello+"\n"+callOf(1, "panics")+"\n"+callOf(2, "quick")+"\n"), &out); err != nil {
		t.Errorf("serve = %v, want nil", err)
	}
	if got := out.String(); !strings.Contains(got, `"id":1,"error":{"code":-32603,"message":"tools/call: internal error: seen"}`) || !strings.Contains(got, `"text":"quick"`) {
		t.Errorf("answers = %s, want an internal error and the other call's answer", got)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestAClientThatIsGoneEndsTheSession(t *testing.T) {
	in, client := io.Pipe()
	go io.WriteString(client, hello+"\n")
	if err := serve(t.Context(), fakeServer(nil), in, brokenWriter{}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("serve = %v, want io.ErrClosedPipe", err)
	}
}

// Garbage is answered line by line, with an answer to what is whole between.
func TestMuchGarbage(t *testing.T) {
	in, client := io.Pipe()
	outReader, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- serve(t.Context(), fakeServer(nil), in, out)
		out.Close()
	}()
	go func() {
		junk := strings.Repeat("\x00\"'\\ garbage", 1<<14)
		io.WriteString(client, hello+"\n")
		for range 64 {
			io.WriteString(client, junk+"\n")
		}
		io.WriteString(client, strings.Repeat(junk, 32)+"\n") // longer than a line may be
		io.WriteString(client, `{"jsonrpc":"2.0","id":7,"method":"ping"}`+"\n{\"half")
		client.Close()
	}()
	counts := map[string]int{}
	for lines := bufio.NewScanner(outReader); lines.Scan(); {
		var answer struct {
			ID    json.RawMessage
			Error struct{ Code int }
		}
		if err := json.Unmarshal(lines.Bytes(), &answer); err != nil {
			t.Fatal(err)
		}
		counts[fmt.Sprint(string(answer.ID), " ", answer.Error.Code)]++
	}
	if counts["null -32700"] != 65 || counts["null -32600"] != 1 || counts["7 0"] != 1 || counts["0 0"] != 1 {
		t.Errorf("answers by id and code: %v", counts)
	}
	if err := <-done; err != nil {
		t.Errorf("serve = %v, want nil", err)
	}
}

// A client that has the answer to a call may give the next one the same id.
func TestAnAnsweredIDMayComeAgain(t *testing.T) {
	in, client := io.Pipe()
	answers, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- serve(t.Context(), fakeServer(map[string]func(context.Context) string{"quick": func(context.Context) string { return "quick" }}), in, out)
		out.Close()
	}()
	reader := bufio.NewReader(answers)
	for i, line := range append([]string{hello}, slices.Repeat([]string{callOf(1, "quick")}, 500)...) {
		if _, err := io.WriteString(client, line+"\n"); err != nil {
			t.Fatal(err)
		}
		if answer, err := reader.ReadString('\n'); err != nil || !strings.Contains(answer, `"result"`) {
			t.Fatalf("answer %d = %s, %v", i, answer, err)
		}
	}
	client.Close()
	if err := <-done; err != nil {
		t.Errorf("serve = %v, want nil", err)
	}
}

// Nothing is written any more once the session is over, and a write that hangs is not waited for.
func TestSilence(t *testing.T) {
	var out bytes.Buffer
	c := &lineConn{out: &out}
	if err := c.write([]byte("a")); err != nil || out.String() != "a\n" {
		t.Fatalf("write = %v, wrote %q", err, out.String())
	}
	c.writing.Lock() // as a write that hangs has it
	c.silence()
	c.writing.Unlock()
	c.silence()
	if err := c.write([]byte("b")); !errors.Is(err, io.ErrClosedPipe) || out.String() != "a\n" {
		t.Errorf("write after the end = %v, wrote %q", err, out.String())
	}
}
