package source

import (
	"fmt"
	"strings"
	"testing"
)

// matchPlainly is the meaning of a pattern, by trying everything: exponential, for short texts only. As in compileGlob
// what comes before the first special character is compared as it is.
func matchPlainly(pattern, subject string) bool {
	special := strings.IndexAny(pattern, `*?[\`)
	if special < 0 {
		return pattern == subject
	}
	rest, ok := strings.CutPrefix(subject, pattern[:special])
	return ok && matchRest(pattern[special:], rest, true)
}

// matchRest matches from some place in a pattern; start says that a name may begin there.
func matchRest(p, s string, start bool) bool {
	if p == "" {
		return s == ""
	}
	switch p[0] {
	case '*':
		after := strings.TrimLeft(p, "*")
		any := len(p)-len(after) >= 2 && start && (after == "" || after[0] == '/' || strings.HasPrefix(after, `\/`))
		if any && strings.HasPrefix(after, "/") && matchRest(after[1:], s, true) {
			return true
		}
		for i := 0; ; i++ {
			if matchRest(after, s[i:], false) {
				return true
			}
			if i == len(s) || s[i] == '/' && !any {
				return false
			}
		}
	case '?':
		return s != "" && s[0] != '/' && matchRest(p[1:], s[1:], false)
	case '[':
		set, n := compileClass(p)
		return n > 0 && s != "" && set[s[0]/64]>>(s[0]%64)&1 != 0 && matchRest(p[n:], s[1:], false)
	case '\\':
		if len(p) == 1 {
			return false
		}
		p = p[1:]
	}
	return s != "" && s[0] == p[0] && matchRest(p[1:], s[1:], p[0] == '/')
}

func FuzzGlob(f *testing.F) {
	for _, seed := range [][2]string{
		{"a", "a"}, {"*.md", "x.md"}, {"a/**/b", "a/b"}, {"a/**/b", "a/x/y/b"}, {"**/a", "x/a"}, {"a/**", "a/b/c"}, {"**/**/a", "a"},
		{"a**/b", "a/x/b"}, {"[!a-c]?", "xé"}, {`\*\[`, "*["}, {"[[:alpha:]-]", "-"}, {"[]", "]"}, {"*a*b*c", "xaybzc"}, {`**\/a`, "x/a"}, {"***", "a/b"},
		{"*[a]*/**", "a/b"}, {"?**/", "a/"}, {"\x80\xff*", "\x80\xff\x00"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, pattern, subject string) {
		if len(pattern) > 16 || len(subject) > 16 {
			return
		}
		g := compileGlob(pattern)
		want := matchPlainly(pattern, subject)
		if got := g.match(subject); got != want {
			t.Errorf("match(%q, %q) = %t, want %t", pattern, subject, got, want)
		}
	})
}

func FuzzIgnore(f *testing.F) {
	f.Add("*.md\n!a.md\n", "docs/a.md", false)
	f.Add("\xef\xbb\xbf/build/\r\n#x\n\\#y\n", "build", true)
	f.Add("a\\ \n[a\n**/b/**\n!", "x/b/c", false)
	f.Fuzz(func(t *testing.T, text, path string, isDir bool) {
		if len(text) > 200 || len(path) > 50 {
			return
		}
		s := &scope{git: parseIgnore(text)}
		v := s.decide(path, isDir)
		// What is last wins.
		if path != "" && !strings.ContainsAny(path, "/\r\n \\*?[") {
			for line, want := range map[string]verdict{"/": ignored, "!/": kept} {
				s = &scope{git: parseIgnore(text + "\n" + line + path)}
				if got := s.decide(path, isDir); got != want {
					t.Errorf("decide(%q) = %d before and %d after a line %q, want %d", path, v, got, line+path, want)
				}
			}
		}
	})
}

// TestGlobHostile would not end within the life of a test if matching tried every way to place the stars.
func TestGlobHostile(t *testing.T) {
	subject := strings.Repeat("a", 700) + "/" + strings.Repeat("a/", 150)
	tests := []struct {
		name, pattern string
		want          bool
	}{
		{"stars", strings.Repeat("*a", 300) + "b", false},
		{"stars that match", strings.Repeat("*a", 300) + "/**", true},
		{"folders", strings.Repeat("**/a/", 200) + "b", false},
		{"folders and stars", strings.Repeat("**/*a*/", 200) + "b", false},
		{"only folders", strings.Repeat("**/", 100_000) + "b", false},
		{"very long", strings.Repeat("*a", 500_000), false},
		{"stars alone", strings.Repeat("*", 100_000) + "/b", false},
		{"classes", strings.Repeat("*[a-z]", 300) + "b", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := compileGlob(tt.pattern)
			for range 3 {
				if got := g.match(subject); got != tt.want {
					t.Fatalf("match(%.20q…) = %t, want %t", tt.pattern, got, tt.want)
				}
			}
		})
	}
}

// What a subject has to hold is found before any state is followed: else a large ignore file costs microseconds for
// each of its patterns and each file.
func TestGlobDemands(t *testing.T) {
	for _, c := range []struct{ pattern, needle, order string }{
		{"*name*", "name", "name"},
		{"*a*bcd*e", "bcd", "abcde"},
		{"**/abc", "abc", "abc"}, // the "/" may be absent
		{"**/a/b", "a/b", "a/b"},
		{"*/**", "/", "/"},
		{"*a/**/b", "a/", "a/b"},
		{"x*ab[cd]e?f", "ab", "abef"},
		{`*\*\*`, "**", "**"},
		{"*", "", ""},
		{"plain", "", ""}, // all of it is the prefix
	} {
		g := compileGlob(c.pattern)
		if g.needle != c.needle || g.order != c.order {
			t.Errorf("compileGlob(%q) demands %q and in order %q, want %q and %q", c.pattern, g.needle, g.order, c.needle, c.order)
		}
	}
}

// BenchmarkIgnore asks an ignore file of the largest size about one path.
func BenchmarkIgnore(b *testing.B) {
	for _, form := range []string{"*%d*", "*a*%d", "**/%d", "**/%d/b", "*%d/**", "**/*%d*", "*/*/%d", "*.%d"} {
		b.Run(strings.ReplaceAll(form, "/", ","), func(b *testing.B) {
			var text strings.Builder
			for i := 0; text.Len() < maxIgnoreBytes-40; i++ {
				fmt.Fprintf(&text, form+"\n", i)
			}
			s := &scope{kdd: parseIgnore(text.String())}
			for b.Loop() {
				if v := s.decide("guides/gettingstarted/installation-and-setup.md", false); v != unnamed {
					b.Fatalf("decide = %d, want unnamed", v)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(s.kdd.rules)), "ns/rule")
		})
	}
}
