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

// arrows says what the packages of a folder may import of the module; "." is the package at the top itself, and a
// folder below one of the others has rules of its own. Imports point down only. Compiler and runtime share what is in
// format (the container, index, text and encoder) and nothing of each other.
var arrows = map[string][]string{
	".":         {"runtime"},
	"cmd":       {"cmd", "compiler", "mcpserver", "runtime", "format"},
	"mcpserver": {"mcpserver", "runtime"},
	"runtime":   {"runtime", "format"},
	"compiler":  {"compiler", "format"},
	"format":    {"format/text"},
	"bench":     {"bench", "cmd", "compiler", "mcpserver", "runtime", "format"},
	"testdata":  {},

	// What is published lies at the hosts that artifacts are read from.
	"compiler/publish": {"compiler", "format", "runtime/source", "runtime/wire"},
	"runtime/source":   {"runtime/source", "runtime/wire", "format"},

	"format/internal": {"format"},
	"format/index":    {"format"},
	"format/place":    {"format"},
	"format/text":     {},
	"format/encoder":  {},
	"format/sign":     {"format"},
}

// testArrows says what tests may import besides: an artifact is compiled by the tests that ask it, and asked by those
// that compile it.
var testArrows = map[string][]string{
	".":         {".", "compiler", "format"},
	"compiler":  {"runtime"},
	"format":    {"compiler/filetest"},
	"mcpserver": {"compiler", "format"},
	"runtime":   {"compiler"},
}

// modules lists what packages may use besides the standard library: those that read the file, and its sources.
var modules = map[string][]string{
	"format":          {},
	"format/internal": {},
	"format/index":    {"github.com/klauspost/compress/", "github.com/RoaringBitmap/roaring/v2"},
	"format/text":     {""}, // any
	"format/encoder":  {""},
	"format/sign":     {"aead.dev/minisign", "github.com/hiddeco/sshsig", "golang.org/x/crypto/ssh"},

	"runtime/source/oci": {}, // oras-go costs each start of kddq .4 ms
}

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
		{"terms to the container", "kdd/format/text", "kdd/format", true},
		{"terms to stemmers", "kdd/format/text", "github.com/blevesearch/snowballstem", false},
		{"format to runtime", "kdd/format", "kdd/runtime/wire", true},
		{"terms to the index", "kdd/format/text", "kdd/format/index", true},
		{"query vectors to terms", "kdd/format/encoder", "kdd/format/text", true},
		{"the container to the index", "kdd/format", "kdd/format/index", true},
		{"the container to its parts", "kdd/format", "kdd/format/internal/table", true},
		{"the index to the container", "kdd/format/index", "kdd/format", false},
		{"the index to tables", "kdd/format/index", "kdd/format/internal/table", false},
		{"tables to the container", "kdd/format/internal/table", "kdd/format", false},
		{"compiler to the index", "kdd/compiler/lexicon", "kdd/format/index", false},
		{"runtime to the index", "kdd/runtime/search", "kdd/format/index", false},
		{"runtime to query vectors", "kdd/runtime/artifact", "kdd/format/encoder", false},
		{"the container to zstd", "kdd/format", "github.com/klauspost/compress/zstd", true},
		{"the index to yaml", "kdd/format/index", "go.yaml.in/yaml/v3", true},
		{"the index to zstd", "kdd/format/index", "github.com/klauspost/compress/zstd", false},
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
	want := []string{"the tests of kdd/runtime imports kdd/mcpserver"}
	if got := wrongImports(runtime); !slices.Equal(got, want) {
		t.Errorf("wrongImports = %q, want %q", got, want)
	}
}

// wrongImports returns a sentence per import of p that points the wrong way.
func wrongImports(p listed) []string {
	own, _ := folder(p.ImportPath)
	top, _, _ := strings.Cut(own, "/")
	allowed, known := ruleOf(arrows, own)
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
		if inside {
			if !slices.ContainsFunc(allowed, in) {
				problems = append(problems, from+" imports "+path)
			}
			continue
		}
		host, _, _ := strings.Cut(path, "/")
		list, limited := ruleOf(modules, own)
		begins := func(a string) bool { return strings.HasPrefix(path, a) }
		if limited && strings.Contains(host, ".") && !slices.ContainsFunc(list, begins) {
			problems = append(problems, from+" imports "+path)
		}
	}
	return problems
}

// ruleOf returns the rule of a folder: its own or that of the nearest folder around it that has one.
func ruleOf(rules map[string][]string, folder string) (rule []string, known bool) {
	for {
		if rule, known = rules[folder]; known {
			return rule, true
		}
		at := strings.LastIndexByte(folder, '/')
		if at < 0 {
			return nil, false
		}
		folder = folder[:at]
	}
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
