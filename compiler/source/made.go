package source

import (
	"path"
	"strings"
)

// Made reports whether .gitignore leaves a path out, by its path in the tree: what lies there, or would, is made by a
// program, not written.
func (t *Tree) Made(file string) bool {
	if len(t.ignores) == 0 {
		return false
	}
	file = strings.Trim(path.Clean("/"+file), "/")
	for end := 0; end < len(file); end++ {
		if n := strings.IndexByte(file[end:], '/'); n < 0 {
			end = len(file)
		} else {
			end += n
		}
		if t.leavesOut(file[:end], end < len(file)) {
			return true
		}
	}
	return false
}

// leavesOut reports whether the ignore files above a path leave it out. A path that is no folder for sure may be one.
func (t *Tree) leavesOut(file string, folder bool) bool {
	git := func(s *scope) *ruleList { return s.git }
	for dir := file; dir != ""; {
		dir = dir[:max(0, strings.LastIndexByte(dir, '/'))]
		s := t.ignores[dir]
		if s == nil {
			continue
		}
		top := strings.TrimSuffix(dir+"/", s.base) // of a source among several
		if s.base == "" && dir == "" {
			top = ""
		}
		below, inside := strings.CutPrefix(file, top)
		return inside && (s.search(below, true, git) == ignored || !folder && s.search(below, false, git) == ignored)
	}
	return false
}
