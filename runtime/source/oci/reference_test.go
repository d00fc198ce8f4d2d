package oci

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"kdd/runtime/wire"
)

func TestParse(t *testing.T) {
	digest := "sha256:" + strings.Repeat("0a", 32)
	tests := []struct {
		name, text string
		want       Reference
		err        string // a part of it
	}{
		{"tag", "oci://ghcr.io/you/docs:main", Reference{"ghcr.io", "you/docs", "main", ""}, ""},
		{"neither", "oci://ghcr.io/docs", Reference{"ghcr.io", "docs", "", ""}, ""},
		{"digest", "oci://ghcr.io/docs@" + digest, Reference{"ghcr.io", "docs", "", digest}, ""},
		{"both", "oci://ghcr.io/docs:v1@" + digest, Reference{"ghcr.io", "docs", "v1", digest}, ""},
		{"port", "oci://localhost:5000/a/b/c:v1.2.3-x_y", Reference{"localhost:5000", "a/b/c", "v1.2.3-x_y", ""}, ""},
		{"address", "oci://[::1]:5000/a", Reference{"[::1]:5000", "a", "", ""}, ""},
		{"separators", "oci://h/a.b_c__d--e/f", Reference{"h", "a.b_c__d--e/f", "", ""}, ""},
		{"no scheme", "ghcr.io/you/docs:main", Reference{}, "did you mean oci://ghcr.io/you/docs:main?"},
		{"another scheme", "https://ghcr.io/you/docs", Reference{}, "no reference of a registry; want oci://HOST/NAME:TAG"},
		{"a file", "docs.kddx", Reference{}, "no reference of a registry; want oci://HOST/NAME:TAG"},
		{"password", "oci://ann:secret@ghcr.io/docs", Reference{}, "a name or password in the reference"},
		{"no host", "oci:///docs", Reference{}, `the host ""`},
		{"no name", "oci://ghcr.io", Reference{}, "no name behind the host"},
		{"no name but a slash", "oci://ghcr.io/", Reference{}, "no name behind the host"},
		{"upper case", "oci://ghcr.io/You/Docs:main", Reference{}, "did you mean you/docs?"},
		{"bad name", "oci://ghcr.io/a//b", Reference{}, `the name "a//b"`},
		{"dots", "oci://ghcr.io/a/../b", Reference{}, `the name "a/../b"`},
		{"query", "oci://ghcr.io/a?x=y", Reference{}, `the name "a?x=y"`},
		{"bad tag", "oci://ghcr.io/a:-x", Reference{}, `the tag "-x"`},
		{"empty tag", "oci://ghcr.io/a:", Reference{}, `the tag ""`},
		{"long tag", "oci://ghcr.io/a:" + strings.Repeat("x", 129), Reference{}, "at most 128"},
		{"sha512", "oci://ghcr.io/a@sha512:00", Reference{}, `the digest "sha512:00"`},
		{"short digest", "oci://ghcr.io/a@sha256:00", Reference{}, `the digest "sha256:00"`},
		{"long", "oci://ghcr.io/" + strings.Repeat("x", 2000), Reference{}, "at most 1024"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Parse(tt.text)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) || strings.Contains(err.Error(), "secret") {
					t.Errorf("Parse(%s) = %v, want %q in it and no password", tt.text, err, tt.err)
				}
				return
			}
			if err != nil || got != tt.want {
				t.Errorf("Parse(%s) = %+v, %v, want %+v", tt.text, got, err, tt.want)
			}
			if got.String() != tt.text {
				t.Errorf("Parse(%s) prints as %s", tt.text, got)
			}
		})
	}
}

// FuzzParse: what is accepted prints as it was read, and what is not is a mistake of the user's.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"oci://ghcr.io/you/docs:main", "oci://[::1]:5000/a@sha256:" + strings.Repeat("0", 64), "oci://h/a:b:c", "x/y"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ref, err := Parse(text)
		var known *wire.Error
		switch {
		case err == nil && ref.String() != text:
			t.Errorf("Parse(%q) prints as %q", text, ref)
		case err != nil && (!errors.As(err, &known) || known.Code != wire.CodeInvalidInput):
			t.Errorf("Parse(%q) = %v, want %s", text, err, wire.CodeInvalidInput)
		}
	})
}

func TestPrivate(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "localhost:5000": true, "a.localhost": true, "127.0.0.1:1": true, "[::1]:5000": true, "::1": true,
		"10.1.2.3": true, "192.168.0.1:80": true, "172.16.0.1": true, "169.254.169.254": true, "[fd00::1]:1": true, "0.0.0.0": true,
		"ghcr.io": false, "8.8.8.8": false, "172.32.0.1": false, "localhost.example.com": false, "registry:5000": false,
	} {
		if got := private(host); got != want {
			t.Errorf("private(%s) = %t, want %t", host, got, want)
		}
	}
}

func TestRedirect(t *testing.T) {
	tests := []struct{ name, from, to, err string }{
		{"storage", "https://ghcr.io/v2/", "https://storage.example.com/x?signature=1", ""},
		{"to http", "https://ghcr.io/v2/", "http://storage.example.com/x", "from https to http: not followed"},
		{"to this machine", "https://ghcr.io/v2/", "https://localhost:8080/x", "localhost:8080, an address of this machine or network: not followed"},
		{"to the network's metadata", "http://registry.example.com/v2/", "http://169.254.169.254/latest", "169.254.169.254, an address of this machine"},
		{"within the network", "http://10.0.0.1:5000/v2/", "http://10.0.0.2:9000/x", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			via, err1 := http.NewRequest("GET", tt.from, nil)
			next, err2 := http.NewRequest("GET", tt.to, nil)
			if err := errors.Join(err1, err2); err != nil {
				t.Fatal(err)
			}
			err := redirect(next, []*http.Request{via})
			if tt.err == "" && err != nil || tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
				t.Errorf("redirect = %v, want %q", err, tt.err)
			}
		})
	}
}

func TestWithoutQuery(t *testing.T) {
	got := withoutQuery(`Get "https://s.example.com/x?key=secret": EOF, then "https://t.example.com/?a=b" and https://u.example.com/?c`)
	want := `Get "https://s.example.com/x": EOF, then "https://t.example.com/" and https://u.example.com/`
	if got != want {
		t.Errorf("withoutQuery = %s, want %s", got, want)
	}
}
