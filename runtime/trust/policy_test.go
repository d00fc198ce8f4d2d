package trust

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"aead.dev/minisign"

	"kdd/format"
	"kdd/format/sign"
)

// signer is a key and the file of its public one.
type signer struct {
	private minisign.PrivateKey
	file    string
}

func newSigner(t *testing.T, dir, name string) *signer {
	t.Helper()
	public, private, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte(public.String()+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return &signer{private, file}
}

// signed returns an artifact of a commit's date ("" = not known), signed under a name; by nobody if by is nil.
func signed(t *testing.T, by *signer, name, date string) *format.File {
	t.Helper()
	im, err := format.Lay([]format.RawBlock{{Tag: format.Tag{'D', 'E', 'M', 'O'}, Rows: 1, Data: []byte("of " + date)}})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := im.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	data := format.AppendTrailer(b.Bytes(), format.TagProvenance, fmt.Appendf(nil, `{"source_commit":"1f4e","source_date":%q}`, date))
	open := func() *format.File {
		f, err := format.OpenBytes(data)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	if by == nil {
		return open()
	}
	s, err := sign.Of(open(), name)
	if err != nil {
		t.Fatal(err)
	}
	list := []sign.Signature{{Statement: string(s.Text()), Kind: sign.Minisign, Text: string(minisign.Sign(by.private, s.Text()))}}
	if data, err = sign.Append(data, list); err != nil {
		t.Fatal(err)
	}
	return open()
}

// cosigned returns a signed artifact with one more signature.
func cosigned(t *testing.T, f *format.File, by *signer, name string) *format.File {
	t.Helper()
	list, err := sign.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	s, err := sign.Of(f, name)
	if err != nil {
		t.Fatal(err)
	}
	im, err := format.Lay(f.Raw())
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := im.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	trailers, err := sign.Trailers(f, append(list, sign.Signature{Statement: string(s.Text()), Kind: sign.Minisign,
		Text: string(minisign.Sign(by.private, s.Text()))}))
	if err != nil {
		t.Fatal(err)
	}
	both, err := format.OpenBytes(append(b.Bytes(), trailers...))
	if err != nil {
		t.Fatal(err)
	}
	return both
}

var now = time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)

// options are those of a test: nothing of this machine.
func options(t *testing.T) Options {
	return Options{System: t.TempDir(), State: t.TempDir(), Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler)}
}

func policy(t *testing.T, o Options) *Policy {
	t.Helper()
	p, err := o.Policy()
	if err != nil || p == nil {
		t.Fatalf("Policy = %v, %v", p, err)
	}
	return p
}

// refusal asks that an artifact is refused for a reason; "" = that it is accepted.
func refusal(t *testing.T, p *Policy, f *format.File, want string) {
	t.Helper()
	_, err := p.Accept(f, "")
	switch {
	case want == "" && err != nil:
		t.Errorf("Accept = %v", err)
	case want != "" && (!errors.Is(err, sign.ErrUntrusted) || !strings.Contains(err.Error(), want)):
		t.Errorf("Accept = %v, want a refusal with %q", err, want)
	}
}

func TestAccept(t *testing.T) {
	dir := t.TempDir()
	ours, theirs := newSigner(t, dir, "ours.pub"), newSigner(t, dir, "theirs.pub")
	o := options(t)
	o.Keys, o.MaxAge = []string{ours.file}, 48*time.Hour
	p := policy(t, o)
	const fresh, stale = "2026-11-23T12:00:00Z", "2026-11-20T12:00:00Z"
	refusal(t, p, signed(t, nil, "docs", fresh), "it is not signed")
	refusal(t, p, signed(t, theirs, "docs", fresh), "none of its signatures")
	refusal(t, p, signed(t, ours, "docs", stale), "more than 48h0m0s ago")
	refusal(t, p, signed(t, ours, "docs", ""), "does not say of when it is")
	refusal(t, p, signed(t, ours, "docs", fresh), "")
	o.Keys = []string{dir}
	refusal(t, policy(t, o), signed(t, theirs, "docs", fresh), "")
}

// TestReplay puts older artifacts in the place of newer ones.
func TestReplay(t *testing.T) {
	key := newSigner(t, t.TempDir(), "k.pub")
	o := options(t)
	o.Keys = []string{key.file}
	older, newer := signed(t, key, "docs", "2026-11-01T00:00:00Z"), signed(t, key, "docs", "2026-11-02T00:00:00+02:00")
	refusal(t, policy(t, o), older, "")
	refusal(t, policy(t, o), newer, "")
	refusal(t, policy(t, o), newer, "")
	refusal(t, policy(t, o), older, "was accepted before")
	refusal(t, policy(t, o), signed(t, key, "docs", ""), "without a date")
	refusal(t, policy(t, o), signed(t, key, "others", "2025-01-01T00:00:00Z"), "")
	o.AllowOlder = true
	refusal(t, policy(t, o), older, "")
	o.AllowOlder = false
	refusal(t, policy(t, o), older, "")
	refusal(t, policy(t, o), newer, "")

	o.Compare, o.MaxAge = true, time.Hour
	refusal(t, policy(t, o), older, "")
	o.Compare, o.MaxAge = false, 0
	refusal(t, policy(t, o), older, "was accepted before")

	entries, err := filepath.Glob(filepath.Join(o.State, "*", "*"))
	if err != nil || len(entries) != 2 {
		t.Fatalf("the state has %v, %v, want a file for each of two names", entries, err)
	}
	for _, path := range entries {
		for _, damaged := range []string{path, filepath.Join(filepath.Dir(path), "junk")} { // what files hold does not count
			if err := os.WriteFile(damaged, []byte("\x00{"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	refusal(t, policy(t, o), older, "was accepted before")
	refusal(t, policy(t, o), newer, "")

	var log bytes.Buffer // a folder that cannot be made
	o.State, o.Log = filepath.Join(key.file, "state"), slog.New(slog.NewTextHandler(&log, nil))
	p := policy(t, o)
	refusal(t, p, newer, "")
	refusal(t, p, newer, "")
	if n := strings.Count(log.String(), "will not be noticed"); n != 1 {
		t.Errorf("%d warnings, want one: %s", n, log.String())
	}
}

// TestReplayRace takes an older and a newer artifact at once: whichever is noted last, the older one is refused then.
func TestReplayRace(t *testing.T) {
	key := newSigner(t, t.TempDir(), "k.pub")
	older, newer := signed(t, key, "docs", "2026-11-01T00:00:00Z"), signed(t, key, "docs", "2026-11-02T00:00:00Z")
	for range 50 {
		o := options(t)
		o.Keys = []string{key.file}
		policies := []*Policy{policy(t, o), policy(t, o)} // as two programs
		var group sync.WaitGroup
		group.Go(func() { policies[0].Accept(older, "") })
		group.Go(func() { policies[1].Accept(newer, "") })
		group.Wait()
		refusal(t, policy(t, o), older, "was accepted before")
	}
}

// TestNames puts artifacts of other names in the place of one.
func TestNames(t *testing.T) {
	key := newSigner(t, t.TempDir(), "k.pub")
	o := options(t)
	o.Keys, o.Names = []string{key.file}, []string{"docs", "manual"}
	p := policy(t, o)
	refusal(t, p, signed(t, key, "docs", ""), "")
	refusal(t, p, signed(t, key, "manual", ""), "")
	refusal(t, p, signed(t, key, "others", ""), `it is signed as "others", want "docs" or "manual"`)
}

// TestReplayOfNames takes a signature off an older artifact that has two: what is left is of a name that was noted too.
func TestReplayOfNames(t *testing.T) {
	dir := t.TempDir()
	ours, sites := newSigner(t, dir, "ours.pub"), newSigner(t, dir, "sites.pub")
	o := options(t)
	o.Keys = []string{ours.file, sites.file}
	newer := signed(t, ours, "docs", "2026-11-02T00:00:00Z")
	both := cosigned(t, newer, sites, "docs of a site")
	if names, err := policy(t, o).Accept(both, ""); err != nil || len(names) != 2 {
		t.Fatalf("Accept = %q, %v", names, err)
	}
	refusal(t, policy(t, o), signed(t, sites, "docs of a site", "2026-11-01T00:00:00Z"), "was accepted before")
}

// TestFuture asks how old an artifact is that is of a time to come.
func TestFuture(t *testing.T) {
	key := newSigner(t, t.TempDir(), "k.pub")
	o := options(t)
	o.Keys, o.MaxAge = []string{key.file}, time.Hour
	refusal(t, policy(t, o), signed(t, key, "docs", now.Add(2*time.Hour).Format(time.RFC3339)), "")
	refusal(t, policy(t, o), signed(t, key, "docs", now.Add(48*time.Hour).Format(time.RFC3339)), "which is to come")
	o.MaxAge = 0
	refusal(t, policy(t, o), signed(t, key, "docs", now.Add(48*time.Hour).Format(time.RFC3339)), "")
}

// TestPolicy reads what flags, environment and system ask for.
func TestPolicy(t *testing.T) {
	key := newSigner(t, t.TempDir(), "k.pub")
	system := t.TempDir()
	if err := os.MkdirAll(filepath.Join(system, "keys.d"), 0o755); err != nil {
		t.Fatal(err)
	}
	other := newSigner(t, filepath.Join(system, "keys.d"), "system.pub")
	always := t.TempDir()
	if err := os.WriteFile(filepath.Join(always, "require-signature"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	notKeys := t.TempDir()
	tests := []struct {
		name string
		set  func(*Options)
		keys int    // 0 = no policy
		want string // of the error
	}{
		{"nothing", func(*Options) {}, 0, ""},
		{"keys of the system alone", func(o *Options) { o.System = system }, 0, ""},
		{"a key", func(o *Options) { o.Keys = []string{key.file} }, 1, ""},
		{"two", func(o *Options) { o.Keys = []string{key.file, other.file} }, 2, ""},
		{"the system's", func(o *Options) { o.Require, o.System = true, system }, 1, ""},
		{"a name", func(o *Options) { o.Names, o.System = []string{"docs"}, system }, 1, ""},
		{"a name as a variable", func(o *Options) {
			o.System, o.Environ = system, map[string]string{"KDD_SIGNED_AS": "docs,manual"}
		}, 1, ""},
		{"an age", func(o *Options) { o.MaxAge, o.System = time.Hour, system }, 1, ""},
		{"without keys", func(o *Options) { o.Require = true }, 0, "no public key is known"},
		{"the system asks", func(o *Options) { o.System = always }, 0, "no public key is known"},
		{"what the system asks cannot be read", func(o *Options) { o.System = key.file }, 0, "not a directory"},
		{"a variable", func(o *Options) {
			o.Environ = map[string]string{"KDD_KEY": key.file + string(os.PathListSeparator) + other.file}
		}, 2, ""},
		{"a flag over a variable", func(o *Options) {
			o.Keys, o.Environ = []string{key.file}, map[string]string{"KDD_KEY": "nosuch"}
		}, 1, ""},
		{"1", func(o *Options) { o.System, o.Environ = system, map[string]string{"KDD_REQUIRE_SIGNATURE": "1"} }, 1, ""},
		{"true", func(o *Options) { o.System, o.Environ = system, map[string]string{"KDD_REQUIRE_SIGNATURE": "true"} }, 1, ""},
		{"no", func(o *Options) { o.System, o.Environ = system, map[string]string{"KDD_REQUIRE_SIGNATURE": "No"} }, 0, ""},
		{"an age as a variable", func(o *Options) { o.System, o.Environ = system, map[string]string{"KDD_MAX_AGE": "30d"} }, 1, ""},
		{"no age", func(o *Options) { o.Environ = map[string]string{"KDD_MAX_AGE": "soon"} }, 0, `KDD_MAX_AGE: "soon" is no age`},
		{"a key that is not there", func(o *Options) { o.Keys = []string{"nosuch.pub"} }, 0, "nosuch.pub"},
		{"a folder without keys", func(o *Options) { o.Keys = []string{notKeys} }, 0, "without keys"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := options(t)
			tt.set(&o)
			p, err := o.Policy()
			if tt.want != "" {
				if err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("Policy = %v, %v, want %q", p, err, tt.want)
				}
				return
			}
			if err != nil || (p == nil) != (tt.keys == 0) || p != nil && len(p.keys) != tt.keys {
				t.Errorf("Policy = %+v, %v, want %d keys", p, err, tt.keys)
			}
		})
	}
}

func TestParseAge(t *testing.T) {
	for text, want := range map[string]time.Duration{"30d": 720 * time.Hour, "1.5d": 36 * time.Hour, "36h": 36 * time.Hour, "90s": 90 * time.Second,
		"": 0, "0d": 0, "-1h": 0, "d": 0, "30": 0, "1e9d": 0, "3dd": 0, "NaNd": 0} {
		if got, err := ParseAge(text); got != want || (err == nil) != (want > 0) {
			t.Errorf("ParseAge(%q) = %v, %v, want %v", text, got, err, want)
		}
	}
}

func TestSystemDir(t *testing.T) {
	for _, tt := range []struct{ system, programData, want string }{
		{"linux", `D:\Data`, "/etc/kdd"}, {"darwin", "", "/etc/kdd"},
		{"windows", `D:\Data`, `D:\Data\kdd`}, {"windows", "", `C:\ProgramData\kdd`}, {"windows", "here", `C:\ProgramData\kdd`},
	} {
		if got := systemDir(tt.system, tt.programData); got != tt.want {
			t.Errorf("systemDir(%q, %q) = %q, want %q", tt.system, tt.programData, got, tt.want)
		}
	}
}
