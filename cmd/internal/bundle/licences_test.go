package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// ofTestsOnly are modules of go.mod that no build holds.
var ofTestsOnly = []string{"github.com/google/go-cmp", "github.com/rogpeppe/go-internal"}

// Every module that go.mod names for itself has its licence in the notices.
func TestLicences(t *testing.T) {
	l, err := findLicences()
	if err != nil {
		t.Fatal(err)
	}
	text := string(l.notices)
	requirements, _, _ := strings.Cut(string(read(t, "../../../go.mod")), "\n)")
	_, requirements, _ = strings.Cut(requirements, "require (\n")
	for line := range strings.Lines(requirements) {
		name := strings.Fields(line)[0]
		if strings.Contains(text, "\n"+strings.TrimSpace(line)+": ") == slices.Contains(ofTestsOnly, name) {
			t.Errorf("the notices hold %s: %v", name, slices.Contains(ofTestsOnly, name))
		}
	}
	for _, want := range []string{"Go's standard library go1.", "github.com/yalue/onnxruntime_go", "zstd/internal/xxhash/LICENSE.txt", ": NOTICE"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
	if !strings.Contains(string(l.own), "Apache License") || strings.Contains(text, "gopkg.in/yaml.v3") || strings.Contains(text, "\r") {
		t.Errorf("kdd's own licence %.60q, notices of what is not linked in, or lines with CR", l.own)
	}
}

func TestNoLicence(t *testing.T) {
	dir := t.TempDir()
	inner := filepath.Join(dir, "a")
	if err := os.Mkdir(inner, 0o755); err != nil {
		t.Fatal(err)
	}
	m := &module{name: "example.com/m v1.0.0", dir: dir, files: map[string]bool{}}
	if err := m.look(inner); err != nil {
		t.Fatal(err)
	}
	if _, err := notices(map[string]*module{"m": m}); err == nil || !strings.Contains(err.Error(), "example.com/m v1.0.0 is linked in and has no licence") {
		t.Errorf("notices = %v, want an error", err)
	}
	for name, text := range map[string]string{"a/COPYING": "of the part\n", "LICENSE.md": "of all\r\n", "licenses.go": "package m", "a/NOTES": "no"} {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.look(inner); err != nil {
		t.Fatal(err)
	}
	got, err := notices(map[string]*module{"m": m})
	if err != nil || strings.Count(string(got), "example.com/m v1.0.0: ") != 2 || !strings.Contains(string(got), ": a/COPYING\n\nof the part\n") || !strings.Contains(string(got), ": LICENSE.md\n\nof all\n") {
		t.Errorf("notices = %q, %v", got, err)
	}
}
