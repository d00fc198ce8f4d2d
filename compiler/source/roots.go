package source

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"kdd/compiler/diag"
	"kdd/format/text"
)

// ErrMissing matches every *MissingError, by errors.Is.
var ErrMissing = errors.New("source not found")

// ErrEmpty matches every *EmptyError, by errors.Is.
var ErrEmpty = errors.New("no documents")

// ErrOption matches errors about sources and patterns that cannot be used, by errors.Is.
var ErrOption = errors.New("bad option")

// OptionError says why an option cannot be followed.
type OptionError struct{ Err error }

// Error returns the text of the reason.
func (e *OptionError) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *OptionError) Unwrap() error { return e.Err }

// Is reports whether target is ErrOption.
func (e *OptionError) Is(target error) bool { return target == ErrOption }

// MissingError says that a source does not exist.
type MissingError struct {
	Path string   // as given
	Abs  string   // what was looked for
	Link bool     // it is there, but a symbolic link that leads nowhere
	Near []string // folders with a similar name, best first, at most three, written so that they can be passed instead
}

// Error names the source as it was given, where it was looked for, and the folders that may have been meant.
func (e *MissingError) Error() string {
	if e.Link {
		return fmt.Sprintf("source %q: a symbolic link that leads nowhere", e.Path)
	}
	text := fmt.Sprintf("source %q not found", e.Path)
	if e.Abs != e.Path {
		text += fmt.Sprintf(" (looked for %s)", diag.Escape(e.Abs))
	}
	if cure := e.Cure(); cure != "" {
		text += "; " + cure
	}
	return text
}

// Cure asks for the folders that may have been meant, "" if there are none.
func (e *MissingError) Cure() string {
	if len(e.Near) == 0 {
		return ""
	}
	names := make([]string, len(e.Near))
	for i, name := range e.Near {
		names[i] = strconv.Quote(name)
	}
	return "did you mean " + strings.Join(names, " or ") + "?"
}

// Is reports whether target is ErrMissing.
func (e *MissingError) Is(target error) bool { return target == ErrMissing }

// EmptyError says that there was no document in any source.
type EmptyError struct {
	Dirs       []string // as given
	Extensions []string // that were looked for
	Skipped    []Skip   // sorted
	Diags      []diag.Diagnostic
}

// Error names the folders, the extensions that were looked for, and what was passed over.
func (e *EmptyError) Error() string {
	var b strings.Builder
	for i, dir := range e.Dirs {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(diag.Escape(dir))
	}
	fmt.Fprintf(&b, ": no documents (%s); %s", strings.Join(e.Extensions, ", "), e.Cure())
	return b.String()
}

// Cure says how to get what is not there, or else what was passed over, with an example of each reason.
func (e *EmptyError) Cure() string {
	if at := slices.IndexFunc(e.Diags, func(d diag.Diagnostic) bool { return d.Code == diag.SubmoduleAbsent.Code() }); at >= 0 {
		return e.Diags[at].Text + ": " + e.Diags[at].Hint
	}
	if len(e.Skipped) == 0 {
		return "nothing else is there either"
	}
	var b strings.Builder
	b.WriteString("skipped")
	example := make(map[string]string)
	for _, s := range e.Skipped {
		if example[s.Reason] == "" {
			example[s.Reason] = s.Path
		}
	}
	for i, c := range SkipCounts(e.Skipped) {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, " %d %s", c.N, c.Reason)
		if c.N == 1 {
			fmt.Fprintf(&b, " (%s)", diag.Escape(example[c.Reason]))
		} else {
			fmt.Fprintf(&b, " (such as %s)", diag.Escape(example[c.Reason]))
		}
	}
	return b.String()
}

// Is reports whether target is ErrEmpty.
func (e *EmptyError) Is(target error) bool { return target == ErrEmpty }

// place is a source that exists.
type place struct {
	Root
	real string // folder to open: Abs, or for a file the folder where it really is
	name string // for a file: its name in real
}

// resolve turns the sources as given into places, in the same order, and warns of those that lie in one another.
func resolve(dirs []string) ([]place, []diag.Diagnostic, error) {
	if len(dirs) == 0 {
		return nil, nil, errors.New("no source folder given")
	}
	var places []place
	for _, dir := range dirs {
		p, err := resolveOne(dir)
		if err != nil {
			return nil, nil, err
		}
		places = append(places, p)
	}
	if len(places) == 1 {
		return places, nil, nil
	}
	given := make(map[string]int)
	for i, p := range places {
		if first, ok := given[p.Base]; ok {
			if places[first].real == p.real {
				return nil, nil, fmt.Errorf("source %q is given twice", dirs[first])
			}
			return nil, nil, diag.Cure("compile their common folder with --include, or rename one",
				"sources %q and %q: both would be called %q in the index", dirs[first], dirs[i], p.Base)
		}
		given[p.Base] = i
	}
	var diags []diag.Diagnostic
	for i, inner := range places {
		for j, outer := range places {
			if i == j || outer.File {
				continue
			}
			rel, err := filepath.Rel(outer.real, filepath.Join(inner.real, inner.name))
			if err == nil && filepath.IsLocal(rel) {
				diags = append(diags, diag.New(diag.NestedSources, inner.Base,
					"this source lies inside the source %q, so its documents may be compiled twice", outer.Base))
			}
		}
	}
	return places, diags, nil
}

// resolveOne finds one source and what it is called.
func resolveOne(dir string) (place, error) {
	if dir == "" {
		return place{}, errors.New("source folder \"\": an empty name")
	}
	if strings.ContainsRune(dir, 0) {
		return place{}, fmt.Errorf("source folder %q: a name cannot hold a NUL byte", dir)
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return place{}, fmt.Errorf("source %q: %w", dir, err)
	}
	info, err := os.Stat(abs)
	if errors.Is(err, fs.ErrNotExist) {
		_, linkErr := os.Lstat(abs)
		return place{}, &MissingError{Path: dir, Abs: abs, Link: linkErr == nil, Near: nearest(dir, abs)}
	}
	if err != nil {
		return place{}, fmt.Errorf("source %q: %s", dir, reason(err))
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return place{}, fmt.Errorf("source %q: %s", dir, reason(err))
	}
	switch {
	case info.IsDir():
		return place{Root: Root{Abs: abs, Base: baseName(abs), Hint: hint(abs)}, real: real}, nil
	case info.Mode().IsRegular():
		folder := filepath.Dir(abs)
		return place{
			Root: Root{Abs: folder, Base: filepath.Base(abs), File: true, Hint: hint(folder)},
			real: filepath.Dir(real), name: filepath.Base(real),
		}, nil
	}
	return place{}, fmt.Errorf("source %q: a %s, want a folder or a file", dir, kindOf(info.Mode()))
}

// baseName is the last name of an absolute folder; "root" for the top of a file system, which has none.
func baseName(abs string) string {
	base := filepath.Base(abs)
	if strings.ContainsAny(base, `/\:`) && filepath.Dir(abs) == abs {
		return "root"
	}
	return base
}

// hint is the path of an absolute folder below the nearest parent that holds ".git", or else its base name.
func hint(abs string) string {
	if top := Repository(abs); top != "" {
		if rel, err := filepath.Rel(top, abs); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
	}
	return baseName(abs)
}

// maxNearCandidates bounds how many names of a folder are compared with a missing one.
const maxNearCandidates = 10_000

// nearest returns up to three existing folders whose names resemble the first part of dir that is missing.
// The answers are written like dir: relative to the working folder if dir is.
func nearest(dir, abs string) []string {
	parent, name := filepath.Dir(abs), filepath.Base(abs)
	given := filepath.Dir(filepath.Clean(dir))
	for {
		if info, err := os.Stat(parent); err == nil && info.IsDir() {
			break
		}
		if parent == filepath.Dir(parent) {
			return nil
		}
		name = filepath.Base(parent)
		parent, given = filepath.Dir(parent), filepath.Dir(given)
	}
	near := similarIn(parent, given, name)
	if len(near) == 0 {
		near = similarIn(".", ".", filepath.Base(abs))
	}
	return near
}

// similarIn returns up to three visible folders below folder, best first, joined to given.
func similarIn(folder, given, name string) []string {
	f, err := os.Open(folder)
	if err != nil {
		return nil
	}
	defer f.Close()
	entries, _ := f.ReadDir(maxNearCandidates)
	type candidate struct {
		name string
		cost int
	}
	var found []candidate
	for _, e := range entries {
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if cost, ok := similar(name, e.Name()); ok {
			found = append(found, candidate{e.Name(), cost})
		}
	}
	slices.SortFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.name, b.name))
	})
	var names []string
	for _, c := range found[:min(3, len(found))] {
		names = append(names, filepath.Join(given, c.name))
	}
	return names
}

// similar reports whether two names resemble each other, and how far they are apart: case, up to a third of the
// characters, or one being the beginning or end of the other.
func similar(a, b string) (cost int, ok bool) {
	a, b = strings.ToLower(a), strings.ToLower(b)
	if len(a) > 255 || len(b) > 255 {
		return 0, false
	}
	from, to := []rune(a), []rune(b)
	longer := max(len(from), len(to))
	cost = text.Distance(from, to, longer, text.Swaps)
	if cost <= max(1, longer/3) {
		return cost, true
	}
	short, long := a, b
	if len(short) > len(long) {
		short, long = long, short
	}
	return cost, len(short) >= 3 && (strings.HasPrefix(long, short) || strings.HasSuffix(long, short))
}
