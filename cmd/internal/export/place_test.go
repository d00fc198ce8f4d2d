package export

import (
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kdd/compiler/filetest"
)

// TestPlace checks which outputs are refused, that what is there stays then, and that nothing is left beside it.
func TestPlace(t *testing.T) {
	artifact := compile(t, map[string]string{"docs/a.md": "# A\n\nText.\n"}, nil)
	older := files(t, run(t, Options{Path: artifact, To: "jsonl", BaseURL: "https://older.example.com"}))["."]
	tests := []struct {
		name, to, output string
		there            map[string]string
		make             func(t *testing.T, dir string)
		want             string // in the error; "" = it is written
	}{
		{name: "new", to: "jsonl", output: "out.jsonl"},
		{name: "empty", to: "jsonl", output: "out.jsonl", there: map[string]string{"out.jsonl": ""}},
		{name: "an older export", to: "jsonl", output: "out.jsonl", there: map[string]string{"out.jsonl": older}},
		{name: "another export", to: "jsonl", output: "out", there: map[string]string{"out": `{"put":"id:chunks:chunks::a"}`},
			want: "out: a file that is no jsonl export would be overwritten; remove it, or name another output with -o"},
		{name: "a file of one's own", to: "parquet", output: "notes.txt", there: map[string]string{"notes.txt": "mine"},
			want: "a file that is no parquet export would be overwritten"},
		{name: "a database of one's own", to: "sqlite", output: "app.db",
			there: map[string]string{"app.db": "SQLite format 3\x00" + strings.Repeat("\x00", 100)},
			want:  "a file that is no sqlite export would be overwritten"},
		{name: "a missing folder", to: "jsonl", output: "no/such/out.jsonl",
			want: "the folder DIR/no/such does not exist; make it, or name another output with -o"},
		{name: "a folder", to: "jsonl", output: "sub", there: map[string]string{"sub/a": "x"}, want: "a folder, want a file"},
		{name: "a separator at the end", to: "parquet", output: "sub/", want: "a folder, want a file"},
		{name: "a file as folder", to: "jsonl", output: "a/out", there: map[string]string{"a": "x"}, want: "cannot be written"},
		{name: "the artifact", to: "jsonl", output: "same.kddx", make: func(t *testing.T, dir string) {
			if err := os.Link(artifact, filepath.Join(dir, "same.kddx")); err != nil {
				t.Fatal(err)
			}
		}, want: "the artifact itself would be overwritten"},
		{name: "a link to a file of one's own", to: "jsonl", output: "link", there: map[string]string{"precious": "x"},
			make: func(t *testing.T, dir string) { symlink(t, "precious", filepath.Join(dir, "link")) },
			want: "a file that is no jsonl export would be overwritten"},
		{name: "a link to nowhere", to: "jsonl", output: "link",
			make: func(t *testing.T, dir string) { symlink(t, "gone/x", filepath.Join(dir, "link")) },
			want: "a symbolic link that leads nowhere"},
		{name: "a link to an older export", to: "jsonl", output: "link", there: map[string]string{"real": older},
			make: func(t *testing.T, dir string) { symlink(t, "real", filepath.Join(dir, "link")) }},
		{name: "a folder of one's own", to: "beir", output: "sub", there: map[string]string{"sub/thesis.txt": "x"},
			want: "the folder holds thesis.txt, which is no part of an export"},
		{name: "a file for a folder", to: "beir", output: "sub", there: map[string]string{"sub": "x"}, want: "a file, want a folder"},
		{name: "an older folder", to: "beir", output: "sub",
			there: map[string]string{"sub/corpus.jsonl": "x", "sub/queries.jsonl": "x", "sub/qrels/test.tsv": "x"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			filetest.Write(t, dir, tt.there)
			if tt.make != nil {
				tt.make(t, dir)
			}
			before := files(t, dir)
			out := dir + "/" + tt.output
			_, err := Run(t.Context(), Options{Path: artifact, To: tt.to, Output: out}, io.Discard)
			after := files(t, dir)
			if tt.want == "" {
				if err != nil || maps.Equal(before, after) {
					t.Errorf("Run = %v, want a new output", err)
				}
				for name := range after {
					if strings.Contains(name, ".kdd-export") {
						t.Errorf("%s is left", name)
					}
				}
				return
			}
			if want := strings.ReplaceAll(tt.want, "DIR", dir); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("Run = %v, want %q", err, want)
			}
			if !maps.Equal(before, after) {
				t.Errorf("the folder was changed: %q, want %q", after, before)
			}
		})
	}
}

func symlink(t *testing.T, to, name string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		t.Fatal(err)
	}
}

// TestPermissions checks that a file keeps its permissions when it is replaced.
func TestPermissions(t *testing.T) {
	artifact, out := compile(t, map[string]string{"docs/a.md": "# A\n\nText.\n"}, nil), filepath.Join(t.TempDir(), "out.db")
	for range 2 {
		if _, err := Run(t.Context(), Options{Path: artifact, To: "sqlite", Output: out}, io.Discard); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(out, 0o640); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(out); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v, want 0640", info.Mode(), err)
	}
}

// TestChunkID checks the form of ids, and that other places have other ids.
func TestChunkID(t *testing.T) {
	tests := []struct {
		path, anchor string
		number       int
		want         string
	}{
		{"a.md", "", 1, "a.md"},
		{"a.md", "", 2, "a.md##2"},
		{"a.md", "b", 1, "a.md#b"},
		{"a.md", "b", 12, "a.md#b#12"},
		{"a#b.md", "", 1, "a%23b.md"},
		{"a b\t.md", "größe", 1, "a%20b%09.md#größe"},
		{"a.md", "b#2", 1, "a.md#b%232"},
		{"a%23b.md", "", 1, "a%2523b.md"},
		{strings.Repeat("a", 512), "", 1, strings.Repeat("a", 512)},
		{strings.Repeat("a", 513), "", 1, "sha256:02425c0f5b0dabf3d2b9115f3f7723a02ad8bcfb1534a0d231614fd42b8188f6"},
	}
	for _, tt := range tests {
		if got := chunkID(tt.path, tt.anchor, tt.number); got != tt.want {
			t.Errorf("chunkID(%q, %q, %d) = %q, want %q", tt.path, tt.anchor, tt.number, got, tt.want)
		}
	}
}

// FuzzChunkID checks that an id tells its path, anchor and number.
func FuzzChunkID(f *testing.F) {
	f.Add("a.md", "b", uint8(1))
	f.Add("a#b%", "#2", uint8(2))
	f.Fuzz(func(t *testing.T, path, anchor string, number uint8) {
		if clean(path) != path || clean(anchor) != anchor || number == 0 || len(path)+len(anchor) > maxID/4 {
			return
		}
		parts := strings.Split(chunkID(path, anchor, int(number)), "#")
		parts = append(parts, "", "")
		for i, want := range []string{path, anchor} {
			for c := byte(0); c < 0x80; c++ {
				if c <= ' ' || c == 0x7f || c == '#' {
					parts[i] = strings.ReplaceAll(parts[i], escapeID(string(rune(c))), string(rune(c)))
				}
			}
			if got := strings.ReplaceAll(parts[i], "%25", "%"); got != want && !strings.Contains(want, "%") {
				t.Errorf("chunkID(%q, %q, %d) says %q, want %q", path, anchor, number, got, want)
			}
		}
	})
}
