package oci

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kdd/compiler"
	"kdd/compiler/filetest"
	source "kdd/runtime/source/oci"
	"kdd/runtime/source/ocitest"
	"kdd/runtime/wire"
)

// quick has failures repeated at once.
var quick = source.Options{Wait: time.Millisecond}

// artifact compiles documents and returns the file.
func artifact(t *testing.T, documents map[string]string, commit string) string {
	t.Helper()
	dir, path := filepath.Join(t.TempDir(), "docs"), filepath.Join(t.TempDir(), "docs.kddx")
	filetest.Write(t, dir, documents)
	if _, err := compiler.Build(t.Context(), compiler.Options{Sources: []string{dir}, Output: path, NoVectors: true, Commit: commit}); err != nil {
		t.Fatal(err)
	}
	return path
}

var apples = map[string]string{"a.md": "# Apples\n\nThey keep in a cool cellar.\n"}

func bytesOf(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// wants checks the code of an error and a part of its text.
func wants(t *testing.T, err error, code, contains string) {
	t.Helper()
	var known *wire.Error
	if !errors.As(err, &known) || known.Code != code || !strings.Contains(err.Error(), contains) {
		t.Errorf("error %v, want %s with %q", err, code, contains)
	}
}

// TestPush has the requests of a first push, a second one, one more tag, and a push of other bytes under the same tag.
func TestPush(t *testing.T) {
	s := ocitest.New()
	defer s.Close()
	path := artifact(t, apples, "0123456789abcdef0123456789abcdef01234567")
	push := func(path, tag string, more ...string) *PushReport {
		t.Helper()
		report, err := Push(t.Context(), "oci://"+s.Host+"/you/docs:"+tag, path, PushOptions{Options: quick, Tags: more, Source: "https://example.com/docs"})
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	first := push(path, "main")
	sum := sha256.Sum256(bytesOf(t, path))
	if want := "sha256:" + hex.EncodeToString(sum[:]); first.Layer != want || first.UploadedBytes <= first.FileBytes {
		t.Errorf("the first push: %+v, want the layer %s and all bytes uploaded", first, want)
	}
	want := map[string]string{"org.opencontainers.image.source": "https://example.com/docs",
		"org.opencontainers.image.revision": "0123456789abcdef0123456789abcdef01234567", "dev.kdd.root": first.Annotations["dev.kdd.root"]}
	if fmt.Sprint(first.Annotations) != fmt.Sprint(want) || !strings.HasPrefix(want["dev.kdd.root"], first.IndexID) {
		t.Errorf("annotations %v, want %v, with a root hash that begins with %s", first.Annotations, want, first.IndexID)
	}
	s.Seen()
	second := push(path, "main")
	if second.Digest != first.Digest || second.UploadedBytes != 0 {
		t.Errorf("the second push has digest %s and %d bytes uploaded, want %s and 0", second.Digest, second.UploadedBytes, first.Digest)
	}
	if got := s.Seen(); !slices.Equal(got, []string{"HEAD /v2/you/docs/manifests/main"}) {
		t.Errorf("the second push asks %q", got)
	}
	if third := push(path, "v1", "main", "latest"); third.Digest != first.Digest || third.UploadedBytes == 0 || third.UploadedBytes > 4096 {
		t.Errorf("two more tags upload %d bytes, want two manifests", third.UploadedBytes)
	}
	other := artifact(t, map[string]string{"b.md": "# Pears\n"}, "")
	if fourth := push(other, "main"); fourth.Digest == first.Digest || fourth.UploadedBytes < fourth.FileBytes {
		t.Errorf("other bytes: %+v", fourth)
	}
}

// TestPushBad has what is no artifact, references that nothing is pushed to, and registries that take nothing.
func TestPushBad(t *testing.T) {
	good := artifact(t, apples, "")
	broken := filepath.Join(t.TempDir(), "broken.kddx")
	b := bytesOf(t, good)
	b[len(b)-20] ^= 1
	if err := os.WriteFile(broken, b, 0o666); err != nil {
		t.Fatal(err)
	}
	s := ocitest.New(ocitest.Login("ann", "secret"))
	defer s.Close()
	t.Setenv("DOCKER_CONFIG", t.TempDir())
	full := ocitest.New(ocitest.Fault(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPut {
			return false
		}
		io.Copy(io.Discard, r.Body)
		w.WriteHeader(http.StatusInsufficientStorage)
		return true
	}))
	defer full.Close()
	away := ocitest.New(ocitest.Fault(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPost {
			return false
		}
		w.Header().Set("Location", "http://127.0.0.2:1/elsewhere")
		w.WriteHeader(http.StatusAccepted)
		return true
	}))
	defer away.Close()
	tests := []struct{ name, reference, path, code, contains string }{
		{"no tag", "oci://" + s.Host + "/docs", good, wire.CodeInvalidInput, "no tag to push to; name one, such as oci://" + s.Host + "/docs:latest"},
		{"digest", "oci://" + s.Host + "/docs@sha256:" + strings.Repeat("0", 64), good, wire.CodeInvalidInput, "gets its digest from what it is"},
		{"login", "oci://" + s.Host + "/docs:main", good, wire.CodeUnauthorized, "run docker login " + s.Host},
		{"full", "oci://" + full.Host + "/docs:main", good, wire.CodeIO, "the registry says 507 Insufficient Storage"},
		{"upload to another host", "oci://" + away.Host + "/docs:main", good, wire.CodeIO, "is on a different host than the registry"},
		{"damaged", "oci://" + s.Host + "/docs:main", broken, "", "corrupt index: "},
		{"no artifact", "oci://" + s.Host + "/docs:main", "oci_test.go", "", "not a .kddx file"},
		{"no file", "oci://" + s.Host + "/docs:main", "nosuch.kddx", "", "no such file"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Push(t.Context(), tt.reference, tt.path, PushOptions{Options: quick})
			if tt.code != "" {
				wants(t, err, tt.code, tt.contains)
			} else if err == nil || !strings.Contains(err.Error(), tt.contains) {
				t.Errorf("error %v, want %q", err, tt.contains)
			}
		})
	}
	_, err := Push(t.Context(), "oci://"+s.Host+"/docs:main", good, PushOptions{Tags: []string{"a b"}})
	wants(t, err, wire.CodeInvalidInput, `the tag "a b": want at most 128`)
}

// pushed returns a registry with an artifact under docs:main, the file and its name.
func pushed(t *testing.T, options ...ocitest.Option) (s *ocitest.Server, file []byte, reference string) {
	t.Helper()
	s = ocitest.New(options...)
	t.Cleanup(s.Close)
	path := artifact(t, apples, "")
	reference = "oci://" + s.Host + "/docs:main"
	if _, err := Push(t.Context(), reference, path, PushOptions{Options: quick}); err != nil {
		t.Fatal(err)
	}
	s.Seen()
	return s, bytesOf(t, path), reference
}

// TestPull fetches an artifact, once.
func TestPull(t *testing.T) {
	s, file, reference := pushed(t)
	out := filepath.Join(t.TempDir(), "out.kddx")
	report, err := Pull(t.Context(), []string{reference}, PullOptions{Options: quick, Output: out})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bytesOf(t, out), file) || report.DownloadedBytes != int64(len(file)) || report.Unchanged {
		t.Errorf("pulled %+v, want the %d bytes that were pushed", report, len(file))
	}
	s.Seen()
	again, err := Pull(t.Context(), []string{reference}, PullOptions{Options: quick, Output: out})
	if err != nil || !again.Unchanged || again.DownloadedBytes != 0 || again.IndexID != report.IndexID {
		t.Errorf("pulled again: %+v, %v, want nothing downloaded", again, err)
	}
	if got := s.Seen(); !slices.Equal(got, []string{"GET /v2/docs/manifests/main"}) {
		t.Errorf("the second pull asks %q", got)
	}
	alone(t, out)
}

// alone fails if a folder has other files than the one.
func alone(t *testing.T, path string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 || entries[0].Name() != filepath.Base(path) {
		t.Errorf("the folder has %v, %v, want %s alone", entries, err, filepath.Base(path))
	}
}

// TestPullBreaks has connections that break off: in one run, and between two.
func TestPullBreaks(t *testing.T) {
	var mu sync.Mutex
	breaks, broken := 3, 0
	s, file, reference := pushed(t, ocitest.Fault(func(w http.ResponseWriter, r *http.Request) bool {
		mu.Lock()
		defer mu.Unlock()
		if r.Method != http.MethodGet || !strings.Contains(r.URL.Path, "/blobs/") || broken >= breaks {
			return false
		}
		broken++
		panic(http.ErrAbortHandler)
	}))
	out := filepath.Join(t.TempDir(), "out.kddx")
	report, err := Pull(t.Context(), []string{reference}, PullOptions{Options: quick, Output: out})
	if err != nil || !bytes.Equal(bytesOf(t, out), file) || report.ResumedBytes != 0 {
		t.Fatalf("pulled %+v, %v, want the file after %d failures", report, err, breaks)
	}

	out = filepath.Join(t.TempDir(), "out.kddx")
	sum := sha256.Sum256(file)
	partial := out + "." + hex.EncodeToString(sum[:])[:12] + ".partial"
	stale := out + ".0123456789ab.partial"
	if err := errors.Join(os.WriteFile(partial, file[:5000], 0o666), os.WriteFile(stale, file[:9], 0o666)); err != nil {
		t.Fatal(err)
	}
	s.Seen()
	report, err = Pull(t.Context(), []string{reference}, PullOptions{Options: quick, Output: out})
	if err != nil || !bytes.Equal(bytesOf(t, out), file) || report.ResumedBytes != 5000 || report.DownloadedBytes != int64(len(file))-5000 {
		t.Errorf("pulled %+v, %v, want the file and 5000 bytes resumed", report, err)
	}
	if seen := s.Seen(); !strings.HasSuffix(seen[len(seen)-1], fmt.Sprintf(" bytes=5000-%d", len(file)-1)) {
		t.Errorf("the pull asks %q, want the range behind 5000 last", seen)
	}
	alone(t, out)

	// What a run before left is wrong: it is fetched anew.
	wrong := slices.Clone(file[:6000])
	wrong[5500] ^= 1
	out = filepath.Join(t.TempDir(), "out.kddx")
	if err := os.WriteFile(strings.Replace(partial, filepath.Dir(partial), filepath.Dir(out), 1), wrong, 0o666); err != nil {
		t.Fatal(err)
	}
	report, err = Pull(t.Context(), []string{reference}, PullOptions{Options: quick, Output: out})
	if err != nil || !bytes.Equal(bytesOf(t, out), file) || report.ResumedBytes != 0 {
		t.Errorf("pulled %+v, %v, want the file, fetched anew", report, err)
	}
	alone(t, out)
}

// TestPullBad has layers that are not what the manifest says, and places that cannot be written. What was there stays.
func TestPullBad(t *testing.T) {
	blob := func(answer func(w http.ResponseWriter)) ocitest.Option {
		return ocitest.Fault(func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method != http.MethodGet || !strings.Contains(r.URL.Path, "/blobs/") {
				return false
			}
			answer(w)
			return true
		})
	}
	var size int
	tests := []struct {
		name           string
		answer         func(w http.ResponseWriter)
		code, contains string
	}{
		{"other bytes", func(w http.ResponseWriter) {
			w.Write(append([]byte("KDDX\r\n\x1a\n"), make([]byte, size-8)...))
		}, wire.CodeIndexUntrusted, "the registry sent bytes of digest sha256:"},
		{"another format", func(w http.ResponseWriter) { w.Write(make([]byte, size)) }, wire.CodeIndexCorrupt, "its layer is not a .kddx file: it is something else"},
		{"too long", func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", fmt.Sprint(size+1))
			w.Write(make([]byte, size+1))
		}, wire.CodeIndexUntrusted, "bytes of the layer, its manifest says"},
		{"too short", func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", fmt.Sprint(size-1))
			w.Write(make([]byte, size-1))
		}, wire.CodeIndexUntrusted, "bytes of the layer, its manifest says"},
		{"too short, without a length", func(w http.ResponseWriter) {
			w.(http.Flusher).Flush()
			w.Write([]byte("KDDX\r\n\x1a\n"))
		}, wire.CodeIO, "the layer ends early, after 8 of "},
		{"packed", func(w http.ResponseWriter) { w.Header().Set("Content-Encoding", "gzip") }, wire.CodeIndexUntrusted, "the layer packed (gzip)"},
		{"gone", func(w http.ResponseWriter) { w.WriteHeader(http.StatusNotFound) }, wire.CodeNotFound, "the manifest but not its layer"},
		{"a range of its own", func(w http.ResponseWriter) {
			w.Header().Set("Content-Range", "bytes 1-2/3")
			w.WriteHeader(http.StatusPartialContent)
		}, wire.CodeIndexUntrusted, `the registry sent the range "bytes 1-2/3" of the layer`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, file, reference := pushed(t, blob(tt.answer))
			size = len(file)
			out := filepath.Join(t.TempDir(), "out.kddx")
			old := append(slices.Clone(file[:8]), "what was there"...)
			if err := os.WriteFile(out, old, 0o666); err != nil {
				t.Fatal(err)
			}
			_, err := Pull(t.Context(), []string{reference}, PullOptions{Options: quick, Output: out})
			wants(t, err, tt.code, tt.contains)
			if !bytes.Equal(bytesOf(t, out), old) {
				t.Error("what was there is gone")
			}
		})
	}
}

// TestPullRoot has a manifest whose root hash is another artifact's.
func TestPullRoot(t *testing.T) {
	s, file, _ := pushed(t)
	digest := s.Blob("docs", file)
	s.Manifest("docs", "lie", "application/vnd.oci.image.manifest.v1+json", fmt.Sprintf(`{"schemaVersion":2,"layers":[{"mediaType":%q,"digest":%q,"size":%d}],
		"annotations":{"dev.kdd.root":%q}}`, source.TypeV0, digest, len(file), strings.Repeat("0", 64)))
	out := filepath.Join(t.TempDir(), "out.kddx")
	_, err := Pull(t.Context(), []string{"oci://" + s.Host + "/docs:lie"}, PullOptions{Options: quick, Output: out})
	wants(t, err, wire.CodeIndexUntrusted, "its manifest says root hash 000000000000…, the file has ")
	if entries, err := os.ReadDir(filepath.Dir(out)); err != nil || len(entries) != 0 {
		t.Errorf("the folder has %v, %v, want nothing", entries, err)
	}
}

// TestPullMirrors takes the first registry that answers, and goes on at the next one where a download breaks off.
func TestPullMirrors(t *testing.T) {
	var sent []byte
	_, file, good := pushed(t)
	_, _, half := pushed(t, ocitest.Fault(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodGet || !strings.Contains(r.URL.Path, "/blobs/") {
			return false
		}
		if r.Header.Get("Range") != "" {
			w.WriteHeader(http.StatusBadGateway)
			return true
		}
		w.Header().Set("Content-Length", fmt.Sprint(len(sent)))
		w.Write(sent[:4000])
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}))
	sent = file
	s := ocitest.New()
	none := "oci://" + s.Host + "/docs:main"
	s.Close()
	var notices []string
	out := filepath.Join(t.TempDir(), "out.kddx")
	report, err := Pull(t.Context(), []string{none, half, good}, PullOptions{Options: quick, Output: out, Notice: func(text string) { notices = append(notices, text) }})
	if err != nil || !bytes.Equal(bytesOf(t, out), file) || report.ResumedBytes != 4000 || !strings.HasPrefix(report.Reference, strings.TrimSuffix(good, ":main")) {
		t.Errorf("pulled %+v, %v, want the file from %s, 4000 bytes resumed", report, err, good)
	}
	if len(notices) != 2 || !strings.Contains(notices[0], none+": the registry does not answer: ") || !strings.HasSuffix(notices[0], "; trying "+half) ||
		!strings.Contains(notices[1], "502 Bad Gateway") {
		t.Errorf("notices %q, want one of each that failed", notices)
	}
	_, err = Pull(t.Context(), []string{none, none}, PullOptions{Options: quick, Output: out})
	wants(t, err, wire.CodeIO, none+": the registry does not answer: ")
}

// TestPullPlace has places that cannot be written: no mirror is tried then.
func TestPullPlace(t *testing.T) {
	_, _, reference := pushed(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "text"), []byte("text"), 0o666); err != nil {
		t.Fatal(err)
	}
	for out, contains := range map[string]string{
		dir:                              "a folder; name a file in it",
		filepath.Join(dir, "no", "x"):    "does not exist; make it",
		filepath.Join(dir, "text"):       "a file that kdd has not made would be overwritten",
		filepath.Join(dir, "text", "in"): "is no folder",
	} {
		_, err := Pull(t.Context(), []string{reference, reference}, PullOptions{Options: quick, Output: out, Notice: func(text string) { t.Errorf("%s: notice %s", out, text) }})
		wants(t, err, wire.CodeIO, contains)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Pull(ctx, []string{reference, reference}, PullOptions{Output: filepath.Join(dir, "x.kddx")}); !errors.Is(err, context.Canceled) {
		t.Errorf("Pull with an ended context = %v", err)
	}
}

func TestFileName(t *testing.T) {
	ref := source.Reference{Host: "ghcr.io", Name: "you/handbook"}
	for title, want := range map[string]string{
		"docs.kddx": "docs.kddx", "My docs-1.0.kddx": "My docs-1.0.kddx",
		"": "handbook.kddx", "docs": "handbook.kddx", "../docs.kddx": "handbook.kddx", "/etc/docs.kddx": "handbook.kddx", `a\b.kddx`: "handbook.kddx",
		".kddx": "handbook.kddx", ".hidden.kddx": "handbook.kddx", "\x1b[31m.kddx": "handbook.kddx", "-o.kddx": "handbook.kddx", "docs.kddx\n": "handbook.kddx", "C:x.kddx": "handbook.kddx",
		strings.Repeat("x", 200) + ".kddx": "handbook.kddx",
	} {
		if got := fileName(ref, title); got != want {
			t.Errorf("fileName(%q) = %q, want %q", title, got, want)
		}
	}
}
