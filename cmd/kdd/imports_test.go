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

// module is the path of this module, which .ci/rename-module.sh changes.
const module = "kdd"

// arrows says what each folder at the top of the module may import of the others; "." is the package at the top itself.
// Imports point down only.
var arrows = map[string][]string{
	".":         {"runtime"},
	"cmd":       {"cmd", "compiler", "mcpserver", "runtime", "format"},
	"mcpserver": {"mcpserver", "runtime"},
	"runtime":   {"runtime", "format"},
	"compiler":  {"compiler", "format"},
	"format":    {"format"},
	"bench":     {"bench", "cmd", "compiler", "mcpserver", "runtime", "format"},
	"testdata":  {},
}

// testArrows says what tests may import besides: an artifact is compiled by the tests that ask it, and asked by those
// that compile it.
var testArrows = map[string][]string{
	".":         {".", "compiler", "format"},
	"compiler":  {"runtime"},
	"mcpserver": {"compiler", "format"},
	"runtime":   {"compiler"},
}

// formatMayImport lists the modules that package format, which reads the file, may use besides the standard library.
var formatMayImport = []string{"github.com/klauspost/compress/", "github.com/RoaringBitmap/roaring/v2"}

type listed struct {
	ImportPath                string
	Imports                   []string
	TestImports, XTestImports []string
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
		{"the door to runtime", "kdd", "kdd/runtime/wire", false},
		{"the door to compiler", "kdd", "kdd/compiler", true},
		{"runtime to the door", "kdd/runtime", "kdd", true},
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

// TestArrowsOfTests checks that the imports of tests are looked at, and have rules of their own.
func TestArrowsOfTests(t *testing.T) {
	runtime := listed{
		ImportPath:   "kdd/runtime",
		TestImports:  []string{"kdd/compiler", "kdd/runtime/wire"},
		XTestImports: []string{"kdd/mcpserver"},
	}
	if got, want := wrongImports(runtime), []string{"the tests of kdd/runtime imports kdd/mcpserver"}; !slices.Equal(got, want) {
		t.Errorf("wrongImports = %q, want %q", got, want)
	}
}

// wrongImports returns a sentence per import of p that points the wrong way.
func wrongImports(p listed) []string {
	own, _ := folder(p.ImportPath)
	top, _, _ := strings.Cut(own, "/")
	allowed, known := arrows[top]
	if !known {
		return []string{p.ImportPath + " is in a folder that the module does not have"}
	}
	tests := slices.Concat(allowed, testArrows[top], []string{top})
	problems := wrongArrows(p.ImportPath, p.Imports, allowed)
	ofTests := slices.Concat(p.TestImports, p.XTestImports)
	return append(problems, wrongArrows("the tests of "+p.ImportPath, ofTests, tests)...)
}

// wrongArrows returns a sentence for each of paths that is not allowed.
func wrongArrows(from string, paths, allowed []string) (problems []string) {
	own, _ := folder(from)
	for _, path := range paths {
		below, inside := folder(path)
		in := func(a string) bool { return below == a || strings.HasPrefix(below, a+"/") }
		switch {
		case inside && !slices.ContainsFunc(allowed, in):
			problems = append(problems, from+" imports "+path)
		case !inside && own == "format" && strings.Contains(strings.SplitN(path, "/", 2)[0], ".") &&
			!slices.ContainsFunc(formatMayImport, func(a string) bool { return strings.HasPrefix(path, a) }):
			problems = append(problems, from+" imports "+path)
		}
	}
	return problems
}

// folder returns the folder of a package of the module, "." for the one at its top; false for other modules' packages.
func folder(path string) (below string, inside bool) {
	if path == module {
		return ".", true
	}
	return strings.CutPrefix(path, module+"/")
}

// listPackages returns all packages of the module with their imports.
func listPackages(t *testing.T) []listed {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list",
		"-json=ImportPath,Imports,TestImports,XTestImports", module+"/...").Output()
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
