package source

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"kdd/compiler/diag"
)

// link is a symbolic link that is to be followed.
type link struct {
	folder folder // that holds it
	name   string // in the folder
	path   string // in the tree
}

// unfollowed skips a symbolic link and says where it leads. Nothing outside the root is looked at: whether the target
// of a link that leaves it exists would depend on the machine.
func (w *walker) unfollowed(f *folder, name, path string) {
	full := filepath.Join(f.name, name)
	target, _ := f.mount.root.Readlink(full)
	info, err := f.mount.root.Stat(full)
	switch {
	case err == nil && !info.IsDir() && !w.pick.document(name), err != nil && w.pick.otherExtension(name):
		w.skip(path, ReasonExtension)
	case err == nil:
		w.reject(path, ReasonLink, diag.LinkInside,
			"a link to %q in the same source folder, which is compiled there", filepath.ToSlash(target))
	case leaves(f.mount.root, err):
		// The artifact may hold this text, so it must not hold an absolute path.
		text := "a link out of the source folder, to an absolute path, is not followed"
		if !filepath.IsAbs(target) && target != "" {
			text = "a link out of the source folder, to " + quote(filepath.ToSlash(target)) + ", is not followed"
		}
		w.reject(path, ReasonLinkOutside, diag.LinkOutside, "%s", text)
	case errors.Is(err, fs.ErrNotExist):
		w.reject(path, ReasonLink, diag.LinkBroken, "a link to %s, which does not exist", quote(filepath.ToSlash(target)))
	case broken(err):
		w.reject(path, ReasonLink, diag.LinkBroken, "a link that cannot be resolved: %s", reason(err))
	default:
		w.unreadable(path, "link's target", err)
	}
}

// outOfReach are errors that say nothing of a link, but of the process, the disk or its permissions.
var outOfReach = []error{syscall.EMFILE, syscall.ENFILE, syscall.EIO, fs.ErrPermission}

// broken reports whether err says that a link leads nowhere or in a circle, not that the system cannot tell.
func broken(err error) bool {
	return !slices.ContainsFunc(outOfReach, func(e error) bool { return errors.Is(err, e) })
}

// leaves reports whether err is what root says of paths that leave it. Package os does not export that error, so root
// is asked for one: ".." always leaves.
func leaves(root *os.Root, err error) bool {
	_, outside := root.Lstat("..")
	var want, got *fs.PathError
	return errors.As(outside, &want) && errors.As(err, &got) && errors.Is(got.Err, want.Err)
}

// followLinks walks what links lead to, once all that is really there has been walked. Each real folder and file is
// taken once, under the first path that leads to it: so circles end, links within a source do not double it, and links
// that fan out do not multiply it.
func (w *walker) followLinks() error {
	for i := 0; i < len(w.links); i++ { // grows: followed folders hold links too
		if err := context.Cause(w.ctx); err != nil {
			return err
		}
		l := w.links[i]
		real, err := filepath.EvalSymlinks(filepath.Join(l.folder.mount.real, l.folder.name, l.name))
		var info fs.FileInfo
		if err == nil {
			info, err = os.Stat(real)
		}
		if err != nil {
			if w.pick.otherExtension(l.name) {
				w.skip(l.path, ReasonExtension)
				continue
			}
			if !broken(err) {
				w.unreadable(l.path, "link's target", err)
				continue
			}
			w.reject(l.path, ReasonLink, diag.LinkBroken, "a link that cannot be followed: %s", reason(err))
			continue
		}
		if info.IsDir() {
			if err := w.followFolder(l, real); err != nil {
				return err
			}
			continue
		}
		w.file(candidate{
			mount: &mount{real: filepath.Dir(real)}, name: filepath.Base(real),
			dir: l.folder.dir, path: l.path, rel: l.folder.below(l.name),
		}, l.name, info.Mode())
	}
	return nil
}

// followFolder walks a folder that a link leads to, under the link's path.
func (w *walker) followFolder(l link, real string) error {
	m := &mount{real: real}
	if w.seenBefore(m, ".", l.path+"/") {
		return nil
	}
	root, err := os.OpenRoot(real)
	if err != nil {
		w.unreadable(l.path+"/", "folder", err)
		return nil
	}
	m.root = root
	defer func() {
		m.root = nil // many links must not hold as many open folders
		root.Close()
	}()
	f := l.folder
	f.mount, f.name, f.rel, f.depth = m, ".", l.folder.below(l.name), l.folder.depth+1
	return w.descend(f)
}

// seenBefore reports, and notes, that a real place is in the tree under another path.
func (w *walker) seenBefore(m *mount, name, path string) bool {
	if !w.follow {
		return false
	}
	first, ok := w.seen[filepath.Join(m.real, name)]
	if !ok {
		return false
	}
	if first == "" {
		first = "./"
	}
	w.reject(path, ReasonLink, diag.SeenTwice, "the same place again: it is compiled as %s", quote(first))
	return true
}

// otherExtension reports whether a name plainly has another extension than a document's, as "logo.png" has but "v1.2"
// and "guides" have not: for links whose target is unknown.
func (s *selection) otherExtension(name string) bool {
	ext := strings.TrimPrefix(path.Ext(name), ".")
	if ext == "" || len(ext) > 8 || s.document(name) {
		return false
	}
	return strings.Trim(strings.ToLower(ext), "0123456789abcdefghijklmnopqrstuvwxyz") == "" &&
		!strings.ContainsAny(ext[:1], "0123456789")
}
