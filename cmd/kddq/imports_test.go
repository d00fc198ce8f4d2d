package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	goruntime "runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestImports checks that kddq holds no compiler code and builds without cgo.
func TestImports(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{.ImportPath}}{{if .CgoFiles}} cgo{{end}}", ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list -deps: %v", err)
	}
	deps := strings.Split(strings.TrimSpace(string(out)), "\n")
	if !slices.Contains(deps, "kdd/runtime") {
		t.Fatalf("go list -deps . does not list kdd/runtime; got %d packages", len(deps))
	}
	// The standard library's own users of cgo have a pure Go form each, which CGO_ENABLED=0 selects.
	standard := []string{"runtime/cgo", "net", "os/user", "crypto/internal/sysrand"}
	for _, dep := range deps {
		path, cgo, _ := strings.Cut(dep, " ")
		switch {
		case path == "kdd/compiler" || strings.HasPrefix(path, "kdd/compiler/"):
			t.Errorf("kddq imports %s, want no compiler code", path)
		case path == "kdd/cmd/internal/export", strings.Contains(path, "parquet"), strings.HasPrefix(path, "modernc.org/"):
			t.Errorf("kddq imports %s, want nothing of exports", path)
		case strings.HasPrefix(path, "oras.land/"), strings.Contains(path, "opencontainers/"), strings.Contains(path, "containerregistry"):
			t.Errorf("kddq imports %s, want none of what pushes to registries", path)
		case strings.Contains(path, "onnxruntime"):
			t.Errorf("kddq imports %s, want no ONNX Runtime", path)
		case cgo != "" && !slices.Contains(standard, path):
			t.Errorf("kddq imports %s, which needs cgo", path)
		}
	}
}

// mostBytes is what the stripped binary may have. "go tool nm -size -sort size" of a build that is not
// stripped says what is large. Since html/template may call any method by name, the linker keeps all of them: 2 MB.
const mostBytes = 24_000_000

// mostAllocs is what the variables of one package may allocate when kddq starts. A regular expression allocates some
// fifty times, those that only answers need took 2 ms of each start together, so they are compiled when they are used.
const mostAllocs = 200

// TestImportsBuild builds kddq without cgo, as a release is built, and looks at its size, and at what it does before it
// is asked anything. Without -trimpath it grows with the path of the sources.
func TestImportsBuild(t *testing.T) {
	file := filepath.Join(t.TempDir(), "kddq")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-ldflags=-s -w -buildid=", "-o", file, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("CGO_ENABLED=0 go build: %v\n%s", err, out)
	}
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > mostBytes {
		t.Errorf("kddq has %d bytes, want at most %d", info.Size(), mostBytes)
	}
	if goruntime.GOOS != "linux" || goruntime.GOARCH != "amd64" {
		return
	}
	start := exec.CommandContext(t.Context(), file, "version")
	start.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := start.CombinedOutput()
	if err != nil {
		t.Fatalf("kddq version: %v\n%s", err, out)
	}
	inits := regexp.MustCompile(`(?m)^init (kdd/\S+) .* (\d+) allocs$`).FindAllSubmatch(out, -1)
	if len(inits) < 5 {
		t.Errorf("kddq tells of %d packages' variables, want more:\n%s", len(inits), out)
	}
	for _, m := range inits {
		if n, err := strconv.Atoi(string(m[2])); err != nil || n > mostAllocs {
			t.Errorf("the variables of %s allocate %s times, want at most %d", m[1], m[2], mostAllocs)
		}
	}
}
