package web

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kdd/mcpserver"
	"kdd/runtime/answer/ask"
	"kdd/runtime/wire"
)

func newWire(single bool) (*wireWriter, *httptest.ResponseRecorder) {
	sent := httptest.NewRecorder()
	return &wireWriter{ResponseWriter: sent, request: httptest.NewRequest("POST", "/mcp", nil), message: &mcpserver.Message{}, single: single}, sent
}

// An event becomes the answer if it is one message and has a result or an error.
func TestTheEventThatIsTheAnswer(t *testing.T) {
	for _, test := range []struct {
		name, event string
		batch       bool
		want        string
	}{
		{"a result", "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n", false, `{"jsonrpc":"2.0","id":1,"result":{}}`},
		{"an error", "event: message\ndata: {\"error\":{},\"id\":1}\n\n", false, `{"error":{},"id":1}`},
		{"of a batch", "event: message\ndata: {\"result\":{}}\n\n", true, ""},
		{"a notification", "event: message\ndata: {\"method\":\"x\",\"result\":{}}\n\n", false, ""},
		{"another event", "event: ping\ndata: {\"result\":{}}\n\n", false, ""},
		{"an event that goes on", "event: message\ndata: {\"result\":{}}\n", false, ""},
		{"an event without its end", "event: message\ndata: {\"result\":{}}", false, ""},
		{"two lines", "event: message\ndata: {\"result\":\ndata: {}}\n\n", false, ""},
		{"a list", "event: message\ndata: [1]\n\n", false, ""},
		{"neither", "event: message\ndata: {\"id\":1}\n\n", false, ""},
		{"a value that breaks off", "event: message\ndata: {\"id\":[1,\"result\":{}}\n\n", false, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			w, sent := newWire(!test.batch)
			w.Header().Set("Content-Type", "text/event-stream")
			if n, err := io.WriteString(w, test.event); n != len(test.event) || err != nil {
				t.Errorf("Write = %d, %v, want %d", n, err, len(test.event))
			}
			want, kind := test.want, "application/json"
			if want == "" {
				want, kind = test.event, "text/event-stream"
			}
			if got := sent.Body.String(); got != want || sent.Header().Get("Content-Type") != kind || sent.Code != http.StatusOK {
				t.Errorf("sent %d %s %q, want %s %q", sent.Code, sent.Header().Get("Content-Type"), got, kind, want)
			}
		})
	}
}

// Text that the SDK fails with is sent as error.v1 in the end, and not before.
func TestPlainFailuresBecomeErrorV1(t *testing.T) {
	for status, code := range map[int]string{
		400: wire.CodeInvalidInput, 404: wire.CodeNotFound, 405: wire.CodeInvalidInput, 413: wire.CodeTooLarge, 500: wire.CodeInternal,
	} {
		w, sent := newWire(true)
		http.Error(w, "what was wrong", status)
		w.Flush()
		if sent.Flushed || sent.Body.Len() > 0 {
			t.Errorf("%d: %q was sent before the end", status, sent.Body)
		}
		w.finish()
		var failure struct{ Code, Message string }
		if err := json.Unmarshal(sent.Body.Bytes(), &failure); err != nil || sent.Code != status || failure.Code != code || failure.Message != "what was wrong" {
			t.Errorf("%d: sent %d %s, want %s", status, sent.Code, sent.Body, code)
		}
	}
	w, sent := newWire(true)
	io.WriteString(w, "event: message\n")
	if w.Flush(); !sent.Flushed {
		t.Error("what is written is not sent at once")
	}
	w.finish()
	if sent.Body.String() != "event: message\n" || sent.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("sent %v %q", sent.Header(), sent.Body)
	}
}

// What a model drafts after its end is not sent.
func TestADraftAfterItsEnd(t *testing.T) {
	sent := httptest.NewRecorder()
	d := draftWriter{events: &eventWriter{w: sent, flusher: http.NewResponseController(sent), cancel: func() { t.Error("the work is ended") }}}
	d.draft(ask.Step{Words: "before"})
	d.end()
	d.draft(ask.Step{Words: "after"})
	d.draft(ask.Step{Void: "again"})
	if got := sent.Body.String(); !strings.Contains(got, "before") || strings.Contains(got, "after") || strings.Contains(got, "again") {
		t.Errorf("sent %q, want what came before the end", got)
	}
}

// closing is a connection that tells whether it was closed.
type closing struct {
	net.Conn
	closed bool
}

func (c *closing) Close() error {
	c.closed = true
	return nil
}

// Of too many connections the one goes that has asked for nothing for longest; one that is served stays.
func TestTheOldestIdleConnectionGoes(t *testing.T) {
	list := newConnections(3)
	var c [7]closing
	closed := func() (names string) {
		for i := range c {
			if c[i].closed {
				names += string(rune('0' + i))
			}
		}
		return names
	}
	for _, step := range []struct {
		conn  int
		state http.ConnState
		want  string
	}{
		{0, http.StateNew, ""}, {1, http.StateNew, ""}, {2, http.StateNew, ""}, // as many as may be
		{0, http.StateActive, ""}, {3, http.StateNew, "1"}, {1, http.StateClosed, "1"},
		{0, http.StateIdle, "1"}, {4, http.StateNew, "12"}, {2, http.StateHijacked, "12"}, // 0 has asked since
		{5, http.StateNew, "123"}, {3, http.StateClosed, "123"},
		{0, http.StateActive, "123"}, {4, http.StateActive, "123"}, {5, http.StateActive, "123"},
		{6, http.StateNew, "1236"}, // all others are served
	} {
		if list.changed(&c[step.conn], step.state); closed() != step.want {
			t.Fatalf("%d became %v: closed %s, want %s", step.conn, step.state, closed(), step.want)
		}
	}
}

// A request that waits gets the slot of one that ends in time; one that waits too long, or whose client goes, gets
// none.
func TestSlots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSlots(1, 2*time.Second)
		if !s.take(t.Context()) {
			t.Fatal("no slot of an idle server")
		}
		time.AfterFunc(time.Second, s.give)
		if !s.take(t.Context()) {
			t.Error("no slot after another was given back in time")
		}
		time.AfterFunc(3*time.Second, s.give)
		if s.take(t.Context()) {
			t.Error("a slot that nobody gave back")
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if s.take(ctx) {
			t.Error("a slot for a client that went")
		}
		time.Sleep(2 * time.Second)
	})
}
