package runtime

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kdd/format"
	"kdd/format/index"
	"kdd/runtime/artifact"
	"kdd/runtime/search"
	"kdd/runtime/wire"
)

// swap puts a copy of an artifact in another's place as kdd build does: by rename.
func swap(t *testing.T, from, to string) {
	t.Helper()
	next := to + ".next"
	if err := os.WriteFile(next, must(os.ReadFile(from)), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(next, to); err != nil {
		t.Fatal(err)
	}
}

// TestHotSwap replaces the artifact again and again while calls run: every call answers from one of the two, whole.
func TestHotSwap(t *testing.T) {
	old, next := tree{"a.md": "# Old\n\nold words\n"}.compile(t), tree{"a.md": "# New\n\nnew words\n", "b.md": "# More\n\nwords\n"}.compile(t)
	ids := map[string]int{}
	for path, docs := range map[string]int{old: 1, next: 2} {
		f := must(format.Open(path))
		ids[f.ID()] = docs
		f.Close()
	}
	path := filepath.Join(t.TempDir(), "docs.kddx")
	swap(t, old, path)
	s := serve(t, path)
	var group sync.WaitGroup
	var calls atomic.Int64
	done := make(chan struct{})
	for range 4 {
		group.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				list, err := s.List(context.Background(), wire.ListRequest{})
				if err != nil || ids[list.IndexID] != list.Total {
					t.Errorf("List = %+v, %v", list, err)
					return
				}
				resp, err := s.Search(context.Background(), wire.SearchRequest{Query: "words"})
				if err != nil || ids[resp.IndexID] != resp.Count {
					t.Errorf("Search = %+v, %v", resp, err)
					return
				}
				calls.Add(1)
			}
		})
	}
	for i := range 60 {
		before := calls.Load()
		swap(t, []string{next, old}[i%2], path)
		for calls.Load() == before && !t.Failed() {
			goruntime.Gosched() // until a call has seen it
		}
	}
	close(done)
	group.Wait()
	if n := s.store.Sources[0].Current.Uses; n != 1 {
		t.Errorf("%d users of the artifact after all calls, want the source's own", n)
	}
}

// TestOldMappingIsReleased checks that a replaced artifact stays open for the call that uses it, and no longer.
func TestOldMappingIsReleased(t *testing.T) {
	path := tree{"a.md": "# Old\n"}.compile(t)
	next := tree{"a.md": "# New\n"}.compile(t)
	s := serve(t, path)
	var first *artifact.Artifact
	err := s.with(t.Context(), func(held *artifact.Set) error {
		first = held.Artifacts[0]
		swap(t, next, path)
		if title := must(s.List(t.Context(), wire.ListRequest{})).Documents[0].Title; title != "New" {
			t.Errorf("a call after the swap gives %q", title)
		}
		if title := first.DocTitle(0); title != "Old" || first.Uses != 1 {
			t.Errorf("the running call reads %q, %d users", title, first.Uses)
		}
		return nil
	})
	if err != nil || first.Uses != 0 {
		t.Errorf("after the call: %v, %d users, want 0", err, first.Uses)
	}
}

func TestWrittenInPlace(t *testing.T) {
	path := tree{"a.md": "# Old\n"}.compile(t)
	other := must(os.ReadFile(random(1, 5).compile(t)))
	s := serve(t, path)
	must(s.List(t.Context(), wire.ListRequest{}))
	if err := os.WriteFile(path, other, 0o644); err != nil { // same file, new content
		t.Fatal(err)
	}
	_, err := s.List(t.Context(), wire.ListRequest{})
	e := want(t, err, wire.CodeIndexCorrupt)
	if !strings.Contains(e.Message, "changed in place") || strings.Count(e.Error(), path) != 1 {
		t.Errorf("%v", e)
	}
	if got := must(s.List(t.Context(), wire.ListRequest{})); got.Total != 5 {
		t.Errorf("the next call sees %d documents, want the new 5", got.Total)
	}
	err = s.with(t.Context(), func(set *artifact.Set) error { // while a call runs
		return os.WriteFile(path, other[:len(other)-1], 0o644)
	})
	want(t, err, wire.CodeIndexCorrupt)
}

// TestCutOff truncates the file under the mapping while a call runs: the fault becomes an error.
func TestCutOff(t *testing.T) {
	path := random(3, 60).compile(t)
	s := serve(t, path)
	err := s.with(t.Context(), func(set *artifact.Set) error {
		if err := os.Truncate(path, 4096); err != nil {
			return err
		}
		a := set.Artifacts[0]
		for d := range index.DocID(a.Docs()) {
			from, to := a.DocText(d)
			a.AppendText(nil, a.Text.Reader(), d, 0, to-from)
		}
		return nil
	})
	want(t, err, wire.CodeIndexCorrupt)
}

func TestDeleted(t *testing.T) {
	path := tree{"a.md": "# Old\n"}.compile(t)
	s := serve(t, path)
	must(s.List(t.Context(), wire.ListRequest{}))
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if got := must(s.List(t.Context(), wire.ListRequest{})); got.Total != 1 {
		t.Errorf("a deleted file gives %d documents, want those of its mapping", got.Total)
	}
	swap(t, random(1, 5).compile(t), path)
	if got := must(s.List(t.Context(), wire.ListRequest{})); got.Total != 5 {
		t.Errorf("the file that came after it gives %d documents, want 5", got.Total)
	}
	if err := os.WriteFile(path+".x", []byte("version https://git-lfs.github.com/spec/v1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	swap(t, path+".x", path)
	if got := must(s.List(t.Context(), wire.ListRequest{})); got.Total != 5 {
		t.Errorf("a bad file: %d documents, want the 5 of the mapping", got.Total)
	}
	report := must(s.Doctor(t.Context(), wire.DoctorRequest{}))
	if report.OK || !strings.Contains(fmt.Sprint(report.Checks), "a Git LFS pointer") {
		t.Errorf("a bad file: doctor says %v", report.Checks)
	}
	swap(t, random(1, 7).compile(t), path)
	if got := must(s.List(t.Context(), wire.ListRequest{})); got.Total != 7 {
		t.Errorf("after a bad file: %d documents, want 7", got.Total)
	}
}

// TestNotAnIndex passes what people pass for an artifact: each has its code, the file's name once, and a cure.
func TestNotAnIndex(t *testing.T) {
	good := must(os.ReadFile(tree{"a.md": "# A\n"}.compile(t)))
	newer := bytes.Clone(good)
	newer[8] = 99
	flipped := bytes.Clone(good)
	flipped[200] ^= 1
	dir := t.TempDir()
	path := filepath.Join(dir, "docs.kddx")
	analyzer := remade(t, tree{"a.md": "# A\n"}.compile(t), func(m map[string]any) { m["analyzer"] = 9999 })
	weights := remade(t, tree{"a.md": "# A\n"}.compile(t), func(m map[string]any) { m["weights"].(map[string]any)["k1"] = 1e300 })
	tests := []struct {
		name string
		data []byte
		code string
		text string
	}{
		{"LFS pointer", []byte("version https://git-lfs.github.com/spec/v1\noid sha256:0\n"), wire.CodeIndexCorrupt, "git lfs pull"},
		{"HTML", []byte("<!DOCTYPE html><html>"), wire.CodeIndexCorrupt, "HTML page"},
		{"zip", []byte("PK\x03\x04aaaaaaaaa"), wire.CodeIndexCorrupt, "unpack"},
		{"empty", nil, wire.CodeIndexCorrupt, "an empty file"},
		{"text", []byte("# A\n"), wire.CodeIndexCorrupt, "kdd build"},
		{"cut off", good[:len(good)/2], wire.CodeIndexCorrupt, "kdd verify"},
		{"flipped bit", flipped, wire.CodeIndexCorrupt, "kdd verify"},
		{"newer", newer, wire.CodeIndexVersion, "update kdd"},
		{"other analyzer", must(os.ReadFile(analyzer)), wire.CodeIndexVersion, `kdd build`},
		{"weights that are no weights", must(os.ReadFile(weights)), wire.CodeIndexCorrupt, "k1"},
	}
	s := serve(t, path)
	_, err := s.Stats(t.Context(), wire.StatsRequest{})
	if e := want(t, err, wire.CodeIndexNotFound); strings.Count(e.Error(), path) != 1 {
		t.Errorf("no file: %v", e)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := os.WriteFile(path, tt.data, 0o644); err != nil {
				t.Fatal(err)
			}
			_, err := s.Stats(t.Context(), wire.StatsRequest{})
			e := want(t, err, tt.code)
			if strings.Count(e.Error(), path) != 1 || !strings.Contains(e.Error(), tt.text) {
				t.Errorf("%v; want %q in it and the path once", e, tt.text)
			}
		})
	}
	if err := os.WriteFile(path, good, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Stats(t.Context(), wire.StatsRequest{}); err != nil {
		t.Errorf("after all of them a good file gives %v", err)
	}
}

// calls is one call of each operation that answers about content.
var calls = map[string]func(context.Context, *Service) error{
	"search": func(ctx context.Context, s *Service) error {
		_, err := s.Search(ctx, wire.SearchRequest{Query: "state"})
		return err
	},
	"find-spec": func(ctx context.Context, s *Service) error {
		_, err := s.FindSpec(ctx, wire.FindSpecRequest{Name: "state"})
		return err
	},
	"related": func(ctx context.Context, s *Service) error {
		_, err := s.Related(ctx, wire.RelatedRequest{Entity: "d1"})
		return err
	},
	"read": func(ctx context.Context, s *Service) error {
		_, err := s.Read(ctx, wire.ReadRequest{File: "a.md"})
		return err
	},
	"list":  func(ctx context.Context, s *Service) error { _, err := s.List(ctx, wire.ListRequest{}); return err },
	"stats": func(ctx context.Context, s *Service) error { _, err := s.Stats(ctx, wire.StatsRequest{}); return err },
}

func TestContextEnds(t *testing.T) {
	path := random(1, 10).compile(t)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	late, cancel := context.WithTimeout(t.Context(), -time.Second)
	defer cancel()
	caused, end := context.WithCancelCause(t.Context())
	end(fmt.Errorf("the client is gone"))
	for name, ctx := range map[string]context.Context{"cancelled": cancelled, "deadline": late, "with a cause": caused} {
		for op, call := range calls {
			if e := want(t, call(ctx, serve(t, path)), wire.CodeTimeout); e.Unwrap() != context.Cause(ctx) {
				t.Errorf("%s of a context that is %s: %v does not wrap its cause", op, name, e)
			}
		}
	}
	// One that ends within the call.
	s := serve(t, path)
	ctx, cancel := context.WithCancel(t.Context())
	err := s.with(ctx, func(set *artifact.Set) error {
		cancel()
		_, err := search.Rank(ctx, set, &search.Request{Text: "state", Mode: search.ModeLexical, Filter: &wire.Filter{}, Want: 5})
		return err
	})
	want(t, err, wire.CodeTimeout)
}

// TestErrors checks the code of every error that a method returns: each is a *wire.Error.
func TestErrors(t *testing.T) {
	s := serve(t, random(1, 10).compile(t))
	ctx := t.Context()
	search := func(q wire.SearchRequest) error { _, err := s.Search(ctx, q); return err }
	related := func(q wire.RelatedRequest) error { _, err := s.Related(ctx, q); return err }
	read := func(q wire.ReadRequest) error { _, err := s.Read(ctx, q); return err }
	list := func(q wire.ListRequest) error { _, err := s.List(ctx, q); return err }
	find := func(q wire.FindSpecRequest) error { _, err := s.FindSpec(ctx, q); return err }
	stats := func(q wire.StatsRequest) error { _, err := s.Stats(ctx, q); return err }
	bad := wire.Page{Cursor: "AAAA"}
	tests := []struct {
		name  string
		err   error
		code  string
		field string
	}{
		{"search: empty", search(wire.SearchRequest{}), wire.CodeInvalidInput, "query"},
		{"search: mode", search(wire.SearchRequest{Query: "x", Mode: "fast"}), wire.CodeInvalidInput, "mode"},
		{"search: limit", search(wire.SearchRequest{Query: "x", Limit: -1}), wire.CodeInvalidInput, "limit"},
		{"search: glob", search(wire.SearchRequest{Query: "x", Filter: wire.Filter{PathGlob: "["}}), wire.CodeInvalidInput, "path_glob"},
		{"search: since", search(wire.SearchRequest{Query: "x", Filter: wire.Filter{Since: "x"}}), wire.CodeInvalidInput, "since"},
		{"search: vector", search(wire.SearchRequest{Query: "x", Mode: "vector"}), wire.CodeNoVectors, ""},
		{"search: cursor", search(wire.SearchRequest{Query: "x", Page: bad}), wire.CodeStaleCursor, "cursor"},
		{"find-spec: empty", find(wire.FindSpecRequest{Name: " "}), wire.CodeInvalidInput, "name"},
		{"find-spec: limit", find(wire.FindSpecRequest{Name: "x", Limit: -1}), wire.CodeInvalidInput, "limit"},
		{"find-spec: cursor", find(wire.FindSpecRequest{Name: "x", Page: bad}), wire.CodeStaleCursor, "cursor"},
		{"related: empty", related(wire.RelatedRequest{}), wire.CodeInvalidInput, "entity"},
		{"related: unknown", related(wire.RelatedRequest{Entity: "zxqwv"}), wire.CodeNotFound, ""},
		{"related: edge type", related(wire.RelatedRequest{Entity: "d1", EdgeTypes: []string{"LINKS"}}), wire.CodeInvalidInput, "edge_types"},
		{"related: direction", related(wire.RelatedRequest{Entity: "d1", Direction: "up"}), wire.CodeInvalidInput, "direction"},
		{"related: depth", related(wire.RelatedRequest{Entity: "d1", Depth: -1}), wire.CodeInvalidInput, "depth"},
		{"related: limit", related(wire.RelatedRequest{Entity: "d1", Limit: -1}), wire.CodeInvalidInput, "limit"},
		{"related: cursor", related(wire.RelatedRequest{Entity: "d1", Page: bad}), wire.CodeStaleCursor, "cursor"},
		{"read: empty", read(wire.ReadRequest{}), wire.CodeInvalidInput, "file"},
		{"read: unknown", read(wire.ReadRequest{File: "zxqwv"}), wire.CodeNotFound, ""},
		{"read: offset", read(wire.ReadRequest{File: "a/d0.md", Offset: -1}), wire.CodeInvalidInput, "offset"},
		{"list: glob", list(wire.ListRequest{PathGlob: "["}), wire.CodeInvalidInput, "path_glob"},
		{"list: limit", list(wire.ListRequest{Limit: -1}), wire.CodeInvalidInput, "limit"},
		{"list: cursor", list(wire.ListRequest{Page: bad}), wire.CodeStaleCursor, "cursor"},
		{"stats: cursor", stats(wire.StatsRequest{Page: bad}), wire.CodeStaleCursor, "cursor"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := want(t, tt.err, tt.code)
			if e.SchemaVersion != "error.v1" || e.Hint == "" || tt.field != "" && e.Details["field"] != tt.field {
				t.Errorf("%+v: want a hint and field %q", e, tt.field)
			}
			if s, ok := e.Details["suggestions"]; ok && len(s.([]string)) == 0 {
				t.Error("empty suggestions")
			}
		})
	}
}

func TestClosedServiceReleases(t *testing.T) {
	path := tree{"a.md": "# A\n"}.compile(t)
	s := New(Config{Index: []string{path}})
	must(s.List(t.Context(), wire.ListRequest{}))
	a := s.store.Sources[0].Current
	if err := s.Close(); err != nil || a.Uses != 0 {
		t.Errorf("Close: %v, %d users", err, a.Uses)
	}
}
