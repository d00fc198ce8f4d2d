package remote

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kdd/runtime/wire"
)

func TestParseConfig(t *testing.T) {
	tests := []struct {
		name, text string
		want       []Server
		err        string
	}{
		{name: "mcp.json", text: `{"mcpServers": {"a": {"type": "stdio", "command": "x", "args": ["-y"], "env": {"K": "${V}"}, "cwd": "d"}, "b": {"url": "http://h/mcp", "headers": {"X": "1"}}}}`,
			want: []Server{{Name: "a", Transport: Stdio, Command: "x", Args: []string{"-y"}, Env: map[string]string{"K": "${V}"}, Dir: "d"},
				{Name: "b", Transport: HTTP, URL: "http://h/mcp", Headers: map[string]string{"X": "1"}}}},
		{name: "list", text: `[{"name": "a", "transport": "sse", "url": "http://h/sse", "auth": {"type": "bearer", "token": "t"}}]`,
			want: []Server{{Name: "a", Transport: SSE, URL: "http://h/sse", Auth: &Auth{Type: "bearer", Token: "t"}}}},
		{name: "list under a key", text: `{"mcp_servers": [{"name": "a", "command": "x"}]}`, want: []Server{{Name: "a", Transport: Stdio, Command: "x"}}},
		{name: "VS Code's key and others' keys", text: "\ufeff" + `{"servers": {"a": {"command": "x", "alwaysAllow": [], "disabled": true}}, "inputs": []}`,
			want: []Server{{Name: "a", Transport: Stdio, Command: "x", Disabled: true}}},
		{name: "other spellings of http", text: `[{"name": "a", "type": "streamable-http", "url": "u"}, {"name": "b", "type": "streamableHttp", "url": "u"}, {"name": "c", "type": "streamable_http", "url": "u"}]`,
			want: []Server{{Name: "a", Transport: HTTP, URL: "u"}, {Name: "b", Transport: HTTP, URL: "u"}, {Name: "c", Transport: HTTP, URL: "u"}}},
		{name: "api_key from a variable", text: `[{"name": "a", "url": "u", "auth": {"type": "api_key", "key_env": "K", "header": "X-K"}}]`,
			want: []Server{{Name: "a", Transport: HTTP, URL: "u", Auth: &Auth{Type: "api_key", Key: "${K}", Header: "X-K"}}}},
		{name: "basic", text: `[{"name": "a", "url": "u", "auth": {"type": "basic", "username": "me", "password_env": "P"}}]`,
			want: []Server{{Name: "a", Transport: HTTP, URL: "u", Auth: &Auth{Type: "basic", Username: "me", Password: "${P}"}}}},
		{name: "no servers", text: `{"mcpServers": {}}`},

		{name: "empty", text: " \n", err: "is empty"},
		{name: "no JSON", text: "{\n \"mcpServers\": {,}\n}", err: "line 2: not JSON"},
		{name: "trailing text", text: `[] x`, err: "line 1: not JSON"},
		{name: "a number", text: `7`, err: "got a number, want an object or a list"},
		{name: "misspelt key", text: `{"mcpServer": {}}`, err: `did you mean "mcpServers" instead of "mcpServer"?`},
		{name: "servers are text", text: `{"mcpServers": "x"}`, err: "mcpServers: got a string"},
		{name: "entry is text", text: `{"mcpServers": {"a": "x"}}`, err: "mcpServers.a: got a string, want an object"},
		{name: "entry is null", text: `{"mcpServers": [null]}`, err: "mcpServers[0]: got null, want an object"},
		{name: "wrong type", text: `{"mcpServers": {"a": {"command": "x", "args": "y"}}}`, err: "mcpServers.a.args: got string, want a list of strings"},
		{name: "wrong type of a variable", text: `{"mcpServers": {"a": {"command": "x", "env": {"N": 1}}}}`, err: "got number, want a string"},
		{name: "no command", text: `{"mcpServers": {"a": {"comand": "x"}}}`, err: `a stdio server needs "command"; did you mean "command" instead of "comand"?`},
		{name: "no url", text: `[{"name": "a", "type": "http"}]`, err: `[0]: a http server needs "url"`},
		{name: "transport", text: `[{"name": "a", "transport": "websocket", "url": "u"}]`, err: `[0].transport: got "websocket", want stdio, sse or http`},
		{name: "no name", text: `[{"command": "x"}]`, err: "has no name"},
		{name: "name twice", text: `[{"name": "a", "command": "x"}, {"name": "a", "command": "y"}]`, err: `[1]: the name "a" is given twice`},
		{name: "key twice", text: `{"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}}}`, err: `the key "a" occurs twice`},
		{name: "servers twice", text: `{"mcpServers": {}, "mcpServers": {}}`, err: "occurs twice"},
		{name: "underscores in a name", text: `[{"name": "a__b", "command": "x"}]`, err: `may neither hold it nor end in "_"`},
		{name: "underscore at the end", text: `[{"name": "a_", "command": "x"}]`, err: `may neither hold it nor end in "_"`},
		{name: "escape in a name", text: `[{"name": "a\u001b[1m", "command": "x"}]`, err: "cannot be seen"},
		{name: "long name", text: `[{"name": "` + strings.Repeat("n", 65) + `", "command": "x"}]`, err: "65 bytes"},
		{name: "auth of stdio", text: `[{"name": "a", "command": "x", "auth": {"type": "bearer", "token": "t"}}]`, err: "takes no auth"},
		{name: "auth kind", text: `[{"name": "a", "url": "u", "auth": {"type": "oauth"}}]`, err: `auth.type: got "oauth", want bearer, api_key or basic`},
		{name: "auth without a token", text: `[{"name": "a", "url": "u", "auth": {"type": "bearer"}}]`, err: "bearer needs token, or token_env"},
		{name: "token twice", text: `[{"name": "a", "url": "u", "auth": {"type": "bearer", "token": "t", "token_env": "T"}}]`, err: "both token and token_env"},
		{name: "token of no variable", text: `[{"name": "a", "url": "u", "auth": {"type": "bearer", "token_env": "A B"}}]`, err: "is not the name of a variable"},
		{name: "name of a variable", text: `[{"name": "a", "command": "x", "env": {"A=B": "1"}}]`, err: "is not the name of a variable"},
		{name: "too many", text: "[" + manyServers(65) + "]", err: "more than 64 servers"},
		{name: "too long", text: strings.Repeat(" ", maxConfigBytes+1), err: "want at most"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ParseConfig([]byte(tt.text))
			if tt.err != "" {
				var e *wire.Error
				if !errors.As(err, &e) || e.Code != wire.CodeInvalidInput || !strings.Contains(err.Error(), tt.err) {
					t.Fatalf("ParseConfig() = %v, want invalid_input with %q", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, got.Servers); d != "" {
				t.Errorf("ParseConfig() (-want +got):\n%s", d)
			}
		})
	}
}

func manyServers(n int) string {
	var parts []string
	for i := range n {
		parts = append(parts, `{"name":"s`+strings.Repeat("x", i%60)+string(rune('a'+i/60))+`","command":"x"}`)
	}
	return strings.Join(parts, ",")
}

func FuzzParseConfig(f *testing.F) {
	f.Add([]byte(`{"mcpServers": {"a": {"command": "x", "args": ["${A:-b}"], "env": {"K": "${V}"}}}}`))
	f.Add([]byte(`[{"name": "a", "transport": "sse", "url": "http://u:p@h/sse?k=v", "auth": {"type": "basic", "username": "u", "password": "p"}}]`))
	f.Add([]byte(`{"servers": {"a": {"url": "https://${H}/mcp", "auth": {"type": "api_key", "key_env": "K"}}}}`))
	f.Add([]byte(`{"mcpServers": {"a": null}}`))
	f.Add([]byte(`[[[[`))
	f.Fuzz(func(t *testing.T, data []byte) {
		config, err := ParseConfig(data)
		if err != nil {
			if e := wire.AsError(err); e.Code != wire.CodeInvalidInput {
				t.Fatalf("ParseConfig() = %v, want invalid_input", err)
			}
			return
		}
		var b strings.Builder
		config.Describe(&b)
		for i := range config.Servers {
			s := &config.Servers[i]
			if server, name, err := Split(Join(s.Name, "x__y")); err != nil || server != s.Name || name != "x__y" {
				t.Fatalf("Split(Join(%q)) = %q, %q, %v", s.Name, server, name, err)
			}
			// With every variable set, all that can be wrong is the form of a variable.
			r, err := resolve(s, func(string) string { return "value-of-it" })
			if err == nil && len(s.Variables()) > 0 && r.redact("value-of-it") == "value-of-it" && s.Auth != nil && strings.Contains(s.Auth.Token, "${") {
				t.Fatalf("%+v: a token from a variable is no secret", s)
			}
		}
	})
}

func TestSplit(t *testing.T) {
	tests := []struct {
		full, server, name string
		bad                bool
	}{
		{full: "mcp__a__b", server: "a", name: "b"},
		{full: "mcp__a__b__c", server: "a", name: "b__c"},
		{full: "mcp__a____b", server: "a", name: "__b"},
		{full: "mcp__a_b__c", server: "a_b", name: "c"},
		{full: "mcp___a__c", server: "_a", name: "c"},
		{full: "mcp__fs__file:///a__b/../c", server: "fs", name: "file:///a__b/../c"},
		{full: "mcp__a b__c", server: "a b", name: "c"},
		{full: "", bad: true},
		{full: "mcp__", bad: true},
		{full: "mcp__a", bad: true},
		{full: "mcp__a__", bad: true},
		{full: "mcp____b", bad: true},
		{full: "mcp_a__b", bad: true},
		{full: "MCP__a__b", bad: true},
		{full: "a__b__c", bad: true},
	}
	for _, tt := range tests {
		server, name, err := Split(tt.full)
		if (err != nil) != tt.bad || server != tt.server || name != tt.name || tt.bad && wire.AsError(err).Details["field"] != "name" {
			t.Errorf("Split(%q) = %q, %q, %v, want %q, %q", tt.full, server, name, err, tt.server, tt.name)
		}
	}
}

func FuzzSplit(f *testing.F) {
	for _, seed := range []string{"mcp__a__b", "mcp__a____b", "mcp___a_b__c__", "mcp__", "x", "mcp__0__ "} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, full string) {
		server, name, err := Split(full)
		if err != nil {
			if e := wire.AsError(err); e.Code != wire.CodeInvalidInput {
				t.Fatalf("Split(%q) = %v, want invalid_input", full, err)
			}
			return
		}
		if Join(server, name) != full || strings.Contains(server, "__") {
			t.Fatalf("Split(%q) = %q, %q", full, server, name)
		}
		taken := map[string]bool{}
		first, second := exportName(server, name, taken), exportName(server, name, taken)
		if first == second || len(first) > maxExportedName || len(second) > maxExportedName {
			t.Fatalf("exportName(%q, %q) = %q, then %q", server, name, first, second)
		}
	})
}

func TestExpand(t *testing.T) {
	env := map[string]string{"A": "1", "EMPTY": "", "NEST": "${A}"}
	tests := []struct {
		text, want, err string
	}{
		{text: "", want: ""},
		{text: "plain $A $", want: "plain $A $"},
		{text: "${A}", want: "1"},
		{text: "x${A}y${A}z", want: "x1y1z"},
		{text: "${B:-d}", want: "d"},
		{text: "${B:-}", want: ""},
		{text: "${EMPTY:-d}", want: "d"},
		{text: "${A:-d}", want: "1"},
		{text: "${NEST}", want: "${A}"},
		{text: "${B:-http://h:80/}", want: "http://h:80/"},
		{text: "${B}", err: "the variable B is not set"},
		{text: "${A", err: `without "}"`},
		{text: "${}", err: "is no variable"},
		{text: "${input:token}", err: "is no variable"},
		{text: "${1A}", err: "is no variable"},
	}
	for _, tt := range tests {
		got, err := expand(tt.text, func(name string) string { return env[name] }, nil)
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("expand(%q) = %v, want %q", tt.text, err, tt.err)
			}
		} else if err != nil || got != tt.want {
			t.Errorf("expand(%q) = %q, %v, want %q", tt.text, got, err, tt.want)
		}
	}
}

// TestDescribe checks that what a person agrees to is all there, and secrets are not.
func TestDescribe(t *testing.T) {
	config, err := ParseConfig([]byte(`{"mcpServers": {
		"a": {"command": "npx", "args": ["-y", "a b", "${DIR:-.}"], "env": {"TOKEN": "written-down", "B": "${MINE}"}, "cwd": "sub"},
		"b": {"url": "https://me:pw@host/mcp?key=abc", "headers": {"X-A": "${HDR}"}, "auth": {"type": "bearer", "token_env": "T"}},
		"off": {"command": "x", "disabled": true}}}`))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	config.Describe(&b)
	want := `  a runs npx -y "a b" ${DIR:-.}
    in the folder sub
    sets B, TOKEN
    reads your variables DIR, MINE
  b talks to https://host/mcp?…
    sends the headers X-A
    sends bearer credentials
    reads your variables HDR, T
`
	if b.String() != want {
		t.Errorf("Describe() =\n%s\nwant\n%s", b.String(), want)
	}
}

func TestPlainURL(t *testing.T) {
	tests := [][2]string{
		{"http://h/p", "http://h/p"},
		{"http://u:p@h/p?q#f", "http://h/p?…"},
		{"http://h#f", "http://h#…"},
		{"http://u:p@${HOST}:80/x", "http://${HOST}:80/x"},
		{"${URL}", "${URL}"},
		{"://", "://"},
	}
	for _, tt := range tests {
		if got := plainURL(tt[0]); got != tt[1] {
			t.Errorf("plainURL(%q) = %q, want %q", tt[0], got, tt[1])
		}
	}
}

func TestTrust(t *testing.T) {
	trust := Trust{Dir: t.TempDir() + "/a/b"}
	given := func(path, data string) bool {
		t.Helper()
		ok, err := trust.Given(path, []byte(data))
		if err != nil {
			t.Fatal(err)
		}
		return ok
	}
	if given("/x/.mcp.json", "one") {
		t.Error("consent is given before it was")
	}
	if err := trust.Give("/x/.mcp.json", []byte("one")); err != nil {
		t.Fatal(err)
	}
	if !given("/x/.mcp.json", "one") {
		t.Error("consent is not remembered")
	}
	if given("/x/.mcp.json", "two") {
		t.Error("consent holds for another content")
	}
	if given("/y/.mcp.json", "one") {
		t.Error("consent holds in another folder")
	}
}

func TestSelf(t *testing.T) {
	tests := []struct {
		command string
		args    []string
		want    bool
	}{
		{"kddq", []string{"remote", "serve"}, true},
		{"/usr/bin/kdd", []string{"remote", "serve", "--trust"}, true},
		{"sh", []string{"-c", "exec kddq remote --trust serve"}, true},
		{"kddq", []string{"mcp"}, false},
		{"serve", []string{"remote"}, false},
		{"git", []string{"remote", "serve"}, false},
	}
	if self(&Server{Transport: HTTP, Command: "kddq", Args: []string{"remote", "serve"}, URL: "http://127.0.0.1/mcp"}) {
		t.Error("what is talked to over HTTP is not started")
	}
	for _, tt := range tests {
		if got := self(&Server{Transport: Stdio, Command: tt.command, Args: tt.args}); got != tt.want {
			t.Errorf("self(%s %q) = %t, want %t", tt.command, tt.args, got, tt.want)
		}
	}
}

func TestParseArgs(t *testing.T) {
	schema := func() (map[string]any, error) {
		return map[string]any{"properties": map[string]any{"s": map[string]any{"type": "string"}, "n": map[string]any{"type": "integer"}}}, nil
	}
	read := func(path string) ([]byte, error) {
		switch path {
		case "none.json":
			return nil, errors.New("no such file")
		case "null.json":
			return []byte("null"), nil
		}
		return []byte(`{"f": "` + path + `"}`), nil
	}
	tests := []struct {
		name  string
		words []string
		want  string
		err   string
	}{
		{name: "none", want: `{}`},
		{name: "object", words: []string{` {"a": 1e2, "b": [true]}`}, want: `{"a":1e2,"b":[true]}`},
		{name: "file", words: []string{"@x.json"}, want: `{"f":"x.json"}`},
		{name: "typed by the schema", words: []string{"s=1", "n=2"}, want: `{"n":2,"s":"1"}`},
		{name: "typed by the value", words: []string{"a=1", "b=x y", "c=null", "d=[1]", "e=", "f=1 2", "g=a=b", "h=1]", "i={}}"}, want: `{"a":1,"b":"x y","c":null,"d":[1],"e":"","f":"1 2","g":"a=b","h":"1]","i":"{}}"}`},
		{name: "later wins", words: []string{`{"a": 1}`, "a=2"}, want: `{"a":2}`},
		{name: "no object", words: []string{"{"}, err: "not a JSON object"},
		{name: "two objects", words: []string{"{} {}"}, err: "not a JSON object"},
		{name: "an object and a brace", words: []string{"{}}"}, err: "not a JSON object"},
		{name: "null", words: []string{"@null.json"}, err: "null.json is not a JSON object"},
		{name: "no file", words: []string{"@none.json"}, err: "no such file"},
		{name: "a word", words: []string{"word"}, err: "want a JSON object, @FILE or KEY=VALUE"},
		{name: "no key", words: []string{"=x"}, err: "want a JSON object, @FILE or KEY=VALUE"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ParseArgs(tt.words, schema, read)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Fatalf("ParseArgs(%q) = %v, want %q", tt.words, err, tt.err)
				}
				return
			}
			if err != nil || string(wire.Encode(got)) != tt.want {
				t.Errorf("ParseArgs(%q) = %s, %v, want %s", tt.words, wire.Encode(got), err, tt.want)
			}
		})
	}
}
