package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// archives writes those of a release, but for the member that without names.
func archives(t *testing.T, without string) string {
	t.Helper()
	dir := t.TempDir()
	for _, program := range []string{"kddq", "kdd"} {
		for _, arch := range []string{"amd64", "arm64"} {
			var data bytes.Buffer
			z := gzip.NewWriter(&data)
			w := tar.NewWriter(z)
			for _, name := range []string{"LICENSE", "THIRD-PARTY-NOTICES.txt", "completions/_" + program, "completions/" + program + ".bash",
				"completions/" + program + ".fish", "completions/" + program + ".ps1", program} {
				if name == without {
					continue
				}
				h := &tar.Header{Name: name, Mode: 0o644, Size: int64(len(name))}
				if name == program {
					h.Mode = 0o755
				}
				if err := w.WriteHeader(h); err != nil {
					t.Fatal(err)
				}
				if _, err := w.Write([]byte(name)); err != nil {
					t.Fatal(err)
				}
			}
			w.Close()
			z.Close()
			if err := os.WriteFile(filepath.Join(dir, program+"-1.2.3-rc.1-linux-"+arch+".tar.gz"), data.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

func made(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := run([]string{"-version", "1.2.3-rc.1", dir}, &stdout, &stderr); code != 0 {
		t.Fatalf("run = %d: %s", code, stderr.String())
	}
	files := map[string][]byte{}
	for path := range strings.Lines(stdout.String()) {
		path = strings.TrimSpace(path)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(path)] = data
	}
	return files
}

func TestPackages(t *testing.T) {
	dir := archives(t, "")
	files := made(t, dir)
	again := made(t, archives(t, ""))
	for _, program := range []string{"kddq", "kdd"} {
		for _, name := range []string{"_1.2.3~rc.1_amd64.deb", "_1.2.3~rc.1_arm64.deb", "-1.2.3~rc.1-1.x86_64.rpm", "-1.2.3~rc.1-1.aarch64.rpm"} {
			name = program + name
			if len(files[name]) == 0 || !bytes.Equal(files[name], again[name]) {
				t.Errorf("%s has %d bytes, and %d others the second time", name, len(files[name]), len(again[name]))
			}
		}
		if len(files) != 8 {
			t.Errorf("%d packages, want 8", len(files))
		}
		dpkg, err := exec.LookPath("dpkg-deb")
		if err != nil {
			continue // what only Debian's program says
		}
		deb := filepath.Join(dir, program+"_1.2.3~rc.1_amd64.deb")
		list, err := exec.CommandContext(t.Context(), dpkg, "-c", deb).Output()
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"-rwxr-xr-x root/root", "1980-01-01 00:00 ./usr/bin/" + program + "\n", "./usr/share/doc/" + program + "/copyright\n",
			"./usr/share/zsh/vendor-completions/_" + program + "\n", "./usr/share/bash-completion/completions/" + program + "\n"} {
			if !strings.Contains(string(list), want) {
				t.Errorf("%s lacks %q:\n%s", deb, want, list)
			}
		}
		depends, err := exec.CommandContext(t.Context(), dpkg, "-f", deb, "Depends").Output()
		if want := map[string]string{"kdd": "libc6 (>= 2.28)"}[program]; err != nil || strings.TrimSpace(string(depends)) != want {
			t.Errorf("%s needs %q, %v, want %q", deb, depends, err, want)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, tt := range []struct {
		args []string
		code int
		want string
	}{
		{nil, 2, "usage: linux -version VERSION"},
		{[]string{"-nosuch"}, 2, "-nosuch"},
		{[]string{"-version", "1", t.TempDir()}, 1, "kddq-1-linux-amd64.tar.gz: "},
		{[]string{"-version", "1.2.3-rc.1", archives(t, "LICENSE")}, 1, "kddq-1.2.3-rc.1-linux-amd64.tar.gz: 5 of the 6 files are there"},
	} {
		var stdout, stderr bytes.Buffer
		if code := run(tt.args, &stdout, &stderr); code != tt.code || !strings.Contains(stderr.String(), tt.want) {
			t.Errorf("run(%q) = %d, %q, want %d, %q", tt.args, code, stderr.String(), tt.code, tt.want)
		}
	}
}
