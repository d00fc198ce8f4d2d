package compiler

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	goruntime "runtime"

	"kdd/compiler/embedding/model"
	"kdd/compiler/embedding/modeldir/checkout"
	"kdd/runtime"
	"kdd/runtime/wire"
)

func init() { checkout.Use() }

// TestRealModel builds a small corpus with the default model, over numbers of processors, over its own artifact after
// an edit, and with a cache: equal bytes, and a paraphrase is found.
func TestRealModel(t *testing.T) {
	if _, err := model.Find(""); errors.Is(err, model.ErrNoModel) {
		t.Skip("the weights are not there: make cache")
	}
	parent := t.TempDir()
	dir := filepath.Join(parent, "docs")
	c := newCorpus(23, 3)
	c.docs["a/memo.md"] = []string{"# memo", "Wrap a component to skip rendering it again while its props are unchanged."}
	c.write(t, dir)
	o := Options{Sources: []string{dir}, CacheDir: "-", Version: "test"}
	var want []byte
	for _, processors := range []int{1, 2, 4} {
		o.Output = filepath.Join(parent, fmt.Sprintf("%d.kddx", processors))
		before := goruntime.GOMAXPROCS(processors)
		_, got := mustBuild(t, o)
		goruntime.GOMAXPROCS(before)
		if want == nil {
			want = got
		}
		sameBytes(t, fmt.Sprintf("GOMAXPROCS %d", processors), got, want)
	}
	verified(t, o.Output)
	s := runtime.New(runtime.Config{Index: []string{o.Output}})
	defer s.Close()
	found, err := s.Search(t.Context(), wire.SearchRequest{Query: "avoid a second render of a child", Mode: "vector"})
	if err != nil || len(found.Results) == 0 || found.Results[0].Path != "a/memo.md" {
		t.Errorf("Search = %v, %v, want a/memo.md first", hits(found), err)
	}

	c.edit()
	c.write(t, dir)
	o.Output, o.CacheDir = filepath.Join(parent, "clean.kddx"), t.TempDir()
	_, want = mustBuild(t, o)
	o.Output = filepath.Join(parent, "4.kddx")
	r, got := mustBuild(t, o)
	sameBytes(t, "over the old artifact, with a cache", got, want)
	if r.Reused == 0 || r.Reused == r.Counts.Chunks {
		t.Errorf("%d of %d vectors reused, want some", r.Reused, r.Counts.Chunks)
	}
}
