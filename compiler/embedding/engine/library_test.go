package engine

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"
	"testing"

	"kdd/compiler/embedding/modeldir"
	"kdd/compiler/embedding/modeldir/checkout"
)

func init() { checkout.Use() }

// elfHeader returns the start of a 64-bit little-endian ELF file, enough for its headers to be read.
func elfHeader(kind, machine uint16) []byte {
	h := make([]byte, 64)
	copy(h, "\x7fELF\x02\x01\x01")
	le := binary.LittleEndian
	le.PutUint16(h[16:], kind)
	le.PutUint16(h[18:], machine)
	le.PutUint32(h[20:], 1)
	le.PutUint16(h[52:], 64)
	le.PutUint16(h[54:], 56)
	le.PutUint16(h[58:], 64)
	return h
}

// ownMachine is the number of this CPU in an ELF file.
func ownMachine() uint16 {
	return map[string]uint16{"amd64": 62, "arm64": 183, "386": 3, "arm": 40}[goruntime.GOARCH]
}

// fakeLibrary is the name and the head of a library that passes for one of this system.
func fakeLibrary(version string) (name string, data []byte) {
	switch goruntime.GOOS {
	case "windows":
		return "onnxruntime.dll", nil
	case "darwin":
		return "libonnxruntime." + version + ".dylib", []byte{0xca, 0xfe, 0xba, 0xbe}
	}
	return "libonnxruntime.so." + version, elfHeader(3, ownMachine())
}

func TestCheckLibrary(t *testing.T) {
	if goruntime.GOOS != "linux" || ownMachine() == 0 {
		return // the table is of ELF files
	}
	other := uint16(183) // arm64
	if goruntime.GOARCH == "arm64" {
		other = 62
	}
	for _, tt := range []struct {
		name string
		file string
		data []byte
		want string // "" for a library that may be tried
	}{
		{"this CPU", "libonnxruntime.so.1.24.0", elfHeader(3, ownMachine()), ""},
		{"no version in the name", "libonnxruntime.so", elfHeader(3, ownMachine()), ""},
		{"ABI number only", "libonnxruntime.so.1", elfHeader(3, ownMachine()), ""},
		{"another CPU", "libonnxruntime.so.1.31.1", elfHeader(3, other), "library for another CPU"},
		{"rare CPU", "libonnxruntime.so.1.31.1", elfHeader(3, 22), "library for another CPU (s390x)"},
		{"too old", "libonnxruntime.so.1.17.3", elfHeader(3, ownMachine()), "ONNX Runtime 1.17.3 is too old"},
		{"a program", "libonnxruntime.so.1.31.1", elfHeader(2, ownMachine()), "not a shared library but ET_EXEC"},
		{"cut", "libonnxruntime.so.1.31.1", elfHeader(3, ownMachine())[:20], "damaged library"},
		{"empty", "libonnxruntime.so.1.31.1", nil, "shorter than 4 bytes"},
		{"a web page", "libonnxruntime.so.1.31.1", []byte("<!DOCTYPE html>"), `not a shared library: starts with "<!DO"`},
		{"a macOS library", "libonnxruntime.so.1.31.1", []byte{0xca, 0xfe, 0xba, 0xbe}, "library of another system (macOS)"},
		{"a Windows library", "libonnxruntime.so.1.31.1", windowsHeader(), "library of another system (Windows)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), tt.file)
			if err := os.WriteFile(path, tt.data, 0o644); err != nil {
				t.Fatal(err)
			}
			err := checkLibrary(path)
			if tt.want == "" {
				if err != nil {
					t.Errorf("checkLibrary = %v, want nothing", err)
				}
				return
			}
			if !errors.Is(err, ErrLibrary) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("checkLibrary = %v, want %v with %q", err, ErrLibrary, tt.want)
			}
			if err != nil && !strings.Contains(err.Error(), "; want ONNX Runtime 1.24 or later for ") {
				t.Errorf("checkLibrary = %v, want a cure", err)
			}
		})
	}
}

// windowsHeader returns the start of a PE file for amd64.
func windowsHeader() []byte {
	h := make([]byte, 512)
	copy(h, "MZ")
	h[0x3c] = 0x80
	copy(h[0x80:], "PE\x00\x00\x64\x86")
	return h
}

func TestFindLibrary(t *testing.T) {
	name, data := fakeLibrary("1.31.1")
	if data == nil {
		return // no head of a library is known for this system
	}
	none := t.TempDir()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, name), data, 0o644); err != nil {
		t.Fatal(err)
	}
	models := t.TempDir()
	imported := filepath.Join(models, modeldir.LibraryFolder, "1.31.1")
	if err := os.MkdirAll(imported, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(imported, name), data, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("LD_LIBRARY_PATH", "")
	for _, tt := range []struct {
		name                   string
		flag, variable, models string
		want                   string // the file's folder
		from                   string
		err                    error
		text                   string
	}{
		{"flag, folder", folder, "", none, folder, "flag", nil, ""},
		{"flag, file", filepath.Join(folder, name), "", none, folder, "flag", nil, ""},
		{"flag before variable", folder, none, none, folder, "flag", nil, ""},
		{"variable", "", folder, none, folder, LibraryVariable, nil, ""},
		{"flag names nothing", filepath.Join(none, "x"), folder, none, "", "flag", ErrLibrary, "no such file"},
		{"variable names an empty folder", "", none, models, "", LibraryVariable, ErrLibrary, "folder without ONNX Runtime"},
		{"unknown file among the models", "", "", models, "", "", ErrLibrary, "only releases that kdd knows"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv(LibraryVariable, tt.variable)
			t.Setenv(modeldir.Variable, tt.models)
			got, err := FindLibrary(tt.flag)
			if tt.err == nil {
				if err != nil || filepath.Dir(got.Path) != tt.want || got.From != tt.from {
					t.Errorf("FindLibrary = %+v, %v, want one in %s from %s", got, err, tt.want, tt.from)
				}
				return
			}
			// A system may have a library of its own; then that is what an unusable one leads to.
			if err == nil && got.From == "system" && tt.from == "" {
				return
			}
			if !errors.Is(err, tt.err) || !strings.Contains(err.Error(), tt.text) {
				t.Errorf("FindLibrary = %+v, %v, want %v with %q", got, err, tt.err, tt.text)
			}
		})
	}
}

func TestNewestFirst(t *testing.T) {
	got := []string{"/a/1.9.0", "/a/libonnxruntime.so", "/a/1.31.1", "/a/1.24", "/a/1.24.2"}
	newestFirst(got)
	want := []string{"/a/1.31.1", "/a/1.24.2", "/a/1.24", "/a/1.9.0", "/a/libonnxruntime.so"}
	if !slices.Equal(got, want) {
		t.Errorf("newestFirst = %v, want %v", got, want)
	}
}

func TestParseKind(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want Kind
		ok   bool
	}{{"", Auto, true}, {"auto", Auto, true}, {"onnx", ONNX, true}, {"go", Go, true}, {"gpu", "", false}} {
		got, err := ParseKind(tt.in)
		if got != tt.want || (err == nil) != tt.ok {
			t.Errorf("ParseKind(%q) = %q, %v, want %q, %v", tt.in, got, err, tt.want, tt.ok)
		}
	}
}

// TestPinnedIsAlone puts things beside a known release that a loader could take for the libraries that it needs.
func TestPinnedIsAlone(t *testing.T) {
	name, data := fakeLibrary("1.31.1")
	if data == nil {
		return // no head of a library is known for this system
	}
	sum := sha256.Sum256(data)
	pinned[hex.EncodeToString(sum[:])] = "of this test"
	defer delete(pinned, hex.EncodeToString(sum[:]))
	t.Setenv("LD_LIBRARY_PATH", "")
	for _, tt := range []struct {
		name  string
		files []string // beside the library
		link  bool     // the library is a link
		found bool
	}{
		{"alone", nil, false, true},
		{"as an import leaves it", []string{"LICENSE", "ThirdPartyNotices.txt"}, false, true},
		{"a library that it needs", []string{"libstdc++.so.6"}, false, false},
		{"one for some CPUs", []string{"glibc-hwcaps/x86-64-v3/libstdc++.so.6"}, false, false},
		{"one in the older way", []string{"LICENSE/libgcc_s.so.1"}, false, false},
		{"a link", nil, true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			t.Setenv(modeldir.Variable, dir)
			folder := filepath.Join(dir, modeldir.LibraryFolder, "1.31.1")
			for _, file := range append(tt.files, name, "../../elsewhere/"+name) {
				path := filepath.Join(folder, filepath.FromSlash(file))
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if tt.link {
				if err := os.Remove(filepath.Join(folder, name)); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(filepath.Join("..", "..", "elsewhere", name), filepath.Join(folder, name)); err != nil {
					t.Skip("no root: links need rights here")
				}
			}
			lib, err := FindLibrary("")
			if got := err == nil && lib.From == modeldir.FromVariable; got != tt.found {
				t.Errorf("FindLibrary = %+v, %v, want it found: %t", lib, err, tt.found)
			}
		})
	}
}
