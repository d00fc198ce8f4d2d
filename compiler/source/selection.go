package source

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// selection says which names are documents and which paths are wanted.
type selection struct {
	extensions       []string // lower-case, with the dot
	include, exclude []string
}

// Limits of one pattern of Include and Exclude. Doublestar tries every combination of the alternatives in {a,b}.
const (
	maxGlobBytes    = 1024
	maxGlobs        = 1000 // each is tried on each file: 50 ns
	maxCombinations = 1000
)

func newSelection(o Options) (*selection, error) {
	s := &selection{}
	for _, ext := range o.Extensions {
		name := "." + strings.TrimLeft(strings.ToLower(strings.TrimSpace(ext)), ".")
		if name == "." || strings.ContainsAny(name, "/\\*?") {
			return nil, fmt.Errorf("extension %q: want one such as .md", ext)
		}
		s.extensions = append(s.extensions, name)
	}
	if len(s.extensions) == 0 {
		s.extensions = DefaultExtensions()
	}
	var err error
	if s.include, err = globs("include", o.Include); err != nil {
		return nil, err
	}
	s.exclude, err = globs("exclude", o.Exclude)
	return s, err
}

// globs checks patterns and takes off what a path cannot have: "./" before and "/" after.
func globs(option string, patterns []string) ([]string, error) {
	if len(patterns) > maxGlobs {
		return nil, fmt.Errorf("%s: %d patterns, want at most %d: name folders, or several names as {a,b}", option, len(patterns), maxGlobs)
	}
	var out []string
	for _, p := range patterns {
		clean := strings.TrimSuffix(strings.TrimPrefix(p, "./"), "/")
		switch {
		case clean == "":
			return nil, fmt.Errorf("%s %q: an empty pattern", option, p)
		case strings.HasPrefix(clean, "/"):
			return nil, fmt.Errorf("%s %q: want a pattern on paths below the source folder, got an absolute one", option, p)
		case !doublestar.ValidatePattern(clean):
			return nil, fmt.Errorf("%s %q: not a glob: an open [, {, or a \\ at the end", option, p)
		case len(clean) > maxGlobBytes:
			return nil, fmt.Errorf("%s %.20q…: %d bytes, want at most %d", option, p, len(clean), maxGlobBytes)
		case combinations(clean) > maxCombinations:
			return nil, fmt.Errorf("%s %q: too many combinations of {a,b}, want at most %d", option, p, maxCombinations)
		}
		out = append(out, clean)
	}
	return out, nil
}

// combinations returns how many ways there are at most to choose from all groups {a,b} of a pattern: as if its commas
// were spread evenly over the groups, which gives the largest product.
func combinations(pattern string) float64 {
	groups := float64(strings.Count(pattern, "{"))
	if groups == 0 {
		return 1
	}
	return math.Pow(float64(strings.Count(pattern, ","))/groups+1, groups)
}

// document reports whether a name has a document's extension and something before it.
func (s *selection) document(name string) bool {
	lower := strings.ToLower(name)
	return slices.ContainsFunc(s.extensions, func(ext string) bool {
		return len(lower) > len(ext) && strings.HasSuffix(lower, ext)
	})
}

// excluded reports whether Include and Exclude leave a file out.
func (s *selection) excluded(file string) bool {
	return matchAny(s.exclude, file) || len(s.include) > 0 && !matchAny(s.include, file)
}

// excludedFolder reports whether Exclude leaves a folder out with all that is in it.
func (s *selection) excludedFolder(dir string) bool { return matchAny(s.exclude, dir) }

// matchAny reports whether a pattern matches the path or a folder above it.
func matchAny(patterns []string, p string) bool {
	for _, pattern := range patterns {
		plain := !strings.Contains(pattern, "/")
		for dir := p; dir != "." && dir != "/"; dir = path.Dir(dir) {
			name := dir
			if plain {
				name = path.Base(dir)
			}
			if ok, _ := doublestar.Match(pattern, name); ok {
				return true
			}
		}
	}
	return false
}

func quote(s string) string { return strconv.Quote(s) }
