package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"kdd/compiler/diag"
)

// The names of ignore files. What .kddignore says goes before what .gitignore says, in whatever folders they lie.
const (
	gitIgnore = ".gitignore"
	kddIgnore = ".kddignore"
)

// Limits of an ignore file.
const (
	maxIgnoreBytes = 1 << 20
	maxPatterns    = 50_000
	// maxGlobRules is how many patterns there may be, with those of the folders above, that are compared with each file
	// below: all but names, paths and "*.ext". One takes 10 to 80 ns.
	maxGlobRules = 2000
)

// verdict is what ignore files say of a path.
type verdict uint8

const (
	unnamed  verdict = iota // no pattern matches
	ignored                 // the last pattern that matches excludes it
	kept                    // the last pattern that matches begins with "!"
	restored                // as kept, in .kddignore: the built-in rules give way too
)

// scope is the ignore files of a folder and, by parent, of those above it in the source.
type scope struct {
	parent *scope
	base   string // slash path of the folder below the source, with "/" at its end; "" at the top
	git    *ruleList
	kdd    *ruleList
	globs  int // rules that are tried one by one, here and above
}

// rule is one line of an ignore file. gitignore(5) gives the meaning.
type rule struct {
	negated  bool // begins with "!": what it matches is kept
	dirOnly  bool // ends with "/": matches folders only
	baseOnly bool // holds no other "/": matches the last name of a path at any depth
	pattern  glob
}

// decide returns what the ignore files from s upwards say of a path below the source. The folders above the path are
// not excluded: the walk does not enter those, so what is in them cannot be brought back.
func (s *scope) decide(rel string, isDir bool) verdict {
	switch v := s.search(rel, isDir, func(s *scope) *ruleList { return s.kdd }); v {
	case ignored:
		return ignored
	case kept:
		return restored
	}
	return s.search(rel, isDir, func(s *scope) *ruleList { return s.git })
}

// search finds the last rule that matches, in the deepest folder that has one.
func (s *scope) search(rel string, isDir bool, rules func(*scope) *ruleList) verdict {
	name := rel[strings.LastIndexByte(rel, '/')+1:]
	for ; s != nil; s = s.parent {
		switch r := rules(s).last(rel[len(s.base):], name, isDir); {
		case r == nil:
		case r.negated:
			return kept
		default:
			return ignored
		}
	}
	return unnamed
}

// parseIgnore reads the text of an ignore file: maxPatterns + 1 patterns of it at most.
func parseIgnore(text string) *ruleList {
	var rules []rule
	text = strings.TrimPrefix(text, markUTF8)
	for line := range strings.SplitSeq(text, "\n") {
		if r, ok := parseRule(strings.TrimSuffix(line, "\r")); ok {
			if rules = append(rules, r); len(rules) > maxPatterns {
				break
			}
		}
	}
	return newRuleList(rules)
}

// parseRule reads one line without its line end; ok is false for blank lines and comments.
func parseRule(line string) (r rule, ok bool) {
	if strings.HasPrefix(line, "#") {
		return rule{}, false
	}
	line = trimSpaces(line)
	line, r.negated = strings.CutPrefix(line, "!")
	line, r.dirOnly = strings.CutSuffix(line, "/")
	if line == "" {
		return rule{}, false
	}
	r.baseOnly = !strings.Contains(line, "/")
	r.pattern = compileGlob(strings.TrimPrefix(line, "/"))
	return r, true
}

// trimSpaces takes off the spaces at the end of a line, but for those behind a backslash. Tabs stay, as in git.
func trimSpaces(line string) string {
	end := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			continue
		case '\\':
			i++ // the next byte stays, whatever it is
		}
		end = min(i+1, len(line))
	}
	return line[:end]
}

// ignoreFiles returns the scope inside a folder: its own ignore files before those of its parents.
func (w *walker) ignoreFiles(f *folder, entries []fs.DirEntry) *scope {
	s := &scope{parent: f.scope}
	if f.rel != "" {
		s.base = f.rel + "/"
	}
	if f.scope != nil {
		s.globs = f.scope.globs
	}
	for _, e := range entries {
		switch e.Name() {
		case gitIgnore:
			s.git = w.readIgnore(f, e, maxGlobRules-s.globs)
			s.globs += s.git.globs()
		case kddIgnore:
			s.kdd = w.readIgnore(f, e, maxGlobRules-s.globs)
			s.globs += s.kdd.globs()
		}
	}
	if s.git == nil && s.kdd == nil {
		return f.scope
	}
	return s
}

// readIgnore reads one ignore file; if it cannot be used, it says so and returns no rules. One of too many rules, or of
// more than globs that are tried one by one, is an error: what it excludes must not be compiled.
func (w *walker) readIgnore(f *folder, e fs.DirEntry, globs int) *ruleList {
	if e.IsDir() {
		return nil
	}
	path := f.path() + e.Name()
	if !e.Type().IsRegular() {
		w.add(diag.New(diag.IgnoreFile, path, "not applied: not a regular file"))
		return nil
	}
	text, err := readBounded(f.mount.root, filepath.Join(f.name, e.Name()), maxIgnoreBytes)
	var system syscall.Errno
	if errors.As(err, &system) { // what it excludes must not be compiled
		w.add(unreadable(path, "file", err))
		return nil
	} else if err != nil {
		w.add(diag.New(diag.IgnoreFile, path, "not applied: %s", reason(err)))
		return nil
	}
	rules := parseIgnore(text)
	if len(rules.rules) > maxPatterns {
		w.add(diag.New(diag.IgnoreFile, path, "not applied: more than %d patterns", maxPatterns).WithSeverity(diag.Error).
			WithHint("name folders in place of their files"))
		return nil
	}
	if rules.globs() > globs {
		w.add(diag.New(diag.IgnoreFile, path, "not applied: %d patterns with *, ? or [, with those of the folders above more than %d",
			rules.globs(), maxGlobRules).WithSeverity(diag.Error).WithHint(`name files and folders, or *.ext, which do not count`))
		return nil
	}
	return rules
}

// readBounded reads a file of at most limit bytes.
func readBounded(root *os.Root, name string, limit int64) (string, error) {
	f, err := root.OpenFile(name, openFlags, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return "", errors.Join(err, errors.New("not a regular file"))
	}
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("more than %d bytes", limit)
	}
	return string(data), err
}
