package cli

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"kdd/mcpserver/remote"
)

func TestConsent(t *testing.T) {
	config, err := remote.ParseConfig([]byte(`{"mcpServers": {"a": {"command": "npx", "args": ["-y", "files"], "env": {"KEY": "${MINE}"}}, "b": {"url": "https://h/mcp?token=abc"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		typed string
		want  bool
	}{
		{"y\n", true}, {"YES\r\n", true}, {" yes \n", true}, {"\n", false}, {"", false}, {"n\n", false}, {"yep\n", false},
		{strings.Repeat("y", 5000), false},
	}
	for _, tt := range tests {
		var out strings.Builder
		got, err := consent(t.Context(), strings.NewReader(tt.typed), &out, "/x/.mcp.json", config)
		if err != nil || got != tt.want {
			t.Errorf("consent(%q) = %t, %v, want %t", tt.typed, got, err, tt.want)
		}
		want := "/x/.mcp.json came with this folder. It\n  a runs npx -y files\n    sets KEY\n    reads your variables " +
			"MINE\n" +
			"  b talks to https://h/mcp?…\nUse it, now and until it changes? [y/N] "
		if out.String() != want {
			t.Errorf("it shows %q, want %q", out.String(), want)
		}
	}
	// What follows the answer is left for the command, and Ctrl-C ends the question.
	in := strings.NewReader("y\nrest")
	if _, err := consent(t.Context(), in, io.Discard, "", config); err != nil || in.Len() != len("rest") {
		t.Errorf("after the answer %d bytes are left, %v, want 4", in.Len(), err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stopped")
	cancel(stop)
	silent, open := io.Pipe()
	defer open.Close()
	if _, err := consent(ctx, silent, io.Discard, "", config); !errors.Is(err, stop) {
		t.Errorf("consent after Ctrl-C = %v, want %v", err, stop)
	}
}

func TestTrustDir(t *testing.T) {
	env := func(pairs ...string) func(string) string {
		return func(name string) string {
			for i := 0; i < len(pairs); i += 2 {
				if pairs[i] == name {
					return pairs[i+1]
				}
			}
			return ""
		}
	}
	state := t.TempDir()
	want := filepath.Join(state, "kdd", "trusted")
	if got := trustDir(env("XDG_STATE_HOME", state, "HOME", "/h")); got != want {
		t.Errorf("trustDir = %q, want %q", got, want)
	}
	if got := trustDir(env("XDG_STATE_HOME", "relative")); got != "" {
		t.Errorf("trustDir with neither folder = %q, want none", got)
	}
	if got := trustDir(env("HOME", "/h", "LOCALAPPDATA", "/h")); !strings.HasPrefix(filepath.ToSlash(got), "/h/") ||
		!strings.HasSuffix(filepath.ToSlash(got), "kdd/trusted") {
		t.Errorf("trustDir below a home = %q", got)
	}
}
