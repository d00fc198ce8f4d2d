package main

import (
	"archive/zip"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rogpeppe/go-internal/testscript"

	"kdd/cmd/internal/cli"
)

// programs puts builds of kddq into a folder, named as release builds are: "machine" is the real one for this machine,
// OS/ARCH a program for that platform that does nothing. NAME=OS/ARCH has the name of one and is another, and
// machine=stale is one that can read no artifact: programs DIR NAME[=WHAT]...
func programs(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: programs DIR NAME[=WHAT]...")
	}
	dir := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(dir, 0o755))
	for _, arg := range args[1:] {
		name, what, _ := strings.Cut(strings.ReplaceAll(arg, "machine", runtime.GOOS+"/"+runtime.GOARCH), "=")
		system, arch, _ := strings.Cut(name, "/")
		path := filepath.Join(dir, "kddq-"+cli.Version+"-"+system+"-"+arch)
		exe := ""
		if system == "windows" {
			exe = ".exe"
		}
		path += exe
		switch {
		case arg == "machine":
			built, err := builtPrograms()
			ts.Check(err)
			data, err := os.ReadFile(filepath.Join(built, "kddq"+exe))
			ts.Check(err)
			ts.Check(os.WriteFile(path, data, 0o755))
		case what == "stale":
			standIn(ts, path, name, `println("kddq: this is no artifact for me"); os.Exit(1)`)
		default:
			standIn(ts, path, cmp.Or(what, name), "os.Exit(0)")
		}
	}
}

// standIn builds a program for a platform that goes by the name of kddq.
func standIn(ts *testscript.TestScript, path, platform, does string) {
	source := filepath.Join(ts.Getenv("WORK"), ".standin")
	ts.Check(os.MkdirAll(filepath.Join(source, "cmd", "kddq"), 0o755))
	ts.Check(os.WriteFile(filepath.Join(source, "go.mod"), []byte("module standin\n"), 0o644))
	text := "package main\n\nimport \"os\"\n\nfunc main() { " + does + " }\n"
	ts.Check(os.WriteFile(filepath.Join(source, "cmd", "kddq", "main.go"), []byte(text), 0o644))
	system, arch, _ := strings.Cut(platform, "/")
	cmd := exec.Command("go", "build", "-o", path, "./cmd/kddq")
	cmd.Dir = source
	cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+arch, "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false")
	if out, err := cmd.CombinedOutput(); err != nil {
		ts.Fatalf("go build for %s: %v\n%s", platform, err, out)
	}
}

// unzip unpacks a zip archive: unzip FILE
func unzip(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: unzip FILE")
	}
	z, err := zip.OpenReader(ts.MkAbs(args[0]))
	ts.Check(err)
	defer z.Close()
	ts.Check(os.CopyFS(ts.MkAbs("."), z))
}

// isolated returns a command that runs where there is no network, with a home of its own.
func isolated(t *testing.T, home string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), "unshare", append([]string{"-rn"}, args...)...)
	cmd.Env = []string{"HOME=" + home, "PATH=/usr/bin:/bin"}
	cmd.Dir = home
	return cmd
}

// TestBundleWithoutNetwork packs a kit, unpacks it where there is no network, asks it, registers it with a host, and
// starts the server that the host was told of.
func TestBundleWithoutNetwork(t *testing.T) {
	if err := exec.Command("unshare", "-rn", "true").Run(); err != nil {
		t.Skipf("taking the network away needs root, or namespaces for other users: unshare -rn: %v", err)
	}
	site, home := t.TempDir(), t.TempDir()
	run := func(name string, args ...string) {
		t.Helper()
		var out strings.Builder
		if code := run(args, strings.NewReader(""), &out, &out); code != 0 {
			t.Fatalf("kdd %s: exit code %d\n%s", name, code, out.String())
		}
	}
	built, err := builtPrograms()
	if err != nil {
		t.Fatal(err)
	}
	docs, packed := filepath.Join(site, "docs.kddx"), filepath.Join(site, "kit of the handbook.tar.gz")
	run("build", "build", "../../testdata/corpora/handbook", "-o", docs, "--no-vectors", "--quiet")
	run("bundle", "bundle", docs, "-o", packed, "--kddq", built, "--quiet")

	inside := func(args ...string) string {
		t.Helper()
		out, err := isolated(t, home, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	if devices := strings.Count(inside("cat", "/proc/net/dev"), ":"); devices != 1 {
		t.Fatalf("%d network devices, want the loopback alone", devices)
	}
	inside("tar", "xzf", packed)
	kit := filepath.Join(home, "kit of the handbook")
	if out := inside("sh", "-c", `cd "$1" && sha256sum -c SHA256SUMS`, "sh", kit); strings.Count(out, ": OK\n") < 8 {
		t.Errorf("sha256sum -c:\n%s", out)
	}
	if out := inside(filepath.Join(kit, "kddq"), "search", "account lockout", "--limit", "1"); !strings.Contains(out, "RF-AUTH-002") {
		t.Errorf("kddq search from another folder:\n%s", out)
	}
	inside(filepath.Join(kit, "install.sh"), "claude")
	data, err := os.ReadFile(filepath.Join(home, ".claude.json"))
	if err != nil {
		t.Fatal(err)
	}
	var config struct {
		Servers map[string]struct {
			Command string
			Args    []string
		} `json:"mcpServers"`
	}
	if err := json.Unmarshal(data, &config); err != nil || config.Servers["kdd"].Command == "" {
		t.Fatalf("%s: %v, want a server kdd", data, err)
	}
	server := config.Servers["kdd"]
	if !strings.HasPrefix(server.Command, kit) {
		t.Errorf("the host starts %s, want the kit's own program", server.Command)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	transport := &mcp.CommandTransport{Command: isolated(t, home, append([]string{server.Command}, server.Args...)...)}
	session, err := client.Connect(ctx, transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "kdd_search", Arguments: map[string]any{"query": "account lockout"}})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := json.Marshal(result.StructuredContent)
	if err := errors.Join(err, session.Close()); err != nil || !strings.Contains(string(answer), "RF-AUTH-002") {
		t.Errorf("kdd_search: %s, %v", answer, err)
	}
}
