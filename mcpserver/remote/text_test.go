package remote

import (
	"strings"
	"testing"

	"kdd/runtime/render"
	"kdd/runtime/wire"
)

// answers are answers whose texts try to do harm.
func answers() map[string]any {
	servers := []ServerStatus{
		{Name: "files", Transport: "stdio", Address: "npx files", State: StateOK, Server: "files 1.0\x1b[31m", Protocol: "2025-11-25", Instructions: "be\u202e kind", Tools: 2, Resources: 1, Templates: 1, Prompts: 1, Cached: true},
		{Name: "bad", Transport: "http", Address: "http://h/mcp", State: StateFailing, Error: "it ended: exit status 3", Stderr: "no licence\nstop", Warnings: []string{"odd\x07"}},
		{Name: "off", Transport: "sse", Address: "http://h/sse", State: StateDisabled},
	}
	tools := []Tool{
		{Name: "mcp__files__read", Server: "files", OriginalName: "read", Description: "Reads\na file.\x1b[2J", Hints: []string{"read_only", "open_world"}, InputSchema: map[string]any{
			"properties": map[string]any{"path": map[string]any{"type": "string"}, "head\x1b": map[string]any{"type": "number"}, "x": true}, "required": []any{"path", 7}}},
		{Name: "mcp__files__\x1b]0;title\x07", Server: "files", Title: "Only a title", InputSchema: "nonsense"},
	}
	resources := []Resource{{Name: "mcp__files__file:///a/../b", Server: "files", URI: "file:///a/../b", Label: "b", MIMEType: "text/plain", Description: "A file"}}
	templates := []Resource{{Name: "mcp__files__file:///{p}", Server: "files", URI: "file:///{p}", Title: "Any file"}}
	prompts := []Prompt{{Name: "mcp__files__review", Server: "files", OriginalName: "review", Description: "Reviews", Arguments: []Argument{{Name: "path", Required: true}, {Name: "tone"}}}}
	content := []Content{{Type: "text", Text: "line one\n\tline \x1b[31mtwo\u200b"}, {Type: "image", MIMEType: "image/png", Data: "AAECAw=="}, {Type: "text"},
		{Type: "resource_link", Name: "n", URI: "file:///x"}}
	return map[string]any{
		"servers":      &ServerList{SchemaVersion: "remote_servers.v1", Servers: servers, Count: 3, Failing: 1},
		"tools":        &ToolList{SchemaVersion: "remote_tools.v1", Tools: tools, Count: 2, Servers: servers},
		"resources":    &ResourceList{SchemaVersion: "remote_resources.v1", Resources: resources, Templates: templates, Count: 2, Servers: servers},
		"prompts":      &PromptList{SchemaVersion: "remote_prompts.v1", Prompts: prompts, Count: 1, Servers: servers},
		"capabilities": &Capabilities{SchemaVersion: "remote_capabilities.v1", Servers: servers, Tools: tools, Resources: resources, Templates: templates, Prompts: prompts},
		"call":         &CallResult{SchemaVersion: "remote_call.v1", Name: "mcp__files__read", Content: content},
		"structured":   &CallResult{SchemaVersion: "remote_call.v1", StructuredContent: map[string]any{"a": "\u202e"}},
		"read":         &ReadResult{SchemaVersion: "remote_read.v1", Contents: content},
		"prompt":       &PromptResult{SchemaVersion: "remote_prompt.v1", Messages: []Content{{Type: "text", Role: "user", Text: "hi"}, {Type: "text", Role: "assistant", Text: "yes"}}},
	}
}

func TestText(t *testing.T) {
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
	for name, answer := range answers() {
		got := render.Text(answer, render.Style{})
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

// TestFit cuts each answer to every size and checks that it keeps it, down to what is never left out.
func TestFit(t *testing.T) {
	for name := range answers() {
		least := len(render.Text(answers()[name], render.Style{}))
		for most := least + 1; most > 0; most -= 7 {
			answer := answers()[name]
			cut := Fit(answer, most)
			got := len(render.Text(answer, render.Style{}))
			switch {
			case cut != (most < len(render.Text(answers()[name], render.Style{}))):
				t.Fatalf("Fit(%s, %d) = %t, %d bytes of text", name, most, cut, got)
			case got > most && got > least:
				t.Fatalf("Fit(%s, %d) leaves %d bytes, %d are possible", name, most, got, least)
			}
			least = min(least, got)
		}
		if answer := answers()[name]; Fit(answer, 0) {
			t.Errorf("Fit(%s, 0) cuts", name)
		}
	}
}
