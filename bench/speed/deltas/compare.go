package deltas

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"

	"kdd/compiler/publish/oci"
	"kdd/format"
)

// repository is a git repository with the artifact in it.
type repository struct{ dir string }

func newRepository(ctx context.Context, dir string) (*repository, error) {
	r := &repository{dir}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	_, err := r.git(ctx, "init", "--quiet")
	return r, err
}

func (r *repository) file() string { return filepath.Join(r.dir, "docs.kddx") }

// git runs git with settings of its own, so that figures do not depend on those of the machine.
func (r *repository) git(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", r.dir, "-c", "gc.auto=0", "-c", "pack.threads=1",
		"-c", "user.name=bench", "-c", "user.email=bench@example.com"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	var messages bytes.Buffer
	cmd.Stderr = &messages
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 && args[0] == "diff" { // the files differ
		return out, nil
	}
	if err != nil {
		err = fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(messages.String()))
	}
	return out, err
}

// commit commits the artifact, packs the repository, and returns the bytes of all its objects.
func (r *repository) commit(ctx context.Context, text string) (int64, error) {
	for _, args := range [][]string{{"add", "docs.kddx"}, {"commit", "--quiet", "--allow-empty", "-m", text}, {"gc", "--quiet", "--prune=now"}} {
		if _, err := r.git(ctx, args...); err != nil {
			return 0, err
		}
	}
	var size int64
	return size, filepath.WalkDir(filepath.Join(r.dir, ".git", "objects"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
}

// compare says what became of each block.
func (r *repository) compare(ctx context.Context, before, after map[string][]byte) (map[string]change, error) {
	all := map[string]change{}
	for tag, data := range after {
		c := change{Bytes: len(data)}
		if !bytes.Equal(data, before[tag]) {
			var err error
			if c.Delta, err = r.delta(ctx, before[tag], data); err != nil {
				return nil, fmt.Errorf("block %s: %w", tag, err)
			}
			c.Pages, c.Moved = newPages(before[tag], data)
		}
		all[tag] = c
	}
	return all, nil
}

// delta returns the bytes of git's compressed difference, or of the compressed data where that is shorter.
func (r *repository) delta(ctx context.Context, before, after []byte) (int, error) {
	dir, err := os.MkdirTemp("", "kdd-delta")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	// A byte zero makes both binary.
	if err := errors.Join(os.WriteFile(a, append([]byte{0}, before...), 0o644), os.WriteFile(b, append([]byte{0}, after...), 0o644)); err != nil {
		return 0, err
	}
	patch, err := r.git(ctx, "diff", "--no-index", "--binary", a, b)
	if err != nil {
		return 0, err
	}
	return patchBytes(string(patch))
}

// patchBytes returns the compressed bytes of the first part of a binary patch: the way from the old file to the new one.
// A line has a letter for its bytes, A to Z for 1 to 26 and a to z for 27 to 52, and these bytes in base 85.
func patchBytes(patch string) (int, error) {
	_, body, found := strings.Cut(patch, "\nGIT binary patch\n")
	_, body, more := strings.Cut(body, "\n")
	if !found || !more {
		return 0, errors.New("git diff prints no binary patch")
	}
	n := 0
	for line := range strings.SplitSeq(body, "\n") {
		switch {
		case line == "":
			return n, nil
		case line[0] >= 'A' && line[0] <= 'Z':
			n += int(line[0]-'A') + 1
		case line[0] >= 'a' && line[0] <= 'z':
			n += int(line[0]-'a') + 27
		default:
			return 0, fmt.Errorf("git diff prints a line that begins with %q", line[0])
		}
	}
	return 0, errors.New("git diff prints a patch that does not end")
}

// pageBytes are those of a page.
const pageBytes = 4096

// newPages returns the bytes of the pages of after that are at no page's start of before, and how many of those are in
// before at all.
func newPages(before, after []byte) (pages, moved int) {
	old := map[string]bool{}
	for at := 0; at < len(before); at += pageBytes {
		old[string(before[at:min(len(before), at+pageBytes)])] = true
	}
	for at := 0; at < len(after); at += pageBytes {
		if page := after[at:min(len(after), at+pageBytes)]; !old[string(page)] {
			pages += len(page)
			if bytes.Contains(before, page) {
				moved += len(page)
			}
		}
	}
	return pages, moved
}

// pulled returns how many bytes of a build a reader asks for that has the build before.
func pulled(old, data []byte) (int64, error) {
	var asked atomic.Int64
	f, err := format.OpenRemote(format.Remote{Name: "build", Size: int64(len(data)), Read: func(at, n int64) ([]byte, error) {
		asked.Add(n)
		return data[at : at+n], nil
	}})
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if _, err := f.Adopt(bytes.NewReader(old), int64(len(old)), oci.SearchTries); err != nil {
		return 0, err
	}
	err = f.FetchAll()
	return asked.Load(), err
}
