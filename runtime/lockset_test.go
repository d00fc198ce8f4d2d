package runtime

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"aead.dev/minisign"

	"kdd/format"
	"kdd/format/sign"
	"kdd/runtime/lock"
	"kdd/runtime/source/sourcetest"
	"kdd/runtime/wire"
)

// lockWorld is a folder with a lock, a host, and a cache.
type lockWorld struct {
	t      *testing.T
	config Config
	path   string // of the lock
	www    string // what the host has
	url    string
	log    bytes.Buffer
}

func newLockWorld(t *testing.T) *lockWorld {
	w := &lockWorld{t: t, www: t.TempDir(), path: filepath.Join(t.TempDir(), lock.FileName)}
	host := sourcetest.New(os.DirFS(w.www))
	t.Cleanup(host.Close)
	w.url = host.URL
	w.config = Config{Dir: filepath.Dir(w.path), Environ: map[string]string{"KDD_CACHE": t.TempDir()}, Log: slog.New(slog.NewTextHandler(&w.log, nil))}
	return w
}

// publish puts a document of that title onto the host, in place of the one before.
func (w *lockWorld) publish(name, title string) {
	w.t.Helper()
	data := must(os.ReadFile(tree{"a.md": "# " + title + "\n\nText.\n"}.compile(w.t)))
	path := filepath.Join(w.www, name+".kddx")
	if err := os.WriteFile(path+".new", data, 0o644); err != nil {
		w.t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		w.t.Fatal(err)
	}
}

func (w *lockWorld) add(name string) {
	w.t.Helper()
	if _, err := Add(w.t.Context(), w.config, LockRequest{Path: w.path}, lock.Entry{Name: name, Source: w.url + "/" + name + ".kddx"}); err != nil {
		w.t.Fatal(err)
	}
}

// titles asks a service what its documents are called.
func titles(t *testing.T, s *Service) string {
	t.Helper()
	var list []string
	for _, d := range must(s.List(t.Context(), wire.ListRequest{})).Documents {
		list = append(list, d.Title)
	}
	return strings.Join(list, " ")
}

// TestServedLock changes a lock under a service that answers from it: a pin that moves is taken up at the next call,
// and a lock that cannot be taken up leaves the answers as they were, with one line in the log.
func TestServedLock(t *testing.T) {
	w := newLockWorld(t)
	s := New(w.config)
	t.Cleanup(func() { s.Close() })
	_, err := s.List(t.Context(), wire.ListRequest{})
	want(t, err, wire.CodeIndexNotFound) // there is no lock yet
	w.publish("one", "Old")
	w.add("one")
	ask := func(want string) {
		t.Helper()
		for range 3 {
			if got := titles(t, s); got != want {
				t.Fatalf("titles %q, want %q", got, want)
			}
		}
	}
	ask("Old")
	w.publish("one", "New")
	ask("Old")
	if r := must(Update(t.Context(), w.config, LockRequest{Path: w.path})); !r.Changed || r.Artifacts[0].State != wire.LockMoved {
		t.Fatalf("Update = %+v", r)
	}
	ask("New")
	w.publish("two", "Second")
	w.add("two")
	ask("New Second")

	good := must(os.ReadFile(w.path))
	put := func(text []byte) {
		t.Helper()
		if err := os.WriteFile(w.path+".new", text, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(w.path+".new", w.path); err != nil {
			t.Fatal(err)
		}
	}
	unfetched := bytes.Replace(good, []byte("root: "), []byte("root: 0"), 1)
	unfetched = append(unfetched[:bytes.Index(unfetched, []byte("root: 0"))+6+64], unfetched[bytes.Index(unfetched, []byte("root: 0"))+6+65:]...)
	for i, broken := range [][]byte{[]byte("no lock"), unfetched} {
		put(broken)
		ask("New Second")
		if got := strings.Count(w.log.String(), "the changed lock cannot be used"); got != i+1 {
			t.Fatalf("broken lock %d: %d lines in the log, want %d:\n%s", i, got, i+1, w.log.String())
		}
	}
	put(good)
	ask("New Second")
	if err := os.Remove(w.path); err != nil {
		t.Fatal(err)
	}
	ask("New Second")
}

// TestFetchAgain fetches a set whose files were damaged, cut off and removed.
func TestFetchAgain(t *testing.T) {
	w := newLockWorld(t)
	w.publish("one", "First")
	w.add("one")
	file := must(New(w.config).store.FindSources())[0].Path
	good := must(os.ReadFile(file))
	flipped := bytes.Clone(good)
	flipped[len(flipped)/2] ^= 1
	for _, tt := range []struct {
		name string
		data []byte
	}{{"flipped", flipped}, {"cut", good[:len(good)-5]}, {"another", []byte("# a document\n")}, {"empty", nil}} {
		if err := os.WriteFile(file, tt.data, 0o644); err != nil {
			t.Fatal(err)
		}
		if r := must(Fetch(t.Context(), w.config, LockRequest{Path: w.path, Check: true})); r.OK || r.Artifacts[0].Problem == nil {
			t.Errorf("%s: Fetch to check = %+v, want a problem", tt.name, r.Artifacts[0])
		}
		r := must(Fetch(t.Context(), w.config, LockRequest{Path: w.path}))
		if !r.OK || r.Artifacts[0].State != wire.LockFetched || !bytes.Equal(must(os.ReadFile(file)), good) {
			t.Errorf("%s: Fetch = %+v, want the file again", tt.name, r.Artifacts[0])
		}
	}
	entries := must(os.ReadDir(filepath.Dir(file)))
	if len(entries) != 2 { // the artifact, and the empty folder of what has come of others
		t.Errorf("the cache has %v", entries)
	}
}

// TestUpdateKeepsTime puts artifacts that are signed with an older date, or with none, where a newer one is pinned.
func TestUpdateKeepsTime(t *testing.T) {
	public, private, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	w := newLockWorld(t)
	publish := func(title, date string) {
		t.Helper()
		data := must(os.ReadFile(tree{"a.md": "# " + title + "\n\nText.\n"}.compile(t)))
		if date != "" {
			data = format.AppendTrailer(data, format.TagProvenance, fmt.Appendf(nil, `{"source_commit":"1f4e","source_date":%q}`, date))
		}
		s := must(sign.Of(must(format.OpenBytes(data)), "docs"))
		data = must(sign.Append(data, []sign.Signature{{Statement: string(s.Text()), Kind: sign.Minisign,
			Text: string(minisign.Sign(private, s.Text()))}}))
		if err := os.WriteFile(filepath.Join(w.www, "one.kddx"), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	publish("First", "2026-11-02T00:00:00Z")
	e := lock.Entry{Name: "one", Source: w.url + "/one.kddx", Keys: []string{public.String()}}
	r := must(Add(t.Context(), w.config, LockRequest{Path: w.path}, e))
	if a := r.Artifacts[0]; a.SignedAs != "docs" || !strings.HasPrefix(a.Key, "minisign ") {
		t.Fatalf("Add = %+v, want who signed it", a)
	}
	for _, tt := range []struct{ title, date, want string }{
		{"Older", "2026-11-01T00:00:00Z", `"docs" is of 2026-11-01T00:00:00Z, and the pinned one of 2026-11-02T00:00:00Z`},
		{"Undated", "", `"docs" is without a date, and the pinned one of 2026-11-02T00:00:00Z`},
		{"Newer", "2026-11-03T00:00:00Z", ""},
		{"Of the same time", "2026-11-03T00:00:00Z", ""},
	} {
		publish(tt.title, tt.date)
		r := must(Update(t.Context(), w.config, LockRequest{Path: w.path}))
		switch p := r.Artifacts[0].Problem; {
		case tt.want == "" && (p != nil || !r.Changed):
			t.Errorf("%s: Update = %+v, %v", tt.title, r.Artifacts[0], p)
		case tt.want != "" && (p == nil || r.Changed || p.Code != wire.CodeIndexUntrusted || !strings.Contains(p.Message+p.Hint, tt.want)):
			t.Errorf("%s: Update = %v, want a refusal with %s", tt.title, p, tt.want)
		}
	}
	publish("Older", "2026-11-01T00:00:00Z")
	if r := must(Update(t.Context(), w.config, LockRequest{Path: w.path, Older: true})); !r.OK || !r.Changed {
		t.Errorf("Update with Older = %+v, want the older one", r.Artifacts[0])
	}
}

// TestFetchTogether has several programs fetch one artifact at once: each has it, and nothing else is left.
func TestFetchTogether(t *testing.T) {
	w := newLockWorld(t)
	w.publish("one", "First")
	w.add("one")
	file := must(New(w.config).store.FindSources())[0].Path
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	w.config.Log = slog.New(slog.DiscardHandler)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			r, err := Fetch(t.Context(), w.config, LockRequest{Path: w.path})
			if err != nil || !r.OK {
				t.Errorf("Fetch = %+v, %v", r, err)
			}
		})
	}
	group.Wait()
	if entries := must(os.ReadDir(filepath.Dir(file))); len(entries) != 2 {
		t.Errorf("the cache has %v", entries)
	}
}
