package parts

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"path"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	format "kdd/format/parts"
	"kdd/runtime/source"
	"kdd/runtime/source/sourcetest"
	"kdd/runtime/source/web"
)

const fileBytes = 5*format.PartBytes + 1234

// random are the bytes of a file.
func random(seed byte) []byte {
	b := make([]byte, fileBytes)
	rand.NewChaCha8([32]byte{seed}).Read(b)
	return b
}

// publish lays a file into a folder of a host.
func publish(t *testing.T, files fstest.MapFS, folder string, data []byte) *format.Manifest {
	t.Helper()
	m := format.New("docs.kddx", int64(len(data)), [32]byte{data[0]})
	for i := 0; i*format.PartBytes < len(data); i++ {
		part := data[i*format.PartBytes : min(len(data), (i+1)*format.PartBytes)]
		files[path.Join(folder, format.Path(m.Append(part)))] = &fstest.MapFile{Data: part}
	}
	manifest, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	files[path.Join(folder, "docs.kddx.json")] = &fstest.MapFile{Data: manifest}
	return m
}

func quick() web.Options {
	return web.Options{FirstWait: time.Millisecond, Stall: 10 * time.Second}
}

// TestRead reads ranges and counts what they cost.
func TestRead(t *testing.T) {
	data := random(1)
	files := fstest.MapFS{}
	publish(t, files, "a", data)
	server := sourcetest.New(files, sourcetest.Together(50*time.Millisecond))
	defer server.Close()
	s, err := Open(t.Context(), server.URL+"/a/docs.kddx.json?key=secret", quick())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if s.Size() != fileBytes || s.Name() != server.URL+"/a/docs.kddx.json" {
		t.Errorf("Name, Size = %s, %d", s.Name(), s.Size())
	}
	for _, tt := range []struct{ at, n, requests, rounds int64 }{
		{0, 10, 2, 2}, // the manifest was the first one
		{10, format.PartBytes - 10, 0, 0},
		{format.PartBytes - 1, 2, 1, 1},
		{fileBytes - 1, 1, 1, 1},
		{fileBytes, 0, 0, 0},
		{0, fileBytes, 3, 1},
		{0, fileBytes, 0, 0},
	} {
		got, err := s.ReadRange(t.Context(), tt.at, tt.n)
		if err != nil || !bytes.Equal(got, data[tt.at:tt.at+tt.n]) {
			t.Errorf("ReadRange(%d, %d) = %d bytes, %v", tt.at, tt.n, len(got), err)
		}
		if seen := server.Seen(); int64(len(seen)) != tt.requests || int64(seen.Rounds()) != tt.rounds {
			t.Errorf("ReadRange(%d, %d) takes %d requests in %d rounds, want %d in %d:\n%s", tt.at, tt.n, len(seen), seen.Rounds(), tt.requests, tt.rounds, seen)
		}
	}
	for _, r := range []struct{ at, n int64 }{{-1, 1}, {0, -1}, {0, fileBytes + 1}, {fileBytes + 1, 0}, {1, 1<<63 - 1}} {
		if _, err := s.ReadRange(t.Context(), r.at, r.n); err == nil || !strings.Contains(err.Error(), "of a file of 1311954 bytes") {
			t.Errorf("ReadRange(%d, %d) = %v", r.at, r.n, err)
		}
	}
}

// TestTogether reads one part by many at once: it is one request, also if the first one gives up.
func TestTogether(t *testing.T) {
	files := fstest.MapFS{}
	publish(t, files, "", random(1))
	server := sourcetest.New(files, sourcetest.Delay(50*time.Millisecond))
	defer server.Close()
	s, err := Open(t.Context(), server.URL+"/docs.kddx.json", quick())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	server.Seen()
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			if i == 0 {
				ctx, cancel = context.WithTimeout(t.Context(), 10*time.Millisecond)
			} else {
				time.Sleep(5 * time.Millisecond)
			}
			defer cancel()
			if _, err := s.ReadRange(ctx, 100, 100); (err != nil) != (i == 0) {
				t.Errorf("reader %d: %v", i, err)
			}
		})
	}
	group.Wait()
	if seen := server.Seen(); len(seen) != 1 {
		t.Errorf("want one request:\n%s", seen)
	}
}

// TestHosts reads from hosts that do what hosts do, and wants the right bytes or a clear error.
func TestHosts(t *testing.T) {
	data := random(1)
	compress := func(b []byte) []byte {
		var out bytes.Buffer
		z := gzip.NewWriter(&out)
		z.Write(b)
		z.Close()
		return out.Bytes()
	}
	endless := compress(make([]byte, format.MaxManifestBytes+2))
	isPart := func(r *http.Request) bool { return strings.Contains(r.URL.Path, "/parts/") }
	for _, tt := range []struct {
		name  string
		files func(files fstest.MapFS, m *format.Manifest)
		fault func(n int, w http.ResponseWriter, r *http.Request) bool
		later func(t *testing.T, s *sourcetest.Server) // between opening and reading
		kind  error
		want  string // in the error; "" = none, the bytes are right
	}{
		{name: "a good one"},
		{name: "a gateway that compresses", fault: func(n int, w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("Content-Encoding", "gzip")
			if isPart(r) {
				w.Write(compress(data[:format.PartBytes]))
			}
			return isPart(r)
		}, files: func(files fstest.MapFS, m *format.Manifest) {
			files["docs.kddx.json"].Data = compress(files["docs.kddx.json"].Data)
		}},
		{name: "a gateway that compresses otherwise", fault: func(n int, w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("Content-Encoding", "br")
			return false
		}, want: `docs.kddx.json: the file comes with Content-Encoding "br", which was not asked for; switch compression off`},
		{name: "compressed without end", fault: func(n int, w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(endless)
			return true
		}, want: "more than 16777216 bytes; check what was published"},
		{name: "compressed badly", fault: func(n int, w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("Content-Encoding", "gzip")
			return false
		}, want: "a compressed body that is damaged: gzip: invalid header"},
		{name: "a manifest without end", fault: func(n int, w http.ResponseWriter, r *http.Request) bool {
			for {
				if _, err := w.Write(make([]byte, 1<<16)); err != nil {
					return true
				}
			}
		}, want: "docs.kddx.json: more than 16777216 bytes"},
		{name: "a page instead of a manifest", files: func(files fstest.MapFS, m *format.Manifest) {
			files["docs.kddx.json"].Data = []byte("<html>")
		}, want: `no manifest of parts: invalid character '<' looking for beginning of value; publish it again with "kdd site --parts"`},
		{name: "no manifest", files: func(files fstest.MapFS, m *format.Manifest) { delete(files, "docs.kddx.json") }, kind: source.ErrNotFound, want: "docs.kddx.json: 404 Not Found; check the address"},
		{name: "a manifest of nothing", fault: func(n int, w http.ResponseWriter, r *http.Request) bool {
			w.WriteHeader(http.StatusPartialContent)
			return true
		}, want: "206 Partial Content to a request of the whole file, want 200"},
		{name: "a part that is missing", files: func(files fstest.MapFS, m *format.Manifest) { delete(files, format.Path(m.Parts[0])) },
			kind: source.ErrNotFound, want: "docs.kddx.json: part 1 of 6 is missing (parts/"},
		{name: "a part that a bucket lacks", fault: func(n int, w http.ResponseWriter, r *http.Request) bool {
			if isPart(r) {
				w.WriteHeader(http.StatusForbidden)
			}
			return isPart(r)
		}, want: "part 1 of 6 is missing (parts/"},
		{name: "a part of other bytes", files: func(files fstest.MapFS, m *format.Manifest) {
			files[format.Path(m.Parts[0])].Data = bytes.Repeat([]byte{1}, format.PartBytes)
		}, want: "part 1 of 6 has 262144 bytes with the hash f317dd9d…, want 262144 bytes with the hash "},
		{name: "a part of another length", files: func(files fstest.MapFS, m *format.Manifest) {
			files[format.Path(m.Parts[0])].Data = data[:10]
		}, want: "part 1 of 6 has 10 bytes with the hash "},
		{name: "a part that is longer", files: func(files fstest.MapFS, m *format.Manifest) {
			files[format.Path(m.Parts[0])].Data = data[:format.PartBytes+1]
		}, want: ": more than 262144 bytes"},
		{name: "a cache with other bytes on the way", fault: func(n int, w http.ResponseWriter, r *http.Request) bool {
			stale := isPart(r) && r.Header.Get("Cache-Control") != "no-cache"
			if stale {
				w.Write([]byte("stale"))
			}
			return stale
		}},
		{name: "now and then a failure", fault: func(n int, w http.ResponseWriter, r *http.Request) bool {
			if n%3 != 0 {
				w.WriteHeader(http.StatusBadGateway)
			}
			return n%3 != 0
		}},
		{name: "another version, the old parts there", later: func(t *testing.T, s *sourcetest.Server) {
			files := fstest.MapFS{}
			publish(t, files, "", data)
			publish(t, files, "", random(2))
			s.Replace(files)
		}},
		{name: "another version, the old parts gone", later: func(t *testing.T, s *sourcetest.Server) {
			files := fstest.MapFS{}
			publish(t, files, "", random(2))
			s.Replace(files)
		}, kind: source.ErrChanged, want: "the artifact was replaced at its source, and a part of the one that was opened is gone; ask again"},
		{name: "all gone", later: func(t *testing.T, s *sourcetest.Server) { s.Replace(fstest.MapFS{}) }, kind: source.ErrNotFound, want: "docs.kddx.json: 404 Not Found"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			files := fstest.MapFS{}
			m := publish(t, files, "", data)
			if tt.files != nil {
				tt.files(files, m)
			}
			if tt.fault == nil {
				tt.fault = func(int, http.ResponseWriter, *http.Request) bool { return false }
			}
			server := sourcetest.New(files, sourcetest.Fault(tt.fault))
			defer server.Close()
			s, err := Open(t.Context(), server.URL+"/docs.kddx.json", quick())
			if err == nil {
				defer s.Close()
				if tt.later != nil {
					tt.later(t, server)
				}
				var got []byte
				got, err = s.ReadRange(t.Context(), 1000, 2000)
				if err == nil && !bytes.Equal(got, data[1000:3000]) {
					t.Error("other bytes")
				}
			}
			switch {
			case tt.want == "" && err != nil:
				t.Error(err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("error %v, want %q", err, tt.want)
			case tt.kind != nil && !errors.Is(err, tt.kind):
				t.Errorf("error %v, want one of the kind %q", err, tt.kind)
			}
		})
	}
}

// TestLed reads from a host that redirects the manifest: the parts lie beside where it is.
func TestLed(t *testing.T) {
	data := random(1)
	files := fstest.MapFS{}
	publish(t, files, "v2", data)
	server := sourcetest.New(files, sourcetest.Fault(func(n int, w http.ResponseWriter, r *http.Request) bool {
		old := strings.HasPrefix(r.URL.Path, "/latest/")
		if old {
			http.Redirect(w, r, strings.Replace(r.URL.Path, "/latest/", "/v2/", 1), http.StatusFound)
		}
		return old
	}))
	defer server.Close()
	s, err := Open(t.Context(), server.URL+"/latest/docs.kddx.json", quick())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got, err := s.ReadRange(t.Context(), 0, 10); err != nil || !bytes.Equal(got, data[:10]) {
		t.Errorf("ReadRange = %x, %v", got, err)
	}
	if seen := server.Seen(); len(seen) != 3 {
		t.Errorf("want 3 requests:\n%s", seen)
	}
}

// TestIsAddress tells addresses of manifests from those of artifacts.
func TestIsAddress(t *testing.T) {
	for address, want := range map[string]bool{
		"https://h/docs.kddx.json": true, "https://h/docs.kddx.json?a=b": true, "https://h/docs.kddx": false,
		"https://h/docs.kddx?x=.kddx.json": false, "https://h/docs.json": false,
	} {
		if got := IsAddress(address); got != want {
			t.Errorf("IsAddress(%s) = %t", address, got)
		}
	}
}
