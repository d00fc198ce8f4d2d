package bundle

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"kdd/compiler"
	"kdd/format"
	"kdd/format/index"
)

// foreign is a platform that is not this machine's, so that its program is not run.
var foreign = Platform{"windows", "arm64"}

// kitFolder has docs.kddx of a small corpus, and in builds a program by the name of kddq for foreign.
func kitFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	write("docs/a.md", "# A\n\nThe walrus lives here.\n")
	write("source/go.mod", "module standin\n")
	write("source/cmd/kddq/main.go", "package main\n\nfunc main() {}\n")
	write("builds/other", "text")
	_, err := compiler.Build(t.Context(), compiler.Options{Sources: []string{filepath.Join(dir, "docs")}, Title: "A|[x]\u202e title",
		Output: filepath.Join(dir, "docs.kddx"), NoVectors: true, Version: "1.0.0"})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(dir, "builds", foreign.release("1.0.0")), "./cmd/kddq")
	cmd.Dir = filepath.Join(dir, "source")
	cmd.Env = append(os.Environ(), "GOOS="+foreign.OS, "GOARCH="+foreign.Arch, "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return dir
}

func options(dir, output string) Options {
	return Options{Artifacts: []string{filepath.Join(dir, "docs.kddx")}, Output: filepath.Join(dir, output),
		Platforms: []Platform{foreign}, Programs: filepath.Join(dir, "builds"), Version: "1.0.0", Verify: index.Verify,
		Registrations: func(command string, artifacts []string) (map[string][]byte, error) {
			return map[string][]byte{"host.json": []byte(command + " " + strings.Join(artifacts, " "))}, nil
		}}
}

// packed is a file of an archive.
type packed struct {
	name string
	mode os.FileMode
	time time.Time
	data []byte
}

func unpack(t *testing.T, path string) (list []packed) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(path, ".zip") {
		z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			data, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, packed{f.Name, f.Mode(), f.Modified.UTC(), data})
		}
		return list
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, packed{h.Name, h.FileInfo().Mode(), h.ModTime.UTC(), data})
	}
}

func TestWrite(t *testing.T) {
	dir := kitFolder(t)
	for _, output := range []string{"kit.tar.gz", "kit.zip"} {
		t.Run(output, func(t *testing.T) {
			report, err := Write(t.Context(), options(dir, output))
			if err != nil {
				t.Fatal(err)
			}
			list := unpack(t, filepath.Join(dir, output))
			sums := ""
			var names []string
			for _, f := range list {
				name, below := strings.CutPrefix(f.name, "kit/")
				if names = append(names, name); !below {
					t.Errorf("%s is not below kit/", f.name)
				}
				if want := os.FileMode(0o644) | os.FileMode(0o111)*b2m(strings.HasPrefix(name, "bin/")); f.mode != want {
					t.Errorf("%s has mode %v, want %v", name, f.mode, want)
				}
				if !f.time.Equal(epoch) {
					t.Errorf("%s is of %v, want %v: the artifact names no commit", name, f.time, epoch)
				}
				if name != "SHA256SUMS" {
					sums += fmt.Sprintf("%x  %s\n", sha256.Sum256(f.data), name)
				}
			}
			want := []string{"README.md", "SHA256SUMS", "bin/windows-arm64/kddq.exe", "docs.kddx", "install.ps1", "kddq.cmd",
				"registrations/host.json"}
			if !slices.Equal(names, want) {
				t.Errorf("the kit holds %q, want %q", names, want)
			}
			if got := string(list[1].data); got != sums {
				t.Errorf("SHA256SUMS is\n%swant\n%s", got, sums)
			}
			if got := string(list[6].data); got != `bin\windows-arm64\kddq.exe docs.kddx` {
				t.Errorf("the registration is of %s", got)
			}
			if text := string(list[0].data); !strings.Contains(text, "| docs.kddx | A x title | 1 | ") || strings.Contains(text, "<no value>") {
				t.Errorf("README.md:\n%s", text)
			}
			data, err := os.ReadFile(filepath.Join(dir, output))
			if err != nil || report.SHA256 != fmt.Sprintf("%x", sha256.Sum256(data)) || report.Bytes != int64(len(data)) {
				t.Errorf("the report says %s of %d bytes, %v; not so", report.SHA256, report.Bytes, err)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, ".kdd-*")); left != nil {
				t.Errorf("left over: %q", left)
			}
		})
	}
}

func b2m(b bool) os.FileMode {
	if b {
		return 1
	}
	return 0
}

// TestTime checks that the time of a kit is that of the newest commit that an artifact names.
func TestTime(t *testing.T) {
	dir := kitFolder(t)
	o := options(dir, "kit.tgz")
	for i, date := range []string{"2026-03-01T12:00:00+02:00", "2025-12-31T23:59:59Z"} {
		data, err := os.ReadFile(o.Artifacts[0])
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, fmt.Sprintf("dated%d.kddx", i))
		data = format.AppendTrailer(data, format.TagProvenance, fmt.Appendf(nil, `{"source_commit":"c%d","source_date":%q}`, i, date))
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		o.Artifacts = append(o.Artifacts, path)
	}
	if _, err := Write(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	list := unpack(t, o.Output)
	for _, f := range list {
		if want := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC); !f.time.Equal(want) {
			t.Errorf("%s is of %v, want %v", f.name, f.time, want)
		}
	}
	if !bytes.Contains(list[0].data, []byte("| c0 of 2026-03-01 |")) {
		t.Errorf("README.md does not name the commit:\n%s", list[0].data)
	}
}

// TestChanged checks that a file that is written to while it is packed is refused, and that what was there stays.
func TestChanged(t *testing.T) {
	dir := kitFolder(t)
	o := options(dir, "kit.tar.gz")
	if err := os.WriteFile(o.Output, []byte("\x1f\x8bold"), 0o644); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(o.Artifacts[0])
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		data []byte
	}{
		{"other bytes", append(bytes.Repeat([]byte{1}, 100), whole[100:]...)},
		{"longer", append(bytes.Clone(whole), 0)},
		{"shorter", whole[:len(whole)-1]},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := os.WriteFile(o.Artifacts[0], whole, 0o644); err != nil {
				t.Fatal(err)
			}
			o.Verify = func(path string) ([]format.Problem, error) { return nil, os.WriteFile(path, tt.data, 0o644) }
			if _, err := Write(t.Context(), o); err == nil || tt.name != "shorter" && !errors.Is(err, errChanged) {
				t.Errorf("Write = %v, want %v", err, errChanged)
			}
			if kept, err := os.ReadFile(o.Output); string(kept) != "\x1f\x8bold" {
				t.Errorf("the kit that was there is %q, %v", kept, err)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, ".kdd-*")); left != nil {
				t.Errorf("left over: %q", left)
			}
		})
	}
}

func TestCancelled(t *testing.T) {
	dir := kitFolder(t)
	o := options(dir, "kit.tar.gz")
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stop")
	o.Verify = func(string) ([]format.Problem, error) { cancel(stop); return nil, nil }
	if _, err := Write(ctx, o); !errors.Is(err, stop) {
		t.Errorf("Write = %v, want %v", err, stop)
	}
	if _, err := os.Stat(o.Output); err == nil {
		t.Error("there is a kit")
	}
}

func TestCheckProgram(t *testing.T) {
	dir := kitFolder(t)
	tests := []struct {
		name, path string
		platform   Platform
		want       string
	}{
		{"right", "builds/" + foreign.release("1.0.0"), foreign, ""},
		{"another platform", "builds/" + foreign.release("1.0.0"), Platform{"linux", "arm64"}, " is for windows/arm64"},
		{"a text", "builds/other", foreign, "other is no program that Go made"},
		{"absent", "builds/none", foreign, "none"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := checkProgram(filepath.Join(dir, filepath.FromSlash(tt.path)), tt.platform)
			if got := fmt.Sprint(err); (err == nil) != (tt.want == "") || !strings.Contains(got, tt.want) {
				t.Errorf("checkProgram = %v, want %q", err, tt.want)
			}
		})
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := checkProgram(self, Machine()); err == nil || !strings.Contains(err.Error(), "not kddq") {
		t.Errorf("checkProgram(the test's own program) = %v, want that it is not kddq", err)
	}
}

func TestParsePlatforms(t *testing.T) {
	all := "darwin/amd64 darwin/arm64 linux/amd64 linux/arm64 windows/amd64 windows/arm64"
	tests := []struct {
		name  string
		lists []string
		want  string // "" = an error
	}{
		{"none", nil, Machine().String()},
		{"one", []string{"linux/arm64"}, "linux/arm64"},
		{"sorted, doubles dropped", []string{"windows/amd64, linux/amd64", "linux/amd64"}, "linux/amd64 windows/amd64"},
		{"all", []string{"all"}, all},
		{"all and one", []string{"all,linux/arm64"}, all},
		{"unknown", []string{"linux/mips"}, ""},
		{"no processor", []string{"linux"}, ""},
		{"empty", []string{""}, ""},
		{"a comma too many", []string{"linux/amd64,"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			list, err := ParsePlatforms(tt.lists)
			got := strings.Trim(fmt.Sprint(list), "[]")
			if (err != nil) != (tt.want == "") || got != tt.want {
				t.Errorf("ParsePlatforms(%q) = %s, %v, want %q", tt.lists, got, err, tt.want)
			}
		})
	}
}

// TestPlatforms checks that the platforms are those that the Makefile builds kddq for, under the names that it gives.
func TestPlatforms(t *testing.T) {
	text, err := os.ReadFile("../../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^PLATFORMS := (.*)$`).FindStringSubmatch(string(text))
	if line == nil {
		t.Fatal("the Makefile has no PLATFORMS")
	}
	if got := strings.Trim(fmt.Sprint(Platforms), "[]"); got != line[1] {
		t.Errorf("Platforms are %s, the Makefile's %s", got, line[1])
	}
	if !strings.Contains(string(text), "-o dist/kddq-$(VERSION)-$$os-$$arch$$exe ") {
		t.Error("the Makefile names release builds otherwise than Platform.release")
	}
}

func TestFolderOf(t *testing.T) {
	tests := []struct {
		output, folder string
		known          bool
	}{
		{"kit.tar.gz", "kit", true},
		{"a/b/Kit-1.2.TGZ", "Kit-1.2", true},
		{`C:\kits\k.zip`, "k", true},
		{"kit.gz", "", false},
		{".zip", "", false},
		{"kit", "", false},
	}
	for _, tt := range tests {
		folder, kind := folderOf(tt.output)
		if known := kind >= 0; known != tt.known || known && folder != tt.folder {
			t.Errorf("folderOf(%q) = %q, %d, want %q, %t", tt.output, folder, kind, tt.folder, tt.known)
		}
	}
}

func TestPortable(t *testing.T) {
	for name, want := range map[string]bool{
		"docs.kddx": true, "API of 2 (draft)+x@y.kddx": true, "größe.kddx": true,
		"a:b.kddx": false, "a\nb.kddx": false, "a`b.kddx": false, "a$b.kddx": false, "-a.kddx": false, ".kddx": false, " a.kddx": false,
		"a\xff.kddx": false, "a.": false,
	} {
		if err := portable(name); (err == nil) != want {
			t.Errorf("portable(%q) = %v, want it taken: %t", name, err, want)
		}
	}
}
