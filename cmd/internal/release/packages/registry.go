package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// serverSchema is the form of server.json that is written.
const serverSchema = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"

// serverNames are those that the registry of MCP servers takes: whose it is, as a domain backwards, and what it is called.
var serverNames = regexp.MustCompile(`^[A-Za-z0-9](?:[-A-Za-z0-9.]*[A-Za-z0-9])?/[A-Za-z0-9](?:[-A-Za-z0-9._]*[A-Za-z0-9])?$`)

// server is server.json, which says to the registry of MCP servers where kddq can be had.
type server struct {
	Schema      string          `json:"$schema"`
	Name        string          `json:"name"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Version     string          `json:"version"`
	Packages    []serverPackage `json:"packages"`
}

// serverPackage is one way to get it. The registry believes it where the package names the server too: mcpName of
// package.json, mcp-name in the text of a wheel, the checksum of a bundle.
type serverPackage struct {
	Type      string            `json:"registryType"`
	ID        string            `json:"identifier"`
	Version   string            `json:"version,omitempty"`
	SHA256    string            `json:"fileSha256,omitempty"`
	Runtime   string            `json:"runtimeHint,omitempty"`
	Transport map[string]string `json:"transport"`
	Arguments []serverArgument  `json:"packageArguments,omitempty"`
}

type serverArgument struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

// server writes server.json where the server has a name. It names the bundle too where there is one and an address.
func (r *release) server() error {
	if r.serverName == "" {
		return nil
	}
	if !serverNames.MatchString(r.serverName) {
		return fmt.Errorf("-server %q, want a domain backwards and a name, as io.github.you/kdd", r.serverName)
	}
	python, err := pythonVersion(r.version)
	if err != nil {
		return err
	}
	stdio := map[string]string{"type": "stdio"}
	arguments := []serverArgument{{"positional", "mcp"}}
	s := server{Schema: serverSchema, Name: r.serverName, Title: "kdd", Description: about["kddq"], Version: r.version,
		Packages: []serverPackage{
			{Type: "npm", ID: "kddq", Version: r.version, Runtime: "npx", Transport: stdio, Arguments: arguments},
			{Type: "pypi", ID: "kddq", Version: python, Runtime: "uvx", Transport: stdio, Arguments: arguments},
		}}
	bundle := "kddq-" + r.version + ".mcpb"
	if data, err := os.ReadFile(filepath.Join(r.dir, bundle)); err == nil && r.base != "" {
		sum := sha256.Sum256(data)
		s.Packages = append(s.Packages, serverPackage{
			Type: "mcpb", ID: r.base + "/" + bundle, SHA256: hex.EncodeToString(sum[:]), Transport: stdio,
		})
	}
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return r.text("server.json", string(data)+"\n")
}
