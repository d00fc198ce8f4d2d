package filetest

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Program returns the path of a program of the machine. A test that wants it is skipped where it is absent, by name;
// where KDD_INTEROP is set, it fails, and install says how to get it.
func Program(t testing.TB, name, install string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil && os.Getenv("KDD_INTEROP") != "" {
		t.Fatalf("%s is absent: install it (%s)", name, install)
	}
	if err != nil {
		t.Skipf("%s is absent", name)
	}
	return path
}

// Run runs a program in a folder ("" = this one) and returns what it prints. The test ends where it fails.
func Run(t testing.TB, dir string, stdin []byte, program string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", program, strings.Join(args, " "), err, out)
	}
	return string(out)
}
