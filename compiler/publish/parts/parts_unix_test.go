//go:build unix

package parts

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestRefused checks what is said of folders that cannot be written to.
func TestRefused(t *testing.T) {
	data := file(10, 1)
	other := func(t *testing.T, dir, name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name  string
		build func(t *testing.T, dir string)
		edit  func(o *Options)
		want  string
	}{
		{"a file as folder", func(t *testing.T, dir string) { other(t, dir, "file", "") }, func(o *Options) { o.Dir += "/file" }, "/file: cannot be written: not a directory; name another folder with -o"},
		{"a file as parts", func(t *testing.T, dir string) { other(t, dir, "parts", "") }, nil, "cannot be written: not a directory"},
		{"another's manifest", func(t *testing.T, dir string) { other(t, dir, "docs.kddx.json", "{}") }, nil,
			"docs.kddx.json: no manifest of parts: no schema_version; remove it, or name another folder with -o"},
		{"a manifest that cannot be read", func(t *testing.T, dir string) { other(t, dir, "other.kddx.json", "{}") }, func(o *Options) { o.Prune = true },
			"other.kddx.json: no manifest of parts: no schema_version; mend or remove it, or leave --prune out"},
		{"a link out of the folder", func(t *testing.T, dir string) {
			if err := os.Symlink(t.TempDir(), filepath.Join(dir, "parts")); err != nil {
				t.Fatal(err)
			}
		}, nil, "path escapes from parent"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			tt.build(t, dir)
			before := list(t, dir)
			o := options(dir, data)
			if tt.edit != nil {
				tt.edit(&o)
			}
			if _, err := Write(t.Context(), o); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Write = %v, want %q", err, tt.want)
			}
			if after := list(t, dir); !slices.Equal(before, after) {
				t.Errorf("the folder has %q now", after)
			}
		})
	}
}
