package format

import (
	"errors"
	"os"
	"strings"
	"testing"
)

func TestOpenForeign(t *testing.T) {
	good := string(demo(t))
	newer := []byte(good)
	newer[8] = 200
	tests := []struct {
		name, data string
		kind       error
		want       []string
	}{
		{"empty", "", ErrNotKddx, []string{"empty", "kdd build"}},
		{"LFS pointer", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n", ErrNotKddx, []string{"Git LFS pointer", "git lfs pull"}},
		{"zip", "PK\x03\x04" + strings.Repeat("x", 200), ErrNotKddx, []string{"zip", "unpack"}},
		{"empty zip", "PK\x05\x06", ErrNotKddx, []string{"zip"}},
		{"gzip", "\x1f\x8b\x08" + strings.Repeat("\x00", 200), ErrNotKddx, []string{"gzip", "gunzip"}},
		{"zstd", "\x28\xb5\x2f\xfd" + strings.Repeat("\x00", 200), ErrNotKddx, []string{"zstd"}},
		{"HTML", "\xef\xbb\xbf \r\n<!DOCTYPE html><title>404</title>", ErrNotKddx, []string{"HTML", "login"}},
		{"HTML without doctype", "<HTML lang=en>", ErrNotKddx, []string{"HTML"}},
		{"JSON", `{"message":"Not Found"}`, ErrNotKddx, []string{"JSON"}},
		{"XML", `<?xml version="1.0"?><Error/>`, ErrNotKddx, []string{"XML"}},
		{"SQLite", "SQLite format 3\x00" + strings.Repeat("\x00", 200), ErrNotKddx, []string{"SQLite"}},
		{"text", "# A markdown file\n", ErrNotKddx, []string{"something else", "# A mark"}},
		{"LF only", strings.ReplaceAll(good, "\r\n", "\n"), ErrNotKddx, []string{"line ends", "binary"}},
		{"CR LF", strings.ReplaceAll(good, "\n", "\r\n"), ErrNotKddx, []string{"line ends"}},
		{"three bytes", good[:3], ErrCorrupt, []string{"cut off", "3 bytes"}},
		{"header cut", good[:headerSize-1], ErrCorrupt, []string{"cut off"}},
		{"header only", good[:headerSize], ErrCorrupt, []string{"cut off"}},
		{"half", good[:len(good)/2], ErrCorrupt, []string{"cut off", "its header says"}},
		{"all but a byte", good[:len(good)-1], ErrCorrupt, []string{"cut off"}},
		{"newer", string(newer), ErrVersion, []string{"format 200", "update kdd"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := saved(t, []byte(tt.data))
			_, err := Open(path)
			if !errors.Is(err, tt.kind) {
				t.Fatalf("Open = %v, want %v", err, tt.kind)
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("Open = %v, want %q in it", err, want)
				}
			}
			if strings.Contains(err.Error(), path) {
				t.Errorf("Open = %v names the path, which is the caller's to name", err)
			}
			r, err := Verify(path)
			if err == nil && len(r.Problems) == 0 || err != nil && !errors.Is(err, tt.kind) {
				t.Errorf("Verify = %v, %v, want %v", r, err, tt.kind)
			}
			if err == nil {
				r.File.Close()
			}
		})
	}
}

func TestOpenNoFile(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(dir); !errors.Is(err, ErrNotKddx) || !strings.Contains(err.Error(), "folder") {
		t.Errorf("Open of a folder = %v, want not a .kddx file", err)
	}
	if _, err := Open(dir + "/none.kddx"); !os.IsNotExist(err) {
		t.Errorf("Open of no file = %v, want not found", err)
	}
}
