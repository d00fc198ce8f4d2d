package main

import (
	"os"
	"path/filepath"
	"strings"

	"kdd/cmd/internal/release/pack"
	"kdd/runtime"
)

// manifest is manifest.json of an MCP bundle, version 0.3 of its specification.
type manifest struct {
	ManifestVersion string                `json:"manifest_version"`
	Name            string                `json:"name"`
	DisplayName     string                `json:"display_name"`
	Version         string                `json:"version"`
	Description     string                `json:"description"`
	Author          person                `json:"author"`
	License         string                `json:"license"`
	Keywords        []string              `json:"keywords"`
	Server          server                `json:"server"`
	Tools           []tool                `json:"tools"`
	PromptsMade     bool                  `json:"prompts_generated"`
	UserConfig      map[string]userConfig `json:"user_config"`
	Compatibility   map[string][]string   `json:"compatibility"`
}

type server struct {
	Type       string    `json:"type"`
	EntryPoint string    `json:"entry_point"`
	Config     mcpConfig `json:"mcp_config"`
}

type mcpConfig struct {
	Command   string               `json:"command"`
	Args      []string             `json:"args,omitempty"`
	Platforms map[string]mcpConfig `json:"platform_overrides,omitempty"`
}

type tool struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

type userConfig struct {
	Type        string `json:"type"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Required    bool   `json:"required"`
}

// launcher chooses the build of the machine that it runs on: a bundle's manifest tells systems apart, not processors.
const launcher = `#!/bin/sh
case $(uname -m) in
arm64 | aarch64) arch=arm64 ;;
*) arch=amd64 ;;
esac
case $(uname -s) in
Darwin) os=darwin ;;
*) os=linux ;;
esac
exec "$(dirname "$0")/kddq-$os-$arch" "$@"
`

// platforms are the builds that a bundle holds. Windows on arm64 runs the one for amd64.
var platforms = []string{"darwin-amd64", "darwin-arm64", "linux-amd64", "linux-arm64", "windows-amd64"}

// servers reads the builds of kddq.
func servers(dir, version string) ([]pack.File, error) {
	var list []pack.File
	for _, p := range platforms {
		exe := ""
		if strings.HasPrefix(p, "windows-") {
			exe = ".exe"
		}
		data, err := os.ReadFile(filepath.Join(dir, "kddq-"+version+"-"+p+exe))
		if err != nil {
			return nil, err
		}
		list = append(list, pack.File{Name: "server/kddq-" + p + exe, Data: data, Executable: true})
	}
	return list, nil
}

// mcpbFiles returns what the bundle holds.
func mcpbFiles(version string, servers []pack.File, l *licences) ([]pack.File, error) {
	args := []string{"mcp", "-i", "${user_config.index}"}
	m := manifest{
		ManifestVersion: "0.3",
		Name:            "kdd", DisplayName: title, Version: version, Description: description,
		Author: person{"kdd"}, License: licence, Keywords: keywords,
		Server: server{Type: "binary", EntryPoint: "server/kddq", Config: mcpConfig{
			Command: "${__dirname}/server/kddq", Args: args,
			Platforms: map[string]mcpConfig{"win32": {Command: "${__dirname}/server/kddq-windows-amd64.exe", Args: args}},
		}},
		PromptsMade: true,
		UserConfig: map[string]userConfig{"index": {
			Type: "file", Title: "Index", Description: "The .kddx file to ask, made by kdd build", Required: true,
		}},
		Compatibility: map[string][]string{"platforms": {"darwin", "win32", "linux"}},
	}
	for _, o := range runtime.Listed() {
		m.Tools = append(m.Tools, tool{Name: o.Tool, Description: o.Summary})
	}
	data, err := indented(m)
	if err != nil {
		return nil, err
	}
	return append([]pack.File{
		{Name: licenceFile, Data: l.own},
		{Name: noticesFile, Data: l.notices},
		{Name: "manifest.json", Data: data},
		{Name: "server/kddq", Data: []byte(launcher), Executable: true},
	}, servers...), nil
}
