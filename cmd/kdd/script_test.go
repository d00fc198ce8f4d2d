package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/rogpeppe/go-internal/testscript"

	"kdd/compiler/embedding/modeltest"
	"kdd/compiler/embedding/remote/remotetest"
	"kdd/runtime/source/ocitest"
	"kdd/runtime/source/sourcetest"
	"kdd/runtime/wire/schema"
)

func TestMain(m *testing.M) {
	code := m.Run()
	os.RemoveAll(builtIn)
	os.Exit(code)
}

// builtIn is the folder of builtPrograms, "" until it was called.
var builtIn string

// builtPrograms builds kdd and kddq into a folder, once: as users have them, without what go test adds to its own.
var builtPrograms = sync.OnceValues(func() (dir string, err error) {
	if builtIn, err = os.MkdirTemp("", "kdd-programs"); err != nil {
		return "", err
	}
	if out, err := exec.Command("go", "build", "-o", builtIn, ".", "../kddq").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return builtIn, nil
})

// TestScript runs testdata/script. Each script starts in a folder of its own, with no KDD variable set and HANDBOOK
// naming a corpus. The programs run without the race detector, ten times as fast: races are looked for by the tests of
// the packages.
func TestScript(t *testing.T) {
	corpora, err := filepath.Abs("../../testdata/corpora")
	if err != nil {
		t.Fatal(err)
	}
	built, err := builtPrograms()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "../../testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("PATH", built+string(filepath.ListSeparator)+e.Getenv("PATH"))
			e.Setenv("HANDBOOK", filepath.Join(corpora, "handbook"))
			e.Setenv("README", filepath.Join(corpora, "..", "..", "README.md"))
			e.Setenv("DOCS", filepath.Join(corpora, "..", "..", "docs"))
			e.Setenv("ACTIONS", filepath.Join(corpora, "..", "..", ".github", "actions"))
			e.Values[hosts{}] = map[string]*sourcetest.Server{}
			e.Values[forges{}] = &forge{}
			return nil
		},
		Condition: func(name string) (bool, error) {
			switch name {
			case "root":
				return os.Geteuid() == 0, nil
			case "netless": // a process can be put where there is no network
				return exec.Command("unshare", "-rn", "true").Run() == nil, nil
			}
			return false, fmt.Errorf("no condition %q", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":      exits,
			"closedpipe": closedPipe,
			"tree":       tree,
			"copytree":   copyTree,
			"patch":      patch,
			"cut":        cut,
			"fenced":     fenced,
			"atmost":     atMost,
			"readme":     readme,
			"guide":      guide,
			"commands":   commands,
			"serving":    serving,
			"served":     served,
			"watching":   watching,
			"until":      until,
			"watched":    watchedEnd,
			"fetch":      fetch,
			"refused":    refused,
			"valid":      valid,
			"programs":   programs,
			"unzip":      unzip,
			"smallmodel": smallModel,
			"steps":      steps,
			"embedder":   embedder,
			"registry":   startRegistry,
			"host":       host,
			"hub":        startHub,

			"dockerlogin": dockerLogin,
			"action":      action,
			"forge":       startForge,
			"comments":    writeComments,
			"signfile":    signFile,
			"zipped":      zipped,
		},
	})
}

// exits runs a program and checks its exit code: exits 2 kdd search
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM [ARGS]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("%s: exit code %d, want %d", strings.Join(args[1:], " "), got, want)
	}
}

// closedPipe runs a program whose reader has gone, and wants success and silence: closedpipe kddq list
func closedPipe(ts *testscript.TestScript, neg bool, args []string) {
	r, w, err := os.Pipe()
	ts.Check(err)
	r.Close()
	defer w.Close()
	var stderr bytes.Buffer
	path, err := exec.LookPath(filepath.Join(strings.Split(ts.Getenv("PATH"), string(filepath.ListSeparator))[0], args[0]))
	ts.Check(err)
	cmd := exec.Command(path, args[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = ts.MkAbs("."), w, &stderr
	if err := cmd.Run(); err != nil || stderr.Len() > 0 {
		ts.Fatalf("%s into a closed pipe: %v, stderr %q, want success and silence", strings.Join(args, " "), err,
			stderr.String())
	}
}

// tree writes what a folder holds to a file, with sizes, modes and times: tree DIR FILE
func tree(ts *testscript.TestScript, neg bool, args []string) {
	var out strings.Builder
	root := ts.MkAbs(args[0])
	ts.Check(filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		fmt.Fprintf(&out, "%s %s %d %d\n", name, info.Mode(), info.Size(), info.ModTime().UnixNano())
		return err
	}))
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(out.String()), 0o644))
}

// copyTree copies a folder: copytree FROM TO
func copyTree(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(os.CopyFS(ts.MkAbs(args[1]), os.DirFS(ts.MkAbs(args[0]))))
}

// patch overwrites bytes of a file: patch FILE OFFSET HEX
func patch(ts *testscript.TestScript, neg bool, args []string) {
	path := ts.MkAbs(args[0])
	data, err := os.ReadFile(path)
	ts.Check(err)
	offset, err := strconv.Atoi(args[1])
	ts.Check(err)
	bytes, err := hex.DecodeString(args[2])
	ts.Check(err)
	copy(data[offset:], bytes)
	ts.Check(os.WriteFile(path, data, 0o644))
}

// cut keeps the first bytes of a file: cut FILE N
func cut(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	ts.Check(os.Truncate(ts.MkAbs(args[0]), n))
}

// valid checks the JSON on stdout against the schema that it names: valid build_report.v1
func valid(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: valid SCHEMA")
	}
	var s jsonschema.Schema
	ts.Check(json.Unmarshal(schema.Response(args[0]), &s))
	resolved, err := s.Resolve(nil)
	ts.Check(err)
	var answer any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &answer))
	ts.Check(resolved.Validate(answer))
}

// smallModel writes a model with random weights, as hubs have them: smallmodel DIR SEED
func smallModel(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: smallmodel DIR SEED")
	}
	seed, err := strconv.ParseUint(args[1], 10, 64)
	ts.Check(err)
	tokenizer, err := os.ReadFile("../../format/encoder/testdata/small-tokenizer.json")
	ts.Check(err)
	m := modeltest.New(modeltest.MiniLM, tokenizer)
	m.Seed = seed
	ts.Check(m.Write(ts.MkAbs(args[0])))
}

// embedder starts a server of embeddings, until the script ends: embedder URLVARIABLE MODEL openai|tei [KEY]
func embedder(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: embedder URLVARIABLE MODEL openai|tei [KEY]")
	}
	s := remotetest.New(args[1], remotetest.Words(32), func(s *remotetest.Server) {
		s.TEI = args[2] == "tei"
		if len(args) > 3 {
			s.Key = args[3]
		}
	})
	ts.Defer(s.Close)
	ts.Setenv(args[0], s.URL)
}

// startRegistry starts an OCI registry, until the script ends: registry HOSTVARIABLE [NAME PASSWORD]
func startRegistry(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 && len(args) != 3 {
		ts.Fatalf("usage: registry HOSTVARIABLE [NAME PASSWORD]")
	}
	var options []ocitest.Option
	if len(args) == 3 {
		options = append(options, ocitest.Token(args[1], args[2]))
	}
	s := ocitest.New(options...)
	ts.Defer(s.Close)
	ts.Setenv(args[0], s.Host)
}

// hosts is the key of a script's servers.
type hosts struct{}

// host serves a folder by range, until the script ends or says off: host URLVARIABLE DIR|off
func host(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: host URLVARIABLE DIR|off")
	}
	running := ts.Value(hosts{}).(map[string]*sourcetest.Server)
	if args[1] == "off" {
		running[args[0]].Close()
		return
	}
	s := sourcetest.New(os.DirFS(ts.MkAbs(args[1])))
	ts.Defer(s.Close)
	ts.Setenv(args[0], s.URL)
	running[args[0]] = s
}

// dockerLogin writes docker's configuration below DOCKER_CONFIG, with one login: dockerlogin HOST NAME PASSWORD
func dockerLogin(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: dockerlogin HOST NAME PASSWORD")
	}
	config := fmt.Sprintf(`{"auths":{%q:{"username":%q,"password":%q}}}`, args[0], args[1], args[2])
	ts.Check(os.MkdirAll(ts.Getenv("DOCKER_CONFIG"), 0o777))
	ts.Check(os.WriteFile(filepath.Join(ts.Getenv("DOCKER_CONFIG"), "config.json"), []byte(config), 0o600))
}

// atMost checks the size of a file or of stdout: atmost stdout 4096
func atMost(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	if got := len(ts.ReadFile(args[0])); got > n {
		ts.Fatalf("%s has %d bytes, want at most %d", args[0], got, n)
	}
}
