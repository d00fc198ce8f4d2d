package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"
)

// serving starts "PROGRAM serve ... --port 0 --format json" and sets URL to where it listens: serving kddq -i docs.kddx
//
// The process ends with the script, or with "served", which asks it to and wants exit code 0.
func serving(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: serving PROGRAM [ARGS]")
	}
	path, err := exec.LookPath(scriptProgram(ts, args[0]))
	ts.Check(err)
	cmd := exec.Command(path, append([]string{"serve", "--port", "0", "--format", "json"}, args[1:]...)...)
	cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{"PATH", "HOME", "TMPDIR", "KDD_TOKEN", "KDD_INDEX"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	stderr, err := cmd.StderrPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	lines := bufio.NewReader(stderr)
	first, err := lines.ReadBytes('\n')
	var said struct {
		URL string `json:"url"`
		MCP string `json:"mcp"`
	}
	if err != nil || json.Unmarshal(first, &said) != nil || said.URL == "" {
		cmd.Process.Kill()
		ts.Fatalf("serve says %q, %v, want a line of JSON with its url", first, err)
	}
	if public := slices.Contains(args, "--public"); (said.MCP == "") != public {
		cmd.Process.Kill()
		ts.Fatalf("serve %v says that MCP is at %q", args, said.MCP)
	}
	ts.Setenv("URL", said.URL)
	end := sync.OnceValue(func() error {
		cmd.Process.Signal(syscall.SIGTERM)
		rest, _ := io.ReadAll(lines)
		serveSaid.Store(ts.Getenv("WORK"), string(rest))
		if err := cmd.Wait(); err != nil {
			return fmt.Errorf("serve ended with %v: %s", err, rest)
		}
		return nil
	})
	serveEnds.Store(ts.Getenv("WORK"), end)
	ts.Defer(func() { end() })
}

// serveEnds holds what ends the server of a script, by the script's folder; serveSaid what it wrote to standard error
// after its first line.
var serveEnds, serveSaid sync.Map

// served ends the server of the script; "stderr" then tests what it wrote after its first line.
func served(ts *testscript.TestScript, neg bool, args []string) {
	end, ok := serveEnds.Load(ts.Getenv("WORK"))
	if !ok {
		ts.Fatalf("nothing is serving")
	}
	ts.Check(end.(func() error)())
	said, _ := serveSaid.Load(ts.Getenv("WORK"))
	_, err := io.WriteString(ts.Stderr(), said.(string))
	ts.Check(err)
}

// fetch sends a request to the server of the script, wants a status and prints the body: fetch STATUS [METHOD] PATH
// [HEADER:VALUE...] [@BODYFILE]
func fetch(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: fetch STATUS [METHOD] PATH [HEADER:VALUE...] [@FILE]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	method, path, rest := http.MethodGet, args[1], args[2:]
	if !strings.HasPrefix(path, "/") && len(rest) > 0 {
		method, path, rest = args[1], rest[0], rest[1:]
	}
	body := ""
	if n := len(rest); n > 0 && strings.HasPrefix(rest[n-1], "@") {
		body, rest = ts.ReadFile(rest[n-1][1:]), rest[:n-1]
	}
	status, data := request(ts, method, path, rest, body)
	ts.Logf("%s %s = %d\n%s", method, path, status, data)
	_, err = ts.Stdout().Write(data)
	ts.Check(err)
	if status != want {
		ts.Fatalf("%s %s = %d, want %d", method, path, status, want)
	}
}

// request sends a request to the server of the script.
func request(ts *testscript.TestScript, method, path string, headers []string, body string) (status int,
	answer []byte) {
	r, err := http.NewRequest(method, ts.Getenv("URL")+path, strings.NewReader(body))
	ts.Check(err)
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ":")
		if r.Header.Set(name, strings.TrimSpace(value)); strings.EqualFold(name, "Host") {
			r.Host = strings.TrimSpace(value)
		}
	}
	response, err := http.DefaultClient.Do(r)
	ts.Check(err)
	defer response.Body.Close()
	answer, err = io.ReadAll(response.Body)
	ts.Check(err)
	return response.StatusCode, answer
}

// refused asks the server of the script for the same again and again until it says that this is too much, and prints
// that: refused PATH [HEADER:VALUE...]. The rate has to be well below 300 requests a minute.
func refused(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: refused PATH [HEADER:VALUE...]")
	}
	for range 300 {
		if status, body := request(ts, http.MethodGet, args[0], args[1:], ""); status == http.StatusTooManyRequests {
			_, err := ts.Stdout().Write(body)
			ts.Check(err)
			return
		}
	}
	ts.Fatalf("300 requests for %s were answered", args[0])
}

// scriptProgram is the path of a program of the script's PATH.
func scriptProgram(ts *testscript.TestScript, name string) string {
	first, _, _ := strings.Cut(ts.Getenv("PATH"), ":")
	return first + "/" + name
}
