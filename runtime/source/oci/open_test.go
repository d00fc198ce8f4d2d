package oci_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"kdd/runtime/source/oci"
	"kdd/runtime/source/ocitest"
	"kdd/runtime/wire"
)

// layerBytes of the tests: more than what Open reads at once.
const layerBytes = 200_000

// stored returns a registry that has a layer under docs:main, and the layer.
func stored(t *testing.T, options ...ocitest.Option) (*ocitest.Server, []byte) {
	t.Helper()
	s := ocitest.New(options...)
	t.Cleanup(s.Close)
	data := make([]byte, layerBytes)
	rng := rand.NewChaCha8([32]byte{})
	rng.Read(data)
	copy(data, like)
	s.Manifest("docs", "main", image, manifestOf(s, emptyType, [2]string{oci.TypeV0, string(data)}))
	return s, data
}

func openIn(t *testing.T, s *ocitest.Server, o oci.Options) (*oci.Blob, *oci.Artifact, error) {
	t.Helper()
	o.Wait = time.Millisecond
	b, found, err := oci.Open(t.Context(), "oci://"+s.Host+"/docs:main", o)
	if err == nil {
		t.Cleanup(func() { b.Close() })
	}
	return b, found, err
}

// checkRanges reads ranges and compares them with the file.
func checkRanges(t *testing.T, b *oci.Blob, data []byte) {
	t.Helper()
	for _, r := range [][2]int64{{0, 100}, {65_000, 2000}, {layerBytes - 1, 1}, {0, layerBytes}, {100_000, 0}, {150_000, 50_000}} {
		got, err := b.ReadRange(t.Context(), r[0], r[1])
		if err != nil || !bytes.Equal(got, data[r[0]:r[0]+r[1]]) {
			t.Errorf("ReadRange(%d, %d) = %d bytes, %v, want those of the file", r[0], r[1], len(got), err)
		}
	}
}

// TestOpen reads by range, with and without a login, and with a token that runs out meanwhile.
func TestOpen(t *testing.T) {
	for name, options := range map[string][]ocitest.Option{
		"open": nil, "password": {ocitest.Login("ann", "secret")}, "token": {ocitest.Token("ann", "secret")},
	} {
		t.Run(name, func(t *testing.T) {
			s, data := stored(t, options...)
			docker(t, s.Host, "ann:secret")
			b, found, err := openIn(t, s, oci.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if b.Size() != layerBytes || b.Name() != "oci://"+s.Host+"/docs@"+found.Digest {
				t.Errorf("%s with %d bytes", b.Name(), b.Size())
			}
			checkRanges(t, b, data)
			s.Expire()
			s.Seen()
			checkRanges(t, b, data)
			tokens := 0
			for _, line := range s.Seen() {
				if line == "GET /token" {
					tokens++
				}
			}
			if want := map[string]int{"token": 1}[name]; tokens != want {
				t.Errorf("%d tokens were asked for, want %d", tokens, want)
			}
			if changed, err := b.Changed(t.Context()); changed || err != nil {
				t.Errorf("Changed = %t, %v, want false", changed, err)
			}
			s.Manifest("docs", "main", image, manifestOf(s, emptyType, [2]string{oci.TypeV0, string(like)}))
			if changed, err := b.Changed(t.Context()); !changed || err != nil {
				t.Errorf("Changed = %t, %v, want true", changed, err)
			}
			checkRanges(t, b, data) // the old layer is there still
		})
	}
}

// TestOpenWhole reads a layer whole where the registry has no ranges, and compares it with its digest.
func TestOpenWhole(t *testing.T) {
	var sent []byte
	s, data := stored(t, ocitest.Fault(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodGet || !strings.Contains(r.URL.Path, "/blobs/") {
			return false
		}
		w.Header().Set("Content-Length", strconv.Itoa(len(sent)))
		w.Write(sent)
		return true
	}))
	sent = data
	b, _, err := openIn(t, s, oci.Options{})
	if err != nil {
		t.Fatal(err)
	}
	checkRanges(t, b, data)
	_, _, err = openIn(t, s, oci.Options{WholeLimit: layerBytes - 1})
	if err == nil || !strings.Contains(err.Error(), "the limit for reading it whole is 199999") {
		t.Errorf("above the limit: %v", err)
	}
	sent = bytes.Clone(data)
	sent[layerBytes-1] ^= 1
	_, _, err = openIn(t, s, oci.Options{})
	wants(t, err, wire.CodeIndexUntrusted, "the registry sent bytes of digest sha256:")
	sent = data[:1000]
	_, _, err = openIn(t, s, oci.Options{})
	wants(t, err, wire.CodeIndexUntrusted, "the registry has 1000 bytes of the layer, its manifest says 200000")
}

// TestOpenElsewhere reads a layer whose storage is another host, which is asked without a login, and once it is known
// without asking the registry again.
func TestOpenElsewhere(t *testing.T) {
	storage, data := stored(t, ocitest.Fault(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Header.Get("Authorization") != "" {
			w.WriteHeader(http.StatusBadRequest)
			return true
		}
		return false
	}))
	s, _ := stored(t, ocitest.Token("ann", "secret"), ocitest.Fault(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodGet || !strings.Contains(r.URL.Path, "/blobs/") || r.Header.Get("Authorization") == "" {
			return false
		}
		http.Redirect(w, r, storage.URL+r.URL.Path+"?signature=1", http.StatusTemporaryRedirect)
		return true
	}))
	docker(t, s.Host, "ann:secret")
	b, _, err := openIn(t, s, oci.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.Seen()
	checkRanges(t, b, data)
	if seen := s.Seen(); len(seen) != 0 {
		t.Errorf("the registry was asked %q, want its storage alone", seen)
	}
}

// TestOpenBad has what cannot be opened, and a mirror that can.
func TestOpenBad(t *testing.T) {
	s, data := stored(t)
	gone, _ := stored(t, ocitest.Fault(func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.Contains(r.URL.Path, "/blobs/") {
			return false
		}
		w.WriteHeader(http.StatusNotFound)
		io.WriteString(w, "{}")
		return true
	}))
	_, _, err := openIn(t, gone, oci.Options{})
	wants(t, err, wire.CodeNotFound, "the registry has the manifest but not its layer sha256:")
	var notices []string
	b, _, err := openIn(t, gone, oci.Options{Mirrors: []string{"oci://" + s.Host + "/docs:main"}, Notice: func(text string) { notices = append(notices, text) }})
	if err != nil || len(notices) != 1 || !strings.HasSuffix(notices[0], "; trying oci://"+s.Host+"/docs:main") {
		t.Fatalf("with a mirror: %v, notices %q", err, notices)
	}
	checkRanges(t, b, data)
	if _, _, err := oci.Open(t.Context(), "docs.kddx", oci.Options{}); err == nil {
		t.Error("a file is no reference, and was opened")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := oci.Open(ctx, "oci://"+s.Host+"/docs:main", oci.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Open with an ended context = %v", err)
	}
}

// TestNear follows a registry of this network, known by a name, to storage in this network.
func TestNear(t *testing.T) {
	storage, data := stored(t)
	s, _ := stored(t, ocitest.Fault(func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.Contains(r.URL.Path, "/blobs/") {
			return false
		}
		http.Redirect(w, r, storage.URL+r.URL.Path, http.StatusTemporaryRedirect)
		return true
	}))
	dialer := &net.Dialer{}
	transport := &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		if address == "registry.example.com:80" {
			address = s.Host
		}
		return dialer.DialContext(ctx, network, address)
	}}
	repo, err := oci.Connect(t.Context(), oci.Reference{Host: "registry.example.com", Name: "docs", Tag: "main"}, oci.Options{PlainHTTP: true, Transport: transport})
	if err != nil {
		t.Fatal(err)
	}
	found, err := repo.Resolve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	body, _, err := repo.Fetch(t.Context(), found.Layer, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer body.Close()
	if got, err := io.ReadAll(body); err != nil || !bytes.Equal(got, data) {
		t.Errorf("%d bytes, %v, want the layer", len(got), err)
	}
}
