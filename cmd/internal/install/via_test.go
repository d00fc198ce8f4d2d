package install

import (
	"errors"
	"strings"
	"testing"
)

func TestVia(t *testing.T) {
	for _, tt := range []struct{ system, via, want string }{
		{"linux", "npx", "npx -y kddq@1.2.3 mcp -i docs.kddx"},
		{"windows", "npx", "cmd /c npx -y kddq@1.2.3 mcp -i docs.kddx"},
		{"windows", "uvx", "uvx kddq@1.2.3 mcp -i docs.kddx"},
	} {
		dir := t.TempDir()
		e := &Env{OS: tt.system, Dir: dir, Via: tt.via, Version: "1.2.3", Executable: "/opt/kddq",
			LookPath: func(string) (string, error) { return "", errors.New("none") }}
		entry := e.Server(Project, []string{"docs.kddx"})
		if got := entry.Command + " " + strings.Join(entry.Args, " "); got != tt.want {
			t.Errorf("via %s on %s: %q, want %q", tt.via, tt.system, got, tt.want)
		}
		if !entry.Ours() || len(entry.Indexes()) != 1 || entry.Indexes()[0] != "docs.kddx" {
			t.Errorf("%v is ours: %t, with indexes %q", entry, entry.Ours(), entry.Indexes())
		}
	}
}

func TestOursVia(t *testing.T) {
	for line, want := range map[string]bool{
		"npx kddq mcp":                    true,
		"/usr/bin/npx --yes kdd@2 mcp":    true,
		`C:\n\npx.cmd -y kddq@latest mcp`: true,
		"cmd /c npx -y kddq mcp":          true,
		"uvx.exe kdd mcp -i a.kddx":       true,
		"npx -y other mcp":                false,
		"npx kddq serve":                  false,
		"npx":                             false,
		"npx -y":                          false,
		"cmd /c":                          false,
		"cmd /c dir":                      false,
		"node kddq mcp":                   false,
	} {
		words := strings.Fields(line)
		if got := (Entry{words[0], words[1:]}).Ours(); got != want {
			t.Errorf("%q is ours: %t, want %t", line, got, want)
		}
	}
}
