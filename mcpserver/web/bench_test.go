package web

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"kdd/mcpserver"
	"kdd/runtime"
)

// What HTTP adds to a search: the same one in this process, as GET, and as a call of MCP, over the loopback.
func BenchmarkSearch(b *testing.B) {
	svc := testService(b)
	server, err := New(Options{Service: svc, Info: mcpserver.Info{Name: "kddq", Version: "1.0.0"}})
	if err != nil {
		b.Fatal(err)
	}
	here := httptest.NewServer(server.Handler())
	defer here.Close()
	base := here.URL
	b.Run("in=process", func(b *testing.B) {
		search := runtime.OperationNamed("search")
		args := map[string]any{"query": "how does authentication work"}
		for b.Loop() {
			if _, err := search.Run(b.Context(), svc, args); err != nil {
				b.Fatal(err)
			}
		}
	})
	ask := func(b *testing.B, request *http.Request) {
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			b.Fatal(err)
		}
		defer response.Body.Close()
		if body, err := io.ReadAll(response.Body); err != nil || response.StatusCode != 200 || !bytes.Contains(body, []byte(".v1")) {
			b.Fatalf("%d %s, %v", response.StatusCode, body, err)
		}
	}
	b.Run("in=get", func(b *testing.B) {
		for b.Loop() {
			request, err := http.NewRequest("GET", base+"/api/v1/search?query=how+does+authentication+work", nil)
			if err != nil {
				b.Fatal(err)
			}
			ask(b, request)
		}
	})
	for name, arguments := range map[string]string{"searched": `{"query":"how does authentication work"}`, "refused": `{"quary":"how does authentication work"}`} {
		b.Run("in=mcp/"+name, func(b *testing.B) { // what is refused is the protocol's share alone
			for b.Loop() {
				request, err := http.NewRequest("POST", base+"/mcp", bytes.NewReader([]byte(callMessage(1, "kdd_search", arguments))))
				if err != nil {
					b.Fatal(err)
				}
				request.Header.Set("Content-Type", "application/json")
				request.Header.Set("Accept", "application/json, text/event-stream")
				ask(b, request)
			}
		})
	}
}
