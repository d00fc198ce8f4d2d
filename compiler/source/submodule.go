package source

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kdd/compiler/diag"
)

// gitModules is the file at the top of a repository that names its submodules: gitmodules(5).
const gitModules = ".gitmodules"

// absentSubmodule warns of an empty folder that is a git submodule which is not checked out: what it should hold would
// be missing from the artifact without a word.
func (w *walker) absentSubmodule(f *folder) {
	real := filepath.Join(f.mount.real, f.name)
	top := Repository(filepath.Dir(real)) // it is no repository itself: it is empty
	if top == "" {
		return
	}
	paths, known := w.modules[top]
	if !known {
		paths = readSubmodules(filepath.Join(top, gitModules))
		if w.modules == nil {
			w.modules = map[string][]string{}
		}
		w.modules[top] = paths
	}
	rel, err := filepath.Rel(top, real)
	if rel = filepath.ToSlash(rel); err != nil || !slices.Contains(paths, rel) {
		return
	}
	w.add(diag.New(diag.SubmoduleAbsent, f.path(), "the git submodule %s is not checked out", quote(rel)))
}

// Repository returns the nearest folder from dir upwards that holds ".git", "" if there is none.
func Repository(dir string) string {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// readSubmodules returns the paths that a .gitmodules file names: none of one that is no file, cannot be read, or has
// more bytes than an ignore file may have.
func readSubmodules(name string) []string {
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	root, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		return nil
	}
	defer root.Close()
	data, err := readBounded(root, filepath.Base(name), maxIgnoreBytes)
	if err != nil {
		return nil
	}
	return parseSubmodules(data)
}

// parseSubmodules returns the values of the key path in the text of a .gitmodules file. Of the syntax of git-config(1)
// it takes comments and quotes; a value with escapes or over several lines, which git does not write for a path that is
// plain, names nothing.
func parseSubmodules(text string) []string {
	var paths []string
	for line := range strings.SplitSeq(text, "\n") {
		key, value, ok := strings.Cut(line, "=")
		if !ok || !strings.EqualFold(strings.TrimSpace(key), "path") {
			continue
		}
		value = strings.TrimSpace(value)
		if inside, quoted := strings.CutPrefix(value, `"`); quoted {
			value, _, _ = strings.Cut(inside, `"`)
		} else if comment := strings.IndexAny(value, "#;"); comment >= 0 {
			value = strings.TrimSpace(value[:comment])
		}
		if value = strings.TrimSuffix(value, "/"); value != "" && !strings.Contains(value, `\`) {
			paths = append(paths, value)
		}
	}
	return paths
}
