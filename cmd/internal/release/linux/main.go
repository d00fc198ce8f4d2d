// Command linux makes deb and rpm packages of a release's archives for Linux. It is a module of its own, so that kdd's
// build needs none of what it takes.
//
//	cd cmd/internal/release/linux && go run . -version 1.2.3 ../../../../dist
//
// It reads DIR/PROGRAM-VERSION-linux-ARCH.tar.gz of kdd and kddq, and prints the packages that it writes beside them.
// The same archives give the same bytes.
package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("linux", flag.ContinueOnError)
	flags.SetOutput(stderr)
	version := flags.String("version", "", "version of the builds")
	maintainer := flags.String("maintainer", "kdd", "who answers for the packages")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if *version == "" || flags.NArg() != 1 {
		fmt.Fprintln(stderr, "usage: linux -version VERSION [-maintainer NAME] DIR")
		return 2
	}
	for _, program := range []string{"kddq", "kdd"} {
		for _, arch := range []string{"amd64", "arm64"} {
			made, err := packages(flags.Arg(0), program, *version, arch, *maintainer)
			for _, path := range made {
				fmt.Fprintln(stdout, path)
			}
			if err != nil {
				fmt.Fprintf(stderr, "linux: %v\n", err)
				return 1
			}
		}
	}
	return 0
}

// about is what the package managers say of a program.
var about = map[string]string{
	"kddq": "answers from compiled documentation: search, ask, MCP and HTTP from one file",
	"kdd":  "compiles documentation into one file that answers questions by itself",
}

// released is the time of all that is in the packages: the first of an archive that has no other.
var released = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// library is the C library that kdd needs to load ONNX Runtime: that of the wheel's tag, and what it is called.
var library = map[string]string{"deb": "libc6 (>= 2.28)", "rpm": "glibc >= 2.28"}

// places says where the members of an archive go.
func places(program, format string) map[string]string {
	zsh := map[string]string{"deb": "/usr/share/zsh/vendor-completions/_", "rpm": "/usr/share/zsh/site-functions/_"}
	documents := "/usr/share/doc/" + program + "/"
	return map[string]string{
		program:                            "/usr/bin/" + program,
		"LICENSE":                          documents + "copyright",
		"THIRD-PARTY-NOTICES.txt":          documents + "THIRD-PARTY-NOTICES.txt",
		"completions/" + program + ".bash": "/usr/share/bash-completion/completions/" + program,
		"completions/_" + program:          zsh[format] + program,
		"completions/" + program + ".fish": "/usr/share/fish/vendor_completions.d/" + program + ".fish",
	}
}

// packages writes those of one archive.
func packages(dir, program, version, arch, maintainer string) (made []string, err error) {
	for _, format := range []string{"deb", "rpm"} {
		path, err := one(dir, program, version, arch, maintainer, format)
		if err != nil {
			return made, err
		}
		made = append(made, path)
	}
	return made, nil
}

// one writes one package, and returns its path.
func one(dir, program, version, arch, maintainer, format string) (string, error) {
	staged, err := os.MkdirTemp("", "kdd-linux-*")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(staged)
	archive := filepath.Join(dir, program+"-"+version+"-linux-"+arch+".tar.gz")
	list, err := unpack(archive, staged, places(program, format))
	if err != nil {
		return "", fmt.Errorf("%s: %w", archive, err)
	}
	packager, err := nfpm.Get(format)
	if err != nil {
		return "", err
	}
	var depends []string
	if program == "kdd" {
		depends = []string{library[format]}
	}
	info := nfpm.WithDefaults(&nfpm.Info{
		Name: program, Arch: arch, Platform: "linux", Version: version, Section: "text", Priority: "optional",
		Maintainer: maintainer, Description: about[program], License: "Apache-2.0", MTime: released,
		Overridables: nfpm.Overridables{Contents: list, Depends: depends, RPM: nfpm.RPM{BuildHost: "localhost"}},
	})
	if err := nfpm.PrepareForPackager(info, format); err != nil {
		return "", err
	}
	path := filepath.Join(dir, packager.ConventionalFileName(info))
	var out bytes.Buffer
	if err := packager.Package(info, &out); err != nil {
		return "", err
	}
	return path, os.WriteFile(path, out.Bytes(), 0o644)
}

// unpack writes the members that have a place to a folder, and says where they go. All of them have to be there.
func unpack(archive, dir string, places map[string]string) (list files.Contents, err error) {
	f, err := os.Open(archive)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		to := places[h.Name]
		if to == "" {
			continue // a folder, or of another system
		}
		data, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		path := filepath.Join(dir, filepath.Base(h.Name))
		if err := os.WriteFile(path, data, 0o644); err != nil {
			return nil, err
		}
		list = append(list, &files.Content{Source: path, Destination: to,
			FileInfo: &files.ContentFileInfo{Mode: fs.FileMode(h.Mode), MTime: released, Owner: "root", Group: "root"}})
	}
	if len(list) != len(places) {
		return nil, fmt.Errorf("%d of the %d files are there", len(list), len(places))
	}
	return list, nil
}
