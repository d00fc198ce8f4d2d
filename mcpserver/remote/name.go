package remote

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"kdd/runtime/wire"
)

// prefix begins every name of a tool, resource or prompt of another server.
const prefix = "mcp__"

// Join returns mcp__SERVER__NAME, the name here of a tool, resource URI or prompt of a server.
func Join(server, name string) string { return prefix + server + "__" + name }

// Split undoes Join. It splits at the first two "__" only, since a name may have more of them. The error is
// invalid_input.
func Split(full string) (server, name string, err error) {
	rest, ok := strings.CutPrefix(full, prefix)
	if ok {
		server, name, ok = strings.Cut(rest, "__")
	}
	if !ok || server == "" || name == "" {
		return "", "", wire.NewError(wire.CodeInvalidInput,
			fmt.Sprintf("got %q, want a name of the form mcp__SERVER__NAME", wire.Clean(wire.Shorten(full, 100))),
			"the lists of tools, resources and prompts have the names").With("field", "name")
	}
	return server, name, nil
}

// maxNameBytes bounds the name of a server.
const maxNameBytes = 64

// checkName says what is wrong with a server's name: Split has to find it, and a terminal has to show it.
func checkName(name string) error {
	switch {
	case name == "":
		return fmt.Errorf("a server has no name")
	case len(name) > maxNameBytes:
		return fmt.Errorf("server name %q has %d bytes, want at most %d", wire.Shorten(wire.Clean(name), 40), len(name), maxNameBytes)
	case !utf8.ValidString(name) || wire.Clean(name) != name || strings.TrimSpace(name) != name:
		return fmt.Errorf("server name %q has characters that cannot be seen", wire.Clean(name))
	case strings.Contains(name, "__") || strings.HasSuffix(name, "_"):
		return fmt.Errorf(`server name %q: "__" ends the server's part of mcp__SERVER__NAME, so a name may neither hold it nor end in "_"`, name)
	}
	return nil
}
