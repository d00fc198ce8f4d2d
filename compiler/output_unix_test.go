//go:build unix

package compiler

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"kdd/compiler/filetest"
)

// TestOutputRefused checks that outputs that cannot or must not be written are refused with a cure, that what is there
// stays, and that nothing is left beside it.
func TestOutputRefused(t *testing.T) {
	tests := []struct {
		name   string
		output string
		make   func(t *testing.T, dir string)
		want   string
	}{
		{"a missing folder", "no/such/out.kddx", nil, "the folder DIR/no/such does not exist; make it, or name another output with -o"},
		{"a file as folder", "docs/a.md/out.kddx", nil, "name another output with -o"},
		{"a folder", "docs", nil, "DIR/docs: a folder; name a file in it with -o, such as DIR/docs/docs.kddx"},
		{"a separator at the end", "docs/", nil, "a folder; name a file in it with -o"},
		{"a source", "docs/a.md", nil, "DIR/docs/a.md: one of the sources would be overwritten; name another output with -o"},
		{"a link to a file of another kind", "link.kddx", func(t *testing.T, dir string) {
			filetest.Write(t, dir, map[string]string{"precious.txt": "x"})
			symlink(t, "precious.txt", filepath.Join(dir, "link.kddx"))
		}, "a file that kdd has not made would be overwritten"},
		{"a link to a source", "link.kddx", func(t *testing.T, dir string) { symlink(t, "docs/a.md", filepath.Join(dir, "link.kddx")) },
			"one of the sources would be overwritten"},
		{"a file of another kind", "notes.txt", func(t *testing.T, dir string) { filetest.Write(t, dir, map[string]string{"notes.txt": "mine"}) },
			"a file that kdd has not made would be overwritten"},
		{"a read-only file", "out.kddx", func(t *testing.T, dir string) {
			filetest.Write(t, dir, map[string]string{"out.kddx": "old"})
			if err := os.Chmod(filepath.Join(dir, "out.kddx"), 0o444); err != nil {
				t.Fatal(err)
			}
		}, "the file is read-only; permit writing, or name another output with -o"},
		{"links in a circle", "x.kddx", func(t *testing.T, dir string) {
			symlink(t, "y.kddx", filepath.Join(dir, "x.kddx"))
			symlink(t, "x.kddx", filepath.Join(dir, "y.kddx"))
		}, "a symbolic link that leads in a circle"},
		{"a link to nowhere", "x.kddx", func(t *testing.T, dir string) { symlink(t, "gone/y.kddx", filepath.Join(dir, "x.kddx")) },
			"does not exist; make it"},
		{"a name that is too long", strings.Repeat("x", 300) + ".kddx", nil, "file name too long"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir, o := smallFolder(t)
			if tt.make != nil {
				tt.make(t, dir)
			}
			before := snapshot(t, dir)
			o.Output = filepath.Join(dir, tt.output)
			if strings.HasSuffix(tt.output, "/") {
				o.Output += "/"
			}
			_, err := Build(t.Context(), o)
			if want := strings.ReplaceAll(tt.want, "DIR", dir); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("Build to %s: %v, want %q", tt.output, err, want)
			}
			if after := snapshot(t, dir); after != before {
				t.Errorf("Build to %s changed the folder:\n%s\nwant\n%s", tt.output, after, before)
			}
		})
	}
}

// TestOutputReplaced checks what may be written over, and what becomes of links and permissions.
func TestOutputReplaced(t *testing.T) {
	mask := syscall.Umask(0o027)
	defer syscall.Umask(mask)
	tests := []struct {
		name   string
		output string
		make   func(t *testing.T, dir string)
		file   string // that the artifact is in
		mode   fs.FileMode
	}{
		{"new", "out.kddx", nil, "out.kddx", 0o640},
		{"inside the sources", "docs/out.kddx", nil, "docs/out.kddx", 0o640},
		{"an older one, with its permissions", "out.kddx", func(t *testing.T, dir string) {
			filetest.Write(t, dir, map[string]string{"out.kddx": "anything"})
			if err := os.Chmod(filepath.Join(dir, "out.kddx"), 0o604); err != nil {
				t.Fatal(err)
			}
		}, "out.kddx", 0o604},
		{"an empty file of any name", "out.bin", func(t *testing.T, dir string) { filetest.Write(t, dir, map[string]string{"out.bin": ""}) }, "out.bin", 0o640},
		{"an artifact of another name", "out.bin", func(t *testing.T, dir string) {
			filetest.Write(t, dir, map[string]string{"out.bin": "KDDX\r\n\x1a\n old"})
		}, "out.bin", 0o640},
		{"the target of a link", "link.kddx", func(t *testing.T, dir string) {
			filetest.Write(t, dir, map[string]string{"there/real.kddx": "old"})
			symlink(t, "there/real.kddx", filepath.Join(dir, "link.kddx"))
		}, "there/real.kddx", 0o640},
		{"the target of a link that is not there yet", "link.kddx", func(t *testing.T, dir string) {
			filetest.Write(t, dir, map[string]string{"there/x": ""})
			symlink(t, "there/real.kddx", filepath.Join(dir, "link.kddx"))
		}, "there/real.kddx", 0o640},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir, o := smallFolder(t)
			if tt.make != nil {
				tt.make(t, dir)
			}
			o.Output = filepath.Join(dir, tt.output)
			r, err := Build(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			if r.Path != o.Output {
				t.Errorf("report names %s, want %s", r.Path, o.Output)
			}
			info, err := os.Lstat(filepath.Join(dir, tt.file))
			if err != nil {
				t.Fatal(err)
			}
			if info.Mode() != tt.mode || info.Size() != r.FileBytes {
				t.Errorf("%s: %v, %d bytes, want %v, %d bytes", tt.file, info.Mode(), info.Size(), tt.mode, r.FileBytes)
			}
			if info, err := os.Lstat(o.Output); tt.file != tt.output && (err != nil || info.Mode()&fs.ModeSymlink == 0) {
				t.Errorf("%s is no symbolic link any more: %v", o.Output, info.Mode())
			}
			if strings.Contains(snapshot(t, dir), ".kddx-") {
				t.Errorf("a temporary file is left:\n%s", snapshot(t, dir))
			}
		})
	}
}

// TestOutputFIFO checks that a pipe is refused at once, and not waited for.
func TestOutputFIFO(t *testing.T) {
	dir, o := smallFolder(t)
	if err := syscall.Mkfifo(o.Output, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Build(t.Context(), o); err == nil || !strings.Contains(err.Error(), "a pipe, socket or device, not a file") {
		t.Errorf("Build to a pipe: %v", err)
	}
	if extra := leftovers(t, dir, "docs", "out.kddx"); extra != nil {
		t.Errorf("left behind: %q", extra)
	}
}

// TestReplaceFails checks that a disk that runs full, and an end of the context while writing, leave the old file.
func TestReplaceFails(t *testing.T) {
	stopped := errors.New("stopped")
	tests := []struct {
		name string
		fill func(w io.Writer, cancel context.CancelCauseFunc) error
		want string
		is   error
	}{
		{"disk full", func(w io.Writer, _ context.CancelCauseFunc) error {
			w.Write(make([]byte, 3<<20))
			return &fs.PathError{Op: "write", Path: "/tmp/x", Err: syscall.ENOSPC}
		}, "out.kddx: not written, what was there before is untouched: no space left on device", syscall.ENOSPC},
		{"cancelled", func(w io.Writer, cancel context.CancelCauseFunc) error {
			w.Write(make([]byte, 3<<20))
			cancel(stopped)
			_, err := w.Write(make([]byte, 3<<20))
			return err
		}, "stopped", stopped},
		{"cancelled at the end", func(w io.Writer, cancel context.CancelCauseFunc) error {
			_, err := w.Write([]byte("short"))
			cancel(stopped)
			return err
		}, "stopped", stopped},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			filetest.Write(t, ".", map[string]string{"out.kddx": "old"})
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			out := &output{path: "out.kddx", real: "out.kddx", mode: 0o644}
			err := out.replace(ctx, func(w io.Writer) error { return tt.fill(w, cancel) })
			if err == nil || err.Error() != tt.want || !errors.Is(err, tt.is) {
				t.Errorf("replace = %v, want %q", err, tt.want)
			}
			if b, err := os.ReadFile("out.kddx"); err != nil || string(b) != "old" {
				t.Errorf("the old file is now %q, %v", b, err)
			}
			if extra := leftovers(t, ".", "out.kddx"); extra != nil {
				t.Errorf("left behind: %q", extra)
			}
		})
	}
}

// snapshot lists all that a folder holds, with contents and permissions.
func snapshot(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		b.WriteString(path + " " + info.Mode().String())
		switch {
		case info.Mode().IsRegular():
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			b.WriteString(" " + string(text[:min(len(text), 40)]))
		case info.Mode()&fs.ModeSymlink != 0:
			target, _ := os.Readlink(path)
			b.WriteString(" -> " + target)
		}
		b.WriteByte('\n')
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestOutputStale checks that a build removes what killed builds have left beside its output, and nothing else: above
// all not the file that another build is writing.
func TestOutputStale(t *testing.T) {
	dir, o := smallFolder(t)
	const writing, notes, folder, link, pipe, empty = ".kddx-000000writing", ".kddx-00000000notes", ".kddx-0000000folder", ".kddx-000000000link", ".kddx-000000000pipe", ".kddx-00000000empty"
	stay := []string{writing, notes, ".kddx-0000000UPPER", ".kddx-backup", ".kddx-", ".kddx-zzzzzzzzzzzzz", ".kddx-toolongforanumber", folder, link, pipe, "KDDX"}
	for _, name := range append([]string{".kddx-0000000001abc", empty}, stay[:7]...) {
		filetest.Write(t, dir, map[string]string{name: "KDDX\r\n\x1a\n half of it"})
	}
	filetest.Write(t, dir, map[string]string{empty: "", notes: "mine", folder + "/x": "", "KDDX": "KDDX"})
	symlink(t, "KDDX", filepath.Join(dir, link))
	if err := syscall.Mkfifo(filepath.Join(dir, pipe), 0o666); err != nil {
		t.Fatal(err)
	}
	_, release, err := openLocked(filepath.Join(dir, writing))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Build(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if extra := leftovers(t, dir, append(stay, "docs", "out.kddx")...); extra != nil {
		t.Errorf("left behind: %q", extra)
	}
	for _, name := range stay {
		if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
			t.Errorf("removed: %v", err)
		}
	}
	release() // as when the process ends
	if _, err := Build(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(filepath.Join(dir, stay[0])); err == nil {
		t.Error("left behind: the file of a build that has ended")
	}
}

// TestOutputHeld checks that a file is another build's prey only until it is held.
func TestOutputHeld(t *testing.T) {
	out := &output{path: "out.kddx", real: "out.kddx"}
	t.Chdir(t.TempDir())
	f, release, err := out.temp()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	removeStale(".")
	if _, err := os.Lstat(f.Name()); err != nil {
		t.Errorf("a file that is held was removed: %v", err)
	}
	if _, ok := hold(f); ok {
		t.Error("hold = true for a file that another holds")
	}
	release()
	removeStale(".")
	if _, err := os.Lstat(f.Name()); err == nil {
		t.Error("a file that nobody holds is left")
	}
	if _, ok := hold(f); ok {
		t.Error("hold = true for a file that is gone")
	}
}
