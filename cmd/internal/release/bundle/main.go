// Command bundle makes what agents' hosts install of the release builds of kddq: a folder with a plugin for Claude
// Code, and an MCP bundle (.mcpb) for desktop programs, with the server for every platform.
//
//	go run ./cmd/internal/release/bundle -version 1.2.3 dist
//
// It reads DIR/kddq-VERSION-OS-ARCH[.exe], and writes DIR/claude-plugin and DIR/kddq-VERSION.mcpb, and to all three the
// licences of kdd and of what is linked into it. The same builds give the same bytes. The formats are described at
// code.claude.com/docs/en/plugins-reference and github.com/modelcontextprotocol/mcpb.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"kdd/cmd/internal/release/pack"
)

func main() { os.Exit(run(os.Args[1:], findLicences, os.Stdout, os.Stderr)) }

func run(args []string, find func() (*licences, error), stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("bundle", flag.ContinueOnError)
	flags.SetOutput(stderr)
	version := flags.String("version", "", "version of the builds")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if *version == "" || flags.NArg() != 1 {
		fmt.Fprintln(stderr, "usage: bundle -version VERSION DIR")
		return 2
	}
	made, err := bundle(flags.Arg(0), *version, find)
	if err != nil {
		fmt.Fprintf(stderr, "bundle: %v\n", err)
		return 1
	}
	fmt.Fprintln(stdout, strings.Join(made, "\n"))
	return 0
}

// bundle writes both, and returns their paths.
func bundle(dir, version string, find func() (*licences, error)) ([]string, error) {
	plugin := filepath.Join(dir, "claude-plugin")
	servers, err := servers(dir, version)
	if err != nil {
		return nil, err
	}
	l, err := find()
	if err != nil {
		return nil, err
	}
	files, err := pluginFiles(version, l)
	if err != nil {
		return nil, err
	}
	for name, text := range map[string][]byte{licenceFile: l.own, noticesFile: l.notices} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return nil, err
		}
	}
	if err := os.RemoveAll(plugin); err != nil {
		return nil, err
	}
	for _, f := range files {
		path := filepath.Join(plugin, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			return nil, err
		}
	}
	if files, err = mcpbFiles(version, servers, l); err != nil {
		return nil, err
	}
	archive := filepath.Join(dir, "kddq-"+version+".mcpb")
	out, err := os.Create(archive)
	if err != nil {
		return nil, err
	}
	if err := pack.Zip(out, files); err != nil {
		out.Close()
		return nil, err
	}
	return []string{plugin, archive}, out.Close()
}
