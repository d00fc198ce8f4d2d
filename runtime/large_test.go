package runtime

import (
	"fmt"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"testing"

	"kdd/compiler"
	"kdd/compiler/filetest"
	"kdd/runtime/wire"
)

// longChunks writes an artifact whose documents are each one chunk of a few words around a comment of comment bytes.
func longChunks(t *testing.T, documents, comment int) string {
	t.Helper()
	dir := t.TempDir()
	docs := tree{}
	for i := range documents {
		docs[fmt.Sprintf("d%d.md", i)] = fmt.Sprintf("# Ledger %d\n\nThe ledger is open.\n\n<!--%s-->\n\nThe ledger is balanced.\n", i, strings.Repeat(" \n", comment/2))
	}
	filetest.Write(t, filepath.Join(dir, "docs"), docs)
	path := filepath.Join(dir, "docs.kddx")
	build(t, compiler.Options{Sources: []string{filepath.Join(dir, "docs")}, Output: path})
	return path
}

// What is answered with a part of a text needs memory for the part, however long the text is that it is of.
func TestLongChunksNeedLittleMemory(t *testing.T) {
	const comment, most = 24 << 20, 16 << 20
	s := serve(t, longChunks(t, 2, comment))
	for name, f := range map[string]func() error{
		"search": func() error {
			resp, err := s.Search(t.Context(), wire.SearchRequest{Query: "ledger balanced"})
			if err == nil && resp.Count != 2 {
				err = fmt.Errorf("%d hits, want 2", resp.Count)
			}
			return err
		},
		"find-spec": func() error {
			_, err := s.FindSpec(t.Context(), wire.FindSpecRequest{Name: "Ledger 1"})
			return err
		},
		"ask": func() error {
			_, err := s.Ask(t.Context(), wire.AskRequest{Query: "What is Ledger 1?"})
			return err
		},
		"context": func() error {
			_, err := s.Context(t.Context(), wire.ContextRequest{Hints: []string{"d1.md"}})
			return err
		},
		"similar": func() error {
			_, err := s.Similar(t.Context(), wire.SimilarRequest{File: "d0.md"})
			return err
		},
		"read": func() error {
			_, err := s.Read(t.Context(), wire.ReadRequest{File: "d1.md", Offset: comment - 100})
			return err
		},
		"read lines": func() error {
			_, err := s.Read(t.Context(), wire.ReadRequest{File: "d1.md:12000000-12000001"})
			return err
		},
		"doctor": func() error {
			resp, err := s.Doctor(t.Context(), wire.DoctorRequest{})
			if err == nil && !strings.Contains(fmt.Sprint(resp.Checks), "every byte is as it was written") {
				err = fmt.Errorf("checks: %v", resp.Checks)
			}
			return err
		},
	} {
		var before, after goruntime.MemStats
		goruntime.ReadMemStats(&before)
		err := f()
		goruntime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; err != nil || got > most {
			t.Errorf("%s: %v, %d bytes are allocated, want at most %d", name, err, got, most)
		}
	}
}
