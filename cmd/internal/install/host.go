package install

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
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
	shape   shape
	command string // on PATH where the host is installed; "" = none
	project []string
	user    func(e *Env) (string, error)
	marks   func(e *Env) []string // paths of which one exists where the host is in use
	note    string                // what a person has to know about the project's file

	windowed bool                                           // it is started without the PATH of a shell
	byHand   func(name string, entry Entry) (string, error) // a host whose file is not ours to write: what to put there
	where    string                                         // by hand: the place, as a person finds it
}

// shape is how an entry says what to start.
type shape uint8

const (
	plainShape shape = iota // command and args
	typedShape              // with type: stdio
	listShape               // type: local, and one list of the program and its arguments
)

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
	Via        string // one of Via: Server takes kddq of a package that it fetches
	Version    string // the running program's, for Via
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

// inAppData is where programs with windows keep a user's settings, as the system has it.
func (e *Env) inAppData(parts ...string) (string, error) {
	switch e.OS {
	case "windows":
		if dir := e.Getenv("APPDATA"); dir != "" {
			return e.join(dir, parts...), nil
		}
		return e.inHome(append([]string{"AppData", "Roaming"}, parts...)...)
	case "darwin":
		return e.inHome(append([]string{"Library", "Application Support"}, parts...)...)
	}
	return e.inConfig(parts...)
}

// inConfig is where programs of the terminal keep a user's settings, on every system.
func (e *Env) inConfig(parts ...string) (string, error) {
	if dir := e.Getenv("XDG_CONFIG_HOME"); e.OS != "windows" && strings.HasPrefix(dir, "/") {
		return e.join(dir, parts...), nil
	}
	return e.inHome(append([]string{".config"}, parts...)...)
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
	switch {
	case h.byHand != nil:
		return h.where, nil
	case scope == User:
		return h.user(e)
	case h.project == nil:
		return "", wire.NewError(wire.CodeInvalidInput, h.Title+" has no file for a project's servers", "use --scope user")
	}
	return e.join(e.Top(), h.project...), nil
}

// ByHand says that the host's file is not ours to write.
func (h *Host) ByHand() bool { return h.byHand != nil }

// Snippet returns the text of a host's file that has one server and nothing else.
func (h *Host) Snippet(name string, entry Entry) ([]byte, error) {
	if h.byHand != nil {
		text, err := h.byHand(name, entry)
		return []byte(text), err
	}
	return h.editor(name).set(nil, h.fields(entry))
}

// Extension returns what the name of the host's file ends in.
func (h *Host) Extension() string {
	switch {
	case h.dialect == tomlText:
		return ".toml"
	case strings.HasSuffix(h.where, ".yaml"):
		return ".yaml"
	}
	return ".json"
}

// Present says whether the host seems to be in use on this machine: its program is on PATH, or its files are there.
func (h *Host) Present(e *Env) bool {
	if h.command != "" {
		if _, err := e.LookPath(h.command); err == nil {
			return true
		}
	}
	if e.Home == "" {
		return false
	}
	return slices.ContainsFunc(h.marks(e), exists)
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
