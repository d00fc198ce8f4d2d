package runtime

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aead.dev/minisign"

	"kdd/compiler/filetest"
	"kdd/format"
	"kdd/format/index"
	"kdd/format/sign"
	"kdd/runtime/trust"
	"kdd/runtime/wire"
)

// signedArtifact compiles and signs a small artifact, and returns what asks for its key.
func signedArtifact(t *testing.T) (path string, policy trust.Options) {
	t.Helper()
	path = tree{"a.md": "# Lockout\n\n" + strings.Repeat("An account is locked after five wrong passwords.\n\n", 400)}.compile(t)
	public, private, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	f := must(format.Open(path))
	statement := must(sign.Of(f, "docs"))
	list := []sign.Signature{{Statement: string(statement.Text()), Kind: sign.Minisign, Text: string(minisign.Sign(private, statement.Text()))}}
	data := append(must(os.ReadFile(path))[:f.Length()], must(sign.Trailers(f, list))...)
	f.Close()
	key := filepath.Join(t.TempDir(), "k.pub")
	if err := errors.Join(os.WriteFile(path, data, 0o644), os.WriteFile(key, []byte(public.String()), 0o644)); err != nil {
		t.Fatal(err)
	}
	return path, trust.Options{Keys: []string{key}, System: t.TempDir(), State: t.TempDir()}
}

// TestTrustedPages forges a page of the text so that its checksum stays right: without a policy it is read, with one it
// is not.
func TestTrustedPages(t *testing.T) {
	path, policy := signedArtifact(t)
	ask := func(trust trust.Options) (*wire.ReadResponse, error) {
		s := New(Config{Index: []string{path}, Environ: map[string]string{}, Trust: trust})
		defer s.Close()
		return s.Read(t.Context(), wire.ReadRequest{File: "a.md"})
	}
	if _, err := ask(policy); err != nil {
		t.Fatal(err)
	}
	x := must(index.Open(path))
	sections := x.File.Block(format.Tag([]byte("SECS"))).Entry
	x.File.Close()
	data := must(os.ReadFile(path))
	filetest.Forge(data[sections.Offset:sections.Offset+sections.Length], int(sections.Length)-5)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := ask(policy)
	var known *wire.Error
	if !errors.As(err, &known) || known.Code != wire.CodeIndexCorrupt || !strings.Contains(known.Message, "under the root hash") {
		t.Errorf("a forged page = %v, want index_corrupt", err)
	}
}
