package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// arrows says what each folder at the top of the module may import of the others. Imports point down only.
var arrows = map[string][]string{
	"cmd":       {"cmd", "compiler", "mcpserver", "runtime", "format"},
	"mcpserver": {"mcpserver", "runtime"},
	"runtime":   {"runtime", "format"},
	"compiler":  {"compiler", "format"},
	"format":    {"format"},
	"bench":     {"bench", "cmd", "compiler", "mcpserver", "runtime", "format"},
	"testdata":  {},
}

// formatMayImport lists the modules that package format, which reads the file, may use besides the standard library.
var formatMayImport = []string{"github.com/klauspost/compress/", "github.com/RoaringBitmap/roaring/v2"}

type listed struct {
	ImportPath string
	Imports    []string
	Standard   bool
}

// TestArrows checks every import of every package of the module against the table.
func TestArrows(t *testing.T) {
	packages := listPackages(t)
	if len(packages) < 5 {
		t.Fatalf("go list found %d packages of the module, want all", len(packages))
	}
	for _, p := range packages {
		for _, problem := range wrongImports(p) {
			t.Error(problem)
		}
	}
}

// TestArrowsCatch checks that the check can fail.
func TestArrowsCatch(t *testing.T) {
	tests := []struct {
		name, from, to string
		wrong          bool
	}{
		{"runtime to compiler", "kdd/runtime/search/query", "kdd/compiler/graph", true},
		{"compiler to runtime", "kdd/compiler", "kdd/runtime", true},
		{"compiler to terms", "kdd/compiler/lexicon", "kdd/format/text", false},
		{"compiler to a name that begins like format", "kdd/compiler/lexicon", "kdd/formats", true},
		{"terms to the container", "kdd/format/text", "kdd/format", false},
		{"terms to stemmers", "kdd/format/text", "github.com/blevesearch/snowballstem", false},
		{"format to runtime", "kdd/format", "kdd/runtime/wire", true},
		{"format to yaml", "kdd/format", "go.yaml.in/yaml/v3", true},
		{"format to zstd", "kdd/format", "github.com/klauspost/compress/zstd", false},
		{"anything to bench", "kdd/cmd/kdd", "kdd/bench", true},
		{"runtime to cmd", "kdd/runtime", "kdd/cmd/internal/cli", true},
		{"cmd to compiler", "kdd/cmd/kdd", "kdd/compiler", false},
		{"a folder that is not in the design", "kdd/pkg/x", "fmt", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := wrongImports(listed{ImportPath: tt.from, Imports: []string{tt.to}})
			if (len(got) > 0) != tt.wrong {
				t.Errorf("wrongImports(%s -> %s) = %q, want a problem: %t", tt.from, tt.to, got, tt.wrong)
			}
		})
	}
}

// wrongImports returns a sentence per import of p that points the wrong way.
func wrongImports(p listed) []string {
	own := strings.TrimPrefix(p.ImportPath, "kdd/")
	top, _, _ := strings.Cut(own, "/")
	allowed, known := arrows[top]
	if !known {
		return []string{p.ImportPath + " is in a folder that the module does not have"}
	}
	var problems []string
	for _, path := range p.Imports {
		below, inside := strings.CutPrefix(path, "kdd/")
		switch {
		case inside && !slices.ContainsFunc(allowed, func(a string) bool { return below == a || strings.HasPrefix(below, a+"/") }):
			problems = append(problems, p.ImportPath+" imports "+path)
		case !inside && own == "format" && strings.Contains(strings.SplitN(path, "/", 2)[0], ".") &&
			!slices.ContainsFunc(formatMayImport, func(a string) bool { return strings.HasPrefix(path, a) }):
			problems = append(problems, p.ImportPath+" imports "+path)
		}
	}
	return problems
}

// listPackages returns all packages of the module with their imports.
func listPackages(t *testing.T) []listed {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports,Standard", "kdd/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var packages []listed
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatalf("go list -json: %v", err)
		}
		packages = append(packages, p)
	}
}
