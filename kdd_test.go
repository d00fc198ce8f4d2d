package kdd_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"kdd"
	"kdd/compiler/publish/signing"
	"kdd/format"
	"kdd/format/sign"
)

// TestKeys opens a file before and after it is signed.
func TestKeys(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir) // what was accepted
	path, base := filepath.Join(dir, "docs.kddx"), filepath.Join(dir, "k")
	data, err := os.ReadFile(docs)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := signing.Generate(base, ""); err != nil {
		t.Fatal(err)
	}
	open := func(names ...string) error {
		index, err := kdd.OpenWith(kdd.Options{Files: []string{path}, Keys: []string{base + ".pub"}, SignedAs: names})
		if err == nil {
			index.Close()
		}
		return err
	}
	untrusted := func(what string, err error) {
		var e *kdd.Error
		if !errors.As(err, &e) || e.Code != kdd.Untrusted {
			t.Errorf("%s: %v, want it untrusted", what, err)
		}
	}
	untrusted("unsigned", open())
	f, err := format.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	statement, err := sign.Of(f, "you/docs")
	f.Close()
	if err != nil {
		t.Fatal(err)
	}
	key, err := signing.Load(base+".key", nil)
	if err != nil {
		t.Fatal(err)
	}
	signature, err := key.Sign(statement)
	if err == nil {
		err = signing.Embed(path, signature, key.Public())
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := open("you/docs"); err != nil {
		t.Error(err)
	}
	untrusted("under another name", open("you/manual"))
}

// TestLinksNoCompiler checks that a program that asks an index links no code of the compiler, and needs no cgo.
func TestLinksNoCompiler(t *testing.T) {
	list := exec.CommandContext(t.Context(), "go", "list", "-deps", ".")
	list.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	packages := strings.Fields(string(out))
	for _, p := range packages {
		if strings.HasPrefix(p, "kdd/compiler") || p == "runtime/cgo" {
			t.Errorf("package kdd links %s", p)
		}
	}
	if len(packages) < 50 {
		t.Errorf("package kdd links %d packages, want all of the runtime", len(packages))
	}
	build := exec.CommandContext(t.Context(), "go", "build", ".")
	build.Env = list.Env
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("go build without cgo: %v\n%s", err, out)
	}
}
