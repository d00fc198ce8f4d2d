// Package lazyregexp has regular expressions of packages' variables that are compiled when they are first used: a program that
// answers one query and ends uses few of them, and compiling all takes about a millisecond.
package lazyregexp

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// Regexp is a regular expression; its methods are those of regexp.Regexp. It may be used by several goroutines.
type Regexp struct {
	compiled func() *regexp.Regexp
}

// Compiled is called with each expression when it is compiled; it is for tests, and nil.
var Compiled func(text string)

// New returns the regular expression. One that does not compile panics at its first use, in tests at once.
func New(text string) *Regexp {
	if name := strings.TrimSuffix(os.Args[0], ".exe"); strings.HasSuffix(name, ".test") {
		regexp.MustCompile(text)
	}
	return &Regexp{sync.OnceValue(func() *regexp.Regexp {
		if Compiled != nil {
			Compiled(text)
		}
		return regexp.MustCompile(text)
	})}
}

// MatchString is that of regexp.Regexp.
func (r *Regexp) MatchString(s string) bool { return r.compiled().MatchString(s) }

// FindString is that of regexp.Regexp.
func (r *Regexp) FindString(s string) string { return r.compiled().FindString(s) }

// FindStringIndex is that of regexp.Regexp.
func (r *Regexp) FindStringIndex(s string) []int { return r.compiled().FindStringIndex(s) }

// FindStringSubmatch is that of regexp.Regexp.
func (r *Regexp) FindStringSubmatch(s string) []string { return r.compiled().FindStringSubmatch(s) }

// FindAllString is that of regexp.Regexp.
func (r *Regexp) FindAllString(s string, n int) []string { return r.compiled().FindAllString(s, n) }

// FindAllStringSubmatch is that of regexp.Regexp.
func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.compiled().FindAllStringSubmatch(s, n)
}

// ReplaceAllString is that of regexp.Regexp.
func (r *Regexp) ReplaceAllString(s, with string) string {
	return r.compiled().ReplaceAllString(s, with)
}

// ReplaceAllStringFunc is that of regexp.Regexp.
func (r *Regexp) ReplaceAllStringFunc(s string, with func(string) string) string {
	return r.compiled().ReplaceAllStringFunc(s, with)
}
