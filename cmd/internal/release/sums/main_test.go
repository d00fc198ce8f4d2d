package main

import (
	"os"
	"path/filepath"
	"testing"

	"aead.dev/minisign"

	"kdd/compiler/publish/signing"
)

func TestSign(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "SHA256SUMS")
	if err := os.WriteFile(file, []byte("00  kdd\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := signing.Generate(filepath.Join(dir, "k"), ""); err != nil {
		t.Fatal(err)
	}
	if err := sign(filepath.Join(dir, "k.key"), []string{file}); err != nil {
		t.Fatal(err)
	}
	public, err := minisign.PublicKeyFromFile(filepath.Join(dir, "k.pub"))
	if err != nil {
		t.Fatal(err)
	}
	sig, err := os.ReadFile(file + ".minisig")
	if err != nil || !minisign.Verify(public, []byte("00  kdd\n"), sig) || minisign.Verify(public, []byte("01  kdd\n"), sig) {
		t.Errorf("the signature %q does not check, %v", sig, err)
	}
	for _, args := range [][]string{nil, {filepath.Join(dir, "nosuch")}} {
		if err := sign(filepath.Join(dir, "k.key"), args); err == nil {
			t.Errorf("sign %q is no error", args)
		}
	}
}
