package oci_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kdd/runtime/source/oci"
	"kdd/runtime/source/ocitest"
	"kdd/runtime/wire"
)

// The media types of the tests.
const (
	image      = "application/vnd.oci.image.manifest.v1+json"
	imageIndex = "application/vnd.oci.image.index.v1+json"
	gzipLayer  = "application/vnd.oci.image.layer.v1.tar+gzip"
	tarLayer   = "application/vnd.oci.image.layer.v1.tar"
	emptyType  = "application/vnd.oci.empty.v1+json"
	imageType  = "application/vnd.oci.image.config.v1+json"
)

// like is what a .kddx begins with, and no more than that.
var like = []byte("KDDX\r\n\x1a\n and the rest of it")

type layer struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

// manifestOf puts layers with these media types and contents into the registry and returns their manifest.
func manifestOf(s *ocitest.Server, config string, layers ...[2]string) string {
	m := map[string]any{"schemaVersion": 2, "mediaType": image}
	m["config"] = layer{MediaType: config, Digest: s.Blob("docs", []byte("{}")), Size: 2}
	var list []layer
	for _, l := range layers {
		list = append(list, layer{MediaType: l[0], Digest: s.Blob("docs", []byte(l[1])), Size: len(l[1])})
	}
	m["layers"] = list
	return text(m)
}

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// resolve asks a registry for docs:main.
func resolve(t *testing.T, s *ocitest.Server, reference string) (*oci.Artifact, error) {
	t.Helper()
	ref, err := oci.Parse("oci://" + s.Host + "/" + reference)
	if err != nil {
		t.Fatal(err)
	}
	repo, err := oci.Connect(t.Context(), ref, oci.Options{Wait: time.Millisecond})
	if err != nil {
		return nil, err
	}
	return repo.Resolve(t.Context())
}

// TestResolve has manifests of many kinds, by kdd, by others, and hostile ones.
func TestResolve(t *testing.T) {
	kddx := string(like)
	tests := []struct {
		name     string
		put      func(s *ocitest.Server) string // the manifest of docs:main
		kind     string                         // its media type; "" = image
		want     string                         // what the layer begins with
		code     string
		contains string
	}{
		{name: "kdd's", put: func(s *ocitest.Server) string { return manifestOf(s, emptyType, [2]string{oci.TypeV0, kddx}) }, want: "KDDX"},
		{name: "of version 1", put: func(s *ocitest.Server) string { return manifestOf(s, emptyType, [2]string{oci.TypeV1, kddx}) }, want: "KDDX"},
		{name: "pushed by another program", put: func(s *ocitest.Server) string {
			return manifestOf(s, emptyType, [2]string{"text/plain", "a text about it"}, [2]string{tarLayer, kddx})
		}, want: "KDDX"},
		{name: "in an image that was built of it", put: func(s *ocitest.Server) string {
			return manifestOf(s, imageType, [2]string{tarLayer, kddx})
		}, want: "KDDX"},
		{name: "container image", put: func(s *ocitest.Server) string {
			return manifestOf(s, imageType, [2]string{gzipLayer, "\x1f\x8b one"}, [2]string{gzipLayer, "\x1f\x8b two"})
		}, code: wire.CodeInvalidInput, contains: `a container image of 2 layers, not a .kddx; push a .kddx with "kdd push"`},
		{name: "something else", put: func(s *ocitest.Server) string {
			return manifestOf(s, "application/vnd.cncf.helm.config.v1+json", [2]string{"application/x", "a longer text"})
		}, code: wire.CodeInvalidInput, contains: "an artifact with a config of type application/vnd.cncf.helm.config.v1+json with 1 layer, none of them a .kddx"},
		{name: "two", put: func(s *ocitest.Server) string {
			return manifestOf(s, emptyType, [2]string{oci.TypeV0, kddx}, [2]string{oci.TypeV0, kddx + "2"})
		}, code: wire.CodeInvalidInput, contains: "2 layers are .kddx files, want one"},
		{name: "no layer", put: func(s *ocitest.Server) string { return manifestOf(s, emptyType) },
			code: wire.CodeInvalidInput, contains: "with 0 layers"},
		{name: "index of one", kind: imageIndex, put: func(s *ocitest.Server) string {
			m := manifestOf(s, emptyType, [2]string{oci.TypeV0, kddx})
			return text(map[string]any{"schemaVersion": 2, "mediaType": imageIndex,
				"manifests": []layer{{MediaType: image, Digest: s.Manifest("docs", "x", image, m), Size: len(m)}}})
		}, want: "KDDX"},
		{name: "index of an artifact and images", kind: imageIndex, put: func(s *ocitest.Server) string {
			m := manifestOf(s, emptyType, [2]string{oci.TypeV0, kddx})
			other := manifestOf(s, imageType, [2]string{gzipLayer, "\x1f\x8b"})
			return text(map[string]any{"schemaVersion": 2, "mediaType": imageIndex, "manifests": []map[string]any{
				{"mediaType": image, "digest": s.Manifest("docs", "y", image, other), "size": len(other)},
				{"mediaType": image, "digest": s.Manifest("docs", "x", image, m), "size": len(m), "artifactType": oci.TypeV0}}})
		}, want: "KDDX"},
		{name: "index of two images", kind: imageIndex, put: func(s *ocitest.Server) string {
			m := manifestOf(s, imageType, [2]string{gzipLayer, "\x1f\x8b"})
			d := layer{MediaType: image, Digest: s.Manifest("docs", "x", image, m), Size: len(m)}
			return text(map[string]any{"schemaVersion": 2, "mediaType": imageIndex, "manifests": []layer{d, d}})
		}, code: wire.CodeInvalidInput, contains: "an index of 2 images, want one artifact; name the digest of one"},
		{name: "bad root", put: func(s *ocitest.Server) string {
			return strings.Replace(manifestOf(s, emptyType, [2]string{oci.TypeV0, kddx}), "{", `{"annotations":{"dev.kdd.root":"00"},`, 1)
		}, code: wire.CodeIndexUntrusted, contains: `its manifest has dev.kdd.root "00", want 64 hex digits`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := ocitest.New()
			defer s.Close()
			kind := tt.kind
			if kind == "" {
				kind = image
			}
			digest := s.Manifest("docs", "main", kind, tt.put(s))
			got, err := resolve(t, s, "docs:main")
			if tt.code != "" {
				wants(t, err, tt.code, tt.contains)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if kind == image && got.Digest != digest {
				t.Errorf("digest %s, want %s", got.Digest, digest)
			}
			if body := fetched(t, s, got.Layer, 0); !strings.HasPrefix(body, tt.want) {
				t.Errorf("the layer is %q, want %q…", body, tt.want)
			}
		})
	}
}

// fetched returns a layer from a byte on.
func fetched(t *testing.T, s *ocitest.Server, l oci.Layer, at int64) string {
	t.Helper()
	ref, err := oci.Parse("oci://" + s.Host + "/docs")
	if err != nil {
		t.Fatal(err)
	}
	repo, err := oci.Connect(t.Context(), ref, oci.Options{Wait: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	body, _, err := repo.Fetch(t.Context(), l, at)
	if err != nil {
		t.Fatal(err)
	}
	defer body.Close()
	b, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// wants checks the code of an error and a part of its text.
func wants(t *testing.T, err error, code, contains string) {
	t.Helper()
	var known *wire.Error
	if !errors.As(err, &known) || known.Code != code || !strings.Contains(err.Error(), contains) {
		t.Errorf("error %v, want %s with %q", err, code, contains)
	}
}

// TestHostile has registries that lie, send on, or want a login.
func TestHostile(t *testing.T) {
	answer := func(status int, header, value, body string) ocitest.Option {
		return ocitest.Fault(func(w http.ResponseWriter, r *http.Request) bool {
			if !strings.Contains(r.URL.Path, "/manifests/") {
				return false
			}
			if header != "" {
				w.Header().Set(header, value)
			}
			w.WriteHeader(status)
			io.WriteString(w, body)
			return true
		})
	}
	digest := "@sha256:" + strings.Repeat("0", 64)
	tests := []struct {
		name, reference, config string // of docker
		server                  ocitest.Option
		code, contains          string
	}{
		{"another manifest than asked for", "docs" + digest, "", answer(200, "", "", "{}"), wire.CodeIndexUntrusted, "a manifest of digest sha256:44136f"},
		{"not JSON", "docs:main", "", answer(200, "Content-Type", "text/html", "<html>"), wire.CodeIO, "the registry's answer is no manifest"},
		{"huge", "docs:main", "", answer(200, "", "", strings.Repeat(" ", 5<<20)), wire.CodeTooLarge, "more than 4194304 bytes"},
		{"two things at once", "docs:main", "", answer(200, "", "", `{"layers":[{}],"manifests":[{}]}`), wire.CodeIndexUntrusted, "at once"},
		{"digest that is none", "docs:main", "", answer(200, "", "", `{"layers":[{"mediaType":"`+oci.TypeV0+`","digest":"../../x","size":1}]}`),
			wire.CodeIndexUntrusted, `a layer has the digest "../../x"`},
		{"negative size", "docs:main", "", answer(200, "", "", `{"layers":[{"mediaType":"`+oci.TypeV0+`","digest":"sha256:`+strings.Repeat("0", 64)+`","size":-1}]}`),
			wire.CodeIndexUntrusted, "-1 bytes"},
		{"index of itself", "docs:main", "", answer(200, "", "", `{"manifests":[{"digest":"x"}]}`), wire.CodeIndexUntrusted, `its index has the digest "x"`},
		{"an error with escapes", "docs:main", "", answer(400, "", "", `{"errors":[{"code":"BAD","message":"\u001b[31mred"}]}`), wire.CodeIO,
			"the registry says 400 Bad Request: bad: �[31mred"},
		{"too many requests", "docs:main", "", answer(429, "", "", ""), wire.CodeRateLimited, "429 Too Many Requests; wait"},
		{"an end without an answer", "docs:main", "", answer(503, "", "", ""), wire.CodeIO, "503 Service Unavailable"},
		{"redirects without an end", "docs:main", "", answer(302, "Location", "/v2/docs/manifests/x", ""), wire.CodeIO, "more than 10 redirects"},
		{"no tag", "docs:nosuch", "", answer(404, "", "", ""), wire.CodeNotFound, "the registry has nothing of this name; check the name, or run docker login 127.0.0.1:"},
		{"login", "docs:main", "", ocitest.Login("ann", "secret"), wire.CodeUnauthorized, "the registry wants a login, or there is nothing of this name"},
		{"token", "docs:main", "", ocitest.Token("ann", "secret"), wire.CodeUnauthorized, "; run docker login 127.0.0.1:"},
		{"wrong password", "docs:main", "ann:wrong", ocitest.Login("ann", "secret"), wire.CodeUnauthorized, "refuses what docker's configuration has"},
		{"wrong password for a token", "docs:main", "ann:wrong", ocitest.Token("ann", "secret"), wire.CodeUnauthorized, "refuses what docker's configuration has"},
		{"broken configuration", "docs:main", "{", ocitest.Login("ann", "secret"), wire.CodeUnauthorized, "docker's configuration or its credential helper cannot be read"},
		{"missing helper", "docs:main", `{"credsStore":"nosuch"}`, ocitest.Login("ann", "secret"), wire.CodeUnauthorized, "docker's configuration or its credential helper cannot be read"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := ocitest.New(tt.server)
			defer s.Close()
			docker(t, s.Host, tt.config)
			_, err := resolve(t, s, tt.reference)
			wants(t, err, tt.code, tt.contains)
			if err != nil && strings.Contains(err.Error(), "secret") {
				t.Errorf("the error has a password: %v", err)
			}
		})
	}
}

// docker writes docker's configuration: NAME:PASSWORD for a host, or JSON.
func docker(t *testing.T, host, config string) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("DOCKER_CONFIG", dir)
	name, password, found := strings.Cut(config, ":")
	if found && !strings.HasPrefix(config, "{") {
		config = fmt.Sprintf(`{"auths":{%q:{"username":%q,"password":%q}}}`, host, name, password)
	}
	if config != "" {
		if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(config), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLogin sends what docker's configuration has, as a password or for a token, and to nobody else: the layer lies at
// another host.
func TestLogin(t *testing.T) {
	for name, login := range map[string]func(user, password string) ocitest.Option{"password": ocitest.Login, "token": ocitest.Token} {
		t.Run(name, func(t *testing.T) {
			var sent string
			storage := ocitest.New(ocitest.Fault(func(w http.ResponseWriter, r *http.Request) bool {
				sent += r.Header.Get("Authorization")
				w.Write(like)
				return true
			}))
			defer storage.Close()
			s := ocitest.New(login("ann", "secret"), ocitest.Fault(func(w http.ResponseWriter, r *http.Request) bool {
				if !strings.Contains(r.URL.Path, "/blobs/") || r.Header.Get("Authorization") == "" {
					return false
				}
				http.Redirect(w, r, strings.Replace(storage.URL, "http://", "http://name:password@", 1)+"/elsewhere", http.StatusTemporaryRedirect)
				return true
			}))
			defer s.Close()
			docker(t, s.Host, "ann:secret")
			s.Manifest("docs", "main", image, manifestOf(s, emptyType, [2]string{oci.TypeV0, string(like)}))
			got, err := resolve(t, s, "docs:main")
			if err != nil {
				t.Fatal(err)
			}
			if body := fetched(t, s, got.Layer, 0); body != string(like) {
				t.Errorf("the layer is %q", body)
			}
			if sent != "" {
				t.Errorf("the storage was sent %q, want nothing", sent)
			}
			if seen := storage.Seen(); len(seen) != 1 {
				t.Errorf("the storage was asked %q, want once", seen)
			}
		})
	}
}

// TestTags names the tags that there are, some of many.
func TestTags(t *testing.T) {
	s := ocitest.New()
	defer s.Close()
	for i := range 12 {
		s.Manifest("docs", fmt.Sprintf("v%d", i), image, manifestOf(s, emptyType))
	}
	_, err := resolve(t, s, "docs:w1")
	wants(t, err, wire.CodeNotFound, `docs:w1: no tag "w1"; `)
	wants(t, err, wire.CodeNotFound, `the tags are v0, v1, v10, v11, v2, v3, v4, v5 and 4 more`)
	_, err = resolve(t, s, "docs")
	wants(t, err, wire.CodeNotFound, `no tag "latest"; the tags are `)
	_, err = resolve(t, s, "docs@sha256:"+strings.Repeat("0", 64))
	wants(t, err, wire.CodeNotFound, `no manifest of this digest; check the digest, or name a tag: v0, `)
}

// TestConnect asks a registry near by for https first, and has errors for one that is not there.
func TestConnect(t *testing.T) {
	s := ocitest.New()
	host := s.Host
	ref := oci.Reference{Host: host, Name: "docs"}
	repo, err := oci.Connect(t.Context(), ref, oci.Options{})
	if err != nil || !repo.Plain() {
		t.Fatalf("Connect = %v, want plain http", err)
	}
	s.Close()
	_, err = oci.Connect(t.Context(), ref, oci.Options{})
	wants(t, err, wire.CodeIO, "the registry does not answer: dial tcp "+host)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := oci.Connect(ctx, ref, oci.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Connect with an ended context = %v", err)
	}
}

// FuzzManifest: whatever a registry sends as a manifest, the answer is an error of the wire or a layer with a
// well-formed digest.
func FuzzManifest(f *testing.F) {
	digest := "sha256:" + strings.Repeat("0", 64)
	f.Add(`{"layers":[{"mediaType":"` + oci.TypeV0 + `","digest":"` + digest + `","size":1}],"annotations":{"dev.kdd.root":""}}`)
	f.Add(`{"layers":[{"digest":"` + digest + `","size":9}],"config":{"mediaType":"` + imageType + `"}}`)
	f.Add(`{"manifests":[{"digest":"` + digest + `"}]}`)
	var body string
	s := ocitest.New(ocitest.Fault(func(w http.ResponseWriter, r *http.Request) bool {
		io.WriteString(w, body)
		return true
	}))
	f.Cleanup(s.Close)
	repo, err := oci.Connect(f.Context(), oci.Reference{Host: s.Host, Name: "docs"}, oci.Options{PlainHTTP: true, Wait: time.Millisecond})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, manifest string) {
		body = manifest
		got, err := repo.Resolve(t.Context())
		var known *wire.Error
		switch {
		case err != nil && !errors.As(err, &known):
			t.Errorf("%q: error %v, want one of the wire", manifest, err)
		case err == nil && (!strings.HasPrefix(got.Layer.Digest, "sha256:") || len(got.Layer.Digest) != 71 || got.Layer.Size < 0):
			t.Errorf("%q: the layer %+v", manifest, got.Layer)
		}
	})
}
