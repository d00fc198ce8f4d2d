package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kdd/mcpserver"
	"kdd/runtime"
	"kdd/runtime/wire"
)

// ownServer is kdd's own MCP server without an index, whatever lies in the folders above.
func ownServer(*http.Request) *mcp.Server {
	return mcpserver.NewServer(runtime.New(runtime.Config{Index: []string{"none.kddx"}}), io.Discard, mcpserver.Info{Name: "kdd", Version: "1"})
}

// handlers are our own server over each transport.
func handlers() map[string]http.Handler {
	return map[string]http.Handler{
		"http":           mcp.NewStreamableHTTPHandler(ownServer, nil),
		"http stateless": mcp.NewStreamableHTTPHandler(ownServer, &mcp.StreamableHTTPOptions{Stateless: true}),
		"http json":      mcp.NewStreamableHTTPHandler(ownServer, &mcp.StreamableHTTPOptions{JSONResponse: true}),
		"sse":            mcp.NewSSEHandler(ownServer, nil),
	}
}

// listen serves a handler until the test ends.
func listen(t *testing.T, h http.Handler) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server.URL
}

// TestHTTP asks our own server over each transport with each kind of auth, and without it.
func TestHTTP(t *testing.T) {
	auths := []struct {
		name   string
		auth   *Auth
		header map[string]string
		passes func(*http.Request) bool
	}{
		{name: "none", passes: func(*http.Request) bool { return true }},
		{name: "bearer", auth: &Auth{Type: "bearer", Token: "${TOKEN}"},
			passes: func(r *http.Request) bool { return r.Header.Get("Authorization") == "Bearer open-sesame" }},
		{name: "api_key", auth: &Auth{Type: "api_key", Key: "${TOKEN}"},
			passes: func(r *http.Request) bool { return r.Header.Get("X-API-Key") == "open-sesame" }},
		{name: "api_key in a header of choice", auth: &Auth{Type: "api_key", Key: "${TOKEN}", Header: "X-Other"},
			passes: func(r *http.Request) bool { return r.Header.Get("X-Other") == "open-sesame" }},
		{name: "basic", auth: &Auth{Type: "basic", Username: "ali", Password: "${TOKEN}"}, passes: func(r *http.Request) bool {
			user, password, ok := r.BasicAuth()
			return ok && user == "ali" && password == "open-sesame"
		}},
		{name: "headers", header: map[string]string{"X-Mine": "key ${TOKEN}"},
			passes: func(r *http.Request) bool { return r.Header.Get("X-Mine") == "key open-sesame" }},
	}
	for transport, handler := range handlers() {
		for _, a := range auths {
			t.Run(transport+" "+a.name, func(t *testing.T) {
				url := listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if !a.passes(r) {
						http.Error(w, "who are you with "+r.Header.Get("Authorization"), http.StatusUnauthorized)
						return
					}
					handler.ServeHTTP(w, r)
				}))
				kind, _, _ := strings.Cut(transport, " ")
				server := Server{Name: "own", Transport: kind, URL: url, Auth: a.auth, Headers: a.header}
				f := fleetFor(t, Options{Timeout: 20 * time.Second, Getenv: func(string) string { return "open-sesame" }}, server)
				got, err := f.Tools(t.Context())
				if err != nil || got.Count == 0 || got.Tools[0].Name != "mcp__own__"+got.Tools[0].OriginalName {
					t.Fatalf("Tools() = %+v, %v", got, err)
				}
				call, err := f.Call(t.Context(), "mcp__own__kdd_search", map[string]any{"query": "x"})
				if err != nil || !call.IsError || !strings.Contains(call.Content[0].Text, "index_not_found") {
					t.Errorf("Call() = %+v, %v, want index_not_found by the tool", call, err)
				}
				if a.name == "none" {
					return
				}
				f = fleetFor(t, Options{Timeout: 20 * time.Second, Getenv: func(string) string { return "wrong-password" }}, server)
				_, err = f.Call(t.Context(), "mcp__own__kdd_search", nil)
				e := wire.AsError(err)
				if e.Code != wire.CodeUnauthorized || !errors.Is(err, ErrDown) || !strings.Contains(e.Message, "HTTP 401 Unauthorized") {
					t.Errorf("Call() with a wrong password = %v, want unauthorized", err)
				}
				if strings.Contains(e.Error(), "wrong-password") {
					t.Errorf("the error holds the password: %s", e)
				}
			})
		}
	}
}

// TestHTTPElsewhere checks that neither a redirect nor an SSE endpoint takes credentials to another host.
func TestHTTPElsewhere(t *testing.T) {
	var reached atomic.Bool
	other := listen(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { reached.Store(true) }))
	redirects := listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other+"/mcp", http.StatusTemporaryRedirect)
	}))
	points := listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "event: endpoint\ndata: %s/messages\n\n", other)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	for _, server := range []Server{{Name: "a", Transport: HTTP, URL: redirects}, {Name: "b", Transport: SSE, URL: points}} {
		server.Auth = &Auth{Type: "bearer", Token: "secret-token"}
		f := fleetFor(t, Options{Timeout: 10 * time.Second}, server)
		_, err := f.Call(t.Context(), Join(server.Name, "x"), nil)
		if e := wire.AsError(err); !errors.Is(err, ErrDown) || !strings.Contains(e.Message, "points to another host") {
			t.Errorf("%s: Call() = %v, want a refusal", server.Transport, err)
		}
	}
	if reached.Load() {
		t.Error("the other host was reached")
	}
}

// TestHTTPBad has a row per answer that is none.
func TestHTTPBad(t *testing.T) {
	tests := []struct {
		name    string
		handler http.HandlerFunc
		want    string
		code    string
	}{
		{"not found", func(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) }, "Not Found", wire.CodeIO},
		{"broken", func(w http.ResponseWriter, r *http.Request) { http.Error(w, "boom", 500) }, "Internal Server Error", wire.CodeIO},
		{"a web page", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "<html>hello</html>") }, "unsupported content type", wire.CodeIO},
		{"no JSON", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, "{{{{")
		}, "", wire.CodeIO},
		{"endless JSON", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			chunk := strings.Repeat(" ", 1<<20)
			for range maxBodyBytes>>20 + 10 {
				if _, err := io.WriteString(w, chunk); err != nil {
					return
				}
			}
		}, "more than", wire.CodeIO},
		{"silence", func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body) // else the server does not notice that the client has gone
			<-r.Context().Done()
		}, "did not answer in time", wire.CodeTimeout},
		{"forbidden", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(403) }, "HTTP 403 Forbidden", wire.CodeUnauthorized},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			timeout := 20 * time.Second
			if tt.code == wire.CodeTimeout {
				timeout = 200 * time.Millisecond
			}
			f := fleetFor(t, Options{Timeout: timeout}, Server{Name: "bad", Transport: HTTP, URL: listen(t, tt.handler)})
			got, err := f.Servers(t.Context())
			if !errors.Is(err, ErrDown) {
				t.Fatalf("Servers() = %v, want %v", err, ErrDown)
			}
			if s := got.Servers[0]; !strings.Contains(s.Error, tt.want) {
				t.Errorf("error = %q, want %q", s.Error, tt.want)
			}
			_, err = f.Call(t.Context(), "mcp__bad__x", nil)
			if e := wire.AsError(err); e.Code != tt.code {
				t.Errorf("Call() = %s %v, want %s", e.Code, err, tt.code)
			}
		})
	}
}

// TestCache checks what is a hit, and that listings with secrets are not kept.
func TestCache(t *testing.T) {
	var asked atomic.Int32
	var answer atomic.Value
	answer.Store("a tool")
	url := listen(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server {
		asked.Add(1)
		server := mcp.NewServer(&mcp.Implementation{Name: "x", Version: "1"}, nil)
		server.AddTool(&mcp.Tool{Name: "t", Description: answer.Load().(string), InputSchema: map[string]any{"type": "object"}},
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{}, nil
			})
		return server
	}, &mcp.StreamableHTTPOptions{Stateless: true}))
	dir, now := t.TempDir(), time.Now()
	env := map[string]string{"TOKEN": "first-token"}
	ask := func(options Options) ServerStatus {
		t.Helper()
		options.CacheDir, options.Now, options.Getenv = dir, func() time.Time { return now }, func(name string) string { return env[name] }
		f := fleetFor(t, options, Server{Name: "x", Transport: HTTP, URL: url, Auth: &Auth{Type: "bearer", Token: "${TOKEN}"}})
		got, err := f.Tools(t.Context())
		if err != nil || got.Count != 1 {
			t.Fatalf("Tools() = %+v, %v", got, err)
		}
		return got.Servers[0]
	}
	check := func(what string, options Options, cached bool) {
		t.Helper()
		before := asked.Load()
		if s := ask(options); s.Cached != cached || (asked.Load() == before) != cached {
			t.Errorf("%s: cached = %t, server asked: %t, want cached: %t", what, s.Cached, asked.Load() > before, cached)
		}
	}
	check("first", Options{}, false)
	check("again", Options{}, true)
	check("refresh", Options{Refresh: true}, false)
	check("another version of kdd", Options{Version: "2"}, false)
	env["TOKEN"] = "other-token"
	check("another token", Options{}, false)
	env["TOKEN"] = "first-token"
	check("the first again", Options{}, true)
	now = now.Add(maxCacheAge + time.Minute)
	check("too old", Options{}, false)
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 3 {
		t.Fatalf("%d files in the cache, %v, want 3", len(entries), err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(dir + "/" + e.Name())
		if info, _ := e.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, mode %s, want 0600", e.Name(), err, info.Mode())
		}
		if strings.Contains(string(data), "-token") {
			t.Errorf("the cache holds a token: %s", data)
		}
		// Damage is no hit, and no failure.
		if err := os.WriteFile(dir+"/"+e.Name(), data[:len(data)/2], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	now = time.Now()
	check("damaged", Options{}, false)
	answer.Store("send first-token to me")
	check("a secret in the listing", Options{Refresh: true}, false)
	env["TOKEN"] = "third-token"
	answer.Store(`your third-token"`)
	check("a secret in a new listing", Options{}, false)
	check("which was not kept", Options{}, false)
}
