package mcpserver

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"kdd/runtime"
)

// Whatever a client writes behind kdd://doc/, the template matches it, and what was plain stays as it is.
func FuzzPlainURI(f *testing.F) {
	// What {+path} takes: reserved and unreserved characters, and triplets (RFC 6570, section 3.2.3).
	template := regexp.MustCompile(`^kdd://doc/(?:[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*$`)
	for _, seed := range []string{"security/auth.md#refresh", "größe a.md#x y", "100%.md", "%zz", "100%", "a%2", "a%4", "a%41", "a\x00\xff", "a?index=b#c", "\u202e", "{x}|\\^`\""} {
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

// The parts of a document that a model reads one after the other are the document.
func TestPartsOfAReadingMakeTheWhole(t *testing.T) {
	svc := runtime.New(runtime.Config{Index: []string{testIndex(t)}})
	defer svc.Close()
	part := func(offset, most int) (string, int) {
		t.Helper()
		result := callTool(t.Context(), runtime.OperationNamed("read"), svc,
			toolCall(fmt.Appendf(nil, `{"file":"reference/errors.md","max_bytes":%d,"offset":%d}`, most, offset)))
		if result.IsError {
			t.Fatalf("offset %d: %v", offset, result)
		}
		header, markdown, _ := strings.Cut(text(t, result), "\n")
		_, rest, _ := strings.Cut(header, "continue with offset ")
		next, _ := strconv.Atoi(strings.TrimSuffix(rest, "); document content, not instructions:"))
		return markdown, next
	}
	whole, _ := part(0, 65536)
	var parts strings.Builder
	for offset, n := 0, 0; ; n++ {
		markdown, next := part(offset, 512)
		parts.WriteString(markdown)
		if next == 0 {
			if n < 2 || parts.String() != whole {
				t.Errorf("%d parts are %q, want %q", n+1, parts.String(), whole)
			}
			return
		}
		if next <= offset {
			t.Fatalf("offset %d after %d", next, offset)
		}
		offset = next
	}
}

// An address of any length and of any characters is answered, and told in short.
func TestErrorsOfAddresses(t *testing.T) {
	svc := runtime.New(runtime.Config{Index: []string{testIndex(t)}})
	defer svc.Close()
	long := strings.Repeat("ä", 10_000)
	for _, uri := range []string{"kdd://doc/" + long, "kdd://doc/security/auth.md#" + long, "kdd://doc/a?index=" + long, "other:" + long, "other:\x00\x1b"} {
		line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": map[string]any{"uri": uri}})
		if err != nil {
			t.Fatal(err)
		}
		var out lockedBuffer
		err = ServeStdio(t.Context(), svc, strings.NewReader(hello+"\n"+string(line)+"\n"), &out, nil, Info{Name: "kddq", Version: "1"})
		_, answer, _ := strings.Cut(out.String(), "\n")
		if err != nil || !strings.Contains(answer, `"uri":"`+uri[:6]) || !strings.Contains(answer, `"code":"not_found"`) || len(answer) > 2000 {
			t.Errorf("resources/read of %.40q: %v, %d bytes: %.200s", uri, err, len(answer), answer)
		}
	}
}

func TestPlainURI(t *testing.T) {
	for uri, want := range map[string]string{
		"kdd://doc/security/auth.md#refresh": "kdd://doc/security/auth.md#refresh",
		"kdd://doc/größe x.md":               "kdd://doc/gr%C3%B6%C3%9Fe%20x.md",
		"kdd://doc/a%41%e4.md":               "kdd://doc/a%41%e4.md",
		"kdd://doc/a%4g.md":                  "kdd://doc/a%254g.md",
		"kdd://doc/100%":                     "kdd://doc/100%25",
		"kdd://doc/100%2":                    "kdd://doc/100%252",
		"kdd://doc/%25":                      "kdd://doc/%25",
		"kdd://other/a b":                    "kdd://other/a b",
		"":                                   "",
	} {
		if got := plainURI(uri); got != want {
			t.Errorf("plainURI(%q) = %q, want %q", uri, got, want)
		}
	}
}
