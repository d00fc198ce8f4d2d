// Package sigstore has sigstore-go check what "kdd attest" writes, with a bare key and without a network. It is a module
// of its own, since sigstore-go brings some 70 others.
package sigstore

import (
	"bytes"
	"crypto"
	"crypto/x509"
	"encoding/pem"
	"os"
	"testing"
	"time"

	"github.com/sigstore/sigstore-go/pkg/bundle"
	"github.com/sigstore/sigstore-go/pkg/root"
	"github.com/sigstore/sigstore-go/pkg/verify"
	"github.com/sigstore/sigstore/pkg/signature"
)

// file reads the file that a variable names.
func file(t *testing.T, variable string) []byte {
	t.Helper()
	b, err := os.ReadFile(os.Getenv(variable))
	if err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return b
}

// checker accepts what the key in a PEM file has signed.
func checker(t *testing.T, text []byte) *verify.Verifier {
	t.Helper()
	block, _ := pem.Decode(text)
	if block == nil {
		t.Fatal("no PEM")
	}
	public, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	key, err := signature.LoadVerifier(public, crypto.SHA256)
	if err != nil {
		t.Fatal(err)
	}
	trusted := root.NewTrustedPublicKeyMaterial(func(string) (root.TimeConstrainedVerifier, error) {
		return root.NewExpiringKey(key, time.Time{}, time.Time{}), nil
	})
	v, err := verify.NewVerifier(trusted, verify.WithNoObserverTimestamps())
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestBundle checks ATTESTED against BUNDLE with KEY; another file and the key OTHER are refused.
func TestBundle(t *testing.T) {
	artifact := file(t, "ATTESTED")
	b, err := bundle.LoadJSONFromPath(os.Getenv("BUNDLE"))
	if err != nil {
		t.Fatal(err)
	}
	check := func(v *verify.Verifier, data []byte) (*verify.VerificationResult, error) {
		return v.Verify(b, verify.NewPolicy(verify.WithArtifact(bytes.NewReader(data)), verify.WithKey()))
	}
	v := checker(t, file(t, "KEY"))
	result, err := check(v, artifact)
	if err != nil {
		t.Fatal(err)
	}
	if got := result.Statement.PredicateType; got != "https://slsa.dev/provenance/v1" {
		t.Errorf("the predicate is of type %s", got)
	}
	if _, err := check(v, append(bytes.Clone(artifact), 0)); err == nil {
		t.Error("another file is accepted")
	}
	if _, err := check(checker(t, file(t, "OTHER")), artifact); err == nil {
		t.Error("another key is accepted")
	}
}
