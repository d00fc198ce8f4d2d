package web

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/semaphore"
)

// lines is what a server logs.
type lines struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// raw sends bytes and returns the status of what comes back, 0 where the connection is closed without.
func raw(t *testing.T, base, request string) int {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	io.WriteString(c, request) // it may be refused before it is all there
	response, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return 0
	}
	defer response.Body.Close()
	io.Copy(io.Discard, response.Body)
	return response.StatusCode
}

func alive(t *testing.T, base, after string) {
	t.Helper()
	if status, _, body := get(t, base+"/api/v1/search?query=token"); status != 200 {
		t.Errorf("after %s: %d %s, want 200", after, status, body)
	}
}

// A row for each thing that a stranger may try.
func TestStrangers(t *testing.T) {
	const token = "0123456789abcdef0123"
	base, _ := started(t, Options{Token: token})
	public, _ := started(t, publicOptions(t))
	right := "Authorization: Bearer " + token + "\r\n"
	body := callBody("kdd_search", `{"query":"token"}`)
	call := func(headers string) string {
		return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n%sContent-Length: %d\r\n\r\n%s", callPath, headers, len(body), body)
	}
	for _, test := range []struct {
		name, base, request string
		status              int
	}{
		{"the right token", base, call(right), 200},
		{"no token", base, call(""), 401},
		{"a wrong token", base, call("Authorization: Bearer 0123456789abcdef0124\r\n"), 401},
		{"a token that begins right", base, call("Authorization: Bearer 0123456789abcdef\r\n"), 401},
		{"another scheme", base, call("Authorization: Basic " + token + "\r\n"), 401},
		{"two tokens", base, call("Authorization: Bearer x\r\n" + right), 401},
		{"no token, the page", base, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", 401},
		{"no token, metrics", base, "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", 401},
		{"no token, the description", base, "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n", 401},
		{"DNS rebinding", public, "GET /api/v1/search?query=x HTTP/1.1\r\nHost: attacker.example\r\n\r\n", 403},
		{"DNS rebinding of a call", base, strings.Replace(call(right), "Host: localhost", "Host: attacker.example:80", 1), 403},
		{"two hosts", base, strings.Replace(call(right), "Host: localhost", "Host: localhost\r\nHost: attacker.example", 1), 400},
		{"no host", base, "GET /healthz HTTP/1.1\r\n\r\n", 400},
		{"a foreign origin", public, call("Origin: https://attacker.example\r\n"), 403},
		{"a foreign origin behind an allowed one", public, call("Origin: " + docsOrigin + "\r\nOrigin: https://attacker.example\r\n"), 403},
		{"an opaque origin", public, call("Origin: null\r\n"), 403},
		{"a foreign page without an origin", public, call("Sec-Fetch-Site: cross-site\r\n"), 403},
		{"a form of a foreign page", public, strings.Replace(call("Origin: https://attacker.example\r\n"), "application/json", "text/plain", 1), 403},
		{"headers without end", base, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("x", 1<<20) + "\r\n\r\n", 431},
		{"many headers", base, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + strings.Repeat("X: y\r\n", 1<<16) + "\r\n", 431},
		{"a body of a gigabyte", public, "POST " + callPath + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1073741824\r\n\r\n{", 413},
		{"a body in chunks without end", public, "POST " + callPath + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n80000\r\n" + strings.Repeat("x", 0x80000) + "\r\n", 413},
		{"two lengths", base, "POST " + callPath + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}", 400},
		{"no HTTP", base, "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400},
		{"another method", public, "DELETE /api/v1/search HTTP/1.1\r\nHost: localhost\r\n\r\n", 405},
		{"a proxy's request", public, "GET http://attacker.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 403},
	} {
		if status := raw(t, test.base, test.request); status != test.status {
			t.Errorf("%s = %d, want %d", test.name, status, test.status)
		}
	}
	alive(t, public, "strangers")
}

// No path leads out of the documents.
func TestNoPathLeadsOut(t *testing.T) {
	base, _ := started(t, publicOptions(t))
	for _, path := range []string{
		"/../../etc/passwd", "/..%2f..%2fetc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/api/v1/../../../etc/passwd", "/api/v1/%2e%2e%2f%2e%2e%2fetc%2fpasswd", "//etc/passwd", "/api/v1/read/../../../etc/passwd",
		"/.git/config", "/api/v1/..;/doctor", "/api/v1/search/..%5c..%5cwindows", "/..\\..\\etc\\passwd", "/api/v1/read%00", "/api/v1//doctor",
		"/api/v1", "/.", "/./healthz", "/healthz/..", "/api/v1/search//",
	} {
		status := raw(t, base, "GET "+path+" HTTP/1.1\r\nHost: localhost\r\n\r\n")
		if status != 404 && status != 400 {
			t.Errorf("GET %s = %d, want 404", path, status)
		}
	}
	if status := raw(t, base, "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n"); status != 404 {
		t.Errorf("CONNECT = %d, want 404", status)
	}
	for _, file := range []string{"../../../etc/passwd", "/etc/passwd", "..\\..\\etc\\passwd", "file:///etc/passwd", "security/../../../../etc/passwd", "%2e%2e/%2e%2e/etc/passwd", "....//....//etc/passwd", "security/auth.md/../../../../etc/passwd", "kdd://doc/../../etc/passwd", "\x00/etc/passwd"} {
		status, _, body := get(t, base+"/api/v1/read?file="+url.QueryEscape(file))
		if status != 404 && status != 400 || strings.Contains(body, "root:") {
			t.Errorf("read %q = %d %.200s, want 404", file, status, body)
		}
		if status, _, body := get(t, base+"/?read="+url.QueryEscape(file)); status != 404 && status != 400 || strings.Contains(body, "root:") {
			t.Errorf("page of %q = %d, want 404", file, status)
		}
	}
	alive(t, base, "paths")
}

// Clients that send a byte at a time, or only a part, are cut off while others are served.
func TestSlowClients(t *testing.T) {
	base, _ := startedWith(t, Options{}, func(s *Server) { s.limits.header, s.limits.whole = 50*time.Millisecond, 100*time.Millisecond })
	var slow sync.WaitGroup
	for i := range 40 {
		slow.Go(func() {
			c, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			part, want := "GET /healthz HTTP/1.1\r\nHost: loc", 0
			if i%2 == 0 {
				part, want = "POST "+callPath+" HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{", 408
			}
			io.WriteString(c, part)
			status := 0
			// it ends, or the test never does
			if response, err := http.ReadResponse(bufio.NewReader(c), nil); err == nil {
				status = response.StatusCode
			}
			if status != want {
				t.Errorf("%q = %d, want %d", part, status, want)
			}
		})
	}
	alive(t, base, "slow clients began")
	slow.Wait()
	alive(t, base, "slow clients")
}

// Clients that send their bodies slowly, short or long ones, more of them than there are slots for bodies, keep nobody
// from asking.
func TestSlowBodiesHoldUpNobody(t *testing.T) {
	base, _ := startedWith(t, Options{MaxCalls: 1, Wait: time.Millisecond}, func(s *Server) { s.limits.whole = time.Minute })
	for _, sent := range []int{1, shortBody + 2} {
		for range 2 * 4 {
			c, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n%s",
				callPath, strings.Repeat(" ", sent))
		}
	}
	for i := range 20 {
		response, err := http.Post(base+callPath, "application/json", strings.NewReader(callBody("kdd_search", `{"query":"token"}`)))
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != 200 {
			t.Errorf("call %d beside slow clients: %d, want 200", i, response.StatusCode)
		}
	}
}

// More connections than there may be: the idle ones go, whoever asks is served.
func TestIdleConnections(t *testing.T) {
	base, _ := startedWith(t, Options{}, func(s *Server) { s.limits.connections = 50 })
	var idle []net.Conn
	for range 500 {
		c, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		idle = append(idle, c)
	}
	for range 5 {
		alive(t, base, "500 idle connections")
	}
	if _, err := idle[0].Read(make([]byte, 1)); err == nil { // it was closed, or the test never ends
		t.Error("the oldest idle connection is open")
	}
}

func TestConnectionLimit(t *testing.T) {
	for _, test := range []struct{ limit, files, want int }{{4096, 0, 4096}, {4096, 20000, 4096}, {4096, 4096, 3968}, {4096, 1024, 896}, {4096, 64, 32}, {50, 1 << 30, 50}} {
		if got := connectionLimit(test.limit, test.files); got != test.want {
			t.Errorf("connectionLimit(%d, %d) = %d, want %d", test.limit, test.files, got, test.want)
		}
	}
}

// What the server has accepted it answers, whenever it is asked to end.
func TestTheEndLosesNoRequest(t *testing.T) {
	var server *Server
	base, stop := startedWith(t, Options{}, func(s *Server) { server = s })
	var clients sync.WaitGroup
	var mu sync.Mutex
	whole := uint64(0)
	begun := make(chan struct{}, 1000)
	for range 8 {
		clients.Go(func() {
			client := &http.Client{Transport: &http.Transport{}}
			defer client.CloseIdleConnections()
			for {
				response, err := client.Post(base+callPath, "application/json", strings.NewReader(callBody("kdd_search", `{"query":"token"}`)))
				if err != nil {
					return // the server has gone
				}
				body, err := io.ReadAll(response.Body)
				response.Body.Close()
				if err != nil || response.StatusCode != 200 || !strings.HasSuffix(string(body), "}\n") {
					t.Errorf("%d %.100s, %v: half an answer", response.StatusCode, body, err)
					return
				}
				mu.Lock()
				whole++
				mu.Unlock()
				select {
				case begun <- struct{}{}:
				default:
				}
			}
		})
	}
	for range 50 {
		<-begun
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	clients.Wait()
	if server.metrics.begun != whole {
		t.Errorf("%d requests were accepted, %d answered", server.metrics.begun, whole)
	}
}

// stuck is a client that takes nothing of an answer until it is let go.
type stuck struct {
	http.ResponseWriter
	writing chan struct{}
	goOn    chan struct{}
	once    sync.Once
}

func (s *stuck) Write(p []byte) (int, error) {
	s.once.Do(func() { close(s.writing) })
	<-s.goOn
	return s.ResponseWriter.Write(p)
}

// Clients that ask and then read nothing hold no slot, so that others are answered.
func TestAClientThatReadsNothingHoldsNoSlot(t *testing.T) {
	rpc := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"kdd_search","arguments":{"query":"token"}}}`
	listed := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	for _, test := range []struct{ name, method, path, accept, body string }{
		{"an operation", "GET", "/api/v1/search?query=token", "", ""},
		{"the page", "GET", "/?q=token", "", ""},
		{"a call", "POST", callPath, "", callBody("kdd_search", `{"query":"token"}`)},
		{"MCP", "POST", "/mcp", "application/json, text/event-stream", rpc},
		{"MCP by the SDK", "POST", "/mcp", "application/json, text/event-stream", listed},
	} {
		t.Run(test.name, func(t *testing.T) {
			server, err := New(Options{Service: testService(t), MaxCalls: 1, Wait: time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			answer := func(w http.ResponseWriter) {
				request := httptest.NewRequest(test.method, test.path, strings.NewReader(test.body))
				request.Host = "localhost"
				request.Header.Set("Content-Type", "application/json")
				request.Header.Set("Accept", test.accept)
				server.Handler().ServeHTTP(w, request)
			}
			reader := &stuck{ResponseWriter: httptest.NewRecorder(), writing: make(chan struct{}), goOn: make(chan struct{})}
			var done sync.WaitGroup
			done.Go(func() { answer(reader) })
			<-reader.writing
			for range 4 * 2 { // more than there are slots for bodies
				other := httptest.NewRecorder()
				if answer(other); other.Code != 200 {
					t.Errorf("beside a client that reads nothing: %d %s, want 200", other.Code, other.Body)
				}
			}
			close(reader.goOn)
			done.Wait()
			if code := reader.ResponseWriter.(*httptest.ResponseRecorder).Code; code != 200 {
				t.Errorf("the client that read late got %d, want 200", code)
			}
		})
	}
}

// Five clients that take no bodies leave room for the bodies of others.
func TestClientsThatReadNothingHoldNoBodies(t *testing.T) {
	server, err := New(Options{Service: testService(t), MaxCalls: 1, Wait: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	call := func(w http.ResponseWriter) {
		request := httptest.NewRequest("POST", callPath, strings.NewReader(callBody("kdd_search", `{"query":"token"}`)))
		request.Host = "localhost"
		request.Header.Set("Content-Type", "application/json")
		server.Handler().ServeHTTP(w, request)
	}
	var done sync.WaitGroup
	goOn := make(chan struct{})
	for range 5 {
		reader := &stuck{ResponseWriter: httptest.NewRecorder(), writing: make(chan struct{}), goOn: goOn}
		ended := make(chan struct{})
		done.Go(func() { defer close(ended); call(reader) })
		select {
		case <-reader.writing:
		case <-ended:
		}
		if got := reader.ResponseWriter.(*httptest.ResponseRecorder); got.Code == 503 {
			t.Error("a call was refused beside clients that read nothing")
		}
	}
	close(goOn)
	done.Wait()
}

// What is held for clients that read nothing is bounded: beyond that they keep their slots, and all is given back in
// the end.
func TestWhatClientsDoNotReadIsBounded(t *testing.T) {
	server, err := New(Options{Service: testService(t), MaxCalls: 1, Wait: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	call := func(w http.ResponseWriter) int {
		body := callBody("kdd_search", `{"query":"token"}`)
		request := httptest.NewRequest("POST", callPath, strings.NewReader(body+strings.Repeat(" ", 10_000)))
		request.Host = "localhost"
		request.Header.Set("Content-Type", "application/json")
		server.Handler().ServeHTTP(w, request)
		return len(body) + 10_000
	}
	plain := httptest.NewRecorder()
	body := call(plain)
	unsent := int64(body + plain.Body.Len() + 100) // of one request with its answer, whose time may have more digits
	server.unsent = semaphore.NewWeighted(unsent)
	var done sync.WaitGroup
	var readers []*stuck
	for range 2 {
		reader := &stuck{ResponseWriter: httptest.NewRecorder(), writing: make(chan struct{}), goOn: make(chan struct{})}
		readers = append(readers, reader)
		done.Go(func() { call(reader) })
		<-reader.writing
	}
	for _, r := range readers {
		if code := r.ResponseWriter.(*httptest.ResponseRecorder).Code; code != 200 {
			t.Errorf("a client that reads nothing got %d, want 200", code)
		}
	}
	third := httptest.NewRecorder()
	if call(third); third.Code != http.StatusServiceUnavailable {
		t.Errorf("beside two clients that read nothing: %d, want 503: the second is too much to hold without a slot", third.Code)
	}
	for _, r := range readers {
		close(r.goOn)
	}
	done.Wait()
	after := httptest.NewRecorder()
	if call(after); after.Code != 200 || used(server.unsent, unsent) != 0 {
		t.Errorf("after all have read: %d, %d bytes are held, want 200 and none", after.Code, used(server.unsent, unsent))
	}
}

// A client that reads nothing at all is cut off after a while that its answer's size sets.
func TestTakeIn(t *testing.T) {
	w := &deadlines{ResponseWriter: httptest.NewRecorder()}
	takeIn(w, 0)
	takeIn(w, 16<<10)
	if got := w.set[1].Sub(w.set[0]).Round(time.Second); got != 2*time.Second {
		t.Errorf("16 KiB get %s more than nothing, want 2s", got)
	}
}

type deadlines struct {
	http.ResponseWriter
	set []time.Time
}

func (d *deadlines) SetWriteDeadline(at time.Time) error {
	d.set = append(d.set, at)
	return nil
}
