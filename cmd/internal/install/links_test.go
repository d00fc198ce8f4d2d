package install

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLinksOutOfTheProject checks that a project whose links lead out of it has nothing changed there, and that links
// inside it are followed.
func TestLinksOutOfTheProject(t *testing.T) {
	tests := []struct {
		name, host string
		link, to   string // in the project, from there
		outside    bool
	}{
		{"a file of the user's", "cursor", ".cursor/mcp.json", "../../home/mcp.json", true},
		{"a folder", "vscode", ".vscode", "../home", true},
		{"a folder that has the project's name and more", "vscode", ".vscode", "../project-more", true},
		{"a folder inside", "vscode", ".vscode", "common", false},
		{"a file inside", "cursor", ".cursor/mcp.json", "../common/mcp.json", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := testEnv(t)
			const before = `{"mcpServers":{}}`
			files := []string{filepath.Join(e.Home, "mcp.json"), filepath.Join(e.Dir, "common", "mcp.json"),
				filepath.Join(e.Dir+"-more", "mcp.json")}
			for _, name := range append(files, filepath.Join(e.Dir, tt.link)) {
				if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			for _, name := range files {
				if err := os.WriteFile(name, []byte(before), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Symlink(tt.to, filepath.Join(e.Dir, tt.link)); err != nil {
				t.Skip("no root: links need rights here")
			}
			r := request(t, e, tt.host)
			_, err := e.Install(r)
			if got := err != nil && strings.Contains(err.Error(), "a link leads it out of the project"); got != tt.outside {
				t.Errorf("Install = %v, want it refused: %t", err, tt.outside)
			}
			for _, name := range files {
				data, err := os.ReadFile(name)
				if changed := string(data) != before; err != nil || changed != (!tt.outside && strings.Contains(name, "common")) {
					t.Errorf("%s is %q, %v", name, data, err)
				}
			}
			if _, err := e.Remove(r); (err != nil) != tt.outside {
				t.Errorf("Remove = %v, want it refused: %t", err, tt.outside)
			}
		})
	}
}

// TestUserLinksLeadAnywhere checks that a user's own files may be links to wherever their dotfiles are kept, as files
// and as folders.
func TestUserLinksLeadAnywhere(t *testing.T) {
	for _, link := range []string{".cursor/mcp.json", ".cursor"} {
		t.Run(link, func(t *testing.T) {
			e := testEnv(t)
			e.Dir = e.Home // as "kddq install" there; the folder is no project
			kept := filepath.Join(filepath.Dir(e.Home), "dotfiles")
			write(t, filepath.Join(kept, ".cursor", "mcp.json"), "{}", 0o644)
			at := filepath.Join(e.Home, filepath.FromSlash(link))
			if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(filepath.Join(kept, filepath.FromSlash(link)), at); err != nil {
				t.Skip("no root: links need rights here")
			}
			r := request(t, e, "cursor")
			r.Scope = User
			if _, err := e.Install(r); err != nil {
				t.Fatal(err)
			}
			if data, err := os.ReadFile(filepath.Join(kept, ".cursor", "mcp.json")); err != nil ||
				!strings.Contains(string(data), "docs.kddx") {
				t.Errorf("the linked file is %q, %v, want the server in it", data, err)
			}
			if info, err := os.Lstat(at); err != nil || info.Mode()&fs.ModeSymlink == 0 {
				t.Errorf("the link is %v, %v, want a link", info, err)
			}
			if _, err := e.Remove(r); err != nil {
				t.Errorf("Remove = %v", err)
			}
		})
	}
}
