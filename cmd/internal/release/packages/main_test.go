package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	goruntime "runtime"
	"slices"
	"strings"
	"testing"
)

// fake is a program that prints its name, platform and arguments.
func fake(label string) []byte { return []byte("#!/bin/sh\necho " + label + " \"$@\"\n") }

// dist writes a folder of builds for all platforms; those in real are the bytes of a file.
func dist(t *testing.T, real map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	put := func(b *build) {
		data := fake(b.label("1.2.3-rc.1"))
		if path := real[b.program+"-"+b.os+"-"+b.arch]; path != "" {
			var err error
			if data, err = os.ReadFile(path); err != nil {
				t.Fatal(err)
			}
		}
		path := filepath.Join(dir, b.label("1.2.3-rc.1")+strings.TrimPrefix(b.exe(), b.program))
		if err := os.WriteFile(path, data, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, program := range programs {
		for _, p := range platforms {
			put(&build{program: program, os: p.os, arch: p.arch})
			if program == "kdd" && p.os == "linux" {
				put(&build{program: program, os: p.os, arch: p.arch, static: true})
			}
		}
	}
	for name, text := range map[string]string{"LICENSE": "as you like\n", "THIRD-PARTY-NOTICES.txt": "and so on\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// made runs the program on a folder and returns the names of what it wrote.
func made(t *testing.T, dir string, args ...string) []string {
	t.Helper()
	if goruntime.GOOS == "windows" {
		t.Fatal("the fakes are scripts, which need root's shell of a Unix")
	}
	var stdout, stderr bytes.Buffer
	if code := run(append(append([]string{"-version", "1.2.3-rc.1"}, args...), dir), &stdout, &stderr); code != 0 {
		t.Fatalf("run = %d: %s", code, stderr.String())
	}
	var names []string
	for line := range strings.Lines(stdout.String()) {
		name, err := filepath.Rel(dir, strings.TrimSpace(line))
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}

func read(t *testing.T, elem ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(elem...))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// members returns what an archive holds, by name, and the modes.
func members(t *testing.T, data []byte) (files map[string][]byte, modes map[string]int64) {
	t.Helper()
	files, modes = map[string][]byte{}, map[string]int64{}
	if z, err := zip.NewReader(bytes.NewReader(data), int64(len(data))); err == nil {
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			if files[f.Name], err = io.ReadAll(r); err != nil {
				t.Fatal(err)
			}
			modes[f.Name] = int64(f.Mode().Perm())
		}
		return files, modes
	}
	var in io.Reader = bytes.NewReader(data)
	if z, err := gzip.NewReader(bytes.NewReader(data)); err == nil {
		in = z
	}
	for r := tar.NewReader(in); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files, modes
		} else if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeReg {
			if files[h.Name], err = io.ReadAll(r); err != nil {
				t.Fatal(err)
			}
			modes[h.Name] = h.Mode
		}
	}
}

// TestNames holds the names of a release: others download by them.
func TestNames(t *testing.T) {
	dir := dist(t, nil)
	got := made(t, dir, "-base", "https://example.com/kdd/")
	slices.Sort(got)
	want := strings.Fields(string(read(t, "testdata", "names.txt")))
	if !slices.Equal(got, want) {
		t.Errorf("a release has\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	without := made(t, dir)
	for _, name := range []string{"kddq.rb", "kddq.json", "kdd.rb", "kdd.json"} {
		if !slices.Contains(got, name) || slices.Contains(without, name) {
			t.Errorf("%s is made with an address: %t, without: %t", name, slices.Contains(got, name), slices.Contains(without, name))
		}
	}
}

func TestSameBytes(t *testing.T) {
	one, two := dist(t, nil), dist(t, nil)
	names := made(t, one)
	made(t, two)
	for _, name := range names {
		if !bytes.Equal(read(t, one, name), read(t, two, name)) {
			t.Errorf("%s has other bytes the second time", name)
		}
	}
}

func TestArchives(t *testing.T) {
	dir := dist(t, nil)
	made(t, dir)
	for _, b := range []*build{
		{program: "kddq", os: "linux", arch: "arm64"}, {program: "kddq", os: "windows", arch: "amd64"},
		{program: "kdd", os: "darwin", arch: "arm64"}, {program: "kdd", os: "linux", arch: "amd64", static: true},
	} {
		r := release{version: "1.2.3-rc.1"}
		files, modes := members(t, read(t, dir, r.archiveName(b)))
		want := []string{"LICENSE", "THIRD-PARTY-NOTICES.txt", "completions/_" + b.program, "completions/" + b.program + ".bash",
			"completions/" + b.program + ".fish", "completions/" + b.program + ".ps1", b.exe()}
		var got []string
		for name := range files {
			got = append(got, name)
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) || modes[b.exe()] != 0o755 || !bytes.Equal(files[b.exe()], fake(b.label("1.2.3-rc.1"))) {
			t.Errorf("%s has %q, mode %o, want %q", r.archiveName(b), got, modes[b.exe()], want)
		}
		if script := string(files["completions/"+b.program+".bash"]); !strings.HasSuffix(script, " completion bash\n") {
			t.Errorf("%s: the completion is %q", b.label(""), script)
		}
	}
}

// The manifests name archives that are there, by their checksums.
func TestManifests(t *testing.T) {
	dir := dist(t, nil)
	made(t, dir, "-base", "https://example.com/kdd")
	sum := func(name string) string {
		r := release{dir: t.TempDir(), sums: map[string]string{}, out: io.Discard}
		if err := r.text(name, string(read(t, dir, name))); err != nil {
			t.Fatal(err)
		}
		return r.sums[name]
	}
	for _, program := range programs {
		cask := string(read(t, dir, program+".rb"))
		for key, platform := range map[string]string{"arm": "darwin-arm64", "intel": "darwin-amd64",
			"arm64_linux": "linux-arm64", "x86_64_linux": "linux-amd64"} {
			want := regexp.MustCompile(`[ ]` + key + `: +"` + sum(program+"-1.2.3-rc.1-"+platform+".tar.gz") + `"`)
			if !want.MatchString(cask) {
				t.Errorf("%s.rb lacks %s", program, want)
			}
		}
		if !strings.Contains(cask, `url "https://example.com/kdd/`+program+"-#{version}-#{os}-#{arch}.tar.gz\"\n") {
			t.Errorf("%s.rb:\n%s", program, cask)
		}
		var scoop scoopManifest
		if err := json.Unmarshal(read(t, dir, program+".json"), &scoop); err != nil {
			t.Fatal(err)
		}
		for _, a := range scoop.Architecture {
			name, ok := strings.CutPrefix(a.URL, "https://example.com/kdd/")
			if !ok || a.Hash != sum(name) {
				t.Errorf("%s.json: %s has %s", program, a.URL, a.Hash)
			}
		}
	}
}

func TestRefused(t *testing.T) {
	empty := t.TempDir()
	lacking := dist(t, nil)
	if err := os.Remove(filepath.Join(lacking, "kdd-1.2.3-rc.1-darwin-amd64")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args []string
		code int
		want string
	}{
		{nil, 2, "usage: packages -version VERSION [-base URL] [-server NAME] DIR"},
		{[]string{"-nosuch"}, 2, "-nosuch"},
		{[]string{"-version", "1", empty}, 1, "LICENSE"},
		{[]string{"-version", "9", lacking}, 1, "kddq-9-"},
		{[]string{"-version", "1.2.3-rc.1", "-base", "https://e/$(id)", lacking}, 1, `-base "https://e/$(id)", want https://HOST/PATH`},
		{[]string{"-version", "1.2.3-rc.1", "-base", "http://e", lacking}, 1, "want https://HOST/PATH"},
		{[]string{"-version", "1.2.3-rc.1", "-base", "https://e", lacking}, 1, "kdd has builds for 5 platforms, want 6"},
	} {
		var stdout, stderr bytes.Buffer
		if code := run(tt.args, &stdout, &stderr); code != tt.code || !strings.Contains(stderr.String(), tt.want) {
			t.Errorf("run(%q) = %d, %q, want %d, %q", tt.args, code, stderr.String(), tt.code, tt.want)
		}
	}
}

func TestPythonVersion(t *testing.T) {
	for version, want := range map[string]string{
		"1.2.3": "1.2.3", "0.1.0-dev": "0.1.0.dev0", "1.0.0-rc.2": "1.0.0rc2", "1.0.0-beta": "1.0.0b0", "1.0.0-alpha.10": "1.0.0a10",
		"1.0.0-fine": "", "1.0.0-rc.1-2": "",
	} {
		if got, err := pythonVersion(version); got != want || (err != nil) != (want == "") {
			t.Errorf("pythonVersion(%q) = %q, %v, want %q", version, got, err, want)
		}
	}
}

// It shows where kdd asks for ONNX Runtime: where its build can load it and there is a package of it.
func Example_requirement() {
	fmt.Println(requirement([]*build{
		{program: "kdd", os: "linux", arch: "amd64", cgo: true}, {program: "kdd", os: "darwin", arch: "amd64", cgo: true},
		{program: "kdd", os: "darwin", arch: "arm64"}, {program: "kdd", os: "windows", arch: "arm64", cgo: true},
	}))
	// Output: onnxruntime==1.31.1; python_version >= "3.11" and ((sys_platform == "linux" and platform_machine == "x86_64") or (sys_platform == "win32" and platform_machine == "ARM64"))
}

// TestServer has the registry of MCP servers in mind: server.json, and the name in what it leads to.
func TestServer(t *testing.T) {
	dir := dist(t, nil)
	if err := os.WriteFile(filepath.Join(dir, "kddq-1.2.3-rc.1.mcpb"), []byte("bundle"), 0o644); err != nil {
		t.Fatal(err)
	}
	names := made(t, dir, "-base", "https://example.com/kdd/", "-server", "io.github.you/kdd")
	if names[len(names)-1] != "server.json" {
		t.Errorf("the last file is %s", names[len(names)-1])
	}
	want := `{
  "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  "name": "io.github.you/kdd",
  "title": "kdd",
  "description": "Answers from compiled documentation: search, ask, MCP and HTTP from one file",
  "version": "1.2.3-rc.1",
  "packages": [
    {
      "registryType": "npm",
      "identifier": "kddq",
      "version": "1.2.3-rc.1",
      "runtimeHint": "npx",
      "transport": {
        "type": "stdio"
      },
      "packageArguments": [
        {
          "type": "positional",
          "value": "mcp"
        }
      ]
    },
    {
      "registryType": "pypi",
      "identifier": "kddq",
      "version": "1.2.3rc1",
      "runtimeHint": "uvx",
      "transport": {
        "type": "stdio"
      },
      "packageArguments": [
        {
          "type": "positional",
          "value": "mcp"
        }
      ]
    },
    {
      "registryType": "mcpb",
      "identifier": "https://example.com/kdd/kddq-1.2.3-rc.1.mcpb",
      "fileSha256": "SUM",
      "transport": {
        "type": "stdio"
      }
    }
  ]
}
`
	sum := fmt.Sprintf("%x", sha256.Sum256([]byte("bundle")))
	want = strings.Replace(want, "SUM", sum, 1)
	if got := string(read(t, dir, "server.json")); got != want {
		t.Errorf("server.json is\n%s", got)
	}
	files, _ := members(t, read(t, dir, "kddq-1.2.3-rc.1.tgz"))
	if !strings.Contains(string(files["package/package.json"]), `"mcpName": "io.github.you/kdd"`) {
		t.Errorf("package.json is\n%s", files["package/package.json"])
	}
	files, _ = members(t, read(t, dir, "kddq-1.2.3rc1-py3-none-win_amd64.whl"))
	if !strings.Contains(string(files["kddq-1.2.3rc1.dist-info/METADATA"]), "<!-- mcp-name: io.github.you/kdd -->") {
		t.Errorf("METADATA is\n%s", files["kddq-1.2.3rc1.dist-info/METADATA"])
	}
	var stdout, stderr bytes.Buffer
	code := run([]string{"-version", "1.2.3-rc.1", "-server", "kdd", dist(t, nil)}, &stdout, &stderr)
	if code != 1 || !strings.Contains(stderr.String(), `-server "kdd", want a domain`) {
		t.Errorf("a name without a domain: %d, %s", code, stderr.String())
	}
}
