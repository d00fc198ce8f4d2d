package remote

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestNPM asks the public servers "everything" and "filesystem". It runs where Node is there and KDD_NPM names a folder
// in which "npm i @modelcontextprotocol/server-everything @modelcontextprotocol/server-filesystem" was run.
func TestNPM(t *testing.T) {
	modules := os.Getenv("KDD_NPM")
	node, err := exec.LookPath("node")
	if err != nil || modules == "" {
		t.Skip("Node: it is absent, or KDD_NPM does not name a folder with the servers")
	}
	script := func(name string) string {
		return filepath.Join(modules, "node_modules", "@modelcontextprotocol", name, "dist", "index.js")
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "a.txt"), []byte("hello"), 0o644); err != nil {
		t.Fatal(err)
	}
	f := fleetFor(t, Options{Timeout: 60 * time.Second},
		Server{Name: "everything", Transport: Stdio, Command: node, Args: []string{script("server-everything")}, Env: map[string]string{"TOKEN": "${HOME}"}},
		Server{Name: "files", Transport: Stdio, Command: node, Args: []string{script("server-filesystem"), folder}})
	all, err := f.Capabilities(t.Context())
	if err != nil || len(all.Tools) < 20 || len(all.Resources) == 0 || len(all.Templates) == 0 || len(all.Prompts) == 0 {
		t.Fatalf("Capabilities() = %d tools, %d resources, %d templates, %d prompts, %v", len(all.Tools), len(all.Resources), len(all.Templates), len(all.Prompts), err)
	}
	calls := []struct {
		tool    string
		args    map[string]any
		isError bool
		want    string
	}{
		{"mcp__everything__get-sum", map[string]any{"a": 2, "b": 40}, false, "42"},
		{"mcp__everything__nothing", nil, true, "not found"},
		{"mcp__files__read_text_file", map[string]any{"path": filepath.Join(folder, "a.txt")}, false, "hello"},
		{"mcp__files__read_text_file", map[string]any{"path": filepath.Join(folder, "../../../../etc/passwd")}, true, "Access denied"},
	}
	for _, c := range calls {
		got, err := f.Call(t.Context(), c.tool, c.args)
		if err != nil || got.IsError != c.isError || len(got.Content) == 0 || !strings.Contains(got.Content[0].Text, c.want) {
			t.Errorf("Call(%s) = %+v, %v, want %q, is_error: %t", c.tool, got, err, c.want, c.isError)
		}
	}
	if got, err := f.Read(t.Context(), "mcp__everything__demo://resource/dynamic/text/7"); err != nil || !strings.Contains(got.Contents[0].Text, "Resource 7") {
		t.Errorf("Read() = %+v, %v", got, err)
	}
	if got, err := f.Prompt(t.Context(), "mcp__everything__args-prompt", map[string]string{"city": "Berlin"}); err != nil || !strings.Contains(got.Messages[0].Text, "Berlin") {
		t.Errorf("Prompt() = %+v, %v", got, err)
	}
}
