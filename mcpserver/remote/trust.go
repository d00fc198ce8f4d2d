package remote

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kdd/runtime/wire"
)

// A configuration that came with a folder's files names programs to run and hosts to send secrets to. It is used only
// after a person has agreed. The consent is for this content at this path: after a change of either kdd asks again.

// Trust remembers consent in a folder of the user.
type Trust struct{ Dir string }

// fingerprint names a configuration: SHA-256 over its absolute path and its bytes.
func fingerprint(path string, data []byte) string {
	h := sha256.New()
	fmt.Fprintf(h, "%d:%s", len(path), path)
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// Given says whether the user has agreed to the configuration with this content at path, which is absolute.
func (t Trust) Given(path string, data []byte) (bool, error) {
	if t.Dir == "" {
		return false, nil
	}
	_, err := os.Lstat(filepath.Join(t.Dir, fingerprint(path, data)))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// Give remembers consent.
func (t Trust) Give(path string, data []byte) error {
	if t.Dir == "" {
		return errors.New("no folder to remember it in: neither XDG_STATE_HOME nor HOME is set")
	}
	if err := os.MkdirAll(t.Dir, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(t.Dir, fingerprint(path, data)), []byte(path+"\n"), 0o600)
}

// Describe writes what consent would allow: for each server its command or URL, and the names of the variables that it
// gets. Values in the file are not shown.
func (c *Config) Describe(w io.Writer) {
	for i := range c.Servers {
		s := &c.Servers[i]
		if s.Disabled {
			continue
		}
		verb := "runs"
		if s.Transport != Stdio {
			verb = "talks to"
		}
		fmt.Fprintf(w, "  %s %s %s\n", wire.Clean(s.Name), verb, wire.Clean(s.Address()))
		if s.Dir != "" {
			fmt.Fprintf(w, "    in the folder %s\n", wire.Clean(s.Dir))
		}
		if len(s.Env) > 0 {
			fmt.Fprintf(w, "    sets %s\n", wire.Clean(strings.Join(slices.Sorted(maps.Keys(s.Env)), ", ")))
		}
		if len(s.Headers) > 0 {
			fmt.Fprintf(w, "    sends the headers %s\n", wire.Clean(strings.Join(slices.Sorted(maps.Keys(s.Headers)), ", ")))
		}
		if s.Auth != nil {
			fmt.Fprintf(w, "    sends %s credentials\n", s.Auth.Type)
		}
		if names := s.Variables(); len(names) > 0 {
			fmt.Fprintf(w, "    reads your variables %s\n", wire.Clean(strings.Join(names, ", ")))
		}
	}
}
