package kdd_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

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
