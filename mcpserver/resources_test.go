package mcpserver

import (
	"regexp"
	"testing"
)

// Whatever a client writes behind kdd://doc/, the template matches it, and what was plain stays as it is.
func FuzzPlainURI(f *testing.F) {
	// What {+path} takes: reserved and unreserved characters, and triplets (RFC 6570, section 3.2.3).
	template := regexp.MustCompile(`^kdd://doc/(?:[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*$`)
	for _, seed := range []string{"security/auth.md#refresh", "größe a.md#x y", "100%.md", "%zz", "a\x00\xff", "a?index=b#c", "\u202e", "{x}|\\^`\""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, path string) {
		uri := "kdd://doc/" + path
		got := plainURI(uri)
		if plainURI(got) != got {
			t.Fatalf("plainURI(%q) = %q, and again %q", uri, got, plainURI(got))
		}
		if !template.MatchString(got) {
			t.Fatalf("plainURI(%q) = %q, which %s does not match", uri, got, docTemplate)
		}
		if template.MatchString(uri) && got != uri {
			t.Fatalf("plainURI(%q) = %q, want it as it was", uri, got)
		}
	})
}
