package remote

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kdd/runtime/wire"
)

// TestCountsOfLists asks two servers, one of which has tools only, for each list.
func TestCountsOfLists(t *testing.T) {
	f := fleetOf(t, Options{}, "good", "tools-only")
	tools, err := f.Tools(t.Context())
	if err != nil || tools.Count != 4 || len(tools.Tools) != 4 || len(tools.Servers) != 2 {
		t.Errorf("Tools() = %+v, %v, want 4 of 2 servers", tools, err)
	}
	resources, err := f.Resources(t.Context())
	if err != nil || resources.Count != 3 || len(resources.Resources) != 2 || len(resources.Templates) != 1 {
		t.Errorf("Resources() = %+v, %v, want 2 and a template", resources, err)
	}
	prompts, err := f.Prompts(t.Context())
	if err != nil || prompts.Count != 1 || len(prompts.Prompts) != 1 {
		t.Errorf("Prompts() = %+v, %v, want one", prompts, err)
	}
	servers, err := f.Servers(t.Context())
	if err != nil || servers.Count != 2 || servers.Failing != 0 {
		t.Fatalf("Servers() = %+v, %v", servers, err)
	}
	for i, want := range []string{"tools resources prompts", "tools"} {
		if got := strings.Join(servers.Servers[i].Features, " "); got != want {
			t.Errorf("features of %s = %s, want %s", servers.Servers[i].Name, got, want)
		}
	}
	schema, err := f.Schema(t.Context(), "mcp__tools-only__sum")
	if properties, _ := schema["properties"].(map[string]any); err != nil || len(properties) != 2 {
		t.Errorf("Schema = %v, %v", schema, err)
	}
	if schema, err := f.Schema(t.Context(), "mcp__tools-only__none"); err != nil || schema != nil {
		t.Errorf("Schema of a tool that is not listed = %v, %v, want none", schema, err)
	}
}

// TestOnly names some of the servers that are configured.
func TestOnly(t *testing.T) {
	config := &Config{Servers: []Server{{Name: "alpha"}, {Name: "beta"}, {Name: "gamma"}}}
	for _, tt := range []struct {
		only []string
		want string
		hint string
	}{
		{nil, "alpha beta gamma", ""},
		{[]string{"gamma", "alpha"}, "alpha gamma", ""},
		{[]string{"betta"}, "", `did you mean "beta"?`},
		{[]string{"alpha", "zzzzzz"}, "", "there are alpha, beta and gamma"},
	} {
		f, err := NewFleet(config, Options{Only: tt.only})
		if tt.hint != "" {
			if e := wire.AsError(err); err == nil || e.Code != wire.CodeInvalidInput || !strings.Contains(e.Message, "is configured") || strings.ReplaceAll(e.Hint, " or ", " and ") != tt.hint {
				t.Errorf("NewFleet with only %q = %v, want the hint %s", tt.only, err, tt.hint)
			}
			continue
		}
		var got []string
		for _, m := range f.members {
			got = append(got, m.server.Name)
		}
		if err != nil || strings.Join(got, " ") != tt.want {
			t.Errorf("NewFleet with only %q has %q, %v, want %s", tt.only, got, err, tt.want)
		}
	}
}

func TestHints(t *testing.T) {
	yes, no := true, false
	for _, tt := range []struct {
		annotations *mcp.ToolAnnotations
		want        string
	}{
		{nil, ""},
		{&mcp.ToolAnnotations{}, ""},
		{&mcp.ToolAnnotations{DestructiveHint: &no, OpenWorldHint: &no}, ""},
		{&mcp.ToolAnnotations{ReadOnlyHint: true, DestructiveHint: &yes, IdempotentHint: true, OpenWorldHint: &yes}, "read_only destructive idempotent open_world"},
		{&mcp.ToolAnnotations{IdempotentHint: true, OpenWorldHint: &no}, "idempotent"},
	} {
		if got := strings.Join(hints(tt.annotations), " "); got != tt.want {
			t.Errorf("hints(%+v) = %s, want %s", tt.annotations, got, tt.want)
		}
	}
	for _, tt := range []struct {
		tool *mcp.Tool
		want string
	}{
		{&mcp.Tool{}, ""}, {&mcp.Tool{Title: "a"}, "a"}, {&mcp.Tool{Annotations: &mcp.ToolAnnotations{Title: "b"}}, "b"},
		{&mcp.Tool{Title: "a", Annotations: &mcp.ToolAnnotations{Title: "b"}}, "a"},
	} {
		if got := toolTitle(tt.tool); got != tt.want {
			t.Errorf("toolTitle(%+v) = %q, want %q", tt.tool, got, tt.want)
		}
	}
}

// TestContent has a row per kind of content: as it is on the wire, and as a host gets it.
func TestContent(t *testing.T) {
	r := &resolved{Server: Server{Name: "s"}, secrets: []string{"secret-of-mine"}}
	bytes3 := []byte{0, 1, 2}
	for _, tt := range []struct {
		name     string
		in       mcp.Content
		wire     Content
		exported mcp.Content
	}{
		{"text", &mcp.TextContent{Text: "a secret-of-mine\x1b"}, Content{Type: "text", Text: "a ***\x1b"}, &mcp.TextContent{Text: "a ***\uFFFD"}},
		{"image", &mcp.ImageContent{Data: bytes3, MIMEType: "image/png"}, Content{Type: "image", Data: "AAEC", MIMEType: "image/png"}, &mcp.ImageContent{Data: bytes3, MIMEType: "image/png"}},
		{"audio", &mcp.AudioContent{Data: bytes3, MIMEType: "audio/wav"}, Content{Type: "audio", Data: "AAEC", MIMEType: "audio/wav"}, &mcp.AudioContent{Data: bytes3, MIMEType: "audio/wav"}},
		{"link", &mcp.ResourceLink{URI: "note://1", Name: "n\x1b", Title: "t\x1b", Description: "d\x1b", MIMEType: "text/plain"},
			Content{Type: "resource_link", URI: "note://1", Name: "n\x1b", MIMEType: "text/plain"},
			&mcp.ResourceLink{URI: "mcp://s/note://1", Name: "n\uFFFD", Title: "t\uFFFD", Description: "d\uFFFD", MIMEType: "text/plain"}},
		{"resource", &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "note://1", Text: "secret-of-mine\x1b", MIMEType: "text/plain"}},
			Content{Type: "resource", URI: "note://1", MIMEType: "text/plain", Text: "***\x1b"},
			&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "mcp://s/note://1", MIMEType: "text/plain", Text: "***\uFFFD"}}},
		{"bytes of a resource", &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "u", Blob: bytes3}},
			Content{Type: "resource", URI: "u", Data: "AAEC"}, &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "mcp://s/u", Blob: bytes3}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.wire, content(r, tt.in)); d != "" {
				t.Errorf("content (-want +got):\n%s", d)
			}
			if d := cmp.Diff(tt.exported, cleanContent(r, tt.in)); d != "" {
				t.Errorf("cleanContent (-want +got):\n%s", d)
			}
		})
	}
}

// TestExported makes a host's lists of one server's.
func TestExported(t *testing.T) {
	object := map[string]any{"type": "object"}
	x := exported([]status{{server: ServerStatus{Name: "s"}, catalog: &catalog{
		Tools: []*mcp.Tool{
			{Name: "both", Title: "t\x1b", Description: strings.Repeat("d", 3000), InputSchema: object, OutputSchema: object, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
			{Name: "list", InputSchema: map[string]any{"type": "array"}, OutputSchema: map[string]any{"type": "array"}},
		},
		Resources: []*mcp.Resource{{URI: "u", Name: "n\x1b", Title: "t", Description: "d", MIMEType: "m", Size: 3}},
		Templates: []*mcp.ResourceTemplate{{URITemplate: "u/{x}", Name: "n", Title: "t", Description: "d", MIMEType: "m"}},
		Prompts:   []*mcp.Prompt{{Name: "p", Title: "t", Description: "d", Arguments: []*mcp.PromptArgument{nil, {Name: "a", Title: "t", Description: "d", Required: true}}}},
	}}})
	both, list := x.tools[0], x.tools[1]
	if both.Name != "mcp__s__both" || both.Title != "t\uFFFD" || len(both.Description) > 2000 || both.OutputSchema == nil || !both.Annotations.ReadOnlyHint || x.toolOf[both.Name].name != "both" {
		t.Errorf("a tool = %+v", both)
	}
	if schema, _ := list.InputSchema.(json.RawMessage); string(schema) != `{"type":"object"}` || list.OutputSchema != nil {
		t.Errorf("a tool of lists takes %v and gives %v, want any object and nothing that is promised", list.InputSchema, list.OutputSchema)
	}
	if d := cmp.Diff([]*mcp.Resource{{URI: "mcp://s/u", Name: "mcp__s__n\uFFFD", Title: "t", Description: "d", MIMEType: "m", Size: 3}}, x.resources); d != "" {
		t.Errorf("resources (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]*mcp.ResourceTemplate{{URITemplate: "mcp://s/u/{x}", Name: "mcp__s__n", Title: "t", Description: "d", MIMEType: "m"}}, x.templates); d != "" {
		t.Errorf("templates (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]*mcp.Prompt{{Name: "mcp__s__p", Title: "t", Description: "d", Arguments: []*mcp.PromptArgument{{Name: "a", Title: "t", Description: "d", Required: true}}}}, x.prompts); d != "" {
		t.Errorf("prompts (-want +got):\n%s", d)
	}
}

func TestPromptArgs(t *testing.T) {
	got, err := PromptArgs([]string{"a=1", " b =x=y", "a=2", "c="})
	if d := cmp.Diff(map[string]string{"a": "2", "b": "x=y", "c": ""}, got); err != nil || d != "" {
		t.Errorf("PromptArgs: %v (-want +got):\n%s", err, d)
	}
	for _, word := range []string{"a", "=a", " =a", ""} {
		if got, err := PromptArgs([]string{"x=y", word}); err == nil || wire.AsError(err).Code != wire.CodeInvalidInput {
			t.Errorf("PromptArgs(%q) = %v, %v, want invalid_input", word, got, err)
		}
	}
}

// TestVariables names what an entry reads, and nothing that only looks so.
func TestVariables(t *testing.T) {
	s := Server{Command: "${C}", Args: []string{"${A:-b}", "$D", "${E", "${1F}", "${A}", "x${G}y${H}z"}, Dir: "${I}", URL: "${J}",
		Env: map[string]string{"K": "${K2}"}, Headers: map[string]string{"L": "${L2}"}, Auth: &Auth{Token: "${M}", Key: "${N}", Username: "${O}", Password: "${P}"}}
	want := []string{"A", "C", "G", "H", "I", "J", "K2", "L2", "M", "N", "O", "P"}
	if got := s.Variables(); !slices.Equal(got, want) {
		t.Errorf("Variables() = %q, want %q", got, want)
	}
}

// TestCacheOfOthers loads files that kdd did not write, or writes no more: none is a hit, and none a panic later.
func TestCacheOfOthers(t *testing.T) {
	c := cache{t.TempDir(), time.Now}
	for text, hit := range map[string]bool{
		`{"tools":[{"name":"a"}],"resources":[{"uri":"u"}],"templates":[{"uriTemplate":"u"}],"prompts":[{"name":"p","arguments":[{"name":"a"}]}]}`: true,
		`{"tools":[null]}`:                              false,
		`{"tools":[{"name":""}]}`:                       false,
		`{"resources":[null]}`:                          false,
		`{"templates":[null]}`:                          false,
		`{"prompts":[null]}`:                            false,
		`{"prompts":[{"name":"p","arguments":[null]}]}`: false,
		`{"tools":{}}`:                                  false,
		`[]`:                                            false,
		`{} x`:                                          false,
		"{\"server\":\"\xff\"}":                         false,
		`{"x":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `}`: false,
		``: false,
	} {
		if err := os.WriteFile(c.dir+"/key.json", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := c.load("key"); (got != nil) != hit {
			t.Errorf("load of %.80s = %+v, want a hit: %t", text, got, hit)
		}
	}
	if got := c.load("other"); got != nil {
		t.Errorf("load of what is not there = %+v", got)
	}
	(cache{}).store(&resolved{}, "key", &catalog{}) // no folder
	if got := (cache{}).load("key"); got != nil {
		t.Errorf("load without a folder = %+v", got)
	}
}

// TestTail keeps the end of what a child says, and shows its last lines.
func TestTail(t *testing.T) {
	r := &resolved{secrets: []string{"secret-of-mine"}}
	for _, tt := range []struct {
		name   string
		writes []string
		want   string
	}{
		{"nothing", nil, ""},
		{"lines", []string{"one\n", "\n  \n", "two  secret-of-mine\n", "three\nfo", "ur"}, "two ***\nthree\nfour"},
		{"much at once", []string{strings.Repeat("x\n", stderrBytes) + "a\nb\nc\n"}, "a\nb\nc"},
		{"much in parts", slices.Repeat([]string{strings.Repeat("y", 1000) + "\n", "end\n"}, 10), "end\n" + strings.Repeat("y", 197) + "…\nend"},
	} {
		var last tail
		for _, w := range tt.writes {
			if n, err := last.Write([]byte(w)); n != len(w) || err != nil {
				t.Errorf("%s: Write = %d, %v, want %d", tt.name, n, err, len(w))
			}
		}
		if len(last.data) > stderrBytes || !bytes.HasSuffix([]byte(strings.Join(tt.writes, "")), last.data) {
			t.Errorf("%s: %d bytes are kept, want the last %d at most", tt.name, len(last.data), stderrBytes)
		}
		if got := last.lines(r); got != tt.want {
			t.Errorf("%s: lines = %q, want %q", tt.name, got, tt.want)
		}
	}
}
