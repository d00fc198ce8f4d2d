package tokens

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"kdd/bench/internal/harness"
)

func TestRun(t *testing.T) {
	folder := t.TempDir()
	if err := harness.WriteFiles(filepath.Join(folder, "texts"), map[string]string{"b.md": "AB c\n\nzz", "a/x.txt": "c", "bad.bin": "\xff"}); err != nil {
		t.Fatal(err)
	}
	vocab := filepath.Join(folder, "vocab.txt")
	if err := os.WriteFile(vocab, []byte("[UNK]\n[CLS]\n[SEP]\na\n##b\nc\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"folder", []string{"-tokenizer", vocab, filepath.Join(folder, "texts")}, 0,
			"a/x.txt:0\t5\na/x.txt:1\t5\nb.md:0\t3 4 5 0\nb.md:1\t3 4 5\nb.md:2\t\nb.md:3\t0\n"},
		{"no tokenizer", []string{folder}, 2, ""},
		{"no folder", []string{"-tokenizer", vocab}, 2, ""},
		{"absent folder", []string{"-tokenizer", vocab, filepath.Join(folder, "absent")}, 1, ""},
		{"not a tokenizer", []string{"-tokenizer", filepath.Join(folder, "texts", "b.md"), folder}, 1, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			if code := Run(tt.args, &stdout, &stderr); code != tt.code || stdout.String() != tt.want {
				t.Errorf("run = %d, %q, want %d, %q; stderr: %s", code, stdout.String(), tt.code, tt.want, stderr.String())
			}
		})
	}
}
