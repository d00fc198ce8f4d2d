package runtime

import (
	"bytes"
	"log/slog"
	"os"
	"strings"
	"testing"

	"kdd/runtime/wire"
)

// onlyTitle returns what the only document of a service is called.
func onlyTitle(t *testing.T, s *Service) string {
	t.Helper()
	got := must(s.List(t.Context(), wire.ListRequest{}))
	if got.Total != 1 {
		t.Fatalf("%d documents, want 1", got.Total)
	}
	return got.Documents[0].Title
}

// A broken file that is renamed over a good one changes no answer; the log has it once, and a good one is taken up.
func TestBrokenReplacement(t *testing.T) {
	path := tree{"a.md": "# Old\n"}.compile(t)
	good := must(os.ReadFile(tree{"a.md": "# New\n"}.compile(t)))
	var log bytes.Buffer
	s := New(Config{Index: []string{path}, Log: slog.New(slog.NewTextHandler(&log, nil))})
	t.Cleanup(func() { s.Close() })
	put := func(data []byte) {
		t.Helper()
		if err := os.WriteFile(path+".new", data, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			t.Fatal(err)
		}
	}
	onlyTitle(t, s)
	for i, broken := range [][]byte{{}, []byte("no artifact"), good[:len(good)-1], append(bytes.Clone(good), 1), append([]byte("x"), good[1:]...)} {
		put(broken)
		for range 3 {
			if got := onlyTitle(t, s); got != "Old" {
				t.Fatalf("broken file %d: the title is %q, want that of the mapping", i, got)
			}
		}
		if got := strings.Count(log.String(), "the new artifact cannot be used"); got != i+1 {
			t.Fatalf("broken file %d: %d lines in the log, want %d:\n%s", i, got, i+1, log.String())
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if got := onlyTitle(t, s); got != "Old" {
		t.Errorf("removed: the title is %q", got)
	}
	put(good)
	if got := onlyTitle(t, s); got != "New" {
		t.Errorf("a good file: the title is %q, want New", got)
	}
}
