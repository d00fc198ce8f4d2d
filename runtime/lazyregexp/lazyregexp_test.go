package lazyregexp

import (
	"os"
	"reflect"
	"regexp"
	"testing"
)

// TestMethods compares each method with regexp's.
func TestMethods(t *testing.T) {
	const pattern = `(a+)(b)?`
	lazy, strict := New(pattern), regexp.MustCompile(pattern)
	for _, s := range []string{"", "xyz", "aab a", "ab"} {
		up := func(s string) string { return "<" + s + ">" }
		for _, test := range []struct {
			name      string
			got, want any
		}{
			{"MatchString", lazy.MatchString(s), strict.MatchString(s)},
			{"FindString", lazy.FindString(s), strict.FindString(s)},
			{"FindStringIndex", lazy.FindStringIndex(s), strict.FindStringIndex(s)},
			{"FindStringSubmatch", lazy.FindStringSubmatch(s), strict.FindStringSubmatch(s)},
			{"FindAllString", lazy.FindAllString(s, -1), strict.FindAllString(s, -1)},
			{"FindAllStringSubmatch", lazy.FindAllStringSubmatch(s, -1), strict.FindAllStringSubmatch(s, -1)},
			{"ReplaceAllString", lazy.ReplaceAllString(s, "$2$1"), strict.ReplaceAllString(s, "$2$1")},
			{"ReplaceAllStringFunc", lazy.ReplaceAllStringFunc(s, up), strict.ReplaceAllStringFunc(s, up)},
		} {
			if !reflect.DeepEqual(test.got, test.want) {
				t.Errorf("%s(%q) = %v, want %v", test.name, s, test.got, test.want)
			}
		}
	}
}

// TestWhenCompiled: a test finds a pattern that does not compile without using it, a program does not.
func TestWhenCompiled(t *testing.T) {
	panics := func(f func()) (yes bool) {
		defer func() { yes = recover() != nil }()
		f()
		return false
	}
	if !panics(func() { New(`(`) }) {
		t.Error("in a test: no panic")
	}
	name := os.Args[0]
	defer func() { os.Args[0] = name }()
	os.Args[0] = "kddq"
	var r *Regexp
	if panics(func() { r = New(`(`) }) {
		t.Error("in a program: panics before it is used")
	}
	if !panics(func() { r.MatchString("") }) {
		t.Error("in a program: no panic when it is used")
	}
}
