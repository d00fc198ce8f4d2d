package model

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const testCommit = "0123456789abcdef0123456789abcdef01234567"

// testHub serves one model as a hub does: a listing, files of a commit, large ones by redirect to a storage of its own.
type testHub struct {
	t       *testing.T
	files   files
	storage *httptest.Server
	hub     *httptest.Server

	mu     sync.Mutex
	cut    map[string]int    // file → bytes after which its next answer stops
	ranges map[string]string // file → range that was asked for last
	auth   []string          // hosts that were sent a token
	etags  map[string]string // file → checksum to give instead of the right one
	handle http.HandlerFunc  // if set, answers for the hub
}

func newTestHub(t *testing.T, f files) *testHub {
	h := &testHub{t: t, files: f, cut: map[string]int{}, ranges: map[string]string{}, etags: map[string]string{}}
	h.storage = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.note("storage", r)
		h.serve(w, r, strings.TrimPrefix(r.URL.Path, "/blob/"))
	}))
	h.hub = httptest.NewServer(http.HandlerFunc(h.answer))
	t.Cleanup(h.storage.Close)
	t.Cleanup(h.hub.Close)
	return h
}

// note remembers who was sent a token.
func (h *testHub) note(host string, r *http.Request) {
	if r.Header.Get("Authorization") != "" {
		h.mu.Lock()
		h.auth = append(h.auth, host)
		h.mu.Unlock()
	}
}

func (h *testHub) answer(w http.ResponseWriter, r *http.Request) {
	h.note("hub", r)
	if h.handle != nil {
		h.handle(w, r)
		return
	}
	if strings.HasPrefix(r.URL.Path, "/api/models/owner/small/revision/") {
		if rev := strings.TrimPrefix(r.URL.Path, "/api/models/owner/small/revision/"); rev != "main" && rev != testCommit {
			http.Error(w, "no such revision", http.StatusNotFound)
			return
		}
		var siblings []map[string]string
		for _, name := range append(slices.Sorted(maps.Keys(h.files)), "../escape/config.json", "onnx/model.onnx") {
			siblings = append(siblings, map[string]string{"rfilename": name})
		}
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		json.NewEncoder(w).Encode(map[string]any{"sha": testCommit, "siblings": siblings, "cardData": map[string]any{"license": "mit"}})
		return
	}
	name, ok := strings.CutPrefix(r.URL.Path, "/owner/small/resolve/"+testCommit+"/")
	if _, exists := h.files[name]; !ok || !exists {
		http.Error(w, "no such file", http.StatusNotFound)
		return
	}
	data := h.files[name]
	etag := h.etags[name]
	if name == "model.safetensors" {
		if etag == "" {
			sum := sha256.Sum256(data)
			etag = hex.EncodeToString(sum[:])
		}
		w.Header().Set("X-Linked-Etag", `"`+etag+`"`)
		http.Redirect(w, r, h.storage.URL+"/blob/"+name, http.StatusFound)
		return
	}
	if etag == "" {
		sum := sha1.Sum(append([]byte("blob "+strconv.Itoa(len(data))+"\x00"), data...))
		etag = hex.EncodeToString(sum[:])
	}
	w.Header().Set("ETag", `"`+etag+`"`)
	h.serve(w, r, name)
}

// serve sends a file or the rest of it, and may break off.
func (h *testHub) serve(w http.ResponseWriter, r *http.Request, name string) {
	data := h.files[name]
	from := 0
	h.mu.Lock()
	h.ranges[name] = r.Header.Get("Range")
	cut, broken := h.cut[name]
	delete(h.cut, name)
	h.mu.Unlock()
	if v := r.Header.Get("Range"); v != "" {
		fmt.Sscanf(v, "bytes=%d-", &from)
		if from >= len(data) {
			w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
			return
		}
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(data)-1, len(data)))
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Length", strconv.Itoa(len(data)-from))
	if from > 0 {
		w.WriteHeader(http.StatusPartialContent)
	}
	if broken {
		w.Write(data[from:cut])
		if f, ok := w.(http.Flusher); ok {
			f.Flush()
		}
		panic(http.ErrAbortHandler)
	}
	w.Write(data[from:])
}

// options pull from the test's hub with the Go engine.
func (h *testHub) options(t *testing.T) PullOptions {
	t.Setenv("HF_TOKEN", "")
	return PullOptions{ImportOptions: goOptions(t), Endpoint: h.hub.URL + "/"}
}

func TestPull(t *testing.T) {
	h := newTestHub(t, smallModel().with("README.md", []byte("no front matter")))
	o := h.options(t)
	t.Setenv("HF_TOKEN", "secret")
	m, err := Pull(t.Context(), "owner/small", o)
	if err != nil {
		t.Fatal(err)
	}
	if m.Name != "small" || m.Source != "owner/small" || m.Revision != testCommit || m.Licence != "mit" {
		t.Errorf("Pull = %+v, want small of owner/small at %s under mit", m.Info, testCommit)
	}
	if err := m.Verify(t.Context()); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(o.Dir); len(left) != 1 {
		t.Errorf("folder of models = %v, want the model alone", left)
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(o.Dir), "escape")); err == nil {
		t.Error("Pull wrote outside of its folder")
	}
	if !slices.Contains(h.auth, "hub") || slices.Contains(h.auth, "storage") {
		t.Errorf("token was sent to %v, want the hub alone", h.auth)
	}
	direct, err := Import(t.Context(), smallModel().folder(t, "small"), goOptions(t))
	if err != nil {
		t.Fatal(err)
	}
	if m.SHA256 != direct.SHA256 || m.ONNXSHA256 != direct.ONNXSHA256 || m.PriorSHA256 != direct.PriorSHA256 {
		t.Errorf("Pull = %+v, want the bytes of an import, %+v", m.Info, direct.Info)
	}
}

// TestTokenInTheClear asks no hub that everyone between would learn the token of.
func TestTokenInTheClear(t *testing.T) {
	t.Setenv("HF_TOKEN", "secret")
	for _, tt := range []struct {
		endpoint string
		refused  bool
	}{{"http://hub.example", true}, {"http://127.0.0.1.hub.example", true}, {"https://hub.example", false}, {"http://127.0.0.1:8000", false}, {"http://[::1]:8000", false}, {"http://localhost", false}} {
		_, err := newHub(&PullOptions{Endpoint: tt.endpoint})
		if got := errors.Is(err, ErrHub) && strings.Contains(err.Error(), "in the clear"); got != tt.refused || err != nil && !got {
			t.Errorf("newHub(%q) = %v, want it refused: %t", tt.endpoint, err, tt.refused)
		}
	}
}

func TestPullByEnvironment(t *testing.T) {
	h := newTestHub(t, smallModel())
	o := h.options(t)
	o.Endpoint = ""
	t.Setenv(HubVariable, h.hub.URL)
	if _, err := Pull(t.Context(), "owner/small@"+testCommit, o); err != nil {
		t.Fatal(err)
	}
}

func TestPullGoesOn(t *testing.T) {
	h := newTestHub(t, smallModel())
	o := h.options(t)
	h.cut["model.safetensors"] = 3000
	_, err := Pull(t.Context(), "owner/small", o)
	if !errors.Is(err, ErrHub) || !strings.Contains(err.Error(), "after 3000 bytes; run the command again to go on") {
		t.Fatalf("Pull = %v, want %v after 3000 bytes", err, ErrHub)
	}
	m, err := Pull(t.Context(), "owner/small", o)
	if err != nil {
		t.Fatal(err)
	}
	if got := h.ranges["model.safetensors"]; got != "bytes=3000-" {
		t.Errorf("second pull asked for %q, want bytes=3000-", got)
	}
	if err := m.Verify(t.Context()); err != nil {
		t.Error(err)
	}
}

// A part that is already whole is checked and kept; one that is longer than the file starts over.
func TestPullWithPart(t *testing.T) {
	weights := smallModel()["model.safetensors"]
	for _, tt := range []struct {
		name string
		part []byte
		ok   bool
	}{
		{"whole", weights, true},
		{"too long", append(slices.Clone(weights), 0), false},
		{"other bytes", make([]byte, 500), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := newTestHub(t, smallModel())
			o := h.options(t)
			dir := filepath.Join(o.Dir, ".pull-owner--small-"+testCommit)
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "model.safetensors.part"), tt.part, 0o644); err != nil {
				t.Fatal(err)
			}
			_, err := Pull(t.Context(), "owner/small", o)
			if (err == nil) != tt.ok {
				t.Errorf("Pull = %v, want success %v", err, tt.ok)
			}
			if _, err := Pull(t.Context(), "owner/small", o); err != nil {
				t.Errorf("next Pull = %v, want nothing", err)
			}
		})
	}
}

func TestPullErrors(t *testing.T) {
	reply := func(code int, kind, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(code)
			fmt.Fprint(w, body)
		}
	}
	for _, tt := range []struct {
		name string
		id   string
		edit func(*testHub, *PullOptions)
		want string
	}{
		{"a web page", "owner/small", func(h *testHub, _ *PullOptions) { h.handle = reply(200, "text/html; charset=utf-8", "<html>") }, "answered with a web page"},
		{"not JSON", "owner/small", func(h *testHub, _ *PullOptions) { h.handle = reply(200, "application/json", "<html>") }, "not the JSON of a model"},
		{"no commit", "owner/small", func(h *testHub, _ *PullOptions) { h.handle = reply(200, "application/json", `{"sha": "main"}`) }, `commit "main", want 40 hex digits`},
		{"unauthorised", "owner/small", func(h *testHub, _ *PullOptions) { h.handle = reply(401, "text/plain", "") }, "401 Unauthorized: no such model, or one that needs a login"},
		{"not found", "owner/small", func(h *testHub, _ *PullOptions) { h.handle = reply(404, "text/html", "") }, "404 Not Found: no such model, revision or file"},
		{"busy", "owner/small", func(h *testHub, _ *PullOptions) { h.handle = reply(429, "text/plain", "") }, "429 Too Many Requests; wait"},
		{"broken", "owner/small", func(h *testHub, _ *PullOptions) { h.handle = reply(500, "text/html", "") }, "500 Internal Server Error"},
		{"no revision", "owner/small@v9", func(*testHub, *PullOptions) {}, "404 Not Found"},
		{"no weights", "owner/small", func(h *testHub, _ *PullOptions) {
			h.handle = reply(200, "application/json", `{"sha": "`+testCommit+`", "siblings": [{"rfilename": "config.json"}]}`)
		}, "neither model.safetensors nor an ONNX file"},
		{"wrong sha256", "owner/small", func(h *testHub, _ *PullOptions) { h.etags["model.safetensors"] = strings.Repeat("a", 64) }, "model.safetensors: checksum"},
		{"wrong object id", "owner/small", func(h *testHub, _ *PullOptions) { h.etags["config.json"] = strings.Repeat("a", 40) }, "config.json: checksum"},
		{"nobody there", "owner/small", func(h *testHub, _ *PullOptions) { h.hub.Close() }, "check the network and HF_ENDPOINT"},
		{"bad address", "owner/small", func(_ *testHub, o *PullOptions) { o.Endpoint = "hub.example" }, "want https://HOST"},
		{"bad id", "owner/small/x", func(*testHub, *PullOptions) {}, "want OWNER/NAME"},
		{"id that climbs", "../small", func(*testHub, *PullOptions) {}, "want OWNER/NAME"},
		{"bad revision", "owner/small@../x", func(*testHub, *PullOptions) {}, "want a branch, a tag or a commit"},
		{"empty revision", "owner/small@", func(*testHub, *PullOptions) {}, "want a branch, a tag or a commit"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := newTestHub(t, smallModel())
			o := h.options(t)
			tt.edit(h, &o)
			_, err := Pull(t.Context(), tt.id, o)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Pull = %v, want an error with %q", err, tt.want)
			}
			if _, err := os.Stat(filepath.Join(o.Dir, "small")); err == nil {
				t.Error("Pull left a model behind, want none")
			}
		})
	}
}

func TestPullStopsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	h := newTestHub(t, smallModel())
	h.handle = func(_ http.ResponseWriter, r *http.Request) { cancel(); <-r.Context().Done() }
	if _, err := Pull(ctx, "owner/small", h.options(t)); !errors.Is(err, context.Canceled) {
		t.Errorf("Pull = %v, want %v", err, context.Canceled)
	}
}

// A hub that stays silent in the middle of a file is given up.
func TestDownloadStalls(t *testing.T) {
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "100")
		w.Write([]byte("half"))
		w.(http.Flusher).Flush()
		<-release
	}))
	defer server.Close()
	defer close(release)
	h := &hub{client: server.Client(), endpoint: server.URL, stall: 20_000_000}
	err := h.download(t.Context(), t.TempDir(), "owner/small", testCommit, "config.json")
	if !errors.Is(err, ErrHub) || !strings.Contains(err.Error(), "no data for 20ms") {
		t.Errorf("download = %v, want %v about 20ms without data", err, ErrHub)
	}
}
