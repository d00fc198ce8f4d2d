package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"kdd/cmd/internal/release/pack"
	"kdd/compiler/embedding/modeldir"
)

// The tags of the wheels. kddq needs no C library; kdd that loads ONNX Runtime needs glibc 2.28, as ONNX Runtime does.
var wheelTags = map[string]string{
	"linux-amd64":   "manylinux_2_28_x86_64",
	"linux-arm64":   "manylinux_2_28_aarch64",
	"darwin-amd64":  "macosx_12_0_x86_64",
	"darwin-arm64":  "macosx_12_0_arm64",
	"windows-amd64": "win_amd64",
	"windows-arm64": "win_arm64",
}

// staticTags are those of programs for Linux that need no C library.
var staticTags = map[string]string{
	"linux-amd64": "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
	"linux-arm64": "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
}

// launcher is the module of kdd's wheel that starts the program.
//
//go:embed launcher.py
var launcher []byte

// pre is the part of a version behind its numbers, as in 1.2.3-rc.1.
var pre = regexp.MustCompile(`^(\d+(?:\.\d+)*)-(dev|alpha|beta|rc)\.?(\d*)$`)

// pythonVersion writes a version as Python's packages have it: 1.2.3-rc.1 is 1.2.3rc1, 1.2.3-dev is 1.2.3.dev0.
func pythonVersion(version string) (string, error) {
	if !strings.Contains(version, "-") {
		return version, nil
	}
	m := pre.FindStringSubmatch(version)
	if m == nil {
		return "", fmt.Errorf("version %q, want NUMBERS[-dev|-alpha|-beta|-rc[.N]]", version)
	}
	return m[1] + map[string]string{"dev": ".dev", "alpha": "a", "beta": "b", "rc": "rc"}[m[2]] + cmp.Or(m[3], "0"), nil
}

// wheels writes those of both programs. That of kddq has the program as a script, which starts no Python; that of kdd
// has a module that looks for the library of the package onnxruntime before it starts the program.
func (r *release) wheels() error {
	version, err := pythonVersion(r.version)
	if err != nil {
		return err
	}
	for _, program := range programs {
		builds := r.of(program)
		for _, b := range builds {
			tag := wheelTags[b.os+"-"+b.arch]
			if static := staticTags[b.os+"-"+b.arch]; static != "" && !b.cgo {
				tag = static
			}
			data, err := os.ReadFile(b.path)
			if err != nil {
				return err
			}
			exe := pack.File{Name: b.exe(), Data: data, Executable: true}
			files := wheel(program, version, tag, requirement(builds), r.serverName, exe, r.licences)
			name := program + "-" + version + "-py3-none-" + tag + ".whl"
			if err := r.file(name, func(w io.Writer) error { return pack.Zip(w, files) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// requirement says where kdd needs ONNX Runtime: on the platforms whose build can load it. It is one for all wheels of
// a version, since resolvers read it in one and take it for all.
func requirement(builds []*build) string {
	var where []string
	for _, b := range builds {
		if !b.cgo || b.program != "kdd" {
			continue
		}
		system := map[string]string{"linux": "linux", "darwin": "darwin", "windows": "win32"}[b.os]
		machine := map[string]string{"linux-amd64": "x86_64", "linux-arm64": "aarch64", "darwin-arm64": "arm64",
			"windows-amd64": "AMD64", "windows-arm64": "ARM64"}[b.os+"-"+b.arch]
		if machine != "" { // onnxruntime has no wheel for the others
			where = append(where, fmt.Sprintf(`(sys_platform == "%s" and platform_machine == "%s")`, system, machine))
		}
	}
	if where == nil {
		return ""
	}
	return "onnxruntime==" + modeldir.LibraryVersion + `; python_version >= "3.11" and (` +
		strings.Join(where, " or ") + ")"
}

// wheel returns the files of a wheel, as the specification of binary distributions has them.
func wheel(program, version, tag, requires, server string, exe pack.File, licences []pack.File) []pack.File {
	info := program + "-" + version + ".dist-info/"
	metadata := "Metadata-Version: 2.4\nName: " + program + "\nVersion: " + version + "\nSummary: " + about[program] +
		"\nLicense-Expression: Apache-2.0\nRequires-Python: >=3.8\n"
	for _, l := range licences {
		metadata += "License-File: " + l.Name + "\n"
	}
	var files []pack.File
	if program == "kdd" {
		exe.Name = "kdd/" + exe.Name
		files = append(files, exe, pack.File{Name: "kdd/__init__.py", Data: launcher},
			pack.File{Name: "kdd/__main__.py", Data: []byte("from kdd import main\n\nmain()\n")},
			pack.File{Name: info + "entry_points.txt", Data: []byte("[console_scripts]\nkdd = kdd:main\n")})
		if requires != "" {
			metadata += "Requires-Dist: " + requires + "\n"
		}
	} else {
		exe.Name = program + "-" + version + ".data/scripts/" + exe.Name
		files = append(files, exe)
	}
	description := "# " + program + "\n\n" + about[program] + ".\n"
	if program == "kddq" && server != "" {
		description += "\n<!-- mcp-name: " + server + " -->\n"
	}
	if program == "kdd" {
		description += "\nEmbeds with the library of the package onnxruntime where that can be had, else several times " +
			"slower.\n"
	}
	metadata += "Description-Content-Type: text/markdown\n\n" + description
	about := "Wheel-Version: 1.0\nGenerator: kdd\nRoot-Is-Purelib: false\n"
	for _, t := range strings.Split(tag, ".") {
		about += "Tag: py3-none-" + t + "\n"
	}
	files = append(files, pack.File{Name: info + "METADATA", Data: []byte(metadata)},
		pack.File{Name: info + "WHEEL", Data: []byte(about)})
	for _, l := range licences {
		files = append(files, pack.File{Name: info + "licenses/" + l.Name, Data: l.Data})
	}
	return append(files, record(info, files))
}

// record lists the files of a wheel with their checksums.
func record(info string, files []pack.File) pack.File {
	slices.SortFunc(files, func(a, b pack.File) int { return cmp.Compare(a.Name, b.Name) })
	var out bytes.Buffer
	table := csv.NewWriter(&out)
	for _, f := range files {
		sum := sha256.Sum256(f.Data)
		_ = table.Write([]string{f.Name, "sha256=" + base64.RawURLEncoding.EncodeToString(sum[:]), fmt.Sprint(len(f.Data))})
	}
	_ = table.Write([]string{info + "RECORD", "", ""})
	table.Flush() // to a buffer, which takes all
	return pack.File{Name: info + "RECORD", Data: out.Bytes()}
}
