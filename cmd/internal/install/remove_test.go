package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRemove takes the server out of files that hold more and less besides, once to see what would change and once in
// earnest.
func TestRemove(t *testing.T) {
	const server = `"mcpServers": {"kdd": {"command": "kddq", "args": ["mcp"]}}`
	tests := []struct {
		name, before, after string // after "" = no file
		link                bool   // the file is a link's
		want                Action
		diff                string // a line of what a dry run shows
	}{
		{"no file", "", "", false, Absent, ""},
		{"no server", "{}\n", "{}\n", false, Absent, ""},
		{"nothing besides", "{" + server + "}\n", "", false, Deleted, "+++ /dev/null"},
		{"nothing besides, behind a link", "{" + server + "}\n", "{}\n", true, Removed, "+{}"},
		{"another key", `{"a": 1, ` + server + "}\n", "{\"a\": 1}\n", false, Removed, `+{"a": 1}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := testEnv(t)
			path := filepath.Join(e.Dir, ".mcp.json")
			if tt.link {
				real := filepath.Join(e.Dir, "kept.json")
				if err := os.Symlink(real, path); err != nil {
					t.Skip("no root: links need rights here")
				}
				write(t, real, tt.before, 0o644)
			} else if tt.before != "" {
				write(t, path, tt.before, 0o644)
			}
			r := request(t, e, "claude")
			r.DryRun = true
			dry, err := e.Remove(r)
			if err != nil || dry.Action != tt.want || dry.Backup != "" || (dry.Diff == "") != (tt.diff == "") ||
				!strings.Contains(dry.Diff, tt.diff+"\n") && tt.diff != "" {
				t.Errorf("a dry run of Remove = %+v, %v, want %s and a diff with %q", dry, err, tt.want, tt.diff)
			}
			if got, _ := os.ReadFile(path); string(got) != tt.before {
				t.Errorf("after a dry run the file is %q, want %q", got, tt.before)
			}
			r.DryRun = false
			done, err := e.Remove(r)
			if err != nil || done.Action != tt.want || done.Diff != "" || (done.Backup != "") != (tt.want == Removed) {
				t.Errorf("Remove = %+v, %v, want %s", done, err, tt.want)
			}
			if got, _ := os.ReadFile(path); string(got) != tt.after {
				t.Errorf("the file is %q, want %q", got, tt.after)
			}
			if _, err := os.Lstat(path); (err == nil) != (tt.after != "") {
				t.Errorf("the file: %v, want it there: %t", err, tt.after != "")
			}
		})
	}
}
