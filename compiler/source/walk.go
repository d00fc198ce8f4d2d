package source

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"kdd/compiler/diag"
)

// maxDepth is how deep folders may be nested. Opening a folder below a root costs a call per level, so without a limit
// a chain of folders would cost its depth squared.
const maxDepth = 255

// mount is a folder that is read through one os.Root.
type mount struct {
	root *os.Root // nil for a followed link once it has been walked: each read then opens real again
	real string   // absolute path without symbolic links
}

// candidate is a file that was taken and is to be read.
type candidate struct {
	mount *mount
	name  string // system path below the mount
	dir   int
	path  string
	rel   string
}

// walker lists folders. Its lists grow in the order of the walk; Walk sorts them.
type walker struct {
	ctx     context.Context
	pick    *selection
	follow  bool
	mounts  []*mount
	taken   []candidate
	folders []string // that were listed, absolute
	skipped []Skip
	diags   []diag.Diagnostic
	modules map[string][]string // top of a repository → paths of its submodules, where an empty folder asked for them

	ignores map[string]*scope // by folder as Tree has its path: what its own ignore files say

	links []link            // with follow: met, not yet followed
	seen  map[string]string // with follow: real path → path in the tree, for every folder walked and file taken
}

func (w *walker) add(d diag.Diagnostic) { w.diags = append(w.diags, d) }

func (w *walker) skip(path, reason string) { w.skipped = append(w.skipped, Skip{path, reason}) }

// reject skips an entry and says what is wrong with it.
func (w *walker) reject(path, reason string, rule diag.Rule, format string, args ...any) {
	w.add(diag.New(rule, path, format, args...))
	w.skip(path, reason)
}

// unreadable skips an entry for which the system gave an error.
func (w *walker) unreadable(path, what string, err error) {
	w.add(unreadable(path, what, err))
	w.skip(path, ReasonUnreadable)
}

func (w *walker) close() {
	for _, m := range w.mounts {
		m.root.Close()
	}
}

// source walks one source.
func (w *walker) source(dir int, s place, several bool) error {
	root, err := os.OpenRoot(s.real)
	if err != nil {
		return &fs.PathError{Op: "open source", Path: s.Abs, Err: err}
	}
	m := &mount{root: root, real: s.real}
	w.mounts = append(w.mounts, m)
	if w.follow && w.seen == nil {
		w.seen = make(map[string]string)
	}
	if s.File {
		w.take(candidate{mount: m, name: s.name, dir: dir, path: s.Base, rel: s.Base})
		return context.Cause(w.ctx)
	}
	f := folder{mount: m, name: ".", dir: dir}
	if several {
		f.prefix = s.Base + "/"
	}
	return w.folder(f)
}

// folder is where the walk is.
type folder struct {
	mount  *mount
	name   string // system path below the mount
	dir    int
	prefix string // before rel in the tree: "" or "BASE/"
	rel    string // slash path below the source: "" at its top
	scope  *scope // ignore files of the parents
	depth  int
}

// path returns the folder's path in the tree with "/" at the end; "" at the top of a single source.
func (f *folder) path() string {
	if f.rel == "" {
		return f.prefix
	}
	return f.prefix + f.rel + "/"
}

// child returns the folder name inside f.
func (f *folder) child(name string) folder {
	c := *f
	c.name = filepath.Join(f.name, name)
	c.rel = f.below(name)
	c.depth++
	return c
}

// below returns the slash path of a name inside f, relative to the source.
func (f *folder) below(name string) string {
	if f.rel == "" {
		return name
	}
	return f.rel + "/" + name
}

// folder lists one folder and walks those in it.
func (w *walker) folder(f folder) error {
	if err := context.Cause(w.ctx); err != nil {
		return err
	}
	if w.follow {
		w.seen[filepath.Join(f.mount.real, f.name)] = f.path()
	}
	w.folders = append(w.folders, filepath.Join(f.mount.real, f.name))
	entries, err := list(f.mount.root, f.name)
	if err != nil {
		w.unreadable(f.path(), "folder", err)
		return nil
	}
	if len(entries) == 0 {
		w.absentSubmodule(&f)
	}
	if inside := w.ignoreFiles(&f, entries); inside != f.scope {
		f.scope = inside
		if w.ignores == nil {
			w.ignores = map[string]*scope{}
		}
		w.ignores[strings.TrimSuffix(f.path(), "/")] = inside
	}
	for _, e := range entries {
		if err := w.entry(&f, e); err != nil {
			return err
		}
	}
	return nil
}

// list returns a folder's entries in the order of their names.
func list(root *os.Root, name string) ([]fs.DirEntry, error) {
	d, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	entries, err := d.ReadDir(-1)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// entry takes, skips or descends into one entry of f.
func (w *walker) entry(f *folder, e fs.DirEntry) error {
	name, rel, isDir := e.Name(), f.below(e.Name()), e.IsDir()
	path := f.prefix + rel
	isLink := e.Type()&fs.ModeSymlink != 0
	if isLink && w.follow {
		info, err := os.Stat(filepath.Join(f.mount.real, f.name, name))
		isDir = err == nil && info.IsDir()
	}
	if why := w.rulesOut(f, name, rel, isDir); why != "" {
		if isDir {
			path += "/"
		}
		w.skip(path, why)
		return nil
	}
	switch {
	case isLink && w.follow:
		w.links = append(w.links, link{folder: *f, name: name, path: path})
	case isLink:
		w.unfollowed(f, name, path)
	case isDir:
		return w.descend(f.child(name))
	default:
		c := candidate{mount: f.mount, name: filepath.Join(f.name, name), dir: f.dir, path: path, rel: rel}
		w.file(c, name, e.Type())
	}
	return nil
}

// file takes or skips an entry that is no folder; name is the entry's own.
func (w *walker) file(c candidate, name string, mode fs.FileMode) {
	switch {
	case !w.pick.document(name):
		w.skip(c.path, ReasonExtension)
	case w.pick.excluded(c.path):
		w.skip(c.path, ReasonExcluded)
	case !mode.IsRegular():
		w.reject(c.path, ReasonSpecial, diag.SpecialFile, "a %s, not a file", kindOf(mode))
	default:
		w.take(c)
	}
}

// rulesOut returns why a name is skipped whatever is behind it: "" if it is not.
func (w *walker) rulesOut(f *folder, name, rel string, isDir bool) string {
	if name == ".git" {
		return ReasonHidden
	}
	v := f.scope.decide(rel, isDir)
	switch {
	case v == restored:
		return ""
	case strings.HasPrefix(name, "."):
		return ReasonHidden
	case isDir && (name == "node_modules" || name == "vendor"):
		return ReasonVendored
	case v == ignored:
		return ReasonIgnored
	}
	return ""
}

// descend walks a folder unless it is excluded, too deep, or has been walked under another path.
func (w *walker) descend(c folder) error {
	path := c.path()
	if w.pick.excludedFolder(strings.TrimSuffix(path, "/")) {
		w.skip(path, ReasonExcluded)
		return nil
	}
	if c.depth > maxDepth {
		w.reject(path, ReasonTooDeep, diag.TooDeep, "folders are nested more than %d deep", maxDepth)
		return nil
	}
	if w.seenBefore(c.mount, c.name, path) {
		return nil
	}
	return w.folder(c)
}

// take adds a file to those that are read.
func (w *walker) take(c candidate) {
	if w.follow {
		if w.seenBefore(c.mount, c.name, c.path) {
			return
		}
		w.seen[filepath.Join(c.mount.real, c.name)] = c.path
	}
	if !utf8.ValidString(c.path) {
		w.add(diag.New(diag.NameNotUTF8, c.path, "the name is not UTF-8"))
	}
	w.taken = append(w.taken, c)
}

// kindOf names a file that is neither regular nor a folder.
func kindOf(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeNamedPipe != 0:
		return "named pipe"
	case mode&fs.ModeSocket != 0:
		return "socket"
	case mode&fs.ModeDevice != 0:
		return "device"
	case mode.IsDir():
		return "folder"
	}
	return "special file"
}
