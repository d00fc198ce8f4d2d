package sets

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kdd/bench/internal/harness"
	"kdd/runtime"
	"kdd/runtime/wire"
)

// write makes a set of that name with some documents, and compiles it into artifacts without vectors.
func write(t *testing.T, name, artifacts string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	files := map[string]string{"queries.tsv": "q\tapples\n", "queries.sent.tsv": "q\twhere apples are\n", "qrels.tsv": "q\t0.md\t-\t1\n"}
	for i := range 7 {
		files[fmt.Sprintf("corpus/%d.md", i)] = fmt.Sprintf("# Part %d\n\nOn apples%s.\n\n## More\n\nApples again, %d times.\n", i, strings.Repeat(" and pears", i), i)
	}
	if err := harness.WriteFiles(dir, files); err != nil {
		t.Fatal(err)
	}
	if err := harness.BuildWords(t.Context(), filepath.Join(dir, "corpus"), filepath.Join(artifacts, name+"-lexical.kddx")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestCorpora(t *testing.T) {
	artifacts := t.TempDir()
	one, two := write(t, "one", artifacts), write(t, "two", artifacts)
	o := Options{KDD: filepath.Join(artifacts, "none"), Artifacts: artifacts, Sets: []string{one}, Guard: []string{two}}
	var stderr bytes.Buffer
	corpora, done, err := o.Corpora(t.Context(), &stderr)
	if err != nil {
		t.Fatal(err)
	}
	done()
	if len(corpora) != 2 || corpora[0].Guard || !corpora[1].Guard {
		t.Fatalf("Corpora = %+v, want one and the guard two", corpora)
	}
	if got, want := corpora[1].Words(), filepath.Join(artifacts, "two-lexical.kddx"); got != want || len(corpora[1].Paths) != 1 {
		t.Errorf("Words = %s of %v, want %s, and no other", got, corpora[1].Paths, want)
	}
	if _, err := os.Stat(corpora[0].Words()); err != nil {
		t.Errorf("done took an artifact that is to be kept: %v", err)
	}
	if n := strings.Count(stderr.String(), "going on without the exact encoder"); n != 2 {
		t.Errorf("standard error names the exact encoder %d times, want 2:\n%s", n, stderr.String())
	}
	var names []string
	for _, q := range corpora[0].Questions() {
		names = append(names, fmt.Sprint(q.Name, " ", len(q.List)))
	}
	if diff := cmp.Diff([]string{"one 1", "one, sentences 1"}, names); diff != "" {
		t.Errorf("Questions (-want +got):\n%s", diff)
	}
	for _, test := range []struct {
		name string
		o    Options
		want string
	}{
		{"a set twice", Options{KDD: o.KDD, Artifacts: artifacts, Sets: []string{one}, Guard: []string{one}}, "two sets are named one"},
		{"no set", Options{KDD: o.KDD, Sets: []string{artifacts}}, "no set"},
		{"nothing builds", Options{KDD: o.KDD, Sets: []string{one}}, "build of one (lexical)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, _, err := test.o.Corpora(t.Context(), io.Discard); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("Corpora = %v, want an error with %q", err, test.want)
			}
		})
	}
}

func TestRun(t *testing.T) {
	var got string
	work := func(_ context.Context, o *Options) error {
		got = fmt.Sprintf("%v %v %s", o.Sets, o.Guard, o.KDD)
		return nil
	}
	if code := Run("x", []string{"-sets", "a,b", "-guard", "c"}, io.Discard, work); code != 0 || got != "[a b] [c] bin/kdd" {
		t.Errorf("Run = %d with options %s", code, got)
	}
	for _, args := range [][]string{{}, {"-sets", "a", "b"}, {"-no"}, {"-h"}} {
		if code := Run("x", args, io.Discard, nil); code != 2 {
			t.Errorf("Run(%v) = %d, want 2", args, code)
		}
	}
}

// TestHits checks that pages give what one answer gives, and no more documents than asked for.
func TestHits(t *testing.T) {
	artifacts := t.TempDir()
	write(t, "one", artifacts)
	path := filepath.Join(artifacts, "one-lexical.kddx")
	svc := runtime.New(runtime.Config{Index: []string{path}})
	defer svc.Close()
	ask := func(limit, documents int) []string {
		hits, err := Hits(t.Context(), svc, wire.SearchRequest{Query: "apples", Mode: "lexical", Limit: limit}, documents)
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, p := range Places(hits) {
			list = append(list, p.Path+"#"+p.Anchor)
		}
		return list
	}
	all := ask(0, math.MaxInt)
	if len(all) != 14 {
		t.Fatalf("%d hits, want all 14", len(all))
	}
	if diff := cmp.Diff(all, ask(4, math.MaxInt)); diff != "" {
		t.Errorf("in pages (-whole +pages):\n%s", diff)
	}
	if got := ask(2, 1); len(got) != 2 {
		t.Errorf("for one document %d hits are asked for, want one page of 2", len(got))
	}
	if _, err := Hits(t.Context(), svc, wire.SearchRequest{}, 1); err == nil {
		t.Error("Hits of no question gives no error")
	}
}
