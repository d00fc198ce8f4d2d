package install

import "strings"

// Via returns the programs that can fetch kddq and start it, as npx does of a package of npm.
func Via() []string { return []string{"npx", "uvx"} }

// via returns the command that starts kddq of this version by e.Via. The version is named: another one need not read
// the same artifacts, and what a host starts should not change by itself.
func (e *Env) via() Entry {
	entry := Entry{Command: e.Via, Args: []string{"kddq@" + e.Version, "mcp"}}
	if e.Via == "npx" {
		entry.Args = append([]string{"-y"}, entry.Args...) // a host cannot answer whether to install it
		if e.OS == "windows" {                             // there it is a script of the command interpreter
			entry = Entry{Command: "cmd", Args: append([]string{"/c", "npx"}, entry.Args...)}
		}
	}
	return entry
}

// program returns the base name of a command, without the folder and the endings of Windows.
func program(command string) string {
	base := strings.ToLower(command[strings.LastIndexAny(command, `/\`)+1:])
	return strings.TrimSuffix(strings.TrimSuffix(base, ".exe"), ".cmd")
}

// started returns the entry that a program of Via starts, or e itself.
func (e Entry) started() Entry {
	if program(e.Command) == "cmd" && len(e.Args) > 1 && strings.EqualFold(e.Args[0], "/c") {
		e = Entry{e.Args[1], e.Args[2:]}
	}
	if p := program(e.Command); p != "npx" && p != "uvx" {
		return e
	}
	for i, arg := range e.Args {
		if !strings.HasPrefix(arg, "-") {
			name, _, _ := strings.Cut(arg, "@")
			return Entry{name, e.Args[i+1:]}
		}
	}
	return e
}
