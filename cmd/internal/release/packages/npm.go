package main

import (
	_ "embed"
	"encoding/json"
	"io"
	"os"
	"strings"

	"kdd/cmd/internal/release/pack"
)

// start is the program of the package kddq: it starts the one of the platform's package.
//
//go:embed start.js
var start []byte

// node gives what Node calls a system and a processor.
var node = map[string]string{
	"linux": "linux", "darwin": "darwin", "windows": "win32", "amd64": "x64", "arm64": "arm64",
}

// manifest is package.json.
type manifest struct {
	Name        string            `json:"name"`
	Version     string            `json:"version"`
	Server      string            `json:"mcpName,omitempty"`
	Description string            `json:"description"`
	License     string            `json:"license"`
	Bin         map[string]string `json:"bin,omitempty"`
	OS          []string          `json:"os,omitempty"`
	CPU         []string          `json:"cpu,omitempty"`
	Engines     map[string]string `json:"engines,omitempty"`
	Unplugged   bool              `json:"preferUnplugged,omitempty"` // Yarn unpacks it: no program starts inside a zip
	Optional    map[string]string `json:"optionalDependencies,omitempty"`
}

// npm writes a package of kddq for each platform, and the one that people name, of which npm installs the platform's.
func (r *release) npm() error {
	main := manifest{Name: "kddq", Version: r.version, Server: r.serverName, Description: about["kddq"], License: "Apache-2.0",
		Bin: map[string]string{"kddq": "start.js"}, Engines: map[string]string{"node": ">=18"}, Optional: map[string]string{}}
	for _, b := range r.of("kddq") {
		data, err := os.ReadFile(b.path)
		if err != nil {
			return err
		}
		m := manifest{Name: "kddq-" + node[b.os] + "-" + node[b.arch], Version: r.version, License: "Apache-2.0",
			Description: "The program of kddq for " + b.os + " on " + b.arch, OS: []string{node[b.os]},
			CPU: []string{node[b.arch]}, Unplugged: true}
		main.Optional[m.Name] = r.version
		if err := r.npmPackage(m, pack.File{Name: "bin/" + b.exe(), Data: data, Executable: true}); err != nil {
			return err
		}
	}
	return r.npmPackage(main, pack.File{Name: "start.js", Data: start, Executable: true})
}

// npmPackage writes one package as "npm pack" does: below package/.
func (r *release) npmPackage(m manifest, program pack.File) error {
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	readme := "# " + m.Name + "\n\n" + m.Description + ".\n"
	files := []pack.File{program, {Name: "package.json", Data: append(data, '\n')},
		{Name: "README.md", Data: []byte(readme)}}
	files = append(files, r.licences...)
	for i := range files {
		files[i].Name = "package/" + files[i].Name
	}
	name := strings.ReplaceAll(m.Name, "/", "-") + "-" + m.Version + ".tgz"
	return r.file(name, func(w io.Writer) error { return pack.TarGz(w, files) })
}
