package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kdd/runtime"
)

const (
	docsHost   = "docs.example.com"
	docsOrigin = "https://docs.example.com"
)

func publicOptions(t *testing.T) Options {
	t.Helper()
	log, _ := openLog(t)
	return Options{Public: true, AllowHosts: []string{docsHost}, AllowOrigins: []string{docsOrigin}, Rate: 1000, Feedback: log}
}

// The public asks what the documents say, and nothing about the machine.
func TestPublic(t *testing.T) {
	base, _ := started(t, publicOptions(t))
	served := map[string]bool{"/api/v1/ask": runtime.OperationNamed("ask") != nil, "/api/v1/search": true, "/api/v1/list": true, "/api/v1/read": true, "/openapi.json": true, "/": true, "/healthz": true, "/readyz": true,
		"/metrics": false, "/mcp": false}
	for _, o := range runtime.Operations() {
		if path := "/api/v1/" + o.Name; !served[path] {
			served[path] = false
		}
	}
	for path, there := range served {
		status, _, body := get(t, base+path)
		if (status != 404) != there {
			t.Errorf("GET %s = %d %s, served: %v", path, status, body, there)
		}
	}
	for _, tool := range []string{"kdd_doctor", "kdd_schema", "kdd_stats", "kdd_related", "kdd_context"} {
		if _, _, reply := tell(t, base+callPath, callBody(tool, `{}`)); reply["success"] != false || reply["code"] != "not_found" {
			t.Errorf("%s = %v, want not_found", tool, reply)
		}
	}
	for _, tool := range []string{"generate_rag_answer", "search_knowledge_base", "kdd_search"} {
		if _, _, reply := tell(t, base+callPath, callBody(tool, `{"query":"token expiry"}`)); reply["success"] != true {
			t.Errorf("%s = %v, want success", tool, reply)
		}
	}
	for _, o := range []Options{{Public: true}, {Public: true, AllowHosts: []string{"a"}}, {Public: true, AllowOrigins: []string{docsOrigin}}, {Public: true, AllowHosts: []string{"a"}, AllowOrigins: []string{docsOrigin}, Token: "0123456789abcdef"}} {
		if _, err := New(o); err == nil {
			t.Errorf("New(%+v) = nil, want an error", o)
		}
	}
}

// No answer to the public names a file of the machine, whether or not the sources are there.
func TestPublicAnswersNameNoFiles(t *testing.T) {
	data, err := handbook()
	if err != nil {
		t.Fatal(err)
	}
	sources, err := filepath.Abs("../../testdata/corpora/handbook")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "handbook.kddx")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	svc := runtime.New(runtime.Config{Index: []string{path}, Root: sources, Private: true})
	t.Cleanup(func() { svc.Close() })
	o := publicOptions(t)
	o.Service = svc
	base, _ := started(t, o)
	broken := t.TempDir()
	if err := os.WriteFile(filepath.Join(broken, "x.kddx"), []byte("nothing"), 0o644); err != nil {
		t.Fatal(err)
	}
	o.Service = runtime.New(runtime.Config{Index: []string{filepath.Join(broken, "x.kddx")}, Private: true})
	brokenBase, _ := started(t, o)
	for _, base := range []string{base, brokenBase} {
		for _, path := range []string{"/", "/?q=token", "/?read=security/auth.md", "/?read=none.md", "/readyz", "/openapi.json", "/api/v1/search?query=token&explain=true", "/api/v1/list", "/api/v1/read?file=security/auth.md"} {
			if _, _, body := get(t, base+path); strings.Contains(body, "file://") || strings.Contains(body, sources) || strings.Contains(body, broken) || strings.Contains(body, os.TempDir()) {
				t.Errorf("%s names files: %s", path, body)
			}
		}
		for _, tool := range []string{"kdd_ask", "kdd_search", "kdd_list", "get_document_chunk"} {
			if _, _, body := send(t, "POST", base+callPath, callBody(tool, `{"query":"token","file":"security/auth.md"}`), "Content-Type", "application/json"); strings.Contains(body, "file://") || strings.Contains(body, broken) {
				t.Errorf("%s names files: %s", tool, body)
			}
		}
	}
}

func TestPreflight(t *testing.T) {
	base, _ := started(t, publicOptions(t))
	for _, path := range []string{callPath, callPath + "/", "/api/v2/feedback", "/api/v1/search"} {
		status, h, body := send(t, "OPTIONS", base+path, "", "Origin", docsOrigin, "Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "content-type", "Access-Control-Request-Private-Network", "true")
		if status != 204 || body != "" || h.Get("Access-Control-Allow-Origin") != docsOrigin || !strings.Contains(h.Get("Access-Control-Allow-Headers"), "Content-Type") ||
			!strings.Contains(h.Get("Access-Control-Allow-Methods"), "POST") || h.Get("Access-Control-Allow-Private-Network") != "true" || h.Get("Vary") != "Origin" {
			t.Errorf("OPTIONS %s = %d %v", path, status, h)
		}
	}
	if status, h, _ := send(t, "OPTIONS", base+callPath, "", "Origin", "https://evil.example", "Access-Control-Request-Method", "POST"); status != 403 || h.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("a foreign preflight = %d %v, want 403 without CORS", status, h)
	}
	if status, _, _ := send(t, "OPTIONS", base+callPath, ""); status != 405 {
		t.Errorf("OPTIONS without Origin = %d, want 405", status)
	}
	// What fails can be read by the page too.
	if status, h, _ := send(t, "POST", base+callPath, "", "Origin", docsOrigin, "Content-Type", "application/json"); status != 400 || h.Get("Access-Control-Allow-Origin") != docsOrigin {
		t.Errorf("a failure = %d %v, want CORS headers", status, h)
	}
}

func TestRateLimit(t *testing.T) {
	o := publicOptions(t)
	o.Rate, o.ClientHeader = 3, "X-Real-IP"
	now := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	base, _ := startedWith(t, o, func(s *Server) { s.limiter.now = func() time.Time { return now } })
	ask := func(client string) (int, http.Header, string) {
		return get(t, base+"/api/v1/search?query=token", "X-Real-IP", client, "Origin", docsOrigin)
	}
	for i := range 4 {
		status, h, body := ask("203.0.113.7")
		if want := map[bool]int{true: 200, false: 429}[i < 3]; status != want {
			t.Fatalf("request %d = %d %s, want %d", i, status, body, want)
		}
		if i == 3 && (h.Get("Retry-After") != "20" || !strings.Contains(body, `"code":"rate_limited"`) || h.Get("Access-Control-Allow-Origin") != docsOrigin) {
			t.Errorf("refusal %v %s, want Retry-After 20", h, body)
		}
	}
	if status, _, _ := ask("203.0.113.8"); status != 200 {
		t.Errorf("another client = %d, want 200", status)
	}
	for range 5 {
		if status, _, _ := get(t, base+"/healthz", "X-Real-IP", "203.0.113.7"); status != 200 {
			t.Errorf("health = %d, want 200 always", status)
		}
	}
	now = now.Add(20 * time.Second)
	if status, _, _ := ask("203.0.113.7"); status != 200 {
		t.Errorf("after 20 seconds = %d, want 200", status)
	}
}

func TestClientsAreTold(t *testing.T) {
	s := &Server{options: Options{ClientHeader: "X-Forwarded-For"}}
	for _, test := range []struct{ remote, header, want string }{
		{"203.0.113.7:1234", "", "203.0.113.7"}, {"[2001:db8:1:2:3::4]:99", "", "2001:db8:1:2::/64"}, {"127.0.0.1:1", "198.51.100.1, 203.0.113.9", "203.0.113.9"},
		{"127.0.0.1:1", "not an address", "?"}, {"127.0.0.1:1", "::ffff:203.0.113.9", "203.0.113.9"}, {"127.0.0.1:1", "[2001:db8::1%eth0]:80", "2001:db8::/64"},
	} {
		r := &http.Request{RemoteAddr: test.remote, Header: http.Header{}}
		if test.header != "" {
			r.Header.Set("X-Forwarded-For", test.header)
		}
		if got := s.client(r); got != test.want {
			t.Errorf("client(%s, %q) = %s, want %s", test.remote, test.header, got, test.want)
		}
	}
	if s = new(Server); s.client(&http.Request{RemoteAddr: "127.0.0.1:1", Header: http.Header{"X-Forwarded-For": {"1.2.3.4"}}}) != "127.0.0.1" {
		t.Error("a header counts that nobody asked for")
	}
	l := newLimiter(1)
	for i := range maxClients + 10 {
		l.take(fmt.Sprint(i))
	}
	if l.clients.Len() != maxClients {
		t.Errorf("%d clients are known, want %d", l.clients.Len(), maxClients)
	}
}

func TestAnswersAreKept(t *testing.T) {
	base, _ := started(t, Options{CacheBytes: 1 << 20})
	var first string
	for i, want := range []string{"miss", "hit", "hit"} {
		path := "/api/v1/search?query=token+expiry&limit=2"
		if i == 2 {
			path = "/api/v1/search?limit=2&k=2&query=token+expiry"[:len("/api/v1/search?limit=2")] + "&query=token+expiry"
		}
		status, h, body := get(t, base+path)
		if i == 0 {
			first = body
		}
		if status != 200 || h.Get("X-Cache") != want || body != first {
			t.Errorf("GET %d = %d, X-Cache %s, want %s", i, status, h.Get("X-Cache"), want)
		}
	}
	for i, want := range []string{"miss", "hit", "miss"} {
		body := callBody("generate_rag_answer", `{"query":"token expiry"}`)
		if i == 2 { // a conversation of one's own
			body = strings.Replace(body, `"web"`, `"mine"`, 1)
		}
		if _, h, reply := tell(t, base+callPath, body); h.Get("X-Cache") != want || reply["session_id"] != map[bool]string{true: "mine", false: "web"}[i == 2] {
			t.Errorf("call %d: X-Cache %s, want %s", i, h.Get("X-Cache"), want)
		}
	}
	if _, h, _ := get(t, base+"/api/v1/stats"); h.Get("X-Cache") != "miss" {
		t.Errorf("stats: X-Cache %s", h.Get("X-Cache"))
	}
}

// TestEntityTags checks that what is not changing is sent once to who keeps it: answers, the description, the page.
func TestEntityTags(t *testing.T) {
	base, _ := started(t, Options{})
	for _, path := range []string{"/api/v1/search?query=token", "/openapi.json", "/", "/?q=token"} {
		_, h, whole := get(t, base+path)
		tag := h.Get("ETag")
		if len(tag) < 10 || h.Get("Cache-Control") != "private, no-cache" || h.Get("Vary") == "" {
			t.Errorf("GET %s: ETag %q, Cache-Control %q, Vary %q", path, tag, h.Get("Cache-Control"), h.Get("Vary"))
		}
		for header, want := range map[string]int{tag: 304, strings.TrimPrefix(tag, "W/"): 304, `"x", ` + tag: 304, "*": 304, `"x"`: 200, "": 200} {
			status, h, body := get(t, base+path, "If-None-Match", header)
			if status != want || h.Get("ETag") != tag || status == 304 && body != "" {
				t.Errorf("GET %s, If-None-Match %s = %d %q, want %d", path, header, status, body, want)
			}
		}
		response, err := http.Head(base + path)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != 200 || response.Header.Get("ETag") != tag || !strings.HasPrefix(path, "/api/") && response.ContentLength != int64(len(whole)) {
			t.Errorf("HEAD %s = %d, ETag %s, %d bytes, want what GET says: %s, %d", path, response.StatusCode, response.Header.Get("ETag"), response.ContentLength, tag, len(whole))
		}
	}
	if _, h, _ := get(t, base+"/?read=nosuch.md"); h.Get("ETag") != "" || h.Get("Cache-Control") != "no-store" {
		t.Errorf("a page with an error: ETag %q, Cache-Control %q", h.Get("ETag"), h.Get("Cache-Control"))
	}
}

func TestTheCacheIsBounded(t *testing.T) {
	now := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	c := newCache(10_000, time.Minute)
	c.now = func() time.Time { return now }
	c.put("large", 1, 2000)
	if c.get("large") != nil {
		t.Error("what is too large was kept")
	}
	for i := range 100 {
		c.put(fmt.Sprint(i), i, 800)
		if c.get("0") == nil && i < 50 {
			t.Fatalf("what is used was dropped after %d", i)
		}
	}
	if _, _, bytes := c.counts(); bytes > 10_000 || c.get("0") == nil && c.get("99") == nil {
		t.Errorf("%d bytes, want at most 10000 and the last", bytes)
	}
	now = now.Add(2 * time.Minute)
	if c.get("99") != nil {
		t.Error("what is too old is there")
	}
}

func TestMetricsAndLog(t *testing.T) {
	log := &lines{}
	base, stop := started(t, Options{Log: log, AccessLog: LogRequests, CacheBytes: 1 << 20})
	get(t, base+"/api/v1/search?query=sesame")
	get(t, base+"/api/v1/search?query=sesame")
	get(t, base+"/sesame")
	get(t, base+"/?q=sesame")
	get(t, base+"/healthz", "Host", "evil.example")
	tell(t, base+callPath, callBody("generate_rag_answer", `{"query":"sesame"}`))
	tell(t, base+callPath, callBody("sesame", `{}`))
	tell(t, base+callPath+"/", callBody("sesame", `{}`))
	_, h, text := get(t, base+"/metrics")
	for _, want := range []string{
		`kdd_requests_total{route="/api/v1/search",status="200"} 2`, `kdd_requests_total{route="none",status="404"} 1`, `kdd_requests_total{route="/",status="200"} 1`, `kdd_requests_total{route="/api/v1/mcp/tools/call",status="200"} 3`, `kdd_requests_total{route="refused",status="403"} 1`,
		`kdd_request_seconds_count{route="/api/v1/search"} 2`, `kdd_request_seconds_bucket{route="/api/v1/search",le="+Inf"} 2`, `kdd_calls_total{tool="kdd_ask"} 1`, `kdd_calls_total{tool="unknown"} 2`,
		"kdd_cache_hits_total 1\n", "kdd_requests_running 1\n", "# TYPE kdd_request_seconds histogram\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "sesame") || h.Get("Content-Type") != "text/plain; version=0.0.4; charset=utf-8" {
		t.Errorf("metrics say what was asked:\n%s", text)
	}
	stop()
	written := log.String()
	if strings.Contains(written, "sesame") || strings.Count(written, "\n") != 9 {
		t.Errorf("log\n%s\nwant 9 lines without what was asked", written)
	}
	for line := range strings.Lines(written) {
		var l logLine
		if err := json.Unmarshal([]byte(line), &l); err != nil || l.Status == 0 || l.Route == "" || l.Client != "127.0.0.1" || l.Time == "" {
			t.Errorf("line %s: %v", line, err)
		}
	}
	log = &lines{}
	base, stop = started(t, Options{Log: log, AccessLog: LogQueries})
	get(t, base+"/api/v1/search?query=sesame")
	tell(t, base+callPath, callBody("generate_rag_answer", `{"query":"open\n\u001b[2Jit"}`))
	stop()
	if written = log.String(); !strings.Contains(written, `"query":"sesame"`) || strings.Contains(written, "\x1b") || strings.Count(written, "\n") != 2 {
		t.Errorf("log %q, want both queries", written)
	}
}

// A log that nobody reads holds no request up.
func TestABlockedLogBlocksNothing(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	base, stop := started(t, Options{Log: write, AccessLog: LogRequests})
	for range 2000 {
		if status, _, _ := get(t, base+"/healthz"); status != 200 {
			t.Fatal(status)
		}
	}
	go func() {
		buffer := make([]byte, 1<<16)
		for {
			if _, err := read.Read(buffer); err != nil {
				return
			}
		}
	}()
	stop()
	write.Close()
}

// A conversation of the public is that of one client: another that knows its name is not told what was asked in it.
func TestAConversationIsOneClients(t *testing.T) {
	o := publicOptions(t)
	o.ClientHeader = "X-Real-IP"
	base, _ := started(t, o)
	const first, second = "how long is an access token of Jane Doe valid", "and how do I refresh it?"
	ask := func(client, question, path string) string {
		if path == callPath {
			body := fmt.Sprintf(`{"tool_name":"generate_rag_answer","arguments":{"query":%q},"session_id":"default"}`, question)
			_, _, said := send(t, "POST", base+path, body, "Content-Type", "application/json", "X-Real-IP", client)
			return said
		}
		_, _, said := send(t, "GET", base+path+"?session_id=default&query="+url.QueryEscape(question), "", "X-Real-IP", client)
		return said
	}
	for _, path := range []string{callPath, "/api/v1/ask"} {
		ask("192.0.2.1", first, path)
		if said := ask("192.0.2.1", second, path); !strings.Contains(said, "Jane Doe") {
			t.Errorf("%s: the client's own conversation is forgotten: %.300s", path, said)
		}
		said := ask("192.0.2.2", second, path)
		if strings.Contains(said, "Jane Doe") {
			t.Errorf("%s: another client is told: %.300s", path, said)
		}
		if !strings.Contains(said, `"session_id":"default"`) {
			t.Errorf("%s: the session has another name: %.300s", path, said)
		}
	}
}
