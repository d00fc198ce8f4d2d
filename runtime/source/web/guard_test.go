package web

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"kdd/runtime/source"
	"kdd/runtime/source/sourcetest"
)

// TestMain is the program of tests that need an environment of their own: it prints the first bytes of a file.
func TestMain(m *testing.M) {
	address := os.Getenv("KDD_TEST_OPEN")
	if address == "" {
		os.Exit(m.Run())
	}
	s, err := Open(context.Background(), address, Options{Credentials: CredentialsOf(os.Getenv)})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	head, err := s.ReadRange(context.Background(), 0, 5)
	fmt.Printf("%s %v\n", head, err)
}

// TestAddresses checks what is said of addresses that are not asked.
func TestAddresses(t *testing.T) {
	for _, tt := range []struct{ address, want string }{
		{"docs.kddx", `docs.kddx: no address of a web server; want one such as https://docs.example.com/docs.kddx`},
		{"ftp://host/docs.kddx", "ftp://host/docs.kddx: no address of a web server"},
		{"https:///docs.kddx", "no address of a web server"},
		{"https://me:secret@host/docs.kddx?a=secret", "https://host/docs.kddx: user and password stand in the address; leave them out, and set KDD_HTTP_USER and KDD_HTTP_PASSWORD, or KDD_HTTP_TOKEN"},
		{"https://token@host/docs.kddx", "user and password stand in the address"},
		{"https://me:secret@host:port/docs.kddx?secret", `"host:port/docs.kddx": no address of a web server`},
		{"http://1.1.1.1/docs.kddx", "http://1.1.1.1: unencrypted, at the public address 1.1.1.1; http is for this machine and private networks; use https"},
	} {
		_, err := Open(t.Context(), tt.address, quick())
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("Open(%s) = %v, want %q", tt.address, err, tt.want)
		}
	}
}

// TestIsLocal checks which addresses are private.
func TestIsLocal(t *testing.T) {
	for address, want := range map[string]bool{
		"127.0.0.1": true, "127.9.9.9": true, "::1": true, "10.1.2.3": true, "172.16.0.1": true, "172.32.0.1": false,
		"192.168.1.1": true, "169.254.169.254": true, "fe80::1%eth0": true, "fd00::1": true, "100.64.0.1": true,
		"100.128.0.1": false, "0.0.0.0": true, "::": true, "::ffff:10.0.0.1": true, "::ffff:1.1.1.1": false,
		"1.1.1.1": false, "2606:4700::1111": false, "224.0.0.1": true,
	} {
		if got := isLocal(netip.MustParseAddr(address)); got != want {
			t.Errorf("isLocal(%s) = %t", address, got)
		}
	}
}

// network is some hosts, all on loopback, that take themselves for public or private ones.
type network struct {
	hosts  map[string]*sourcetest.Server
	public []uint16 // ports
	roots  *x509.CertPool

	mu   sync.Mutex
	seen []string // "host Range Authorization Referer" of all requests
}

// host starts a host. What it is asked is noted, and answer may answer.
func (n *network) host(t *testing.T, name string, public, encrypted bool, answer func(w http.ResponseWriter, r *http.Request) bool) {
	fault := sourcetest.Fault(func(_ int, w http.ResponseWriter, r *http.Request) bool {
		n.mu.Lock()
		n.seen = append(n.seen, strings.TrimSpace(name+r.URL.Path+" "+r.Header.Get("Authorization")+r.Header.Get("Referer")))
		n.mu.Unlock()
		return answer != nil && answer(w, r)
	})
	start := sourcetest.New
	if encrypted {
		start = sourcetest.NewTLS
	}
	s := start(served(random(fileBytes, 1)), fault)
	t.Cleanup(s.Close)
	if encrypted {
		n.roots.AddCert(s.Certificate())
	}
	n.hosts[name] = s
	if public {
		n.public = append(n.public, netip.MustParseAddrPort(s.Listener.Addr().String()).Port())
	}
}

// to answers with a redirect.
func (n *network) to(host, path string) func(w http.ResponseWriter, r *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		http.Redirect(w, r, n.hosts[host].URL+path, http.StatusFound)
		return true
	}
}

// TestRedirects follows redirects, or not.
func TestRedirects(t *testing.T) {
	const file = "/docs.kddx"
	for _, tt := range []struct {
		name    string
		build   func(t *testing.T, n *network)
		want    string   // in the error of Open
		later   string   // in that of the read
		seen    []string // by the hosts, for Open and one more read
		notices int
	}{
		{name: "on the same host", build: func(t *testing.T, n *network) {
			n.host(t, "a", true, true, func(w http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path == "/latest" {
					http.Redirect(w, r, file, http.StatusMovedPermanently)
				}
				return r.URL.Path == "/latest"
			})
		}, seen: []string{"a/latest Bearer secret", "a/docs.kddx Bearer secret", "a/docs.kddx Bearer secret"}},
		{name: "to another public host", build: func(t *testing.T, n *network) {
			n.host(t, "b", true, true, nil)
			n.host(t, "a", true, true, n.to("b", file+"?signature=secret"))
		}, seen: []string{"a/latest Bearer secret", "b/docs.kddx", "b/docs.kddx"}, notices: 1},
		{name: "from a private to a public host", build: func(t *testing.T, n *network) {
			n.host(t, "b", true, true, nil)
			n.host(t, "a", false, true, n.to("b", file))
		}, seen: []string{"a/latest Bearer secret", "b/docs.kddx", "b/docs.kddx"}, notices: 1},
		{name: "from a private to a private host", build: func(t *testing.T, n *network) {
			n.host(t, "b", false, false, nil)
			n.host(t, "a", false, false, n.to("b", file))
		}, seen: []string{"a/latest Bearer secret", "b/docs.kddx", "b/docs.kddx"}, notices: 1},
		{name: "from a public to a private host", build: func(t *testing.T, n *network) {
			n.host(t, "b", false, true, nil)
			n.host(t, "a", true, true, n.to("b", file))
		}, want: "a public host redirects to it, and its address 127.0.0.1 is private; name the address itself", notices: 1,
			seen: []string{"a/latest Bearer secret"}},
		{name: "to a private host by way of a public one", build: func(t *testing.T, n *network) {
			n.host(t, "c", false, true, nil)
			n.host(t, "b", true, true, n.to("c", file))
			n.host(t, "a", false, true, n.to("b", file))
		}, want: "a public host redirects to it, and its address", notices: 2, seen: []string{"a/latest Bearer secret", "b/docs.kddx"}},
		{name: "back to the private host, whose connection is open", build: func(t *testing.T, n *network) {
			n.host(t, "b", true, true, func(w http.ResponseWriter, r *http.Request) bool { return n.to("a", "/admin")(w, r) })
			n.host(t, "a", false, true, n.to("b", file))
		}, want: "a public host redirects to it, and its address", notices: 1, seen: []string{"a/latest Bearer secret", "b/docs.kddx"}},
		{name: "back to the public host", build: func(t *testing.T, n *network) {
			n.host(t, "b", true, true, func(w http.ResponseWriter, r *http.Request) bool { return n.to("a", file)(w, r) })
			n.host(t, "a", true, true, func(w http.ResponseWriter, r *http.Request) bool {
				return r.URL.Path == "/latest" && n.to("b", "/")(w, r)
			})
		}, notices: 1, seen: []string{"a/latest Bearer secret", "b/", "a/docs.kddx", "a/docs.kddx Bearer secret"}},
		{name: "from https to http", build: func(t *testing.T, n *network) {
			n.host(t, "b", false, false, nil)
			n.host(t, "a", false, true, n.to("b", file))
		}, want: "redirects from https to http://127.0.0.1:", seen: []string{"a/latest Bearer secret"}},
		{name: "from http to https", build: func(t *testing.T, n *network) {
			n.host(t, "b", false, true, nil)
			n.host(t, "a", false, false, n.to("b", file))
		}, notices: 1, seen: []string{"a/latest Bearer secret", "b/docs.kddx", "b/docs.kddx"}},
		{name: "in a circle", build: func(t *testing.T, n *network) {
			n.host(t, "a", true, true, func(w http.ResponseWriter, r *http.Request) bool { return n.to("a", "/latest")(w, r) })
		}, want: "redirects again, after 5 times, to https://127.0.0.1:", seen: slices.Repeat([]string{"a/latest Bearer secret"}, 6)},
		{name: "with user and password", build: func(t *testing.T, n *network) {
			n.host(t, "a", true, true, func(w http.ResponseWriter, r *http.Request) bool {
				http.Redirect(w, r, "https://me:secret@example.com/", http.StatusFound)
				return true
			})
		}, want: "redirects to https://example.com/ with user and password", seen: []string{"a/latest Bearer secret"}},
		{name: "to a file", build: func(t *testing.T, n *network) {
			n.host(t, "a", true, true, func(w http.ResponseWriter, r *http.Request) bool {
				http.Redirect(w, r, "file:///etc/passwd", http.StatusFound)
				return true
			})
		}, want: "redirects to file:///etc/passwd, which is no address of a web server", seen: []string{"a/latest Bearer secret"}},
		{name: "to an address that runs out", build: func(t *testing.T, n *network) {
			asked := 0
			n.host(t, "b", true, true, func(w http.ResponseWriter, r *http.Request) bool {
				if asked++; asked == 2 {
					w.WriteHeader(http.StatusForbidden)
				}
				return asked == 2
			})
			n.host(t, "a", true, true, n.to("b", file))
		}, notices: 1, seen: []string{"a/latest Bearer secret", "b/docs.kddx", "b/docs.kddx", "a/latest Bearer secret", "b/docs.kddx"}},
		{name: "to a host that redirects to a private one later", build: func(t *testing.T, n *network) {
			n.host(t, "c", false, true, nil)
			asked := 0
			n.host(t, "b", true, true, func(w http.ResponseWriter, r *http.Request) bool {
				asked++
				return asked > 1 && n.to("c", file)(w, r)
			})
			n.host(t, "a", true, true, n.to("b", file))
		}, later: "a public host redirects to it, and its address", notices: 2, seen: []string{"a/latest Bearer secret", "b/docs.kddx", "b/docs.kddx"}},
		{name: "to a private host, beside where a public one led", build: func(t *testing.T, n *network) {
			n.host(t, "b", false, true, nil)
			asked := 0
			n.host(t, "a", true, true, func(w http.ResponseWriter, r *http.Request) bool {
				if asked++; asked > 1 {
					return n.to("b", file)(w, r)
				}
				serve(w, r)
				return true
			})
		}, later: "a public host redirects to it, and its address", notices: 1, seen: []string{"a/latest Bearer secret", "a/latest Bearer secret"}},
		{name: "unencrypted and public", build: func(t *testing.T, n *network) {
			n.host(t, "a", true, false, nil)
		}, want: "unencrypted, at the public address 127.0.0.1"},
		{name: "credentials of the wrong host", build: func(t *testing.T, n *network) {
			n.host(t, "b", true, true, func(w http.ResponseWriter, r *http.Request) bool {
				w.WriteHeader(http.StatusUnauthorized)
				return true
			})
			n.host(t, "a", true, true, n.to("b", file))
		}, want: "docs.kddx: 401 Unauthorized; credentials are sent to 127.0.0.1:", notices: 1, seen: []string{"a/latest Bearer secret", "b/docs.kddx"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			n := &network{hosts: map[string]*sourcetest.Server{}, roots: x509.NewCertPool()}
			tt.build(t, n)
			o := quick()
			o.roots, o.Credentials.Token = n.roots, "secret"
			o.local = func(a netip.AddrPort) bool { return !slices.Contains(n.public, a.Port()) }
			var notices []string
			o.Notice = func(text string) { notices = append(notices, text) }
			s, err := Open(t.Context(), n.hosts["a"].URL+"/latest", o)
			if err == nil {
				defer s.Close()
				if _, err := s.ReadRange(t.Context(), 200_000, 10); tt.later == "" && err != nil ||
					tt.later != "" && (err == nil || !strings.Contains(err.Error(), tt.later)) {
					t.Errorf("ReadRange: %v, want %q", err, tt.later)
				}
			}
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			if !slices.Equal(n.seen, tt.seen) {
				t.Errorf("the hosts have seen %q, want %q", n.seen, tt.seen)
			}
			if len(notices) != tt.notices || slices.ContainsFunc(notices, func(s string) bool { return strings.Contains(s, "secret") }) {
				t.Errorf("%d notices, want %d: %q", len(notices), tt.notices, notices)
			}
		})
	}
}

// TestRebinding reads from a host that a public one led to, and whose name means a private address later.
func TestRebinding(t *testing.T) {
	n := &network{hosts: map[string]*sourcetest.Server{}, roots: x509.NewCertPool()}
	n.host(t, "b", true, true, func(w http.ResponseWriter, r *http.Request) bool {
		w.Header().Set("Connection", "close") // so that the next request dials
		return false
	})
	n.host(t, "a", true, true, n.to("b", "/docs.kddx"))
	o := quick()
	o.roots = n.roots
	var private atomic.Bool
	o.local = func(netip.AddrPort) bool { return private.Load() }
	s, err := Open(t.Context(), n.hosts["a"].URL+"/latest", o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	private.Store(true)
	if _, err := s.ReadRange(t.Context(), 200_000, 10); err == nil || !strings.Contains(err.Error(), "a public host redirects to it, and its address") {
		t.Errorf("ReadRange: %v, want a refusal", err)
	}
}

// TestCredentials checks what is sent as which.
func TestCredentials(t *testing.T) {
	for _, tt := range []struct {
		name string
		env  map[string]string
		want string
		err  string
	}{
		{name: "none"},
		{name: "a token", env: map[string]string{TokenVariable: "abc"}, want: "Bearer abc"},
		{name: "user and password", env: map[string]string{UserVariable: "me", PasswordVariable: "a:b"}, want: "Basic bWU6YTpi"},
		{name: "a password alone", env: map[string]string{PasswordVariable: "a"}, want: "Basic OmE="},
		{name: "both", env: map[string]string{UserVariable: "me", TokenVariable: "abc"}, err: "KDD_HTTP_TOKEN: set beside KDD_HTTP_USER or KDD_HTTP_PASSWORD; unset one of them"},
	} {
		got, err := CredentialsOf(func(name string) string { return tt.env[name] }).authorization()
		if got != tt.want || tt.err == "" != (err == nil) || err != nil && err.Error() != tt.err {
			t.Errorf("%s: %q, %v; want %q, %s", tt.name, got, err, tt.want, tt.err)
		}
	}
}

// TestNobody checks the error where nobody listens.
func TestNobody(t *testing.T) {
	s := httptest.NewServer(nil)
	s.Close()
	_, err := Open(t.Context(), s.URL+"/docs.kddx", Options{})
	if !errors.Is(err, source.ErrUnreachable) || !strings.Contains(err.Error(), "refused; check the address, the network, and HTTPS_PROXY") {
		t.Errorf("Open = %v", err)
	}
}

// TestProxy goes by a proxy, which hides the address of a host.
func TestProxy(t *testing.T) {
	files := sourcetest.New(served(random(fileBytes, 1)))
	defer files.Close()
	var mu sync.Mutex
	var asked []string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked = append(asked, r.URL.String()+r.Header.Get("Authorization"))
		mu.Unlock()
		if r.URL.Path == "/secret.kddx" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		target, _ := url.Parse(files.URL)
		(&httputil.ReverseProxy{Rewrite: func(p *httputil.ProxyRequest) { p.SetURL(target) }}).ServeHTTP(w, r)
	}))
	defer proxy.Close()
	address, _ := url.Parse(proxy.URL)
	for _, tt := range []struct{ address, want string }{
		{"http://192.0.2.1/docs.kddx", "at the public address 192.0.2.1"},
		{"http://docs.example.com/docs.kddx", "unencrypted, and by a proxy, so that its address is not known; use https, or name the host in NO_PROXY"},
		{"http://10.1.2.3/docs.kddx", ""},
		{"http://10.1.2.3/secret.kddx", "401 Unauthorized; credentials are sent by https only; use https"},
	} {
		o := quick()
		o.Credentials.Token = "secret"
		o.proxy = http.ProxyURL(address)
		s, err := Open(t.Context(), tt.address, o)
		if tt.want == "" && err == nil {
			err = readAll(t.Context(), s, random(fileBytes, 1))
		}
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("Open(%s) = %v, want %q", tt.address, err, tt.want)
		}
	}
	want := append(slices.Repeat([]string{"http://10.1.2.3/docs.kddx"}, 4), "http://10.1.2.3/secret.kddx")
	if !slices.Equal(asked, want) {
		t.Errorf("the proxy was asked for %q, want %q", asked, want)
	}
}

// TestEnvironment opens files in a process whose environment has a proxy, certificates and credentials.
func TestEnvironment(t *testing.T) {
	var mu sync.Mutex
	var seen []string
	note := func(text string) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, text)
	}
	noted := func() []string { // and forgets them
		mu.Lock()
		defer mu.Unlock()
		list := seen
		seen = nil
		return list
	}
	encrypted := sourcetest.NewTLS(served([]byte("hello")), sourcetest.Fault(func(n int, w http.ResponseWriter, r *http.Request) bool {
		note("host " + r.Header.Get("Authorization"))
		return false
	}))
	defer encrypted.Close()
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		note("proxy " + r.Method + " " + r.Host + " " + r.Header.Get("Proxy-Authorization"))
		w.WriteHeader(http.StatusProxyAuthRequired)
	}))
	defer proxy.Close()
	certificate := filepath.Join(t.TempDir(), "ca.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: encrypted.Certificate().Raw})
	if err := os.WriteFile(certificate, block, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, address string
		env           []string
		want          string
		seen          []string
	}{
		{"a certificate that nobody knows", encrypted.URL + "/docs.kddx", nil,
			"if the host's certificate is signed in your organisation, name the signer's file in SSL_CERT_FILE", nil},
		{"a certificate in SSL_CERT_FILE", encrypted.URL + "/docs.kddx", []string{"SSL_CERT_FILE=" + certificate, "KDD_HTTP_TOKEN=abc"},
			"hello <nil>", []string{"host Bearer abc"}},
		{"a proxy", "https://docs.example.com/docs.kddx", []string{"HTTPS_PROXY=" + strings.Replace(proxy.URL, "//", "//me:secret@", 1)},
			"docs.kddx: Proxy Authentication Required; give the proxy's user and password in HTTPS_PROXY",
			[]string{"proxy CONNECT docs.example.com:443 Basic bWU6c2VjcmV0"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if goruntime.GOOS != "linux" && strings.Contains(tt.name, "SSL_CERT_FILE") {
				return // the system's own store decides there
			}
			cmd := exec.CommandContext(t.Context(), os.Args[0])
			cmd.Env = append(slices.DeleteFunc(os.Environ(), func(s string) bool {
				return strings.Contains(strings.ToUpper(s), "_PROXY=")
			}), append(tt.env, "KDD_TEST_OPEN="+tt.address)...)
			out, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			if !bytes.Contains(out, []byte(tt.want)) || bytes.Contains(out, []byte("secret")) {
				t.Errorf("it says %s, want %q", out, tt.want)
			}
			if got := noted(); !slices.Equal(got, tt.seen) {
				t.Errorf("seen %q, want %q", got, tt.seen)
			}
		})
	}
}
