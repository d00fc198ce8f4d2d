package remote

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"kdd/runtime/wire"
)

// fleetOf returns a fleet over scripted servers, one per mode, named after it.
func fleetOf(t *testing.T, options Options, modes ...string) *Fleet {
	t.Helper()
	var config Config
	for _, mode := range modes {
		config.Servers = append(config.Servers, helperServer(t, mode, mode))
	}
	return fleetFor(t, options, config.Servers...)
}

func fleetFor(t *testing.T, options Options, servers ...Server) *Fleet {
	t.Helper()
	if options.Getenv == nil {
		options.Getenv = os.Getenv
	}
	f, err := NewFleet(&Config{Servers: servers}, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return f
}

// TestLists asks one good server for all that it has.
func TestLists(t *testing.T) {
	f := fleetOf(t, Options{}, "good")
	all, err := f.Capabilities(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, x := range all.Tools {
		names = append(names, x.Name)
	}
	for _, x := range all.Resources {
		names = append(names, x.Name)
	}
	for _, x := range all.Templates {
		names = append(names, x.Name)
	}
	for _, x := range all.Prompts {
		names = append(names, x.Name)
		if len(x.Arguments) != 1 || x.Arguments[0].Name != "who" || !x.Arguments[0].Required {
			t.Errorf("arguments of the prompt = %v, want who alone", x.Arguments)
		}
	}
	want := "mcp__good__echo mcp__good__a__b mcp__good____c mcp__good__file:///a/../b.md mcp__good__note://x__y mcp__good__note://{id} mcp__good__greet__twice"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("names = %s\nwant    %s", got, want)
	}
	s := all.Servers[0]
	if s.State != StateOK || s.Server != "scripted 1" || s.Protocol != "2025-06-18" || s.Instructions != "be kind" || s.Tools != 3 {
		t.Errorf("server = %+v", s)
	}
}

// TestDiscover has one row per way to misbehave while listing.
func TestDiscover(t *testing.T) {
	tests := []struct {
		mode    string
		state   string
		tools   int
		error   string // part of it
		stderr  string
		warning string
	}{
		{mode: "pages", state: "ok", tools: 5},
		{mode: "endless", state: "ok", tools: maxPages, warning: "more than 100 pages"},
		{mode: "loop", state: "ok", tools: 2, warning: "repeats a cursor"},
		{mode: "greets", state: "ok", tools: 3},
		{mode: "flood", state: "ok", tools: 3},
		{mode: "no-resources", state: "ok", tools: 3},
		{mode: "tools-only", state: "ok", tools: 1},
		{mode: "dies-of-discover", state: "ok", tools: 3},
		{mode: "evil", state: "ok", tools: 6, warning: "twice"},
		{mode: "half", state: "failing", tools: 3, error: "cannot list its resources: the database is gone"},
		{mode: "crash", state: "failing", error: "it ended: exit status 3", stderr: "warming up\n\uFFFD[31mno licence found\uFFFD[0m for ***"},
		{mode: "rubbish", state: "failing", error: `no protocol to standard output, first "chatter chatter"`},
		{mode: "huge", state: "failing", error: "a message longer than"},
	}
	for _, tt := range tests {
		t.Run(tt.mode, func(t *testing.T) {
			t.Parallel()
			server := helperServer(t, tt.mode, tt.mode)
			server.Env["SECRET"] = "${SECRET}"
			f := fleetFor(t, Options{Getenv: func(name string) string {
				if name == "SECRET" {
					return "hunter2secret"
				}
				return ""
			}}, server)
			got, err := f.Servers(t.Context())
			wantErr := error(nil)
			if tt.state == "failing" {
				wantErr = ErrDown
			}
			if err != wantErr {
				t.Fatalf("Servers() = %v, want %v", err, wantErr)
			}
			s := got.Servers[0]
			if s.State != tt.state || s.Tools != tt.tools || !strings.Contains(s.Error, tt.error) || (s.Error == "") != (tt.error == "") {
				t.Errorf("server = %+v, want %s with %d tools and %q", s, tt.state, tt.tools, tt.error)
			}
			if tt.stderr != "" && s.Stderr != tt.stderr {
				t.Errorf("stderr = %q, want %q", s.Stderr, tt.stderr)
			}
			if w := strings.Join(s.Warnings, "; "); !strings.Contains(w, tt.warning) || (w == "") != (tt.warning == "") {
				t.Errorf("warnings = %q, want %q", w, tt.warning)
			}
		})
	}
}

// TestSilent checks the deadline, and that one server's does not hold up the others.
func TestSilent(t *testing.T) {
	begun := time.Now()
	f := fleetOf(t, Options{Timeout: 400 * time.Millisecond}, "silent", "good")
	got, err := f.Tools(t.Context())
	if !errors.Is(err, ErrSomeDown) {
		t.Fatalf("Tools() = %v, want %v", err, ErrSomeDown)
	}
	if got.Count != 3 || got.Servers[0].State != "failing" || got.Servers[0].Error != "it did not answer in time" || got.Servers[1].State != "ok" {
		t.Errorf("Tools() = %+v", got)
	}
	if took := time.Since(begun); took > 20*time.Second {
		t.Errorf("it took %s, want about the deadline", took)
	}
}

func TestDisabled(t *testing.T) {
	server := helperServer(t, "off", "crash")
	server.Disabled = true
	f := fleetFor(t, Options{}, server, helperServer(t, "good", "good"))
	got, err := f.Servers(t.Context())
	if err != nil || got.Servers[0].State != StateDisabled || got.Servers[1].State != StateOK {
		t.Errorf("Servers() = %+v, %v, want the first disabled and no error", got, err)
	}
	if _, err := f.Call(t.Context(), "mcp__off__x", nil); err == nil || !strings.Contains(err.Error(), "disabled") {
		t.Errorf("Call of a disabled server = %v", err)
	}
}

func TestCall(t *testing.T) {
	f := fleetOf(t, Options{Patience: 300 * time.Millisecond}, "good")
	tests := []struct {
		name    string
		tool    string
		isError bool
		text    string
		err     string // part of it
		down    bool
	}{
		{name: "plain", tool: "mcp__good__echo", text: "echo(map[a:1])"},
		{name: "underscores inside", tool: "mcp__good__a__b", text: "a__b(map[a:1])"},
		{name: "underscores first", tool: "mcp__good____c", text: "__c(map[a:1])"},
		{name: "isError", tool: "mcp__good__fails", isError: true, text: "the cat is out"},
		{name: "JSON-RPC error", tool: "mcp__good__refuses", isError: true, text: "bad \x1b[1marguments"},
		{name: "no content", tool: "mcp__good__empty"},
		{name: "content of an unknown type", tool: "mcp__good__strange", err: `server "good" is failing: calling "tools/call": unrecognized content type "hologram"`, down: true},
		{name: "content of another form", tool: "mcp__good__garbled", err: `it sent what cannot be understood`, down: true},
		{name: "after a failure", tool: "mcp__good__echo", text: "echo(map[a:1])"},
		{name: "dies", tool: "mcp__good__dies", err: "it ended: exit status 7 (out of cheese)", down: true},
		{name: "started again", tool: "mcp__good__echo", text: "echo(map[a:1])"},
		{name: "closes its output", tool: "mcp__good__closes", err: `server "good" is failing: it `, down: true},
		{name: "hangs", tool: "mcp__good__hangs", err: "did not answer in time", down: true},
		{name: "others go on", tool: "mcp__good__echo", text: "echo(map[a:1])"},
		{name: "unknown server", tool: "mcp__goo__echo", err: `did you mean "good"?`},
		{name: "no name", tool: "echo", err: "mcp__SERVER__NAME"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := f.Call(t.Context(), tt.tool, map[string]any{"a": 1})
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) || errors.Is(err, ErrDown) != tt.down {
					t.Fatalf("Call() = %v, want %q, down: %t", err, tt.err, tt.down)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			text := ""
			for _, c := range got.Content {
				text += c.Text
			}
			if got.IsError != tt.isError || text != tt.text {
				t.Errorf("Call() = %+v, want %q, is_error: %t", got, tt.text, tt.isError)
			}
		})
	}
}

// TestEndedSession checks that a server which ended by itself is started again, before it can fail a call.
func TestEndedSession(t *testing.T) {
	f := fleetOf(t, Options{}, "good")
	for range 2 {
		got, err := f.Call(t.Context(), "mcp__good__leaves", nil)
		if err != nil || got.Content[0].Text != "bye" {
			t.Fatalf("Call() = %+v, %v", got, err)
		}
		<-f.members[0].session.ended
	}
}

// TestStarts counts children: one for all calls, and a second where the first died of the newest protocol.
func TestStarts(t *testing.T) {
	for mode, want := range map[string]string{"good": "*", "dies-of-discover": "**"} {
		server := helperServer(t, mode, mode)
		path := t.TempDir() + "/starts"
		server.Env[startsVariable] = path
		f := fleetFor(t, Options{}, server)
		if _, err := f.Tools(t.Context()); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if _, err := f.Call(t.Context(), Join(mode, "echo"), nil); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s: the server was started %d times, %v, want %d", mode, len(got), err, len(want))
		}
	}
}

// TestProtocolLibraryPanics checks that a panic in the protocol library is an error of the request.
func TestProtocolLibraryPanics(t *testing.T) {
	got, err := await(t.Context(), t.Context(), func(context.Context) (int, error) { panic("index out of range") })
	if got != 0 || err == nil || !strings.Contains(err.Error(), "it sent what cannot be understood: index out of range") {
		t.Errorf("await = %d, %v, want the panic as an error", got, err)
	}
}

// TestDropped checks that a session that is of no use any more leaves no process behind.
func TestDropped(t *testing.T) {
	f := fleetOf(t, Options{}, "good")
	if _, err := f.Call(t.Context(), "mcp__good__echo", nil); err != nil {
		t.Fatal(err)
	}
	p := f.members[0].session.process
	if _, err := f.Call(t.Context(), "mcp__good__strange", nil); !errors.Is(err, ErrDown) {
		t.Errorf("Call() = %v, want %v", err, ErrDown)
	}
	if state := p.state(); state == "" || f.members[0].session != nil {
		t.Errorf("the child is %q, the session %v, want both gone", state, f.members[0].session)
	}
}

func TestReadAndPrompt(t *testing.T) {
	f := fleetOf(t, Options{}, "good")
	for _, uri := range []string{"file:///a/../b.md", "note://x__y", "note://%2e%2e/etc", "../../etc/passwd"} {
		got, err := f.Read(t.Context(), Join("good", uri))
		if err != nil || len(got.Contents) != 2 || got.Contents[0].Text != "content of "+uri || got.Contents[1].Data != "AAECAw==" {
			t.Errorf("Read(%q) = %+v, %v, want the URI as it is", uri, got, err)
		}
	}
	_, err := f.Read(t.Context(), "mcp__good__note://missing")
	if e := wire.AsError(err); e.Code != wire.CodeNotFound || !strings.Contains(e.Message, "no such note") {
		t.Errorf("Read(missing) = %v, want not_found", err)
	}
	_, err = f.Prompt(t.Context(), "mcp__good__missing", nil)
	if e := wire.AsError(err); e.Code != wire.CodeIO || e.Message != `server "good" refused prompts/get: no such prompt` || e.Details["server"] != "good" || fmt.Sprint(e.Details["rpc_code"]) != "-32602" {
		t.Errorf("Prompt(missing) = %v, %v, want the server's refusal", err, e.Details)
	}
	got, err := f.Prompt(t.Context(), "mcp__good__greet__twice", map[string]string{"who": "you"})
	if err != nil || len(got.Messages) != 1 || got.Messages[0].Role != "user" || got.Messages[0].Text != "hello you" {
		t.Errorf("Prompt() = %+v, %v", got, err)
	}
}

// TestEnvironment checks what a child gets, and that secrets in its answers are not passed on.
func TestEnvironment(t *testing.T) {
	server := helperServer(t, "env", "good")
	server.Env["TOKEN"] = "Bearer ${MY_TOKEN}"
	server.Env["LANG"] = "C"
	env := map[string]string{"MY_TOKEN": "s3cr3t-of-mine", "OTHER": "not for you", "PATH": "/bin", "HOME": "/home/me", "LC_ALL": "en", "LANG": "de", "KDD_ROOT": "/x"}
	f := fleetFor(t, Options{Getenv: func(name string) string { return env[name] }}, server)
	got, err := f.Call(t.Context(), "mcp__env__env", nil)
	if err != nil {
		t.Fatal(err)
	}
	want := "PATH=/bin\nHOME=/home/me\nLC_ALL=en\n" + helperVariable + "=good\nLANG=C\nTOKEN=Bearer ***"
	if got.Content[0].Text != want {
		t.Errorf("environment = %q\nwant          %q", got.Content[0].Text, want)
	}
	if data := wire.Encode(got); strings.Contains(string(data), "s3cr3t") {
		t.Errorf("the answer holds the secret: %s", data)
	}
}

// TestCancelled checks that the user's Ctrl-C is not taken for a failure of servers.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stopped")
	f := fleetOf(t, Options{}, "silent")
	time.AfterFunc(100*time.Millisecond, func() { cancel(stop) })
	if _, err := f.Servers(ctx); !errors.Is(err, stop) {
		t.Errorf("Servers() = %v, want %v", err, stop)
	}
}

func TestNotStarted(t *testing.T) {
	f := fleetFor(t, Options{}, Server{Name: "a", Transport: Stdio, Command: "no-such-command-here"},
		Server{Name: "b", Transport: Stdio, Command: "${UNSET_VARIABLE_OF_TEST}"},
		Server{Name: "c", Transport: HTTP, URL: "ftp://x"},
		Server{Name: "d", Transport: Stdio, Command: "/usr/bin/kddq", Args: []string{"remote", "serve", "--trust"}},
		Server{Name: "e", Transport: HTTP, URL: "http://127.0.0.1:1/mcp"})
	got, err := f.Servers(t.Context())
	if !errors.Is(err, ErrDown) {
		t.Fatalf("Servers() = %v, want %v", err, ErrDown)
	}
	for i, want := range []string{"not found in PATH", "the variable UNSET_VARIABLE_OF_TEST is not set", "no http or https URL", "itself", "connection refused"} {
		if s := got.Servers[i]; s.State != "failing" || !strings.Contains(s.Error, want) {
			t.Errorf("server %s = %s %q, want %q", s.Name, s.State, s.Error, want)
		}
	}
}

// TestKeyOfProgram checks that a program that was replaced is asked again.
func TestKeyOfProgram(t *testing.T) {
	path := t.TempDir() + "/server.exe"
	key := func(content string) string {
		t.Helper()
		if err := os.WriteFile(path, []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
		r, err := resolve(&Server{Name: "a", Transport: Stdio, Command: path}, os.Getenv)
		if err != nil {
			t.Fatal(err)
		}
		return r.key("1")
	}
	if key("one") == key("another") {
		t.Error("another program has the same key")
	}
}
