package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// unlinked are modules of go.mod that no build holds: those of tests, and of the release itself.
var unlinked = []string{"github.com/google/go-cmp", "github.com/google/go-containerregistry",
	"golang.org/x/crypto/x509roots/fallback"}

// Every module that go.mod names for itself has its licence in the notices.
func TestLicences(t *testing.T) {
	l, err := findLicences()
	if err != nil {
		t.Fatal(err)
	}
	text := string(l.notices)
	requirements, _, _ := strings.Cut(string(read(t, "../../../../go.mod")), "\n)")
	_, requirements, _ = strings.Cut(requirements, "require (\n")
	for line := range strings.Lines(requirements) {
		name := strings.Fields(line)[0]
		if strings.Contains(text, "\n"+strings.TrimSpace(line)+": ") == slices.Contains(unlinked, name) {
			t.Errorf("the notices hold %s: %v", name, slices.Contains(unlinked, name))
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

// The notices are in the order of modules and files each time.
func TestNoticesAreSorted(t *testing.T) {
	dir := t.TempDir()
	modules := map[string]*module{}
	var want []string
	for _, name := range []string{"a v1", "b v2", "c v1"} {
		m := &module{name: name, dir: dir, files: map[string]bool{}}
		for _, f := range []string{"COPYING", "LICENSE", "NOTICE"} {
			m.files[filepath.Join(dir, f)] = true
			want = append(want, name+": "+f)
			if err := os.WriteFile(filepath.Join(dir, f), []byte("text"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		modules[name] = m
	}
	for range 10 { // maps have another order each time
		text, err := notices(modules)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for line := range strings.Lines(string(text)) {
			if strings.Contains(line, " v") && strings.Contains(line, ": ") {
				got = append(got, strings.TrimSpace(line))
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("the notices are %q, want %q", got, want)
		}
	}
}

func TestLicencesThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	m := &module{name: "m", dir: filepath.Join(dir, "m"), files: map[string]bool{}}
	if err := m.look(filepath.Join(dir, "none")); err == nil {
		t.Error("look in a folder that is not there = nil, want an error")
	}
	if err := m.look(dir); err != nil || len(m.files) > 0 { // outside the module: it ends there
		t.Errorf("look = %v, %v", err, m.files)
	}
	m.files[filepath.Join(dir, "LICENSE")] = true
	if _, err := notices(map[string]*module{"m": m}); err == nil {
		t.Error("notices of a file that is not there = nil, want an error")
	}
	if _, err := output("", "go", "nosuch"); err == nil || !strings.HasPrefix(err.Error(), "go nosuch: exit status 2: go nosuch: unknown command") {
		t.Errorf("output = %v, want what the command said", err)
	}
}
