package generate

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// event is one event of a stream.
func event(text string) string {
	data, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"delta": map[string]any{"content": text}}}})
	return "data: " + string(data) + "\n\n"
}

// endpoint serves the handlers one after the other, the last for all that follow, and counts requests.
func endpoint(t *testing.T, count *int, handlers ...http.HandlerFunc) *Model {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := handlers[min(*count, len(handlers)-1)]
		*count++
		h(w, r)
	}))
	t.Cleanup(server.Close)
	m, err := New(server.URL, "test", "secret-key", 0, 5*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	m.wait = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	return m
}

// says answers with a body.
func says(status int, kind, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

const stream1 = "text/event-stream"

func TestComplete(t *testing.T) {
	whole := `{"choices":[{"message":{"content":"all at once"}}]}`
	tests := []struct {
		name     string
		handlers []http.HandlerFunc
		want     string
		err      string
		requests int
	}{
		{"stream", []http.HandlerFunc{says(200, stream1, ": hello\n\n"+event("one ")+event("two")+"data: [DONE]\n\n")}, "one two", "", 1},
		{"whole", []http.HandlerFunc{says(200, "application/json; charset=utf-8", whole)}, "all at once", "", 1},
		{"busy, then an answer", []http.HandlerFunc{says(429, "text/plain", ""), says(503, "text/plain", ""), says(200, "application/json", whole)}, "all at once", "", 3},
		{"always busy", []http.HandlerFunc{says(503, "text/plain", "")}, "", "503 Service Unavailable", 3},
		{"a stream cut off, then whole", []http.HandlerFunc{says(200, stream1, event("half")), says(200, stream1, event("x")+"data: [DONE]\n\n")}, "x", "", 2},
		{"half an event, then whole", []http.HandlerFunc{says(200, stream1, event("half")+`data: {"choices":[{"del`), says(200, stream1, event("x")+"data: [DONE]\n\n")}, "x", "", 2},
		{"the end without its mark", []http.HandlerFunc{says(200, stream1, event("all ")+`data: {"choices":[{"delta":{"content":"of it"},"finish_reason":"stop"}]}`+"\n\n"+`data: {"choices":[],"usage":{}}`+"\n\n")}, "all of it", "", 1},
		{"more than is wanted", []http.HandlerFunc{says(200, stream1, strings.Repeat(event(strings.Repeat("y", 1<<10)), 3*maxText>>10))}, strings.Repeat("y", maxText), "", 1},
		{"another JSON", []http.HandlerFunc{says(200, stream1, `data: {"choices":[{"delta":{"content":["a"]}}]}`+"\n\n")}, "", "it is no chat completion: got array in the place of choices.delta", 1},
		{"a list", []http.HandlerFunc{says(200, "application/json", `[1]`)}, "", "it is no chat completion: got array in the place of an object", 1},
		{"a long error in the stream", []http.HandlerFunc{says(200, stream1, `data: {"error":{"message":"`+strings.Repeat("z", 100<<10)+`"}}`+"\n\n")}, "", "zzz…", 1},
		{"wrong key", []http.HandlerFunc{says(401, "application/json", `{"error":{"message":"bad key"}}`)}, "", "401: bad key", 1},
		{"a key that is repeated", []http.HandlerFunc{says(401, "application/json", `{"error":{"message":"secret-key is wrong"}}`)}, "", "401: *** is wrong", 1},
		{"where the message is cut", []http.HandlerFunc{says(401, "application/json", `{"error":{"message":"`+strings.Repeat("x", maxRefusal-5)+` secret-key"}}`)}, "",
			"the endpoint answered 401: " + strings.Repeat("x", maxRefusal-len("the endpoint answered 401: ")) + "…", 1},
		{"in the stream too", []http.HandlerFunc{says(200, stream1, event("a")+`data: {"error":{"message":"secret-key is over its limit"}}`+"\n\n")}, "", "*** is over its limit", 1},
		{"error as text", []http.HandlerFunc{says(404, "application/json", `{"error":"no such model"}`)}, "", "404: no such model", 1},
		{"redirect", []http.HandlerFunc{func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://192.0.2.1/", http.StatusFound)
		}}, "", "302 Found", 1},
		{"no JSON", []http.HandlerFunc{says(200, stream1, "data: {\n\n")}, "", "no chat completion", 1},
		{"nothing", []http.HandlerFunc{says(200, stream1, "data: [DONE]\n\n")}, "", "it wrote nothing", 1},
		{"error in the stream", []http.HandlerFunc{says(200, stream1, event("a")+`data: {"error":{"message":"overloaded"}}`+"\n\n")}, "", "overloaded", 1},
		{"a line without end", []http.HandlerFunc{says(200, stream1, "data: "+strings.Repeat("x", maxEventBytes+10))}, "", "broke", 3},
		{"a page", []http.HandlerFunc{says(200, "text/html", "<!DOCTYPE html>\n<title>Log in</title>\n")}, "", "it is no chat completion but a page", 1},
		{"no choices", []http.HandlerFunc{says(200, "application/json", `{}`)}, "", "no choices", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			requests := 0
			got, err := endpoint(t, &requests, tt.handlers...).Complete(t.Context(), []Message{{"user", "q"}}, 50, nil)
			if got != tt.want || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) || requests != tt.requests {
				t.Errorf("Complete = %q, %v after %d requests, want %q, %q, %d", got, err, requests, tt.want, tt.err, tt.requests)
			}
			if err != nil && (strings.Contains(err.Error(), "secret-key") || strings.Contains(err.Error(), "generate.") || len(err.Error()) > 300) {
				t.Errorf("the error shows the key, names a Go type or is long: %v", err)
			}
		})
	}
}

// An endpoint that says when it can be asked again is asked then, or not at all where that is too late.
func TestCompleteRetryAfter(t *testing.T) {
	for _, tt := range []struct {
		after    string
		limit    time.Duration
		waits    []time.Duration
		requests int
	}{
		{"", 0, []time.Duration{250 * time.Millisecond, time.Second}, 3},
		{"2", 0, []time.Duration{2 * time.Second, 2 * time.Second}, 3},
		{"0", 0, []time.Duration{250 * time.Millisecond, time.Second}, 3},
		{"Sun, 06 Nov 1994 08:49:37 GMT", 0, []time.Duration{250 * time.Millisecond, time.Second}, 3},
		{"6", 0, nil, 1},
		{"3600", 0, nil, 1},
		{"4", 3 * time.Second, nil, 1}, // of which three quarters are the model's
	} {
		requests := 0
		m := endpoint(t, &requests, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", tt.after)
			w.WriteHeader(http.StatusTooManyRequests)
		})
		m.timeout = time.Minute
		var waits []time.Duration
		m.wait = func(_ context.Context, d time.Duration) error {
			waits = append(waits, d)
			return nil
		}
		ctx := t.Context()
		if tt.limit > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, tt.limit)
			defer cancel()
		}
		_, err := m.Complete(ctx, []Message{{"user", "q"}}, 50, nil)
		if err == nil || !strings.Contains(err.Error(), "429") || requests != tt.requests || !slices.Equal(waits, tt.waits) {
			t.Errorf("Retry-After %q: %v after %d requests and waits of %v, want %d, %v", tt.after, err, requests, waits, tt.requests, tt.waits)
		}
	}
}

func TestCompleteRequest(t *testing.T) {
	requests := 0
	m := endpoint(t, &requests, func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Model     string
			Stream    bool
			MaxTokens int `json:"max_tokens"`
			Messages  []Message
		}
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || r.Method != "POST" || r.URL.Path != "/v1/chat/completions" || r.Header.Get("Authorization") != "Bearer secret-key" ||
			body.Model != "test" || !body.Stream || body.MaxTokens != 50 || len(body.Messages) != 2 {
			t.Errorf("%s %s, %+v, %v", r.Method, r.URL, body, err)
		}
		fmt.Fprint(w, event("ok")+"data: [DONE]\n")
	})
	if got, err := m.Complete(t.Context(), []Message{{"system", "s"}, {"user", "q"}}, 50, nil); got != "ok" || err != nil {
		t.Errorf("Complete = %q, %v", got, err)
	}
}

// What keeps a connection from being made is said without where it was to lead, or which name server was asked.
func TestBrokenConnectionsNameNoAddress(t *testing.T) {
	gone := httptest.NewServer(nil)
	address := gone.URL
	gone.Close()
	for _, tt := range []struct {
		name string
		err  error
		want string
	}{
		{"refused", nil, "the connection broke: connection refused"},
		{"unknown name", &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: "llm.internal", Server: "10.0.0.53:53"}}, "the connection broke: no such host"},
		{"reset", &net.OpError{Op: "read", Net: "tcp", Addr: &net.TCPAddr{IP: net.IPv4(10, 0, 0, 5), Port: 1}, Err: os.NewSyscallError("read", syscall.ECONNRESET)}, "the connection broke: connection reset by peer"},
	} {
		m, err := New(address, "test", "", 0, 5*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		m.wait = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
		if tt.err != nil {
			m.client.Transport = failing{tt.err}
		}
		if _, err := m.Complete(t.Context(), []Message{{"user", "q"}}, 50, nil); err == nil || err.Error() != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
}

type failing struct{ err error }

func (f failing) RoundTrip(*http.Request) (*http.Response, error) { return nil, f.err }

// A model that hangs leaves its caller a quarter of its time.
func TestCompleteEndsBeforeItsCaller(t *testing.T) {
	requests := 0
	m := endpoint(t, &requests, func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	})
	ctx, cancel := context.WithTimeout(t.Context(), 400*time.Millisecond)
	defer cancel()
	_, err := m.Complete(ctx, []Message{{"user", "q"}}, 50, nil)
	if err == nil || err.Error() != "it took too long" || ctx.Err() != nil {
		t.Errorf("error %v, the caller's context %v", err, ctx.Err())
	}
}

func TestNew(t *testing.T) {
	for _, tt := range []struct{ address, key, endpoint, err string }{
		{"http://127.0.0.1:11434", "", "http://127.0.0.1:11434/v1/chat/completions", ""},
		{"https://api.example.com/v1/", "k", "https://api.example.com/v1/chat/completions", ""},
		{"https://api.example.com/x/chat/completions", "k", "https://api.example.com/x/chat/completions", ""},
		{"http://192.0.2.7:80/v1", "", "http://192.0.2.7:80/v1/chat/completions", ""},
		{"http://192.0.2.7:80/v1", "k", "", "in the clear"},
		{"https://a:b@api.example.com", "", "", "password"},
		{"ftp://x", "", "", "want an address"},
		{"127.0.0.1:11434", "", "", "want an address"},
		{"https://api.example.com", "a\nb", "", "header"},
	} {
		m, err := New(tt.address, "m", tt.key, 0, 0)
		if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) || err == nil && m.endpoint != tt.endpoint {
			t.Errorf("New(%q) = %+v, %v, want %q, %q", tt.address, m, err, tt.endpoint, tt.err)
		}
	}
}
