package remote

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"kdd/runtime/wire"
)

const (
	maxConfigBytes = 1 << 20
	maxServers     = 64
)

// Transports of a Server.
const (
	Stdio = "stdio"
	SSE   = "sse"
	HTTP  = "http" // streamable HTTP
)

// Config is a list of MCP servers, in the order of the file.
type Config struct{ Servers []Server }

// Server is one entry as written, with its variables not filled in.
type Server struct {
	Name      string
	Transport string // Stdio, SSE or HTTP
	Command   string
	Args      []string
	Env       map[string]string
	Dir       string // working folder of the command; "" = ours
	URL       string
	Headers   map[string]string
	Auth      *Auth
	Disabled  bool
}

// Auth is how requests over HTTP authenticate.
type Auth struct {
	Type     string // bearer, api_key or basic
	Token    string // of bearer
	Key      string // of api_key
	Header   string // of api_key; "" = X-API-Key
	Username string // of basic
	Password string
}

// entry is a server as the files spell it.
type entry struct {
	Name      string            `json:"name"`
	Type      string            `json:"type"`
	Transport string            `json:"transport"`
	Command   string            `json:"command"`
	Args      []string          `json:"args"`
	Env       map[string]string `json:"env"`
	Cwd       string            `json:"cwd"`
	URL       string            `json:"url"`
	Headers   map[string]string `json:"headers"`
	Auth      *entryAuth        `json:"auth"`
	Disabled  bool              `json:"disabled"`
}

// entryAuth takes each secret itself or, with _env, the name of the variable that holds it.
type entryAuth struct {
	Type        string `json:"type"`
	Token       string `json:"token"`
	TokenEnv    string `json:"token_env"`
	Key         string `json:"key"`
	KeyEnv      string `json:"key_env"`
	Header      string `json:"header"`
	Username    string `json:"username"`
	UsernameEnv string `json:"username_env"`
	Password    string `json:"password"`
	PasswordEnv string `json:"password_env"`
}

// ParseConfig reads a configuration: {"mcpServers": {NAME: {…}}} as in .mcp.json, or the list form [{"name": NAME, …}],
// bare or under "mcp_servers", "mcpServers" or "servers". Unknown keys are ignored, since every host adds its own.
// Errors are invalid_input and name the place. Limits: 1 MiB, 64 servers.
func ParseConfig(data []byte) (*Config, error) {
	if len(data) > maxConfigBytes {
		return nil, invalid("", "has %d bytes, want at most %d", len(data), maxConfigBytes)
	}
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	if len(data) == 0 {
		return nil, invalid("", `is empty, want {"mcpServers": {…}} or a list of servers`)
	}
	if !json.Valid(data) {
		return nil, syntaxError(data)
	}
	where, list := "", data
	if data[0] == '{' {
		fields, err := object("", data)
		if err != nil {
			return nil, err
		}
		at := slices.IndexFunc(fields, func(f field) bool { return slices.Contains(serverKeys, f.key) })
		if at < 0 {
			e := invalid("", `has no "mcpServers"`)
			for _, f := range fields {
				if near := wire.Nearest(f.key, serverKeys); near != "" {
					e.Hint = fmt.Sprintf("did you mean %q instead of %q?", near, wire.Clean(f.key))
				}
			}
			return nil, e
		}
		where, list = fields[at].key, fields[at].value
	}
	config, seen := &Config{}, map[string]bool{}
	add := func(where, name string, raw json.RawMessage) error {
		server, err := parseServer(where, name, raw)
		if err != nil {
			return err
		}
		if seen[server.Name] {
			return invalid(where, "the name %q is given twice", server.Name)
		}
		if len(seen) == maxServers {
			return invalid(where, "more than %d servers", maxServers)
		}
		seen[server.Name] = true
		config.Servers = append(config.Servers, *server)
		return nil
	}
	switch list[0] {
	case '{':
		fields, err := object(where, list)
		if err != nil {
			return nil, err
		}
		for _, f := range fields {
			if err := add(where+"."+wire.Clean(wire.Shorten(f.key, 80)), f.key, f.value); err != nil {
				return nil, err
			}
		}
	case '[':
		var entries []json.RawMessage
		if err := json.Unmarshal(list, &entries); err != nil {
			return nil, syntaxError(data)
		}
		for i, raw := range entries {
			if err := add(fmt.Sprintf("%s[%d]", where, i), "", raw); err != nil {
				return nil, err
			}
		}
	default:
		return nil, invalid(where, "got %s, want an object or a list of servers", wire.JSONKind(list[0]))
	}
	return config, nil
}

var serverKeys = []string{"mcpServers", "mcp_servers", "servers"}

// parseServer reads one entry. name is "" in the list form, where the entry itself has the name.
func parseServer(where, name string, raw json.RawMessage) (*Server, error) {
	if raw = bytes.TrimSpace(raw); raw[0] != '{' {
		return nil, invalid(where, "got %s, want an object", wire.JSONKind(raw[0]))
	}
	var e entry
	if err := json.Unmarshal(raw, &e); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return nil, invalid(where+"."+wire.Clean(wrong.Field), "got %s, want %s", wrong.Value, wanted(wrong.Type.Kind().String()))
		}
		return nil, invalid(where, "%s", err)
	}
	if name == "" {
		name = e.Name
	}
	if err := checkName(name); err != nil {
		return nil, invalid(where, "%s", err)
	}
	s := &Server{Name: name, Command: e.Command, Args: e.Args, Env: e.Env, Dir: e.Cwd, URL: e.URL, Headers: e.Headers, Disabled: e.Disabled}
	var err error
	if s.Transport, err = transportOf(where, &e); err != nil {
		return nil, err
	}
	if s.Transport == Stdio && e.Command == "" || s.Transport != Stdio && e.URL == "" {
		need := "command"
		if s.Transport != Stdio {
			need = "url"
		}
		problem := invalid(where, "a %s server needs %q", s.Transport, need)
		fields, _ := object(where, raw)
		for _, f := range fields {
			if wire.Nearest(f.key, []string{need}) != "" {
				problem.Hint = fmt.Sprintf("did you mean %q instead of %q?", need, wire.Clean(f.key))
			}
		}
		return nil, problem
	}
	for key := range s.Env {
		if key == "" || strings.ContainsAny(key, "=\x00") {
			return nil, invalid(where+".env", "%q is not the name of a variable", wire.Clean(key))
		}
	}
	if e.Auth != nil {
		if s.Transport == Stdio {
			return nil, invalid(where+".auth", "a stdio server takes no auth; give it what it needs in env")
		}
		if s.Auth, err = parseAuth(where+".auth", e.Auth); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// transportOf reads type or transport. Without them a command means stdio, and a URL streamable HTTP.
func transportOf(where string, e *entry) (string, error) {
	key, value := "type", e.Type
	if value == "" {
		key, value = "transport", e.Transport
	}
	switch strings.ToLower(strings.NewReplacer("_", "-").Replace(value)) {
	case Stdio:
		return Stdio, nil
	case SSE:
		return SSE, nil
	case HTTP, "streamable-http", "streamablehttp":
		return HTTP, nil
	case "":
		if e.Command == "" && e.URL != "" {
			return HTTP, nil
		}
		return Stdio, nil
	}
	return "", invalid(where+"."+key, "got %q, want stdio, sse or http", wire.Clean(wire.Shorten(value, 40)))
}

func parseAuth(where string, e *entryAuth) (*Auth, error) {
	a := &Auth{Type: e.Type, Header: e.Header}
	var problem error
	take := func(key, value, variable string) string {
		if value != "" && variable != "" {
			problem = invalid(where, "has both %s and %s_env", key, key)
		}
		if variable != "" {
			if !variableName(variable) {
				problem = invalid(where+"."+key+"_env", "%q is not the name of a variable", wire.Clean(wire.Shorten(variable, 40)))
			}
			return "${" + variable + "}"
		}
		if value == "" && problem == nil {
			problem = invalid(where, "%s needs %s, or %s_env with the name of a variable", e.Type, key, key)
		}
		return value
	}
	switch e.Type {
	case "bearer":
		a.Token = take("token", e.Token, e.TokenEnv)
	case "api_key":
		a.Key = take("key", e.Key, e.KeyEnv)
	case "basic":
		a.Username = take("username", e.Username, e.UsernameEnv)
		a.Password = take("password", e.Password, e.PasswordEnv)
	default:
		return nil, invalid(where+".type", "got %q, want bearer, api_key or basic", wire.Clean(wire.Shorten(e.Type, 40)))
	}
	return a, problem
}

// Address is the command line or URL of a server as configured. The URL is without the parts that may be secret: user
// information, query and fragment.
func (s *Server) Address() string {
	if s.Transport == Stdio {
		words := []string{quoteWord(s.Command)}
		for _, a := range s.Args {
			words = append(words, quoteWord(a))
		}
		return strings.Join(words, " ")
	}
	return plainURL(s.URL)
}

// plainURL is a URL without user information, query and fragment.
func plainURL(text string) string {
	end := strings.IndexAny(text, "?#")
	hidden := ""
	if end >= 0 {
		text, hidden = text[:end], text[end:end+1]+"…"
	}
	if u, err := url.Parse(text); err == nil {
		if u.User != nil {
			u.User = nil
			text = u.String()
		}
	} else if scheme, rest, ok := strings.Cut(text, "://"); ok { // a variable in the host: cut before the "@"
		authority, path, slash := strings.Cut(rest, "/")
		if at := strings.LastIndex(authority, "@"); at >= 0 {
			authority = authority[at+1:]
		}
		text = scheme + "://" + authority
		if slash {
			text += "/" + path
		}
	}
	return text + hidden
}

func quoteWord(w string) string {
	if w == "" || strings.ContainsAny(w, " \t\n\"'\\") {
		return fmt.Sprintf("%q", w)
	}
	return w
}

// invalid is an error invalid_input about a place in the configuration.
func invalid(where, format string, args ...any) *wire.Error {
	text := fmt.Sprintf(format, args...)
	if where != "" {
		text = where + ": " + text
	}
	e := wire.NewError(wire.CodeInvalidInput, text, "")
	if where != "" {
		e.With("field", where)
	}
	return e
}
