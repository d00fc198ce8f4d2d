package attest

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kdd/compiler"
	"kdd/compiler/filetest"
	"kdd/format"
)

const commit = "7fd1a60b01f91b314f59955a4e4d4e80d8edf11d"

// built compiles a document as of a commit.
func built(t *testing.T, commit string) string {
	t.Helper()
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{"docs/a.md": "# A\n\nText.\n"})
	path := filepath.Join(dir, "docs.kddx")
	o := compiler.Options{Sources: []string{filepath.Join(dir, "docs")}, Output: path, NoVectors: true, Commit: commit,
		Version: "1.2.3", Title: "The docs", Drafts: true}
	if _, err := compiler.Build(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestOf(t *testing.T) {
	path := built(t, commit)
	program := filepath.Join(t.TempDir(), "kdd")
	if err := os.WriteFile(program, []byte("a program"), 0o755); err != nil {
		t.Fatal(err)
	}
	s, err := Of(path, Options{Builder: "https://example.com/ci", Invocation: "https://example.com/ci/7",
		Source: "https://example.com/docs", Program: program, Version: "1.2.3"})
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	digest := must(fileDigest(program))
	for _, want := range []string{
		`"_type": "https://in-toto.io/Statement/v1"`, `"name": "docs.kddx"`, `"gitCommit": "` + commit + `"`,
		`"uri": "git+https://example.com/docs"`, `"drafts": true`, `"title": "The docs"`, `"name": "kdd"`,
		`"id": "https://example.com/ci"`, `"invocationId": "https://example.com/ci/7"`, `"kdd": "kdd 1.2.3"`,
		`"sha256": "` + digest,
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("the statement lacks %s:\n%s", want, got)
		}
	}
	if s.Subject[0].Digest["sha256"] != must(fileDigest(path)) {
		t.Error("the subject is another file")
	}
	again, err := Of(path, Options{Builder: "urn:x", Program: program, Version: "1.2.4"})
	if err != nil || len(again.Predicate.Definition.Dependencies) != 1 || again.Predicate.Definition.Dependencies[0].URI != "" {
		t.Errorf("a statement that knows less = %+v, %v", again, err)
	}
}

// TestModel asks for model and engine of an artifact with vectors.
func TestModel(t *testing.T) {
	s, err := Of("../../../testdata/compat/0-distilled.kddx", Options{Builder: "urn:x"})
	if err != nil {
		t.Fatal(err)
	}
	d := &s.Predicate.Definition
	if len(d.Dependencies) != 2 || d.Dependencies[1].Annotations["kind"] != "model" || len(d.Dependencies[1].Digest["sha256"]) != 64 {
		t.Errorf("the dependencies are %+v, want sources and a model", d.Dependencies)
	}
	if d.Internal["engine"] != "any 1 cpu" || d.External["encoder"] != "distilled" {
		t.Errorf("the parameters are %v and %v", d.Internal, d.External)
	}
}

// TestSources asks that only sources which are those of a commit have its digest, and that all have one.
func TestSources(t *testing.T) {
	clean := built(t, commit)
	f, err := format.Open(clean)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(clean)
	if err != nil {
		t.Fatal(err)
	}
	dirty := filepath.Join(t.TempDir(), "dirty.kddx")
	provenance := []byte(`{"source_commit":"` + commit + `","dirty":true}`)
	if err := os.WriteFile(dirty, format.AppendTrailer(data[:f.Length()], format.TagProvenance, provenance), 0o644); err != nil {
		t.Fatal(err)
	}
	f.Close()
	for _, tt := range []struct{ name, path, digest string }{
		{"of a commit", clean, commit}, {"of a name", built(t, "v1.2"), ""}, {"of nothing", built(t, ""), ""},
		{"that differ from the commit", dirty, ""},
	} {
		s, err := Of(tt.path, Options{Builder: "urn:x"})
		if err != nil {
			t.Fatal(tt.name, err)
		}
		got := s.Predicate.Definition.Dependencies[0].Digest
		if got["gitCommit"] != tt.digest || len(got["kddTree"]) != 64 {
			t.Errorf("sources %s have the digest %v, want gitCommit %q and kddTree", tt.name, got, tt.digest)
		}
	}
}

func must(s string, err error) string {
	if err != nil {
		panic(err)
	}
	return s
}

// TestBundle checks the signature as DSSE says it is made, with the public key as PEM has it.
func TestBundle(t *testing.T) {
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Of(built(t, commit), Options{Builder: "urn:x"})
	if err != nil {
		t.Fatal(err)
	}
	out, err := Bundle(s, private)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := Bundle(s, private); err != nil || !bytes.Equal(out, again) {
		t.Errorf("the same statement gives other bytes, %v", err)
	}
	var b bundle
	if err := json.Unmarshal(out, &b); err != nil {
		t.Fatal(err)
	}
	payload, err := base64.StdEncoding.DecodeString(b.Envelope.Payload)
	if err != nil {
		t.Fatal(err)
	}
	sig, err := base64.StdEncoding.DecodeString(b.Envelope.Signatures[0].Sig)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(authenticated("http://example.com/HelloWorld", []byte("hello world"))); got != "DSSEv1 29 http://example.com/HelloWorld 11 hello world" {
		t.Errorf("the encoding of DSSE's example is %q", got)
	}
	if !ed25519.Verify(public, authenticated(b.Envelope.PayloadType, payload), sig) {
		t.Error("the signature does not check")
	}
	var back Statement
	if err := json.Unmarshal(payload, &back); err != nil || back.Subject[0].Digest["sha256"] != s.Subject[0].Digest["sha256"] {
		t.Errorf("the payload is %s, %v", payload, err)
	}
	text, err := PublicKey(public)
	if block, _ := pem.Decode(text); err != nil || block == nil || !bytes.HasSuffix(block.Bytes, public) {
		t.Errorf("PublicKey = %s, %v", text, err)
	}
}
