//go:build unix

package runtime

import (
	"os"
	"testing"

	"kdd/compiler"
	"kdd/format"
	"kdd/runtime/wire"
)

// A file that is written over with as many bytes, and then given its old time, gives an error, and then answers with its new content alone.
func TestWrittenBehindItsTime(t *testing.T) {
	dir := t.TempDir()
	path, other := dir+"/a.kddx", dir+"/b.kddx"
	for out, title := range map[string]string{path: "Old", other: "New"} {
		docs := t.TempDir()
		if err := os.WriteFile(docs+"/a.md", []byte("# "+title+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		build(t, compiler.Options{Sources: []string{docs}, Output: out})
	}
	s := serve(t, path)
	onlyTitle(t, s)
	before, stamp := must(os.Stat(path)), must(format.StampOf(path))
	data := must(os.ReadFile(other))
	if int64(len(data)) != before.Size() {
		t.Fatalf("%d and %d bytes, want as many", before.Size(), len(data))
	}
	for range 1000 { // the clock of a file system may tick every few milliseconds only
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, before.ModTime(), before.ModTime()); err != nil {
			t.Fatal(err)
		}
		if stamp.Change(must(format.StampOf(path))) != format.Same {
			break
		}
	}
	_, err := s.Read(t.Context(), wire.ReadRequest{File: "a.md"})
	want(t, err, wire.CodeIndexCorrupt)
	resp, err := s.Read(t.Context(), wire.ReadRequest{File: "a.md"})
	if err != nil || resp.Markdown != "# New\n" {
		t.Errorf("Read = %+v, %v, want the new text", resp, err)
	}
}
