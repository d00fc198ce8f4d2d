package runtime

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kdd/format"
	"kdd/format/index"
	"kdd/runtime/search"
	"kdd/runtime/wire"
)

// TestCorruptNamesTheFile breaks what opening leaves unread of one of two artifacts, and asks operations that read
// both: a message that one is corrupt names that file and no other.
func TestCorruptNamesTheFile(t *testing.T) {
	good, bad := random(1, 30).compile(t), random(2, 30).compile(t)
	x := must(index.Open(bad))
	last := "bad:" + x.DocPath(index.DocID(x.Docs()-1))
	x.File.Close()
	asked := []struct {
		operation string
		args      map[string]any
	}{
		{"search", map[string]any{"query": "how does the state of a component render", "facets": true}},
		{"search", map[string]any{"query": `"token session"`, "sort": "date"}},
		{"search", map[string]any{"query": "state", "domains": []any{"billing"}}},
		{"list", map[string]any{"kind": "guide"}},
		{"stats", map[string]any{}},
		{"context", map[string]any{"hints": []any{last, "session"}}},
		{"similar", map[string]any{"file": last}},
		{"ask", map[string]any{"query": "how does the state of a component render?"}},
	}
	told := map[string]int{}
	for _, files := range [][2]string{{good, bad}, {withVectors(t, good, "distilled"), withVectors(t, bad, "distilled")}} {
		f := must(format.Open(files[1]))
		entries := slices.Clone(f.Entries())
		f.Close()
		data := must(os.ReadFile(files[1]))
		broken := filepath.Join(t.TempDir(), "broken.kddx")
		for _, e := range entries {
			for at := e.Offset; at < e.Offset+e.Length; at += 1 + e.Length/4 {
				data[at] ^= 0xaa
				if err := os.WriteFile(broken, data, 0o644); err != nil {
					t.Fatal(err)
				}
				data[at] ^= 0xaa
				x, err := index.Open(broken)
				if err != nil {
					continue
				}
				x.File.Close()
				s := New(Config{Index: []string{"good=" + files[0], "bad=" + broken}})
				for _, q := range asked {
					_, err := operationNamed(t, q.operation).Run(t.Context(), s, q.args)
					if err == nil {
						continue
					}
					told[q.operation]++
					if err := want(t, err, wire.CodeIndexCorrupt); strings.Contains(err.Message, files[0]) || strings.Count(err.Error(), broken) != 1 {
						t.Errorf("%s with a broken %s: %v, want %s named once, and no other", q.operation, e.Tag, err, broken)
					}
				}
				s.Close()
			}
		}
	}
	for _, q := range asked {
		if told[q.operation] == 0 {
			t.Errorf("%s found nothing corrupt", q.operation)
		}
	}
}

// A query encoder without vectors is of no use, and does no harm.
func TestEncoderWithoutVectors(t *testing.T) {
	f := must(format.Open(withVectors(t, random(1, 5).compile(t), "distilled")))
	defer f.Close()
	path := filepath.Join(t.TempDir(), "docs.kddx")
	lay(t, path, slices.DeleteFunc(f.Raw(), func(b format.RawBlock) bool { return b.Tag[0] == 'V' }))
	s := serve(t, path)
	resp, err := s.Search(t.Context(), wire.SearchRequest{Query: "state"})
	if err != nil || resp.Mode != search.ModeLexical || len(resp.Results) == 0 {
		t.Errorf("Search = %+v, %v; want what words find", resp, err)
	}
	_, err = s.Search(t.Context(), wire.SearchRequest{Query: "state", Mode: search.ModeVector})
	if err == nil || !strings.Contains(err.Error(), "no vectors in this index") {
		t.Errorf("Search by meaning = %v, want no vectors in this index", err)
	}
}
