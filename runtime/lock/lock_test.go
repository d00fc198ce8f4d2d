package lock

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kdd/runtime/wire"
)

const (
	rootA = "45f62111705015278c28a14ab56f8fcb864ccfa28950caf9864e1248bd30bb3a"
	rootB = "99f62111705015278c28a14ab56f8fcb864ccfa28950caf9864e1248bd30bb3a"
	key   = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3"
)

// whole is a lock with everything that one may have, as Text writes it.
const whole = head + `version: 1
artifacts:
  "2":
    source: out/docs.kddx
    root: ` + rootB + `
    bytes: 12
  api:
    source: oci://ghcr.io/you/api:main
    resolved: oci://ghcr.io/you/api@sha256:` + rootB + `
    root: ` + rootA + `
    bytes: 336028
    signed_as: you/api
    keys:
      - ` + key + `
`

func TestText(t *testing.T) {
	l, err := Parse("kdd.lock", []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(l.Text()); got != whole {
		t.Errorf("Text() =\n%s\nwant\n%s", got, whole)
	}
	if names := strings.Join(l.Names(), " "); names != "2 api" {
		t.Errorf("Names() = %s, want 2 api", names)
	}
	if e := l.Entry("api"); l.Place(e) != "kdd.lock:9" || e.IsPath() || !l.Entry("2").IsPath() {
		t.Errorf("Entry(api) = %+v at %s", e, l.Place(e))
	}
}

func TestParse(t *testing.T) {
	entry := func(lines ...string) string {
		return "version: 1\nartifacts:\n  docs:\n    " + strings.Join(lines, "\n    ") + "\n"
	}
	good := []string{"source: a.kddx", "root: " + rootA, "bytes: 1"}
	with := func(line string) string { return entry(append([]string{line}, good...)...) }
	tests := []struct{ name, text, want string }{
		{"the least", entry(good...), ""},
		{"none", "version: 1\nartifacts: {}\n", ""},
		{"empty", "", "x.lock: the file is empty"},
		{"a comment", "# a\n", "x.lock: the file is empty"},
		{"null", "~\n", "x.lock:1: got a text, want keys and values"},
		{"a list", "- a\n", "x.lock:1: got a list, want keys and values"},
		{"no YAML", "version: [\n", "x.lock:1: did not find expected node content"},
		{"two documents", "version: 1\nartifacts: {}\n---\na: 1\n", "x.lock:3: a second document begins here"},
		{"no version", "artifacts: {}\n", "x.lock: version is missing, want 1"},
		{"another version", "version: one\nartifacts: {}\n", `x.lock:1: version: got "one", want 1`},
		{"a newer version", "artifacts: {}\nversion: 2\n", "x.lock:2: a lock of version 2, this kdd reads 1"},
		{"a newer version with other keys", "version: 2\nsets: []\n", "x.lock:1: a lock of version 2"},
		{"no artifacts", "version: 1\n", "x.lock: artifacts is missing"},
		{"an unknown key", "version: 1\nartifact: {}\n", `x.lock:2: unknown key "artifact"; did you mean "artifacts"?`},
		{"a key twice", "version: 1\nversion: 1\n", "x.lock:2: version is there twice"},
		{"artifacts are a list", "version: 1\nartifacts: [a]\n", "x.lock:2: artifacts: got a list, want a name"},
		{"an artifact is a text", "version: 1\nartifacts:\n  docs: a.kddx\n", "x.lock:3: docs: got a text, want keys and values"},
		{"a name", "version: 1\nartifacts:\n  a/b: {}\n", `x.lock:3: the name "a/b"; a name has 1 to 64`},
		{"a name that is empty", "version: 1\nartifacts:\n  \"\": {}\n", `x.lock:3: the name ""`},
		{"a name in another case", entry(good...) + "  DOCS:\n    " + strings.Join(good, "\n    ") + "\n", `x.lock:7: the name "DOCS", and "docs" above`},
		{"a key of an artifact", with("hash: 1"), `x.lock:4: docs: unknown key "hash"`},
		{"no source", entry(good[1:]...), "x.lock:4: docs: source is missing"},
		{"no root", entry(good[0], good[2]), "x.lock:4: docs: root is missing"},
		{"no bytes", entry(good[:2]...), "x.lock:4: docs: bytes is missing"},
		{"a short root", entry("root: 45f6"), `x.lock:4: docs: root: got "45f6", want 64 digits of 0-9 and a-f`},
		{"a root in capitals", entry("root: " + strings.ToUpper(rootA)), "want 64 digits of 0-9 and a-f"},
		{"bytes below 1", entry("bytes: 0"), `x.lock:4: docs: bytes: got "0", want a number of bytes`},
		{"bytes above all", entry("bytes: 9223372036854775807"), "want a number of bytes"},
		{"a source of the system", entry("source: /etc/a.kddx"), "leads out of the folder of the lock"},
		{"a source above", entry("source: ../a.kddx"), `x.lock:4: docs: source: "../a.kddx" leads out of the folder of the lock`},
		{"a source above by a way round", entry("source: a/../../a.kddx"), "leads out of the folder of the lock"},
		{"a source of Windows", entry(`source: 'C:\a.kddx'`), "is no path below the folder of the lock; write the path with /"},
		{"a long way", entry("source: a/./b.kddx"), `is not the short form of a path; write "a/b.kddx"`},
		{"a folder", entry("source: ."), "is not the short form"},
		{"a scheme", entry("source: file:///etc/a.kddx"), "begins with file://"},
		{"a scheme in capitals", entry("source: HTTPS://example.com/a.kddx"), "begins with HTTPS://"},
		{"no host", entry("source: https:///a.kddx"), "is no address"},
		{"a password", entry("source: https://a:b@example.com/a.kddx"), "user and password stand in the address"},
		{"a fragment", entry("source: https://example.com/a.kddx#b"), "has a fragment"},
		{"a control character", entry(`source: "a\eb"`), "is no address and no path"},
		{"an empty source", entry(`source: ""`), "is no address and no path"},
		{"a source that is a list", entry("source: [a]"), "x.lock:4: docs: source: got a list, want a text"},
		{"a resolved tag", with("resolved: oci://ghcr.io/a:b"), "want oci://HOST/NAME@sha256:"},
		{"a resolved URL", with("resolved: https://example.com/a@sha256:b"), "want oci://HOST/NAME@sha256:"},
		{"keys", with("keys: [" + key + "]"), ""},
		{"an SSH key", with("keys: [ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJkWnPXM8jXkXn2zV2eW3yY9fO7wqLkF3o0h0ZV7d8kA ann]"), ""},
		{"no keys", with("keys: []"), "x.lock:4: docs: keys: got a list, want a list of 1 to 16 public keys"},
		{"a key that is none", with("keys: [abc]"), `x.lock:4: docs: keys: "abc" is none; write a public key`},
		{"two keys in one", with(`keys: ["` + key + `\n` + key + `"]`), "is none"},
		{"a name without keys", with("signed_as: a"), "x.lock:4: docs: signed_as without keys"},
		{"an alias", "version: 1\nartifacts:\n  a: &x {source: a.kddx, root: " + rootA + ", bytes: 1}\n  b: *x\n", "x.lock:3: artifacts: aliases and anchors are not read"},
		{"a merge", entry(good[0], "<<<<<<< ours") + "<<<<<<< ours\n", "x.lock:6: a merge left its marks here"},
		{"too large", "#" + strings.Repeat("x", maxBytes), "x.lock: more than 524288 bytes"},
		{"too many", "version: 1\nartifacts:\n" + strings.Repeat("  a: {}\n", maxArtifacts+1), "x.lock:3: artifacts: 1001, want at most 1000"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse("x.lock", []byte(tt.text))
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("Parse = %v", err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("Parse = %v, want %q", err, tt.want)
			}
			var e *wire.Error
			if err != nil && (!errors.As(err, &e) || e.Hint == "") {
				t.Errorf("Parse = %v, want an error.v1 with a cure", err)
			}
		})
	}
}

func TestFind(t *testing.T) {
	top := t.TempDir()
	deep := filepath.Join(top, "repo", "a", "b")
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	put := func(path string) {
		if err := os.WriteFile(path, []byte("version: 1\nartifacts: {}\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put(filepath.Join(top, FileName))
	if got, err := Find(deep); got != filepath.Join(top, FileName) || err != nil {
		t.Errorf("Find = %s, %v, want that of %s", got, err, top)
	}
	if err := os.Mkdir(filepath.Join(top, "repo", ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got, err := Find(deep); got != "" || err != nil {
		t.Errorf("Find = %s, %v, want none inside of the repository", got, err)
	}
	put(filepath.Join(top, "repo", "a", FileName))
	if got, err := Find(deep); got != filepath.Join(top, "repo", "a", FileName) || err != nil {
		t.Errorf("Find = %s, %v, want the nearest", got, err)
	}
}

// TestWrite writes a lock that another program has changed meanwhile, and one behind a link.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, FileName)
	l := &Lock{Path: path}
	l.Put(Entry{Name: "b", Source: "b.kddx", Root: rootA, Bytes: 1})
	l.Put(Entry{Name: "a", Source: "a.kddx", Root: rootA, Bytes: 1})
	if changed, err := l.Write(); !changed || err != nil {
		t.Fatalf("Write = %t, %v", changed, err)
	}
	if changed, err := l.Write(); changed || err != nil {
		t.Fatalf("Write again = %t, %v, want no change", changed, err)
	}
	other, err := Read(path)
	if err != nil || strings.Join(other.Names(), " ") != "a b" {
		t.Fatalf("Read = %+v, %v", other, err)
	}
	link := filepath.Join(dir, "link.lock")
	if err := os.Symlink(FileName, link); err != nil {
		t.Fatal(err)
	}
	linked, err := Read(link)
	if err != nil {
		t.Fatal(err)
	}
	linked.Put(Entry{Name: "c", Source: "c.kddx", Root: rootB, Bytes: 1})
	if _, err := linked.Write(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode().IsRegular() {
		t.Errorf("the link is a file now: %v, %v", info, err)
	}
	other.Put(Entry{Name: "a", Source: "a.kddx", Root: rootB, Bytes: 1})
	if _, err := other.Write(); err == nil || !strings.Contains(err.Error(), "the file was changed while this ran; run the command again") {
		t.Errorf("Write = %v, want an error that names the change", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("the folder has %v, %v, want the lock and the link", entries, err)
	}
}

// FuzzParse reads hostile locks: what is accepted is written and read again as the same text.
func FuzzParse(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte("version: 1\nartifacts:\n  a: &x {source: a}\n  b: *x\n"))
	f.Add([]byte("version: 1\nartifacts: {a: {source: 'https://a/b', root: " + rootA + ", bytes: 1, keys: [" + key + "]}}\n"))
	f.Add([]byte("---\n...\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := Parse("x.lock", data)
		if err != nil {
			var e *wire.Error
			if !errors.As(err, &e) || e.Code != wire.CodeInvalidInput && e.Code != wire.CodeIndexVersion {
				t.Fatalf("Parse = %v, want an error.v1", err)
			}
			return
		}
		again, err := Parse("x.lock", l.Text())
		if err != nil {
			t.Fatalf("Parse(Text()) = %v\n%s", err, l.Text())
		}
		if !bytes.Equal(again.Text(), l.Text()) {
			t.Fatalf("Text() =\n%s\nwant\n%s", again.Text(), l.Text())
		}
		for i := range l.Artifacts {
			e := &l.Artifacts[i]
			if e.IsPath() && !filepath.IsLocal(filepath.FromSlash(e.Source)) {
				t.Fatalf("the path %q leads out", e.Source)
			}
		}
	})
}
