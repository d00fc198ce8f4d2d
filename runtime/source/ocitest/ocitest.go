// Package ocitest is an OCI registry in memory for tests: it says what it was asked, wants a login and is broken on
// request.
//
//	s := ocitest.New(ocitest.Login("ann", "secret"))
//	defer s.Close()
//	push("oci://" + s.Host + "/docs:main")
//	fmt.Println(s.Seen())
package ocitest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"

	"github.com/google/go-containerregistry/pkg/registry"
)

// Server is the registry.
type Server struct {
	*httptest.Server
	Host     string // with the port
	registry http.Handler
	fault    func(w http.ResponseWriter, r *http.Request) bool

	user, password string
	bearer         bool

	mu    sync.Mutex
	token int // the one that is taken now
	seen  []string
}

// Option sets what a server does.
type Option func(*Server)

// Login has the server want a name and a password with each request.
func Login(user, password string) Option {
	return func(s *Server) { s.user, s.password = user, password }
}

// Token has the server want a token, which it gives to this name and password.
func Token(user, password string) Option {
	return func(s *Server) { s.user, s.password, s.bearer = user, password, true }
}

// Fault has a function answer in the server's place, if it returns true.
func Fault(answer func(w http.ResponseWriter, r *http.Request) bool) Option {
	return func(s *Server) { s.fault = answer }
}

// New starts a registry on loopback, without TLS.
func New(options ...Option) *Server {
	s := &Server{registry: registry.New(registry.Logger(log.New(io.Discard, "", 0)))}
	for _, set := range options {
		set(s)
	}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	s.Host = s.Listener.Addr().String()
	s.Start() // after all that a request reads is there
	return s
}

// Seen returns method and path of the requests that came, and forgets them. Names of uploads are left out, digests cut
// short.
func (s *Server) Seen() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := s.seen
	s.seen = nil
	return seen
}

// Expire has a server with Token take the tokens no longer that it has given.
func (s *Server) Expire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.token++
}

func (s *Server) currentToken() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return fmt.Sprintf("token-%d", s.token)
}

// shortDigest is how much of a digest Seen has.
const shortDigest = len("sha256:") + 4

func (s *Server) note(r *http.Request) {
	path := r.URL.Path
	if at := strings.Index(path, "/uploads/"); at >= 0 {
		path = path[:at+len("/uploads/")]
	}
	if at := strings.Index(path, "sha256:"); at >= 0 {
		path = path[:min(len(path), at+shortDigest)]
	}
	line := r.Method + " " + path
	if ranges := r.Header.Get("Range"); ranges != "" {
		line += " " + ranges
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = append(s.seen, line)
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	s.note(r)
	if s.fault != nil && s.fault(w, r) {
		return
	}
	user, password, basic := r.BasicAuth()
	known := basic && user == s.user && password == s.password
	switch {
	case s.user == "":
	case s.bearer && r.URL.Path == "/token":
		if !known {
			refuse(w, http.StatusUnauthorized, "UNAUTHORIZED", "wrong name or password")
			return
		}
		json.NewEncoder(w).Encode(map[string]string{"token": s.currentToken()})
		return
	case s.bearer && r.Header.Get("Authorization") != "Bearer "+s.currentToken():
		w.Header().Set("WWW-Authenticate", fmt.Sprintf(`Bearer realm="%s/token",service="test"`, s.URL))
		refuse(w, http.StatusUnauthorized, "UNAUTHORIZED", "authentication required")
		return
	case !s.bearer && !known:
		w.Header().Set("WWW-Authenticate", `Basic realm="test"`)
		refuse(w, http.StatusUnauthorized, "UNAUTHORIZED", "authentication required")
		return
	}
	s.registry.ServeHTTP(w, r)
}

// refuse answers with an error as registries write it.
func refuse(w http.ResponseWriter, status int, code, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(map[string]any{"errors": []map[string]string{{"code": code, "message": message}}})
}

// Blob puts a blob into a repository and returns its digest.
func (s *Server) Blob(name string, data []byte) string {
	sum := sha256.Sum256(data)
	digest := "sha256:" + hex.EncodeToString(sum[:])
	s.put(http.MethodPost, "/v2/"+name+"/blobs/uploads/?digest="+digest, "application/octet-stream", string(data))
	return digest
}

// Manifest puts a manifest into a repository under a tag and returns its digest.
func (s *Server) Manifest(name, tag, mediaType, text string) string {
	s.put(http.MethodPut, "/v2/"+name+"/manifests/"+tag, mediaType, text)
	sum := sha256.Sum256([]byte(text))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// put sends something to the registry past login and faults. It panics where the registry does not take it: a test's
// mistake.
func (s *Server) put(method, path, mediaType, body string) {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", mediaType)
	w := httptest.NewRecorder()
	s.registry.ServeHTTP(w, r)
	if w.Code != http.StatusCreated {
		panic(fmt.Sprintf("ocitest: %s %s: %d %s", method, path, w.Code, w.Body))
	}
}
