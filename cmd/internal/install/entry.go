package install

import (
	"fmt"
	"path/filepath"
	"strings"

	"kdd/runtime/artifact"
	"kdd/runtime/wire"
)

// Entry is what a host has to know of a server: the program and its arguments.
type Entry struct {
	Command string
	Args    []string
}

// field is one key of an entry, in the order in which it is written.
type field struct {
	key   string
	value any // string, bool, []string or []field
}

// fields returns the entry as h has it.
func (h *Host) fields(e Entry) []field {
	switch h.shape {
	case typedShape:
		return []field{{"type", "stdio"}, {"command", e.Command}, {"args", e.Args}}
	case listShape:
		return []field{{"type", "local"}, {"command", append([]string{e.Command}, e.Args...)}, {"enabled", true}}
	}
	return []field{{"command", e.Command}, {"args", e.Args}}
}

// plain returns fields as a parser would.
func plain(list []field) map[string]any {
	m := map[string]any{}
	for _, f := range list {
		switch v := f.value.(type) {
		case []string:
			values := make([]any, len(v))
			for i, s := range v {
				values[i] = s
			}
			m[f.key] = values
		case []field:
			m[f.key] = plain(v)
		default:
			m[f.key] = v
		}
	}
	return m
}

// Ours says that an entry starts this program, be it by one of Via: kdd or kddq with the argument mcp.
func (e Entry) Ours() bool {
	e = e.started()
	base := program(e.Command)
	return (base == "kddq" || base == "kdd") && len(e.Args) > 0 && e.Args[0] == "mcp"
}

// Indexes returns the files that the arguments of an entry of ours name with -i.
func (e Entry) Indexes() []string {
	var list []string
	for i, arg := range e.Args {
		name, value, assigned := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if !strings.HasPrefix(arg, "-") || name != "i" && name != "index" {
			continue
		}
		if !assigned && i+1 < len(e.Args) {
			value = e.Args[i+1]
		}
		list = append(list, value)
	}
	return list
}

// entryOf reads an entry that a parser gave; absent parts are empty.
func entryOf(value any) Entry {
	m, _ := value.(map[string]any)
	var e Entry
	e.Command, _ = m["command"].(string)
	args, _ := m["args"].([]any)
	whole, _ := m["command"].([]any) // the program and its arguments
	for _, a := range append(args, whole...) {
		s, _ := a.(string)
		e.Args = append(e.Args, s)
	}
	if len(whole) > 0 {
		e.Command, e.Args = e.Args[0], e.Args[1:]
	}
	return e
}

// CheckName refuses names of servers that some host could not take.
func CheckName(name string) error {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
	if name == "" || len(name) > 40 || strings.Trim(name, letters) != "" || strings.Contains(name, "__") {
		return wire.NewError(wire.CodeInvalidInput, fmt.Sprintf(
			`--name takes 1 to 40 letters, digits, "-" and single "_", got %q`, wire.Clean(wire.Shorten(name, 60))), "")
	}
	return nil
}

// Server returns the entry that asks the artifacts of indexes (FILE or NAME=FILE, relative to the working folder): kddq
// by e.Via if that is set, or where it is on PATH, unless e.Self is set, else the running program. For the project files
// are relative to its top, for a user absolute.
func (e *Env) Server(scope Scope, indexes []string) Entry {
	entry := Entry{Command: e.Executable, Args: []string{"mcp"}}
	if _, err := e.LookPath("kddq"); err == nil && !e.Self {
		entry.Command = "kddq"
	}
	if e.Via != "" {
		entry = e.via()
	}
	for _, index := range indexes {
		name, file := splitIndex(index, func(path string) bool { return exists(e.abs(path)) })
		entry.Args = append(entry.Args, "-i", name+e.place(scope, file))
	}
	return entry
}

// For returns the entry as h can start it: by its full path where h does not have the PATH of a shell.
func (e *Env) For(h *Host, entry Entry) Entry {
	if full, err := e.LookPath(entry.Command); err == nil && h.windowed {
		entry.Command = full
	}
	return entry
}

// splitIndex takes NAME=FILE apart; name keeps its "=". A file that has all of it as its name is that file.
func splitIndex(index string, there func(string) bool) (name, file string) {
	before, after, ok := strings.Cut(index, "=")
	if ok && before != "" && !strings.ContainsAny(before, `/\`) && !there(index) {
		return before + "=", after
	}
	return "", index
}

func (e *Env) abs(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(e.Dir, path)
}

// place returns a file's path, or URL, as the entry of a scope has it.
func (e *Env) place(scope Scope, file string) string {
	if artifact.IsURL(file) {
		return file
	}
	file = e.abs(file)
	if scope == User {
		return file
	}
	relative, err := filepath.Rel(e.Top(), file)
	if err != nil { // on another volume
		return file
	}
	return filepath.ToSlash(relative)
}

// Missing returns those files of an entry that do not exist, seen from where a host of that scope starts it.
func (e *Env) Missing(scope Scope, entry Entry) []string {
	var missing []string
	for _, index := range entry.Indexes() {
		there := func(path string) bool {
			if artifact.IsURL(path) {
				return true // as far as can be seen from here
			}
			if !filepath.IsAbs(path) && scope == Project {
				path = filepath.Join(e.Top(), path)
			}
			return exists(path)
		}
		if _, file := splitIndex(index, there); !there(file) {
			missing = append(missing, file)
		}
	}
	return missing
}
