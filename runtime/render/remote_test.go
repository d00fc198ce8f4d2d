package render

import (
	"strings"
	"testing"

	"kdd/runtime/wire"
)

// remoteAnswers are answers whose texts try to do harm.
func remoteAnswers() map[string]any {
	servers := []wire.RemoteServer{
		{Name: "files", Transport: "stdio", Address: "npx files", State: wire.RemoteOK, Server: "files 1.0\x1b[31m", Protocol: "2025-11-25", Instructions: "be\u202e kind", Tools: 2, Resources: 1, Templates: 1, Prompts: 1, Cached: true},
		{Name: "bad", Transport: "http", Address: "http://h/mcp", State: wire.RemoteFailing, Error: "it ended: exit status 3", Stderr: "no licence\nstop", Warnings: []string{"odd\x07"}},
		{Name: "off", Transport: "sse", Address: "http://h/sse", State: wire.RemoteDisabled},
	}
	tools := []wire.RemoteTool{
		{Name: "mcp__files__read", Server: "files", OriginalName: "read", Description: "Reads\na file.\x1b[2J", Hints: []string{"read_only", "open_world"}, InputSchema: map[string]any{
			"properties": map[string]any{"path": map[string]any{"type": "string"}, "head\x1b": map[string]any{"type": "number"}, "x": true}, "required": []any{"path", 7}}},
		{Name: "mcp__files__\x1b]0;title\x07", Server: "files", Title: "Only a title", InputSchema: "nonsense"},
	}
	resources := []wire.RemoteResource{{Name: "mcp__files__file:///a/../b", Server: "files", URI: "file:///a/../b", Label: "b", MIMEType: "text/plain", Description: "A file"}}
	templates := []wire.RemoteResource{{Name: "mcp__files__file:///{p}", Server: "files", URI: "file:///{p}", Title: "Any file"}}
	prompts := []wire.RemotePrompt{{Name: "mcp__files__review", Server: "files", OriginalName: "review", Description: "Reviews", Arguments: []wire.RemoteArgument{{Name: "path", Required: true}, {Name: "tone"}}}}
	content := []wire.RemoteContent{{Type: "text", Text: "line one\n\tline \x1b[31mtwo\u200b"}, {Type: "image", MIMEType: "image/png", Data: "AAECAw=="}, {Type: "text"},
		{Type: "resource_link", Name: "n", URI: "file:///x"}}
	return map[string]any{
		"servers":      &wire.RemoteServers{SchemaVersion: "remote_servers.v1", Servers: servers, Count: 3, Failing: 1},
		"tools":        &wire.RemoteTools{SchemaVersion: "remote_tools.v1", Tools: tools, Count: 2, Servers: servers},
		"resources":    &wire.RemoteResources{SchemaVersion: "remote_resources.v1", Resources: resources, Templates: templates, Count: 2, Servers: servers},
		"prompts":      &wire.RemotePrompts{SchemaVersion: "remote_prompts.v1", Prompts: prompts, Count: 1, Servers: servers},
		"capabilities": &wire.RemoteCapabilities{SchemaVersion: "remote_capabilities.v1", Servers: servers, Tools: tools, Resources: resources, Templates: templates, Prompts: prompts},
		"call":         &wire.RemoteCall{SchemaVersion: "remote_call.v1", Name: "mcp__files__read", Content: content},
		"structured":   &wire.RemoteCall{SchemaVersion: "remote_call.v1", StructuredContent: map[string]any{"a": "\u202e"}},
		"read":         &wire.RemoteRead{SchemaVersion: "remote_read.v1", Contents: content},
		"prompt":       &wire.RemoteMessages{SchemaVersion: "remote_prompt.v1", Messages: []wire.RemoteContent{{Type: "text", Role: "user", Text: "hi"}, {Type: "text", Role: "assistant", Text: "yes"}}},
	}
}

func TestRemoteText(t *testing.T) {
	want := map[string]string{
		"servers": `files  stdio  ok        2 tools, 1 resource, 1 template, 1 prompt  files 1.0�[31m, 2025-11-25, cached
bad    http   failing   it ended: exit status 3
    no licence
    stop
warning: bad: odd�
off    sse    disabled  
`,
		"tools": `mcp__files__read(path: string, head�?: number, x?)  read-only, open-world
    Reads a file.�[2J
mcp__files__�]0;title�()
    Only a title
failing: bad: it ended: exit status 3
    no licence
    stop
warning: bad: odd�
`,
		"resources": `mcp__files__file:///a/../b  b, text/plain
    A file
template mcp__files__file:///{p}  Any file
failing: bad: it ended: exit status 3
    no licence
    stop
warning: bad: odd�
`,
		"call":       "line one\n\tline �[31mtwo\n[image: image/png, 4 bytes]\n\n[resource_link: n, file:///x]\n",
		"structured": `{"a":"\u202e"}` + "\n",
		"prompt":     "[user]\nhi\n[assistant]\nyes\n",
	}
	for name, answer := range remoteAnswers() {
		got := Text(answer, Style{})
		if w, ok := want[name]; ok && got != w {
			t.Errorf("Text(%s) =\n%s\nwant\n%s", name, got, w)
		}
		if wire.CleanLines(got) != got {
			t.Errorf("Text(%s) is not neutralised: %q", name, got)
		}
		if data := string(wire.Encode(answer)); strings.ContainsAny(data, "\x1b\u202e\u200b") {
			t.Errorf("Encode(%s) has invisible characters raw: %q", name, data)
		}
	}
}

// TestFitRemote cuts each answer to every size and checks that it keeps it, down to what is never left out.
func TestFitRemote(t *testing.T) {
	for name := range remoteAnswers() {
		least := len(Text(remoteAnswers()[name], Style{}))
		for most := least + 1; most > 0; most -= 7 {
			answer := remoteAnswers()[name]
			cut := FitRemote(answer, most)
			got := len(Text(answer, Style{}))
			switch {
			case cut != (most < len(Text(remoteAnswers()[name], Style{}))):
				t.Fatalf("FitRemote(%s, %d) = %t, %d bytes of text", name, most, cut, got)
			case got > most && got > least:
				t.Fatalf("FitRemote(%s, %d) leaves %d bytes, %d are possible", name, most, got, least)
			}
			least = min(least, got)
		}
		if answer := remoteAnswers()[name]; FitRemote(answer, 0) {
			t.Errorf("FitRemote(%s, 0) cuts", name)
		}
	}
}
