package install

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"testing"
)

// testEnv is a machine of this system with a home and a project, both empty, where kddq is on PATH.
func testEnv(t *testing.T) *Env {
	t.Helper()
	root := t.TempDir()
	e := &Env{OS: goruntime.GOOS, Home: filepath.Join(root, "home"), Dir: filepath.Join(root, "project"),
		Executable: filepath.Join(root, "kdd"),
		Getenv:     func(string) string { return "" },
		LookPath: func(name string) (string, error) {
			if name == "kddq" {
				return "/bin/kddq", nil
			}
			return "", errors.New("not found")
		}}
	for _, dir := range []string{e.Home, filepath.Join(e.Dir, ".git")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return e
}

func request(t *testing.T, e *Env, host string) Request {
	t.Helper()
	h, err := Find(host)
	if err != nil {
		t.Fatal(err)
	}
	return Request{Host: h, Scope: Project, Name: "kdd", Entry: e.Server(Project, []string{"docs.kddx"})}
}

func TestPaths(t *testing.T) {
	unix := &Env{OS: "linux", Home: "/home/ana", Getenv: func(string) string { return "" }}
	mac := &Env{OS: "darwin", Home: "/Users/ana/", Getenv: func(string) string { return "" }}
	windows := &Env{OS: "windows", Home: `C:\Users\ana`, Getenv: func(string) string { return "" }}
	set := func(e *Env, variable, value string) *Env {
		c := *e
		c.Getenv = func(name string) string {
			if name == variable {
				return value
			}
			return ""
		}
		return &c
	}
	tests := []struct {
		host string
		env  *Env
		want string
	}{
		{"claude", unix, "/home/ana/.claude.json"},
		{"claude", windows, `C:\Users\ana\.claude.json`},
		{"claude", set(unix, "CLAUDE_CONFIG_DIR", "/etc/claude/"), "/etc/claude/.claude.json"},
		{"codex", mac, "/Users/ana/.codex/config.toml"},
		{"codex", windows, `C:\Users\ana\.codex\config.toml`},
		{"codex", set(windows, "CODEX_HOME", `D:\codex`), `D:\codex\config.toml`},
		{"codex", set(windows, "CODEX_HOME", `D:\codex\`), `D:\codex\config.toml`},
		{"gemini", unix, "/home/ana/.gemini/settings.json"},
		{"cursor", windows, `C:\Users\ana\.cursor\mcp.json`},
		{"windsurf", unix, "/home/ana/.codeium/windsurf/mcp_config.json"},
		{"windsurf", windows, `C:\Users\ana\.codeium\windsurf\mcp_config.json`},
		{"vscode", unix, "/home/ana/.config/Code/User/mcp.json"},
		{"vscode", set(unix, "XDG_CONFIG_HOME", "/cfg"), "/cfg/Code/User/mcp.json"},
		{"vscode", mac, "/Users/ana/Library/Application Support/Code/User/mcp.json"},
		{"vscode", windows, `C:\Users\ana\AppData\Roaming\Code\User\mcp.json`},
		{"vscode", set(windows, "APPDATA", `E:\Roaming`), `E:\Roaming\Code\User\mcp.json`},
		{"claude-desktop", mac, "/Users/ana/Library/Application Support/Claude/claude_desktop_config.json"},
		{"claude-desktop", windows, `C:\Users\ana\AppData\Roaming\Claude\claude_desktop_config.json`},
		{"claude-desktop", unix, "/home/ana/.config/Claude/claude_desktop_config.json"},
		{"opencode", mac, "/Users/ana/.config/opencode/opencode.json"},
		{"opencode", windows, `C:\Users\ana\.config\opencode\opencode.json`},
		{"zed", mac, "/Users/ana/.config/zed/settings.json"},
		{"zed", windows, `C:\Users\ana\AppData\Roaming\Zed\settings.json`},
		{"cline", unix, "/home/ana/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"},
		{"roo", mac, "/Users/ana/Library/Application Support/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json"},
		{"amp", unix, "/home/ana/.config/amp/settings.json"},
		{"kiro", unix, "/home/ana/.kiro/settings/mcp.json"},
		{"continue", unix, "/home/ana/.continue/mcpServers/kdd.json"},
		{"junie", windows, `C:\Users\ana\.junie\mcp\mcp.json`},
		{"lmstudio", unix, "/home/ana/.lmstudio/mcp.json"},
	}
	for _, tt := range tests {
		h, err := Find(tt.host)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := h.Path(tt.env, User); err != nil || got != tt.want {
			t.Errorf("%s on %s: Path = %q, %v, want %q", tt.host, tt.env.OS, got, err, tt.want)
		}
		homeless := *tt.env
		homeless.Home = ""
		variable := "HOME is not set"
		if tt.env.OS == "windows" {
			variable = "USERPROFILE is not set"
		}
		if _, err := h.Path(&homeless, User); (err == nil || !strings.Contains(err.Error(), ": "+variable)) &&
			tt.env.Getenv("CODEX_HOME")+tt.env.Getenv("CLAUDE_CONFIG_DIR")+tt.env.Getenv("APPDATA")+tt.env.Getenv("XDG_CONFIG_HOME") == "" {
			t.Errorf("%s on %s without a home: %v, want that %s", tt.host, tt.env.OS, err, variable)
		}
	}
}

func TestOurs(t *testing.T) {
	tests := []struct {
		entry Entry
		want  bool
	}{
		{Entry{"kddq", []string{"mcp"}}, true},
		{Entry{`C:\Tools\KDDQ.EXE`, []string{"mcp", "-i", "x"}}, true},
		{Entry{"/opt/kdd", []string{"mcp"}}, true},
		{Entry{"kddq", nil}, false},
		{Entry{"kddq", []string{"serve"}}, false},
		{Entry{"npx", []string{"mcp"}}, false},
		{Entry{"", nil}, false},
	}
	for _, tt := range tests {
		if got := tt.entry.Ours(); got != tt.want {
			t.Errorf("%+v: Ours = %t, want %t", tt.entry, got, tt.want)
		}
	}
}

func TestServer(t *testing.T) {
	e := testEnv(t)
	e.Dir = filepath.Join(e.Dir, "sub")
	got := e.Server(Project, []string{"a.kddx", "n=../b.kddx"})
	if strings.Join(got.Args, " ") != "mcp -i sub/a.kddx -i n=b.kddx" || got.Command != "kddq" {
		t.Errorf("Server(project) = %+v", got)
	}
	e.LookPath = func(string) (string, error) { return "", errors.New("not found") }
	if got := e.Server(User, []string{"a.kddx"}); got.Args[2] != filepath.Join(e.Dir, "a.kddx") ||
		got.Command != e.Executable {
		t.Errorf("Server(user) = %+v", got)
	}
}

// TestShapes shows what each host gets of a server, so that a change of a shape is seen.
func TestShapes(t *testing.T) {
	for host, want := range map[string]string{
		"opencode": "{\n  \"mcp\": {\n    \"kdd\": {\n      \"type\": \"local\",\n      \"command\": [\"kddq\", \"mcp\", \"-i\", \"docs.kddx\"],\n" +
			"      \"enabled\": true\n    }\n  }\n}\n",
		"amp": "{\n  \"amp.mcpServers\": {\n    \"kdd\": {\n      \"command\": \"kddq\",\n      \"args\": [\"mcp\", \"-i\", \"docs.kddx\"]\n    }\n  }\n}\n",
		"goose": "extensions:\n  kdd:\n    type: stdio\n    name: \"kdd\"\n    enabled: true\n    cmd: \"/bin/kddq\"\n" +
			"    args: [\"mcp\", \"-i\", \"docs.kddx\"]\n    timeout: 300\n",
		"jetbrains": "{\n  \"mcpServers\": {\n    \"kdd\": {\n      \"command\": \"/bin/kddq\",\n      \"args\": [\"mcp\", \"-i\", \"docs.kddx\"]\n    }\n  }\n}\n",
	} {
		e := testEnv(t)
		e.LookPath = func(name string) (string, error) { return "/bin/" + name, nil }
		r := request(t, e, host)
		got, err := e.Install(r)
		if err != nil {
			t.Fatal(err)
		}
		text := got.Diff
		if got.Action != Told {
			data, err := os.ReadFile(got.Path)
			if err != nil {
				t.Fatal(err)
			}
			text = string(data)
			if removed, err := e.Remove(r); err != nil || removed.Action != Deleted {
				t.Errorf("%s: Remove = %+v, %v", host, removed, err)
			}
		} else if removed, err := e.Remove(r); err != nil || removed.Action != Untold {
			t.Errorf("%s: Remove = %+v, %v", host, removed, err)
		}
		if text != want {
			t.Errorf("%s gets\n%s\nwant\n%s", host, text, want)
		}
	}
}

func write(t *testing.T, path, data string, perm fs.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(data), perm); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, perm); err != nil {
		t.Fatal(err)
	}
}

// TestInstallMakesTheFile begins with nothing: the folders are made too, and what is a user's own nobody else reads.
func TestInstallMakesTheFile(t *testing.T) {
	for _, tt := range []struct {
		host  string
		scope Scope
		path  string
		mode  fs.FileMode
		note  string
	}{
		{"claude", Project, "project/.mcp.json", 0o644, "Claude Code asks once"},
		{"codex", Project, "project/.codex/config.toml", 0o644, "only where the project is trusted"},
		{"cursor", Project, "project/.cursor/mcp.json", 0o644, ""},
		{"claude", User, "home/.claude.json", 0o600, ""},
		{"windsurf", User, "home/.codeium/windsurf/mcp_config.json", 0o600, ""},
		{"opencode", Project, "project/opencode.json", 0o644, ""},
		{"zed", Project, "project/.zed/settings.json", 0o644, ""},
		{"roo", Project, "project/.roo/mcp.json", 0o644, ""},
		{"amp", Project, "project/.amp/settings.json", 0o644, ""},
		{"kiro", Project, "project/.kiro/settings/mcp.json", 0o644, ""},
		{"continue", Project, "project/.continue/mcpServers/kdd.json", 0o644, ""},
		{"junie", Project, "project/.junie/mcp/mcp.json", 0o644, ""},
		{"lmstudio", User, "home/.lmstudio/mcp.json", 0o600, ""},
	} {
		e := testEnv(t)
		path := filepath.Join(filepath.Dir(e.Dir), filepath.FromSlash(tt.path))
		r := request(t, e, tt.host)
		r.Scope, r.DryRun = tt.scope, true
		if dry, err := e.Install(r); err != nil || dry.Action != Added ||
			!strings.HasPrefix(dry.Diff, "--- /dev/null\n+++ "+path+"\n") {
			t.Errorf("%s: a dry run of Install = %+v, %v", tt.path, dry, err)
		}
		if _, err := os.Stat(filepath.Dir(path)); err == nil && strings.Count(tt.path, "/") > 1 {
			t.Errorf("%s: a dry run made the folder", tt.path)
		}
		r.DryRun = false
		got, err := e.Install(r)
		if err != nil || got.Action != Added || got.Path != path || got.Backup != "" || got.Diff != "" ||
			!strings.Contains(got.Note, tt.note) || (got.Note == "") != (tt.note == "") {
			t.Errorf("%s: Install = %+v, %v", tt.path, got, err)
		}
		if info, err := os.Stat(path); err != nil || goruntime.GOOS != "windows" && info.Mode().Perm() != tt.mode {
			t.Errorf("%s: %v, %v, want mode %o", tt.path, info, err, tt.mode)
		}
		if again, err := e.Install(r); err != nil || again.Action != Unchanged {
			t.Errorf("%s: Install again = %+v, %v, want nothing changed", tt.path, again, err)
		}
	}
}

func TestInstallKeepsPermissionsAndLinks(t *testing.T) {
	e := testEnv(t)
	real := filepath.Join(e.Dir, "dotfiles", "mcp.json")
	write(t, real, "{\"a\": 1}\n", 0o640)
	link := filepath.Join(e.Dir, ".mcp.json")
	if err := os.Symlink(real, link); err != nil {
		t.Skip("no root: links need rights here")
	}
	result, err := e.Install(request(t, e, "claude"))
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v, want a link", info, err)
	}
	for _, path := range []string{real, result.Backup} {
		if info, err := os.Stat(path); err != nil || goruntime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
			t.Errorf("%s: %v, %v, want mode 640", path, info, err)
		}
	}
	if _, err := e.Remove(request(t, e, "claude")); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(real); err != nil || string(got) != "{\"a\": 1}\n" {
		t.Errorf("after Remove: %q, %v", got, err)
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(real), ".kdd-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("temporary files %q, %v", left, err)
	}
}

func TestInstallRefuses(t *testing.T) {
	tests := []struct {
		name    string
		prepare func(t *testing.T, path string)
		want    string
	}{
		{"does not parse", func(t *testing.T, p string) { write(t, p, "{", 0o644) },
			":1:2: parsing value: unexpected EOF; mend it"},
		{"a link to nothing", func(t *testing.T, p string) { os.Symlink(p+".gone", p) },
			"a link that leads to no file; make the file"},
		{"a folder", func(t *testing.T, p string) { os.Mkdir(p, 0o755) }, "it is a folder, want a file"},
		{"read-only", func(t *testing.T, p string) { write(t, p, "{}", 0o444) }, "it is read-only; make it writable"},
		{"UTF-16", func(t *testing.T, p string) { write(t, p, "\xff\xfe{\x00}\x00", 0o644) },
			"the text is UTF-16, want UTF-8; save it as UTF-8"},
		{"no UTF-8", func(t *testing.T, p string) { write(t, p, "{\n\"a\": \"\xe9\"}", 0o644) },
			":2:7: a byte that is no UTF-8"},
		{"foreign", func(t *testing.T, p string) { write(t, p, `{"mcpServers":{"kdd":{"type":"http","url":"u"}}}`, 0o644) },
			`the server "kdd" there is not ours: it has no command; register under another name with --name`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := testEnv(t)
			path := filepath.Join(e.Dir, ".mcp.json")
			tt.prepare(t, path)
			before, _ := os.ReadFile(path)
			_, err := e.Install(request(t, e, "claude"))
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), path) {
				t.Errorf("Install = %v, want %q behind the path", err, tt.want)
			}
			after, _ := os.ReadFile(path)
			if string(after) != string(before) {
				t.Errorf("the file was %q and is %q", before, after)
			}
			if files, _ := filepath.Glob(path + "?*"); len(files) > 0 {
				t.Errorf("left behind: %q", files)
			}
		})
	}
}

func TestChangedMeanwhile(t *testing.T) {
	e := testEnv(t)
	path := filepath.Join(e.Dir, ".mcp.json")
	write(t, path, "{}", 0o644)
	f, err := load(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, "{ }", 0o644)
	for name, err := range map[string]error{"write": f.write([]byte("x"), 0), "remove": f.remove()} {
		if err == nil || !strings.Contains(err.Error(), "another program changed it meanwhile") {
			t.Errorf("%s = %v, want that another program changed it", name, err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "{ }" {
		t.Errorf("the file is %q, %v", got, err)
	}
}

func TestBackups(t *testing.T) {
	e := testEnv(t)
	path := filepath.Join(e.Dir, ".mcp.json")
	write(t, path, `{"a": 1}`, 0o644)
	r := request(t, e, "claude")
	var copies []string
	for _, index := range []string{"a.kddx", "b.kddx", "b.kddx"} {
		r.Entry = e.Server(Project, []string{index})
		result, err := e.Install(r)
		if err != nil {
			t.Fatal(err)
		}
		copies = append(copies, filepath.Base(result.Backup))
	}
	removed, err := e.Remove(r)
	if err != nil {
		t.Fatal(err)
	}
	again, err := e.Install(r) // from a state that has its copy
	if err != nil {
		t.Fatal(err)
	}
	copies = append(copies, filepath.Base(removed.Backup), filepath.Base(again.Backup))
	write(t, filepath.Join(e.Dir, ".cursor", "mcp.json"), "", 0o644)
	if empty, err := e.Install(request(t, e, "cursor")); err != nil || empty.Backup != "" {
		t.Errorf("Install in an empty file = %+v, %v, want no copy of it", empty, err)
	}
	want := ".mcp.json.kdd-backup .mcp.json.kdd-backup-2 . .mcp.json.kdd-backup-3 .mcp.json.kdd-backup"
	if got := strings.Join(copies, " "); got != want {
		t.Errorf("copies %q, want %q", got, want)
	}
}

func TestUnified(t *testing.T) {
	tests := []struct{ name, before, after, want string }{
		{"new", "", "a\n", "--- /dev/null\n+++ f\n@@ -0,0 +1,1 @@\n+a\n"},
		{"middle", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n",
			"--- f\n+++ f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n"},
		{"no line feed at the end", "a\nb", "a\nb\nc", "--- f\n+++ f\n@@ -1,2 +1,3 @@\n a\n-b\n\\ No newline at end of " +
			"file\n+b\n+c\n\\ No newline at end of file\n"},
		{"repeated lines", "}\n", "}\n}\n", "--- f\n+++ f\n@@ -1,1 +1,2 @@\n }\n+}\n"},
		{"same", "a\n", "a\n", ""},
	}
	for _, tt := range tests {
		got := unified("f", []byte(tt.before), []byte(tt.after), tt.before != "", true)
		if tt.name != "same" && got != tt.want || tt.name == "same" && got != "" {
			t.Errorf("%s: unified = %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestRegistrations(t *testing.T) {
	e := testEnv(t)
	write(t, filepath.Join(e.Dir, ".mcp.json"), `{"mcpServers":{"docs":{"command":"kddq","args":["mcp","-i","docs.kddx"]},"x":{"command":"x"}}}`, 0o644)
	write(t, filepath.Join(e.Home, ".codex", "config.toml"),
		"[mcp_servers.kdd]\ncommand = \"/gone/kdd\"\nargs = [\"mcp\"]\n", 0o644)
	write(t, filepath.Join(e.Home, ".cursor", "mcp.json"), `{`, 0o644)
	write(t, filepath.Join(e.Dir, ".gemini", "settings.json"), `{"mcpServers":[]}`, 0o644)
	var got []string
	check := func() string {
		got = nil
		for _, r := range e.Registrations() {
			line := r.Host.Name + " " + string(r.Scope) + " " + r.Name
			if err := e.Check(&r); err != nil {
				line += ": " + strings.ReplaceAll(err.Error(), filepath.Dir(e.Dir), "")
			}
			got = append(got, line)
		}
		return strings.Join(got, "\n")
	}
	want := `claude project docs: /project/.mcp.json: docs: no file docs.kddx; build it with "kdd build", or run "kddq install claude --index FILE"
codex user kdd: /home/.codex/config.toml: kdd: no program /gone/kdd; put it on PATH, or run "kddq install codex --scope user"
gemini project : /project/.gemini/settings.json:1:15: "mcpServers" is a list, want an object; mend it, or let the host write it again
cursor user : /home/.cursor/mcp.json:1:2: parsing value: unexpected EOF; mend it, or let the host write it again`
	if got := strings.ReplaceAll(check(), `\`, "/"); got != want {
		t.Errorf("registrations\n%s\nwant\n%s", got, want)
	}
	write(t, filepath.Join(e.Dir, "docs.kddx"), "", 0o644)
	if check(); got[0] != "claude project docs" {
		t.Errorf("with the index there: %s", got[0])
	}
	e.Dir = e.Home // whose file is that of the user and of the project
	if text := check(); len(got) != 2 {
		t.Errorf("registrations in the user's folder\n%s\nwant each once", text)
	}
}

// A container's working folder is often the top of all.
func TestJoin(t *testing.T) {
	for _, tt := range []struct{ os, base, want string }{
		{"linux", "/", "/.vscode/mcp.json"},
		{"linux", "/work", "/work/.vscode/mcp.json"},
		{"linux", "/work/", "/work/.vscode/mcp.json"},
		{"windows", `C:\`, `C:\.vscode\mcp.json`},
		{"windows", `C:\work`, `C:\work\.vscode\mcp.json`},
	} {
		if got := (&Env{OS: tt.os}).join(tt.base, ".vscode", "mcp.json"); got != tt.want {
			t.Errorf("join(%q) on %s = %q, want %q", tt.base, tt.os, got, tt.want)
		}
	}
}
