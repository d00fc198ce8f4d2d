package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"kdd/runtime"
)

// builds writes a folder of builds: each says its name and arguments.
func builds(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, p := range platforms {
		name := "kddq-1.2.3-" + p
		if strings.HasPrefix(p, "windows-") {
			name += ".exe"
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\necho "+p+" \"$@\"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// ofTests stands for findLicences, which runs the go command.
func ofTests() (*licences, error) {
	return &licences{[]byte("as you like\n"), []byte("and so on\n")}, nil
}

// made runs the program and returns the folder of the plugin and the bundle.
func made(t *testing.T, dir string) (plugin, archive string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := run([]string{"-version", "1.2.3", dir}, ofTests, &stdout, &stderr); code != 0 {
		t.Fatalf("run = %d: %s", code, stderr.String())
	}
	lines := strings.Split(strings.TrimSpace(stdout.String()), "\n")
	if len(lines) != 2 {
		t.Fatalf("run prints %q, want two paths", stdout.String())
	}
	return lines[0], lines[1]
}

func decoded(t *testing.T, data []byte) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	return v
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestPlugin(t *testing.T) {
	plugin, _ := made(t, builds(t))
	market := decoded(t, read(t, filepath.Join(plugin, ".claude-plugin", "marketplace.json")))
	entry := market["plugins"].([]any)[0].(map[string]any)
	source := filepath.Join(plugin, entry["source"].(string))
	m := decoded(t, read(t, filepath.Join(source, ".claude-plugin", "plugin.json")))
	if m["name"] != entry["name"] || m["version"] != "1.2.3" || m["description"] == "" {
		t.Errorf("plugin.json %v, in the marketplace %v", m, entry)
	}
	if install := "claude plugin install " + entry["name"].(string) + "@" + market["name"].(string) + "\n"; !strings.Contains(string(read(t, filepath.Join(source, "README.md"))), install) {
		t.Errorf("README.md does not say %q", install)
	}
	const want = "{\n  \"mcpServers\": {\n    \"kdd\": {\n      \"type\": \"stdio\",\n      \"command\": \"kddq\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}\n"
	if got := string(read(t, filepath.Join(source, ".mcp.json"))); got != want {
		t.Errorf(".mcp.json %s, want %s", got, want)
	}
	skill := string(read(t, filepath.Join(source, "skills", "documentation", "SKILL.md")))
	front, _, found := strings.Cut(strings.TrimPrefix(skill, "---\n"), "\n---\n")
	if !found || !strings.HasPrefix(front, "name: documentation\ndescription: ") {
		t.Errorf("SKILL.md begins with %q", front)
	}
	for _, word := range strings.FieldsFunc(skill, func(r rune) bool { return !(r >= 'a' && r <= 'z' || r == '_') }) {
		if strings.HasPrefix(word, "kdd_") && !slices.ContainsFunc(runtime.Tools(), func(o runtime.Operation) bool { return o.Tool == word }) {
			t.Errorf("SKILL.md names %s, which is no tool", word)
		}
	}
}

func TestBundle(t *testing.T) {
	_, archive := made(t, builds(t))
	z, err := zip.OpenReader(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	files := map[string]*zip.File{}
	var names []string
	for _, f := range z.File {
		files[f.Name] = f
		names = append(names, f.Name)
		mode := fs.FileMode(0o644)
		if strings.HasPrefix(f.Name, "server/") {
			mode = 0o755
		}
		if f.Mode() != mode || !f.Modified.Equal(time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)) {
			t.Errorf("%s: mode %v, time %v", f.Name, f.Mode(), f.Modified)
		}
	}
	if base := filepath.Base(archive); base != "kddq-1.2.3.mcpb" {
		t.Errorf("the bundle is called %s", base)
	}
	if !slices.IsSorted(names) || len(names) != 4+len(platforms) {
		t.Errorf("the bundle holds %q", names)
	}
	content, err := fs.ReadFile(z, "manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{licenceFile, noticesFile} {
		if text, err := fs.ReadFile(z, name); err != nil || !bytes.Equal(text, read(t, filepath.Join(filepath.Dir(archive), name))) {
			t.Errorf("%s in the bundle is %q, %v", name, text, err)
		}
	}
	var m manifest
	if err := json.Unmarshal(content, &m); err != nil {
		t.Fatal(err)
	}
	commands := []string{m.Server.Config.Command, m.Server.Config.Platforms["win32"].Command, "${__dirname}/" + m.Server.EntryPoint}
	for _, c := range commands {
		if name, ok := strings.CutPrefix(c, "${__dirname}/"); !ok || files[name] == nil {
			t.Errorf("the manifest starts %q, the bundle holds %q", c, names)
		}
	}
	for _, args := range [][]string{m.Server.Config.Args, m.Server.Config.Platforms["win32"].Args} {
		if !slices.Equal(args, []string{"mcp", "-i", "${user_config.index}"}) || m.UserConfig["index"].Type != "file" || !m.UserConfig["index"].Required {
			t.Errorf("arguments %q of settings %v", args, m.UserConfig)
		}
	}
	if m.Server.Type != "binary" || !m.PromptsMade {
		t.Errorf("the server is of type %q, prompts are made: %t", m.Server.Type, m.PromptsMade)
	}
	if len(m.Tools) != len(runtime.Listed()) || m.Version != "1.2.3" || m.ManifestVersion != "0.3" || len(m.Compatibility["platforms"]) != 3 {
		t.Errorf("manifest %s", content)
	}
}

func TestBundleIsTheSameEachTime(t *testing.T) {
	dir := builds(t)
	_, first := made(t, dir)
	before := read(t, first)
	_, again := made(t, dir)
	if !bytes.Equal(before, read(t, again)) {
		t.Error("two runs over the same builds differ")
	}
	_, elsewhere := made(t, builds(t))
	if !bytes.Equal(before, read(t, elsewhere)) {
		t.Error("the same builds in another folder give another bundle")
	}
}

// The launcher starts the build of this machine and hands on its arguments, from a folder with a space in its name.
func TestLauncher(t *testing.T) {
	if goruntime.GOOS != "linux" && goruntime.GOOS != "darwin" || goruntime.GOARCH != "amd64" && goruntime.GOARCH != "arm64" {
		return // the bundle starts another program here
	}
	_, archive := made(t, builds(t))
	z, err := zip.OpenReader(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	dir := filepath.Join(t.TempDir(), "a b")
	for _, f := range z.File {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, f.Mode().Perm()); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.CommandContext(t.Context(), filepath.Join(dir, "server", "kddq"), "mcp", "-i", "my docs.kddx").CombinedOutput()
	if want := goruntime.GOOS + "-" + goruntime.GOARCH + " mcp -i my docs.kddx\n"; err != nil || string(out) != want {
		t.Errorf("the launcher gives %q, %v, want %q", out, err, want)
	}
}

func TestRunRefuses(t *testing.T) {
	for _, tt := range []struct {
		args []string
		code int
		want string
	}{
		{nil, 2, "usage: bundle -version VERSION DIR"},
		{[]string{"-version", "1"}, 2, "usage: "},
		{[]string{"-nosuch"}, 2, "-nosuch"},
		{[]string{"-version", "1", t.TempDir()}, 1, "kddq-1-darwin-amd64"},
	} {
		var stdout, stderr bytes.Buffer
		if code := run(tt.args, ofTests, &stdout, &stderr); code != tt.code || !strings.Contains(stderr.String(), tt.want) || stdout.Len() > 0 {
			t.Errorf("run(%q) = %d, %q, want %d, %q", tt.args, code, stderr.String(), tt.code, tt.want)
		}
	}
}

// What cannot be had or written ends the program with its name.
func TestRunFails(t *testing.T) {
	for _, name := range []string{licenceFile, noticesFile, "kddq-1.2.3.mcpb"} {
		dir := builds(t)
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		var stdout, stderr bytes.Buffer
		if code := run([]string{"-version", "1.2.3", dir}, ofTests, &stdout, &stderr); code != 1 || !strings.Contains(stderr.String(), name+": ") || stdout.Len() > 0 {
			t.Errorf("run where %s is a folder = %d, %q, %q", name, code, stdout.String(), stderr.String())
		}
	}
	var stdout, stderr bytes.Buffer
	none := func() (*licences, error) { return nil, errors.New("no licences") }
	if code := run([]string{"-version", "1.2.3", builds(t)}, none, &stdout, &stderr); code != 1 || stderr.String() != "bundle: no licences\n" || stdout.Len() > 0 {
		t.Errorf("run without licences = %d, %q, %q", code, stdout.String(), stderr.String())
	}
}
