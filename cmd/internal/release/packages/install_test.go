package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"testing"
)

// released is a folder with a release and its checksums.
func released(t *testing.T) string {
	t.Helper()
	dir := dist(t, nil)
	var sums strings.Builder
	for _, name := range made(t, dir) {
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(read(t, dir, name)), name)
	}
	if err := os.WriteFile(filepath.Join(dir, "SHA256SUMS"), []byte(sums.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// sh runs the install script with a home of its own, and returns its exit code and what it said.
func sh(t *testing.T, dir, home string, args ...string) (int, string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", append([]string{filepath.Join(dir, "install.sh")}, args...)...)
	cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + t.TempDir()}
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	if left, err := filepath.Glob(filepath.Join(strings.TrimPrefix(cmd.Env[2], "TMPDIR="), "*")); err != nil || left != nil {
		t.Errorf("install.sh leaves %q, %v", left, err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// here is this machine, as names of archives have it; "" where the script installs nothing.
func here() string {
	if goruntime.GOOS != "linux" && goruntime.GOOS != "darwin" || goruntime.GOARCH != "amd64" && goruntime.GOARCH != "arm64" {
		return ""
	}
	return goruntime.GOOS + "-" + goruntime.GOARCH
}

func TestInstallScript(t *testing.T) {
	if here() == "" {
		return // there is nothing to install
	}
	dir := released(t)
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer server.Close()
	for _, from := range []string{dir, server.URL + "/"} {
		home := t.TempDir()
		if code, said := sh(t, dir, home, "kddq", "kdd", "--from", from); code != 0 || !strings.Contains(said, "is not on PATH") {
			t.Fatalf("install.sh --from %s = %d: %s", from, code, said)
		}
		for _, program := range programs {
			out, err := exec.CommandContext(t.Context(), filepath.Join(home, ".local", "bin", program), "ask", "it all").CombinedOutput()
			want := program + "-1.2.3-rc.1-" + here()
			if err != nil || !strings.HasPrefix(string(out), want) || !strings.HasSuffix(string(out), " ask it all\n") {
				t.Errorf("%s says %q, %v, want %s", program, out, err, want)
			}
		}
		if entries, err := os.ReadDir(filepath.Join(home, ".local", "bin")); err != nil || len(entries) != 2 {
			t.Errorf("the folder holds %v, %v", entries, err)
		}
	}
}

// What differs from the checksums is refused before anything is unpacked, and what was there stays.
func TestInstallScriptRefuses(t *testing.T) {
	if here() == "" {
		return // there is nothing to install
	}
	dir := released(t)
	archive := filepath.Join(dir, "kddq-1.2.3-rc.1-"+here()+".tar.gz")
	whole := read(t, archive)
	flipped := bytes.Clone(whole)
	flipped[len(flipped)/2] ^= 1
	sums := read(t, dir, "SHA256SUMS")
	for _, tt := range []struct {
		name          string
		archive, sums []byte
		args          []string
		code          int
		want          string
	}{
		{"a changed byte", flipped, sums, nil, 4, "sha256 "},
		{"cut", whole[:len(whole)-1], sums, nil, 4, "sha256 "},
		{"not listed", whole, []byte("x"), nil, 4, "SHA256SUMS does not list kddq-1.2.3-rc.1-"},
		{"second program is not listed", whole, bytes.ReplaceAll(sums, []byte(" kdd-"), []byte(" x-")), []string{"kddq", "kdd"}, 4,
			"SHA256SUMS does not list kdd-"},
		{"no address", whole, sums, []string{"--from", ""}, 2, "no address: name the folder of the release with --from or KDD_BASE"},
		{"no folder", whole, sums, []string{"--from", "/nosuch"}, 2, "/nosuch: no such folder"},
		{"plain HTTP", whole, sums, []string{"--from", "http://example.com"}, 2, "http://example.com: want https"},
		{"unknown argument", whole, sums, []string{"--nosuch"}, 2, `got "--nosuch"`},
		{"no value", whole, sums, []string{"--to"}, 2, "--to needs a value"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for path, data := range map[string][]byte{archive: tt.archive, filepath.Join(dir, "SHA256SUMS"): tt.sums} {
				if err := os.WriteFile(path, data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			home := t.TempDir()
			code, said := sh(t, dir, home, append([]string{"--from", dir}, tt.args...)...)
			if entries, err := os.ReadDir(home); code != tt.code || !strings.Contains(said, tt.want) || err != nil || len(entries) > 0 {
				t.Errorf("install.sh = %d, %q, want %d, %q; left %v, %v", code, said, tt.code, tt.want, entries, err)
			}
		})
	}
}

func TestInstallScriptKey(t *testing.T) {
	if _, err := exec.LookPath("minisign"); err != nil {
		t.Skip("no minisign")
	}
	if here() == "" {
		return // there is nothing to install
	}
	dir := released(t)
	for _, name := range []string{"own", "other"} {
		cmd := exec.CommandContext(t.Context(), "minisign", "-G", "-W", "-p", filepath.Join(dir, name+".pub"), "-s", filepath.Join(dir, name+".key"))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("minisign: %v: %s", err, out)
		}
	}
	args := []string{"--from", dir, "--key", filepath.Join(dir, "own.pub")}
	if code, said := sh(t, dir, t.TempDir(), args...); code != 1 || !strings.Contains(said, "SHA256SUMS.minisig did not come") {
		t.Errorf("without a signature: %d, %s", code, said)
	}
	sign := exec.CommandContext(t.Context(), "minisign", "-S", "-s", filepath.Join(dir, "own.key"), "-m", filepath.Join(dir, "SHA256SUMS"))
	if out, err := sign.CombinedOutput(); err != nil {
		t.Fatalf("minisign: %v: %s", err, out)
	}
	text := strings.Split(string(read(t, dir, "own.pub")), "\n")[1]
	for _, tt := range []struct {
		key  string
		code int
	}{{filepath.Join(dir, "own.pub"), 0}, {text, 0}, {filepath.Join(dir, "other.pub"), 4}} {
		if code, said := sh(t, dir, t.TempDir(), "--from", dir, "--key", tt.key); code != tt.code {
			t.Errorf("--key %s: %d, want %d: %s", tt.key, code, tt.code, said)
		}
	}
}
