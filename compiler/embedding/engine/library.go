package engine

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	goruntime "runtime"
	"slices"
	"strconv"
	"strings"

	"kdd/compiler/embedding/modeldir"
)

// LibraryVariable is the environment variable that names ONNX Runtime's shared library or its folder.
const LibraryVariable = "KDD_ONNXRUNTIME"

// minVersion is the oldest release that has the API which the Go binding asks for.
const minVersion = "1.24"

// pipDownload brings it where Python is: the library in its package is the same for all versions of Python.
const pipDownload = `"pip download --no-deps onnxruntime==` + modeldir.LibraryVersion + `"`

// importCommand has kdd keep it.
const importCommand = pipDownload + ` and "kdd model import" of that file`

// pinned are the releases that are imported and found in folders of models, by sha256: a file found there is loaded only
// if it is one of them.
var pinned = map[string]string{
	"fc44112fbe06d7d689c57e11d3862031f64711007e4ee020f8eed5185fd2c1d3": "linux/amd64",
	"8aa3b76b28c778a2b1dd660d34161adb1d508c9ccd04ff9dc80e26eca5df8467": "linux/arm64",
	"f8b06155feece624e55e49124340eea279da812529ae6fbc46a9f2be9c9cad2e": "darwin/arm64",
	"8482d2ee174e28504f99730fb01d6861575870283de4ed3a897ad39170d9a9b9": "windows/amd64",
	"f4f7729bf4aa0c78b6ab5253747f3593bb9a28b4c4275a0a9f59f04ea580d61f": "windows/arm64",
}

// Library is a shared library that was found.
type Library struct {
	Path  string // absolute
	From  string // "flag", LibraryVariable, the From of a modeldir.Folder, or "system"
	Named bool   // the user named it: then it must work
}

// FindLibrary looks for ONNX Runtime's shared library: at path (a flag; file or folder), in $KDD_ONNXRUNTIME, in
// onnxruntime/VERSION of the folders of models, and in the system's library folders. The first two must be usable; of
// the others those that are not are passed over. It loads nothing, and hashes those that lie among the models.
func FindLibrary(path string) (Library, error) {
	for _, named := range []struct{ path, from string }{{path, "flag"}, {os.Getenv(LibraryVariable), LibraryVariable}} {
		if named.path == "" {
			continue
		}
		file, err := resolve(named.path)
		if err == nil {
			err = checkLibrary(file)
		}
		return Library{Path: file, From: named.from, Named: true}, err
	}
	var passed error
	try := func(file string, check func(string) error) bool {
		err := check(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) && passed == nil {
			passed = err
		}
		return err == nil
	}
	for _, models := range modeldir.All() {
		for _, file := range imported(models.Path) {
			if try(file, func(f string) error { return errors.Join(checkPinned(f), checkLibrary(f)) }) {
				return Library{Path: file, From: models.From}, nil
			}
		}
	}
	for _, folder := range systemFolders() {
		for _, file := range libraries(folder) {
			if try(file, checkLibrary) {
				return Library{Path: file, From: "system"}, nil
			}
		}
	}
	if passed != nil {
		return Library{}, passed
	}
	return Library{}, &LibraryError{None: true, Reason: "no ONNX Runtime found",
		Do: "get it with " + importCommand + ", or name a library of " + minVersion + " or later with " + LibraryVariable}
}

// The file names of ONNX Runtime's library, by system.
var (
	windowsLibrary = regexp.MustCompile(`(?i)^onnxruntime\.dll$`)
	macLibrary     = regexp.MustCompile(`^libonnxruntime(\.[0-9]+)*\.dylib$`)
	elfLibrary     = regexp.MustCompile(`^libonnxruntime\.so(\.[0-9]+)*$`)
)

// libraryPattern matches the file names of ONNX Runtime's library on this system.
func libraryPattern() *regexp.Regexp {
	switch goruntime.GOOS {
	case "windows":
		return windowsLibrary
	case "darwin", "ios":
		return macLibrary
	}
	return elfLibrary
}

// libraries returns the libraries in a folder, newest release first.
func libraries(folder string) []string {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil
	}
	pattern := libraryPattern()
	var found []string
	for _, e := range entries {
		if pattern.MatchString(e.Name()) {
			found = append(found, filepath.Join(folder, e.Name()))
		}
	}
	newestFirst(found)
	return found
}

// imported returns the libraries in a folder of models, newest release first.
func imported(models string) []string {
	folder := filepath.Join(models, modeldir.LibraryFolder)
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil
	}
	var versions, found []string
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") { // an import that did not end
			versions = append(versions, filepath.Join(folder, e.Name()))
		}
	}
	newestFirst(versions)
	for _, v := range versions {
		found = append(found, libraries(v)...)
	}
	return found
}

// systemFolders are where a library installed by a package manager or by hand lies.
func systemFolders() []string {
	switch goruntime.GOOS {
	case "windows":
		var folders []string
		system := strings.ToLower(os.Getenv("SystemRoot"))
		for _, f := range filepath.SplitList(os.Getenv("PATH")) {
			// Windows ships an old ONNX Runtime of its own in System32.
			if f != "" && (system == "" || !strings.HasPrefix(strings.ToLower(f), system)) {
				folders = append(folders, f)
			}
		}
		return folders
	case "darwin", "ios":
		return append(filepath.SplitList(os.Getenv("DYLD_LIBRARY_PATH")), "/opt/homebrew/lib", "/usr/local/lib")
	}
	folders := append(filepath.SplitList(os.Getenv("LD_LIBRARY_PATH")), "/usr/local/lib", "/usr/local/lib64")
	triple := map[string]string{"amd64": "x86_64", "arm64": "aarch64", "386": "i386", "arm": "arm"}[goruntime.GOARCH]
	if triple != "" {
		folders = append(folders, "/usr/lib/"+triple+"-linux-gnu", "/lib/"+triple+"-linux-gnu")
	}
	return append(folders, "/usr/lib64", "/usr/lib", "/lib64", "/lib")
}

// resolve turns a named file or folder into the library's absolute path.
func resolve(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return path, &LibraryError{Path: path, Reason: "no such file", Do: "name ONNX Runtime's shared library or its folder"}
	}
	if info.IsDir() {
		found := libraries(path)
		for _, sub := range []string{"lib", "capi"} {
			if len(found) == 0 {
				found = libraries(filepath.Join(path, sub))
			}
		}
		if len(found) == 0 {
			return path, &LibraryError{Path: path, Reason: "folder without ONNX Runtime's shared library",
				Do: "want a file that matches " + libraryPattern().String()}
		}
		path = found[0]
	}
	return filepath.Abs(path)
}

var versionPattern = regexp.MustCompile(`[0-9]+(\.[0-9]+)+`)

// newestFirst sorts paths by the version in their last element, newest first; those without one come last.
func newestFirst(paths []string) {
	key := func(p string) string { return versionPattern.FindString(filepath.Base(p)) }
	for i := 1; i < len(paths); i++ {
		for j := i; j > 0 && olderVersion(key(paths[j-1]), key(paths[j])); j-- {
			paths[j-1], paths[j] = paths[j], paths[j-1]
		}
	}
}

// olderVersion compares dotted numbers; "" is older than all.
func olderVersion(a, b string) bool {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	for i := 0; i < len(x) && i < len(y); i++ {
		m, _ := strconv.Atoi(x[i])
		n, _ := strconv.Atoi(y[i])
		if m != n {
			return m < n
		}
	}
	return len(x) < len(y)
}

// besidePinned are the files that an import puts beside a library.
var besidePinned = []string{"LICENSE", "ThirdPartyNotices.txt"}

// checkPinned returns an error if the file is none of the known releases, or if there is another library beside it. A
// release makes the loader look for the libraries that it needs in its own folder first, so one put into that folder,
// or into a folder in it, would be run in place of the right one.
func checkPinned(path string) error {
	foreign := func(reason, cure string) error {
		return &LibraryError{Path: path, Reason: reason, Do: cure + ", or name the library with " + LibraryVariable}
	}
	const again = "import it again (" + importCommand + ")"
	if info, err := os.Lstat(path); err != nil {
		return err
	} else if !info.Mode().IsRegular() {
		return foreign("a link to somewhere else", again)
	}
	beside, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return err
	}
	pattern := libraryPattern()
	for _, e := range beside {
		if !e.Type().IsRegular() || !pattern.MatchString(e.Name()) && !slices.Contains(besidePinned, e.Name()) {
			return foreign(fmt.Sprintf("%q is beside it", e.Name()), "remove that")
		}
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return err
	}
	if sum := hex.EncodeToString(h.Sum(nil)); pinned[sum] == "" {
		return foreign("sha256 "+sum+", and only releases that kdd knows are loaded from here", again)
	}
	return nil
}

// checkLibrary reports a file that cannot be this platform's ONNX Runtime, from its headers alone.
func checkLibrary(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	bad := func(reason string, args ...any) error {
		return &LibraryError{Path: path, Reason: fmt.Sprintf(reason, args...),
			Do: "want ONNX Runtime " + minVersion + " or later for " + goruntime.GOOS + "/" + goruntime.GOARCH}
	}
	head := make([]byte, 4)
	if info, err := f.Stat(); err != nil {
		return err
	} else if !info.Mode().IsRegular() {
		return bad("not a file")
	}
	if _, err := io.ReadFull(f, head); err != nil {
		return bad("not a shared library: shorter than 4 bytes")
	}
	var system, machine string
	switch {
	case bytes.Equal(head, []byte(elf.ELFMAG)):
		system = "ELF"
		e, err := elf.NewFile(f)
		if err != nil {
			return bad("damaged library: %v", err)
		}
		machine = map[elf.Machine]string{elf.EM_X86_64: "amd64", elf.EM_AARCH64: "arm64", elf.EM_386: "386", elf.EM_ARM: "arm",
			elf.EM_RISCV: "riscv64", elf.EM_PPC64: "ppc64", elf.EM_S390: "s390x", elf.EM_LOONGARCH: "loong64"}[e.Machine]
		if machine == "" {
			machine = e.Machine.String()
		}
		if e.Type != elf.ET_DYN {
			return bad("not a shared library but %v", e.Type)
		}
	case head[0] == 'M' && head[1] == 'Z':
		system = "Windows"
		p, err := pe.NewFile(f)
		if err != nil {
			return bad("damaged library: %v", err)
		}
		machine = map[uint16]string{pe.IMAGE_FILE_MACHINE_AMD64: "amd64", pe.IMAGE_FILE_MACHINE_ARM64: "arm64",
			pe.IMAGE_FILE_MACHINE_I386: "386"}[p.Machine]
	case bytes.Equal(head, []byte{0xcf, 0xfa, 0xed, 0xfe}):
		system = "macOS"
		m, err := macho.NewFile(f)
		if err != nil {
			return bad("damaged library: %v", err)
		}
		machine = map[macho.Cpu]string{macho.CpuAmd64: "amd64", macho.CpuArm64: "arm64"}[m.Cpu]
	case bytes.Equal(head, []byte{0xca, 0xfe, 0xba, 0xbe}):
		system, machine = "macOS", goruntime.GOARCH // several CPUs in one file; the loader picks
	default:
		return bad("not a shared library: starts with %q", head)
	}
	want := map[string]string{"windows": "Windows", "darwin": "macOS", "ios": "macOS"}[goruntime.GOOS]
	if want == "" {
		want = "ELF"
	}
	if system != want {
		return bad("library of another system (%s)", system)
	}
	if machine != goruntime.GOARCH {
		return bad("library for another CPU (%s)", machine)
	}
	if v := fileVersion(path); v != "" && olderVersion(v, minVersion) {
		return bad("ONNX Runtime %s is too old", v)
	}
	return nil
}

// fileVersion returns the release that the name of the file, links followed, ends in, or "".
func fileVersion(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	v := versionPattern.FindString(filepath.Base(path))
	if strings.Count(v, ".") < 2 {
		return "" // an ABI number such as .so.1
	}
	return v
}
