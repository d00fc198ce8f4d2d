package remote

import (
	"path/filepath"
	"slices"
	"strings"
)

// self says whether a server is "kdd remote serve" with a configuration like this one. Asked for its tools it would
// start itself again, without end.
func self(s *Server) bool {
	if s.Transport != Stdio {
		return false
	}
	words := strings.Fields(strings.Join(append([]string{s.Command}, s.Args...), " "))
	at := slices.IndexFunc(words, func(w string) bool {
		base := strings.TrimSuffix(filepath.Base(w), ".exe")
		return base == "kdd" || base == "kddq"
	})
	if at < 0 {
		return false
	}
	remote := slices.Index(words[at:], "remote")
	return remote >= 0 && slices.Contains(words[at+remote:], "serve")
}
