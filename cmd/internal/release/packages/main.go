// Command packages makes of a release's builds what people install: archives, Python wheels, npm packages, container
// images, install scripts, manifests for Homebrew and Scoop, and server.json for the registry of MCP servers.
//
//	go run ./cmd/internal/release/packages -version 1.2.3 [-base URL] [-server NAME] dist
//
// It reads DIR/PROGRAM-VERSION-OS-ARCH[.exe] of kdd and kddq, DIR/kdd-VERSION-linux-ARCH-static, DIR/LICENSE and
// DIR/THIRD-PARTY-NOTICES.txt, and writes beside them. The same builds give the same bytes. Where releases are
// published stands in -base alone: without it the install scripts ask for an address, and there are no manifests.
package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"runtime/debug"
	"slices"
	"strings"

	"kdd/cmd/internal/release/pack"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("packages", flag.ContinueOnError)
	flags.SetOutput(stderr)
	version := flags.String("version", "", "version of the builds")
	base := flags.String("base", "", "address of the folder in which the release is published")
	server := flags.String("server", "", "name in the registry of MCP servers, as io.github.you/kdd")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if *version == "" || flags.NArg() != 1 {
		fmt.Fprintln(stderr, "usage: packages -version VERSION [-base URL] [-server NAME] DIR")
		return 2
	}
	r, err := open(flags.Arg(0), *version, strings.TrimSuffix(*base, "/"))
	if err == nil {
		r.serverName = *server
		err = r.write(stdout)
	}
	if err != nil {
		fmt.Fprintf(stderr, "packages: %v\n", err)
		return 1
	}
	return 0
}

// programs are those of a release.
var programs = []string{"kddq", "kdd"}

// about is what package managers say of a program.
var about = map[string]string{
	"kddq": "Answers from compiled documentation: search, ask, MCP and HTTP from one file",
	"kdd":  "Compiles documentation into one file that answers questions by itself",
}

// platforms are those that a release is made for, as PLATFORMS of the Makefile.
var platforms = []struct{ os, arch string }{
	{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"},
	{"windows", "arm64"},
}

// build is a program for a platform.
type build struct {
	program, os, arch string
	static            bool // beside one that needs the system's C library
	path              string
	cgo               bool // it can load ONNX Runtime
}

// exe is the file name of the program.
func (b *build) exe() string {
	if b.os == "windows" {
		return b.program + ".exe"
	}
	return b.program
}

// label is the name of its archive without the ending.
func (b *build) label(version string) string {
	label := b.program + "-" + version + "-" + b.os + "-" + b.arch
	if b.static {
		label += "-static"
	}
	return label
}

// release is what packages are made of, and what was made.
type release struct {
	dir, version, base string
	serverName         string // in the registry of MCP servers; "" = none
	builds             []*build
	licences           []pack.File
	completions        map[string][]pack.File // of a program
	sums               map[string]string      // sha256 of what was written
	out                io.Writer
}

// open finds the builds in dir; kddq has to be there for this machine, since it says how its words are completed.
func open(dir, version, base string) (*release, error) {
	r := &release{dir: dir, version: version, base: base, completions: map[string][]pack.File{}, sums: map[string]string{}}
	for _, program := range programs {
		for _, p := range platforms {
			for _, static := range []bool{false, true} {
				b := &build{program: program, os: p.os, arch: p.arch, static: static}
				b.path = filepath.Join(dir, b.label(version)+strings.TrimPrefix(b.exe(), program))
				if _, err := os.Stat(b.path); err != nil {
					continue
				}
				if info, err := buildinfo.ReadFile(b.path); err == nil {
					b.cgo = slices.ContainsFunc(info.Settings, func(s debug.BuildSetting) bool {
						return s.Key == "CGO_ENABLED" && s.Value == "1"
					})
				}
				r.builds = append(r.builds, b)
			}
		}
	}
	for _, name := range []string{"LICENSE", "THIRD-PARTY-NOTICES.txt"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		r.licences = append(r.licences, pack.File{Name: name, Data: data})
	}
	for _, program := range programs {
		if len(r.of(program)) == 0 && program != "kddq" {
			continue
		}
		var err error
		if r.completions[program], err = r.complete(program); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// of returns the builds of a program that are not static besides.
func (r *release) of(program string) []*build {
	var list []*build
	for _, b := range r.builds {
		if b.program == program && !b.static {
			list = append(list, b)
		}
	}
	return list
}

// complete asks the program for its completion scripts.
func (r *release) complete(program string) ([]pack.File, error) {
	here := &build{program: program, os: goruntime.GOOS, arch: goruntime.GOARCH}
	path := filepath.Join(r.dir, here.label(r.version)+strings.TrimPrefix(here.exe(), program))
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	var list []pack.File
	for _, s := range []struct{ shell, name string }{
		{"bash", program + ".bash"}, {"zsh", "_" + program}, {"fish", program + ".fish"}, {"powershell", program + ".ps1"},
	} {
		var stderr bytes.Buffer
		cmd := exec.Command(path, "completion", s.shell)
		cmd.Stderr = &stderr
		script, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("%s completion %s: %w: %s", path, s.shell, err, bytes.TrimSpace(stderr.Bytes()))
		}
		list = append(list, pack.File{Name: "completions/" + s.name, Data: script})
	}
	return list, nil
}

// write makes everything and prints the path of each file.
func (r *release) write(out io.Writer) error {
	r.out = out
	for _, step := range []func() error{r.archives, r.wheels, r.npm, r.images, r.scripts, r.manifests, r.server} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// file writes one file of the release, notes its checksum, and prints its path.
func (r *release) file(name string, write func(io.Writer) error) error {
	path := filepath.Join(r.dir, name)
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	sum := sha256.New()
	if err := write(io.MultiWriter(f, sum)); err != nil {
		f.Close()
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := f.Close(); err != nil {
		return err
	}
	r.sums[name] = hex.EncodeToString(sum.Sum(nil))
	_, err = fmt.Fprintln(r.out, path)
	return err
}

// text writes one that is short.
func (r *release) text(name, text string) error {
	return r.file(name, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}
