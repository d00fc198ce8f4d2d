package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"testing"
	"time"

	"kdd/compiler/embedding/modeldir"
)

func TestPullLibrary(t *testing.T) {
	name, data := fakeLibrary(modeldir.LibraryVersion)
	tag := wheelTags[goruntime.GOOS+"/"+goruntime.GOARCH]
	if data == nil || tag == "" {
		return // ONNX Runtime has no package for this system
	}
	sum := sha256.Sum256(data)
	pinned[hex.EncodeToString(sum[:])] = "of this test"
	defer delete(pinned, hex.EncodeToString(sum[:]))
	served := t.TempDir()
	folder := filepath.Join(served, "whee[ls]")
	wheel := filepath.Join(folder, "onnxruntime-"+modeldir.LibraryVersion+"-cp311-cp311-"+tag+".whl")
	put := func(path string, data []byte, members ...string) {
		t.Helper()
		text, err := os.ReadFile(writeWheel(t, data, members...))
		if err := errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, text, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	put(wheel, data, "onnxruntime/capi/"+name)
	put(filepath.Join(folder, "onnxruntime-"+modeldir.LibraryVersion+"-a.whl"), data, "onnxruntime/LICENSE")
	put(filepath.Join(served, "other.whl"), append(data, 0), "onnxruntime/capi/"+name)
	if err := os.WriteFile(filepath.Join(served, "page.whl"), []byte("<!DOCTYPE html>"), 0o644); err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir(served)))
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte("PK"))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	stallLimit = 500 * time.Millisecond
	defer func() { stallLimit = time.Minute }()
	for _, tt := range []struct{ from, want string }{
		{wheel, ""},
		{folder, ""},
		{server.URL + "/whee[ls]/", ""},
		{server.URL + "/whee%5Bls%5D/" + filepath.Base(wheel), ""},
		{server.URL + "/other.whl", server.URL + "/other.whl: sha256 "},
		{server.URL + "/page.whl", server.URL + "/page.whl: not a wheel or zip archive"},
		{server.URL + "/nosuch.whl", server.URL + "/nosuch.whl: 404 Not Found; name another address"},
		{server.URL + "/slow", server.URL + "/slow: no data for 500ms; "},
		{"http://127.0.0.1:1/a.whl", "http://127.0.0.1:1/a.whl: "},
		{served, "folder without ONNX Runtime's Python package; want onnxruntime-" + modeldir.LibraryVersion},
		{filepath.Join(served, "nosuch"), "no such file; name ONNX Runtime's Python package"},
	} {
		models := t.TempDir()
		got, err := PullLibrary(t.Context(), tt.from, models)
		want := filepath.Join(models, modeldir.LibraryFolder, modeldir.LibraryVersion, name)
		if tt.want == "" && (err != nil || got != want) {
			t.Errorf("PullLibrary(%s) = %q, %v, want %s", tt.from, got, err, want)
		} else if tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("PullLibrary(%s) = %q, %v, want %s", tt.from, got, err, tt.want)
		}
		left, err := filepath.Glob(filepath.Join(models, ".*"))
		if err != nil || left != nil {
			t.Errorf("PullLibrary(%s) leaves %q, %v", tt.from, left, err)
		}
	}
}
