package web

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"kdd/compiler"
	"kdd/compiler/corpustest"
	"kdd/format/index"
	"kdd/mcpserver"
	"kdd/runtime"
	"kdd/runtime/wire"
)

// handbook is the compiled corpus, made once.
var handbook = corpustest.Once(compiler.Options{Sources: []string{"../../testdata/corpora/handbook"}, Version: "1.0.0",
	Golden: &compiler.Golden{Set: &index.QuestionSet{Name: "one", Questions: []index.Question{ // for eval
		{ID: "q1", Text: "account lockout", Relevant: []index.Relevant{{Place: index.Place{Path: "security/auth.md"}, Gain: 1}}},
	}}}})

// handbookFile is the compiled corpus, in a folder far from its sources.
func handbookFile(t testing.TB) string { return corpustest.Copy(t, "handbook.kddx", handbook) }

// testService answers from the compiled corpus.
func testService(t testing.TB) *runtime.Service {
	t.Helper()
	svc := runtime.New(runtime.Config{Index: []string{handbookFile(t)}, Version: "1.0.0"})
	t.Cleanup(func() { svc.Close() })
	return svc
}

// started serves on a port of its own and returns the server's address and what ends it.
func started(t *testing.T, o Options, more ...route) (base string, stop func() error) {
	t.Helper()
	return startedWith(t, o, func(s *Server) {
		if len(more) > 0 {
			s.handler = s.chain(append(s.routes(), more...))
		}
	})
}

// startedWith is started with a server that change has changed.
func startedWith(t *testing.T, o Options, change func(*Server)) (base string, stop func() error) {
	t.Helper()
	if o.Service == nil {
		o.Service = testService(t)
	}
	o.Info = mcpserver.Info{Name: "kddq", Version: "1.0.0"}
	server, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	server.limits.leave = 20 * time.Millisecond
	change(server)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- server.Serve(ctx, listener) }()
	stop = sync.OnceValue(func() error {
		cancel()
		return <-done
	})
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		if err := stop(); err != nil {
			t.Errorf("Serve = %v, want nil", err)
		}
	})
	return "http://" + listener.Addr().String(), stop
}

// get asks a path and returns status, headers and body.
func get(t *testing.T, address string, header ...string) (int, http.Header, string) {
	t.Helper()
	return send(t, http.MethodGet, address, "", header...)
}

func send(t *testing.T, method, address, body string, header ...string) (int, http.Header, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
		if header[i] == "Host" {
			r.Host = header[i+1]
		}
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, response.Header, string(data)
}

// withoutTime replaces the value of time_ms, which is the last field of an answer.
func withoutTime(s string) string {
	before, _, _ := strings.Cut(memory.ReplaceAllString(s, "$1$2"), `"time_ms":`)
	return strings.TrimRight(before, "\n")
}

// memory is what doctor says of the machine's, which differs from call to call.
var memory = regexp.MustCompile(`("name":"memory","ok":)[a-z]+(,"detail":")[^"]*`)

// A GET answers the very bytes that the command line prints.
func TestOperationsAnswerTheWireJSON(t *testing.T) {
	svc := testService(t)
	base, _ := started(t, Options{Service: svc})
	// its first answer says that the file was verified now
	if _, err := svc.Doctor(t.Context(), wire.DoctorRequest{}); err != nil {
		t.Fatal(err)
	}
	asked := map[string]struct {
		query string
		args  map[string]any
	}{
		"search":     {"query=how+does+authentication+work&limit=3&domains=security,billing", map[string]any{"query": "how does authentication work", "limit": 3, "domains": []string{"security", "billing"}}},
		"find-spec":  {"name=ADR-0004", map[string]any{"name": "ADR-0004"}},
		"related":    {"entity=RF-AUTH-001&edge_types=IMPLEMENTS&edge_types=DEPENDS_ON", map[string]any{"entity": "RF-AUTH-001", "edge_types": []string{"IMPLEMENTS", "DEPENDS_ON"}}},
		"read":       {"file=security%2Fauth.md%23authentication-flow", map[string]any{"file": "security/auth.md#authentication-flow"}},
		"list":       {"where=owner%3Dana&limit=5", map[string]any{"where": map[string][]string{"owner": {"ana"}}, "limit": 5}},
		"stats":      {"", nil},
		"impact":     {"node_id=RF-AUTH-001", map[string]any{"entity": "RF-AUTH-001"}},
		"context":    {"hints=AuthService&hints=token+expiry", map[string]any{"hints": []string{"AuthService", "token expiry"}}},
		"lint":       {"rules=orphans", map[string]any{"rules": []string{"orphans"}}},
		"coverage":   {"node=RF-AUTH-001", map[string]any{"node": "RF-AUTH-001"}},
		"violations": {"", nil}, "orphans": {"limit=3", map[string]any{"limit": 3}},
		"graph": {"node=RF-AUTH-001", map[string]any{"node": "RF-AUTH-001"}},
	}
	operations := runtime.Operations()
	for i := range operations {
		o := &operations[i]
		a, ok := asked[o.Name]
		if !ok { // the examples of the table
			a.args = o.Examples[0]
			values := url.Values{}
			for name, v := range a.args {
				if text, ok := v.(string); ok {
					values.Set(name, text)
				}
			}
			a.query = values.Encode()
		}
		answer, err := o.Run(t.Context(), svc, a.args)
		if err != nil {
			t.Fatalf("%s = %v", o.Name, err)
		}
		status, header, body := get(t, base+"/api/v1/"+o.Name+"?"+a.query)
		if want := withoutTime(string(wire.Encode(answer))); status != 200 || withoutTime(body) != want || header.Get("Content-Type") != "application/json" {
			t.Errorf("GET %s?%s = %d %s\n%s\nwant\n%s", o.Name, a.query, status, header.Get("Content-Type"), body, want)
		}
	}
}

func TestWhatFailsIsErrorV1(t *testing.T) {
	base, _ := started(t, Options{})
	for _, test := range []struct {
		method, path string
		status       int
		code, says   string
	}{
		{"GET", "/api/v1/search", 400, "invalid_input", "query: got nothing"},
		{"GET", "/api/v1/search?quary=x", 400, "invalid_input", `did you mean \"query\"?`},
		{"GET", "/api/v1/search?query=a&query=b", 400, "invalid_input", "query: got a list"},
		{"GET", "/api/v1/search?query=a&limit=many", 400, "invalid_input", "limit: got"},
		{"GET", "/api/v1/search?query=%zz", 400, "invalid_input", "invalid URL escape"},
		{"GET", "/api/v1/search?query=a&mode=vector", 409, "no_vectors", ""},
		{"GET", "/api/v1/search?query=a&cursor=AQAAAA", 409, "stale_cursor", ""},
		{"GET", "/api/v1/read?file=none.md", 404, "not_found", ""},
		{"GET", "/api/v1/serch?query=a", 404, "not_found", "did you mean /api/v1/search?"},
		{"GET", "/nowhere", 404, "not_found", "/healthz"},
		{"POST", "/api/v1/search?query=a", 405, "invalid_input", "want GET"},
		{"GET", "/mcp", 405, "invalid_input", "want POST"},
		{"GET", "/api/v1/search?query=" + strings.Repeat("x", 80000), 431, "", ""},
	} {
		status, header, body := send(t, test.method, base+test.path, "")
		if status != test.status {
			t.Errorf("%s %.60s = %d %s, want %d", test.method, test.path, status, body, test.status)
		}
		if test.code == "" { // refused before it was a request
			continue
		}
		var e struct {
			SchemaVersion string `json:"schema_version"`
			Code, Message string
			Detail        string
		}
		if err := json.Unmarshal([]byte(body), &e); err != nil || e.SchemaVersion != "error.v1" || e.Code != test.code || e.Message == "" || e.Detail == "" || !strings.Contains(body, test.says) {
			t.Errorf("%s %s = %s, %v, want error.v1 %s with %s", test.method, test.path, body, err, test.code, test.says)
		}
		if allow := header.Get("Allow"); status == 405 && (allow == "" || strings.Contains(allow, "GET") != strings.Contains(allow, "HEAD")) {
			t.Errorf("%s %s: Allow = %q, want HEAD where GET is", test.method, test.path, allow)
		}
	}
	if status, _, body := send(t, "HEAD", base+"/healthz", ""); status != 200 || body != "" {
		t.Errorf("HEAD /healthz = %d %q, want 200 without a body", status, body)
	}
}

func TestEveryErrorCodeHasAStatus(t *testing.T) {
	for _, code := range []string{wire.CodeInvalidInput, wire.CodeNotFound, wire.CodeIndexNotFound, wire.CodeIndexCorrupt, wire.CodeIndexVersion, wire.CodeIndexUntrusted, wire.CodeNoVectors,
		wire.CodeNoModel, wire.CodeStaleCursor, wire.CodeTimeout, wire.CodeTooLarge, wire.CodeUnauthorized, wire.CodeRateLimited, wire.CodeIO, wire.CodeInternal} {
		if _, ok := statuses[code]; !ok {
			t.Errorf("code %s has no status", code)
		}
	}
}

func TestHealth(t *testing.T) {
	base, _ := started(t, Options{})
	if status, _, body := get(t, base+"/healthz"); status != 200 || body != `{"status":"ok","version":"1.0.0"}`+"\n" {
		t.Errorf("healthz = %d %s", status, body)
	}
	if status, _, body := get(t, base+"/readyz"); status != 200 || !strings.HasPrefix(body, `{"status":"ready","index_id":"`) {
		t.Errorf("readyz = %d %s", status, body)
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	base, _ = started(t, Options{Service: runtime.New(runtime.Config{Dir: dir})})
	if status, _, body := get(t, base+"/healthz"); status != 200 {
		t.Errorf("healthz without an index = %d %s, want 200", status, body)
	}
	if status, header, body := get(t, base+"/readyz"); status != 503 || !strings.Contains(body, `"code":"index_not_found"`) || header.Get("Retry-After") == "" {
		t.Errorf("readyz without an index = %d %s, want 503 index_not_found", status, body)
	}
}

func TestHostAndOriginAreChecked(t *testing.T) {
	base, _ := started(t, Options{AllowHosts: []string{"Docs.example.com"}, AllowOrigins: []string{"https://app.example.com"}})
	own := strings.TrimPrefix(base, "http://")
	_, port, _ := net.SplitHostPort(own)
	for _, test := range []struct {
		host, origin string
		status       int
	}{
		{"", "", 200}, {"localhost:" + port, "", 200}, {"[::1]:" + port, "", 200}, {"docs.example.com", "", 200}, {"docs.example.com:443", "", 200},
		{"evil.example", "", 403}, {"127.0.0.1.evil.example", "", 403}, {"10.0.0.7", "", 403}, {"evil.example:" + port, "", 403},
		{"", base, 200}, {"", "https://app.example.com", 200}, {"", "https://evil.example", 403}, {"", "null", 403},
		{"", "http://app.example.com", 403}, {"", "https://app.example.com.evil.example", 403}, {"evil.example", "http://evil.example", 403},
	} {
		for _, method := range []string{"GET", "POST"} {
			header := []string{"Content-Type", "application/json"}
			if test.host != "" {
				header = append(header, "Host", test.host)
			}
			if test.origin != "" {
				header = append(header, "Origin", test.origin)
			}
			path, want := "/healthz", test.status
			if method == "POST" {
				if path = "/mcp"; want == 200 {
					want = 400 // an empty message, but it came through
				}
			}
			if status, _, body := send(t, method, base+path, "", header...); status != want {
				t.Errorf("%s %s with Host %q, Origin %q = %d %s, want %d", method, path, test.host, test.origin, status, body, want)
			}
		}
	}
	for _, bad := range []Options{{AllowHosts: []string{"*"}}, {AllowHosts: []string{"https://x"}}, {AllowOrigins: []string{"example.com"}}, {AllowOrigins: []string{"https://x/y"}}} {
		if _, err := New(bad); err == nil {
			t.Errorf("New(%v %v) = nil, want an error", bad.AllowHosts, bad.AllowOrigins)
		}
	}
}

// Over the loopback a server answers to loopback addresses alone: a page whose name was given another address by its
// DNS may come from anywhere. On other networks it answers to any address.
func TestHostsByConnection(t *testing.T) {
	tcp := func(address string) net.Addr { return &net.TCPAddr{IP: net.ParseIP(address), Port: 80} }
	for _, test := range []struct {
		local net.Addr
		host  string
		want  bool
	}{
		{tcp("127.0.0.1"), "127.0.0.1:80", true}, {tcp("127.0.0.1"), "[::1]", true}, {tcp("127.0.0.1"), "10.0.0.7", false}, {tcp("::1"), "10.0.0.7:80", false},
		{tcp("10.0.0.7"), "10.0.0.7", true}, {tcp("10.0.0.7"), "192.168.0.9:80", true}, {tcp("10.0.0.7"), "evil.example", false}, {tcp("10.0.0.7"), "", false},
		{&net.UnixAddr{Name: "kdd.sock"}, "10.0.0.7", true}, {nil, "10.0.0.7", true}, {nil, "evil.example", false},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host = test.host
		if test.local != nil {
			r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, test.local))
		}
		if got := (&access{}).hostAllowed(r); got != test.want {
			t.Errorf("Host %q over %v: allowed %t, want %t", test.host, test.local, got, test.want)
		}
	}
}

func TestOptionsHaveDefaults(t *testing.T) {
	s, err := New(Options{Service: testService(t)})
	if err != nil {
		t.Fatal(err)
	}
	if o := s.options; o.Timeout != DefaultTimeout || o.MaxCalls != DefaultCalls || o.Wait != defaultWait || o.Log == nil || o.AccessLog != LogOff {
		t.Errorf("options %+v", o)
	}
}

func TestTheTokenIsDemanded(t *testing.T) {
	const token = "0123456789abcdef0123"
	base, _ := started(t, Options{Token: token})
	for _, test := range []struct {
		path, header string
		status       int
	}{
		{"/healthz", "", 200}, {"/readyz", "", 200}, {"/api/v1/stats", "", 401}, {"/api/v1/nothing", "", 401}, {"/api/v1/stats", "Bearer " + token, 200},
		{"/api/v1/stats", "bearer  " + token + " ", 200}, {"/api/v1/stats", "Basic " + token, 401}, {"/api/v1/stats", "Bearer " + token + "x", 401}, {"/api/v1/stats", "Bearer", 401}, {"/api/v1/stats", token, 401},
	} {
		var header []string
		if test.header != "" {
			header = []string{"Authorization", test.header}
		}
		status, got, body := get(t, base+test.path, header...)
		if status != test.status || status == 401 && (got.Get("WWW-Authenticate") == "" || strings.Contains(body, token)) {
			t.Errorf("%s with %q = %d %s, want %d", test.path, test.header, status, body, test.status)
		}
	}
	if status, _, _ := send(t, "POST", base+"/mcp", "{}", "Content-Type", "application/json"); status != 401 {
		t.Errorf("POST /mcp = %d, want 401", status)
	}
}

// The slots bound what runs; what waits too long is told to come back, and health is answered meanwhile.
func TestMoreRequestsThanSlots(t *testing.T) {
	running, release := make(chan struct{}), make(chan struct{})
	slow := route{path: "/slow", handle: func(w http.ResponseWriter, r *http.Request) {
		running <- struct{}{}
		<-release
		writeJSON(w, r, 200, health{Status: "done"})
	}}
	base, stop := started(t, Options{MaxCalls: 2, Wait: time.Millisecond}, slow)
	statuses := make(chan int, 2)
	for range 2 {
		go func() {
			status, _, _ := get(t, base+"/slow")
			statuses <- status
		}()
		<-running
	}
	if status, header, body := get(t, base+"/api/v1/stats"); status != 503 || header.Get("Retry-After") != "1" || !strings.Contains(body, `"code":"rate_limited"`) {
		t.Errorf("a third = %d %s, want 503 with Retry-After", status, body)
	}
	for _, path := range []string{"/healthz", "/readyz", "/metrics"} {
		if status, _, body := get(t, base+path); status != 200 {
			t.Errorf("%s = %d %s, want 200", path, status, body)
		}
	}
	// The end of the server waits for what runs.
	ended := make(chan error, 1)
	go func() { ended <- stop() }()
	for { // the listener closes first
		c, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
		if err != nil {
			break
		}
		c.Close()
	}
	close(release)
	for range 2 {
		if status := <-statuses; status != 200 {
			t.Errorf("a running request = %d, want 200", status)
		}
	}
	if err := <-ended; err != nil {
		t.Errorf("Serve = %v, want nil", err)
	}
}

// A sender that takes its time holds no slot.
func TestASlowBodyHoldsNoSlot(t *testing.T) {
	base, _ := started(t, Options{MaxCalls: 1, Wait: time.Millisecond})
	var slow []net.Conn
	for range 3 {
		c, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		slow = append(slow, c)
		io.WriteString(c, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{")
	}
	if status, _, body := get(t, base+"/api/v1/stats"); status != 200 {
		t.Errorf("beside %d slow senders: %d %s, want 200", len(slow), status, body)
	}
}

func TestAPanicAndADeadlineEndOneRequest(t *testing.T) {
	base, _ := started(t, Options{Timeout: 20 * time.Millisecond},
		route{path: "/panics", handle: func(http.ResponseWriter, *http.Request) { panic("seen") }},
		route{path: "/waits", handle: func(w http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
			writeError(w, r, wire.NewError(wire.CodeTimeout, "late", ""))
		}})
	if status, _, body := get(t, base+"/panics"); status != 500 || !strings.Contains(body, `"code":"internal"`) {
		t.Errorf("panics = %d %s, want 500 internal", status, body)
	}
	if status, _, body := get(t, base+"/waits"); status != 504 || !strings.Contains(body, `"code":"timeout"`) {
		t.Errorf("waits = %d %s, want 504 timeout", status, body)
	}
}

// A replaced artifact is picked up between requests, and none is lost.
func TestAReplacedArtifactLosesNoRequest(t *testing.T) {
	data, err := handbook()
	if err != nil {
		t.Fatal(err)
	}
	small := t.TempDir()
	if err := os.WriteFile(filepath.Join(small, "one.md"), []byte("# One\n\nThe only document.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "one.kddx")
	if _, err := compiler.Build(t.Context(), compiler.Options{Sources: []string{small}, Output: other, NoVectors: true, Version: "1.0.0"}); err != nil {
		t.Fatal(err)
	}
	one, err := os.ReadFile(other)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "docs.kddx")
	replace := func(data []byte) {
		if err := os.WriteFile(path+".next", data, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+".next", path); err != nil {
			t.Fatal(err)
		}
	}
	replace(one)
	svc := runtime.New(runtime.Config{Index: []string{path}})
	t.Cleanup(func() { svc.Close() })
	base, _ := started(t, Options{Service: svc})
	stop := make(chan struct{})
	var wait sync.WaitGroup
	for range 3 {
		wait.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				status, _, body := get(t, base+"/api/v1/list?limit=1")
				if status != 200 || !strings.Contains(body, `"total":1,`) && !strings.Contains(body, `"total":51,`) {
					t.Errorf("while it is replaced: %d %s", status, body)
					return
				}
			}
		})
	}
	for range 25 {
		replace(data)
		if _, _, body := get(t, base+"/api/v1/list?limit=1"); !strings.Contains(body, `"total":51,`) {
			t.Errorf("after the replacement: %s, want its 51 documents", body)
		}
		replace(one)
		if _, _, body := get(t, base+"/api/v1/list?limit=1"); !strings.Contains(body, `"total":1,`) {
			t.Errorf("after the replacement: %s, want its 1 document", body)
		}
	}
	close(stop)
	wait.Wait()
}
