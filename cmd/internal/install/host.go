package install

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"kdd/runtime/wire"
)

// Scope says for whom a server is registered.
type Scope string

// The scopes: everybody who works on a project, or one person in all of them.
const (
	Project Scope = "project"
	User    Scope = "user"
)

// dialect is what a host's reader takes.
type dialect uint8

const (
	strictJSON   dialect = iota
	jsonComments         // JSON with comments
	jsonRelaxed          // and with trailing commas
	tomlText
)

// Host is a program that starts MCP servers for its agent.
type Host struct {
	Name    string // as on the command line
	Title   string
	dialect dialect
	key     string // the object, or table, that holds the servers
	typed   bool   // an entry names its transport
	command string // on PATH where the host is installed
	project []string
	user    func(e *Env) (string, error)
	marks   func(e *Env) []string // paths of which one exists where the host is in use
	note    string                // what a person has to know about the project's file
}

// Hosts returns the hosts that are known, in the order in which they are named.
func Hosts() []*Host {
	home := func(parts ...string) func(*Env) []string {
		return func(e *Env) []string { return []string{e.join(e.Home, parts...)} }
	}
	below := func(parts ...string) func(*Env) (string, error) {
		return func(e *Env) (string, error) { return e.inHome(parts...) }
	}
	return []*Host{
		{
			Name: "claude", Title: "Claude Code", key: "mcpServers", typed: true, command: "claude",
			project: []string{".mcp.json"},
			user: func(e *Env) (string, error) {
				if dir := e.Getenv("CLAUDE_CONFIG_DIR"); dir != "" {
					return e.join(dir, ".claude.json"), nil
				}
				return e.inHome(".claude.json")
			},
			marks: func(e *Env) []string { return []string{e.join(e.Home, ".claude.json"), e.join(e.Home, ".claude")} },
			note:  "Claude Code asks once whether to trust the servers of a project",
		},
		{
			Name: "codex", Title: "Codex", dialect: tomlText, key: "mcp_servers", command: "codex",
			project: []string{".codex", "config.toml"},
			user: func(e *Env) (string, error) {
				if dir := e.Getenv("CODEX_HOME"); dir != "" {
					return e.join(dir, "config.toml"), nil
				}
				return e.inHome(".codex", "config.toml")
			},
			marks: home(".codex"),
			note:  "Codex reads the file of a project only where the project is trusted",
		},
		{
			Name: "gemini", Title: "Gemini CLI", dialect: jsonComments, key: "mcpServers", command: "gemini",
			project: []string{".gemini", "settings.json"}, user: below(".gemini", "settings.json"), marks: home(".gemini"),
		},
		{
			Name: "cursor", Title: "Cursor", dialect: jsonRelaxed, key: "mcpServers", typed: true, command: "cursor",
			project: []string{".cursor", "mcp.json"}, user: below(".cursor", "mcp.json"), marks: home(".cursor"),
		},
		{
			Name: "windsurf", Title: "Windsurf", dialect: jsonRelaxed, key: "mcpServers", command: "windsurf",
			user: below(".codeium", "windsurf", "mcp_config.json"), marks: home(".codeium", "windsurf"),
		},
		{
			Name: "vscode", Title: "VS Code", dialect: jsonRelaxed, key: "servers", typed: true, command: "code",
			project: []string{".vscode", "mcp.json"},
			user: func(e *Env) (string, error) {
				dir, err := e.codeFolder()
				return e.join(dir, "mcp.json"), err
			},
			marks: func(e *Env) []string {
				dir, err := e.codeFolder()
				if err != nil {
					return nil
				}
				return []string{dir}
			},
		},
	}
}

// Names returns the names of the hosts.
func Names() []string {
	var names []string
	for _, h := range Hosts() {
		names = append(names, h.Name)
	}
	return names
}

// Env is what of the machine decides where files are. Tests inject another system's.
type Env struct {
	OS         string // as runtime.GOOS
	Home       string // the user's folder; "" = unknown
	Dir        string // working folder
	Getenv     func(string) string
	LookPath   func(string) (string, error)
	Executable string // the running program
	Self       bool   // Server takes the running program even where kddq is on PATH
}

// join joins path elements as the system of e does.
func (e *Env) join(base string, parts ...string) string {
	separator := "/"
	if e.OS == "windows" {
		separator = `\`
		base = strings.TrimRight(base, `\/`)
	} else {
		base = strings.TrimRight(base, "/")
	}
	return strings.Join(append([]string{base}, parts...), separator)
}

func (e *Env) inHome(parts ...string) (string, error) {
	if e.Home == "" {
		variable := "HOME"
		if e.OS == "windows" {
			variable = "USERPROFILE"
		}
		return "", wire.NewError(wire.CodeIO, "the user's folder is unknown: "+variable+" is not set",
			"set it, or use --scope project")
	}
	return e.join(e.Home, parts...), nil
}

// codeFolder is where VS Code keeps a user's settings.
func (e *Env) codeFolder() (string, error) {
	switch e.OS {
	case "windows":
		if dir := e.Getenv("APPDATA"); dir != "" {
			return e.join(dir, "Code", "User"), nil
		}
		return e.inHome("AppData", "Roaming", "Code", "User")
	case "darwin":
		return e.inHome("Library", "Application Support", "Code", "User")
	}
	if dir := e.Getenv("XDG_CONFIG_HOME"); strings.HasPrefix(dir, "/") {
		return e.join(dir, "Code", "User"), nil
	}
	return e.inHome(".config", "Code", "User")
}

// Top returns the project's top: the nearest folder with a .git, from the working folder up, else the working folder.
func (e *Env) Top() string {
	for dir := e.Dir; ; {
		if exists(filepath.Join(dir, ".git")) {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return e.Dir
		}
		dir = parent
	}
}

// Has says whether h has a file of that scope.
func (h *Host) Has(scope Scope) bool { return scope == User || h.project != nil }

// Path returns the file in which h keeps its servers.
func (h *Host) Path(e *Env, scope Scope) (string, error) {
	if scope == User {
		return h.user(e)
	}
	if h.project == nil {
		return "", wire.NewError(wire.CodeInvalidInput, h.Title+" has no file for a project's servers", "use --scope user")
	}
	return e.join(e.Top(), h.project...), nil
}

// Snippet returns the text of a host's file that has one server and nothing else.
func (h *Host) Snippet(name string, entry Entry) ([]byte, error) {
	return h.editor(name).set(nil, h.fields(entry))
}

// Extension returns what the name of the host's file ends in: .json or .toml.
func (h *Host) Extension() string {
	if h.dialect == tomlText {
		return ".toml"
	}
	return ".json"
}

// Present says whether the host seems to be in use on this machine: its program is on PATH, or its files are there.
func (h *Host) Present(e *Env) bool {
	if _, err := e.LookPath(h.command); err == nil {
		return true
	}
	if e.Home == "" {
		return false
	}
	for _, path := range h.marks(e) {
		if exists(path) {
			return true
		}
	}
	return false
}

// Find returns the host of that name.
func Find(name string) (*Host, error) {
	for _, h := range Hosts() {
		if h.Name == name {
			return h, nil
		}
	}
	shown := wire.Clean(wire.Shorten(name, 40))
	message := fmt.Sprintf("the hosts are %s, git and all, got %q", strings.Join(Names(), ", "), shown)
	e := wire.NewError(wire.CodeInvalidInput, message, "")
	if near := wire.Nearest(name, append(Names(), "git", "all")); near != "" {
		e.Hint = fmt.Sprintf("did you mean %s?", near)
	}
	return nil, e
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
