package compiler

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kdd/compiler/source"
	"kdd/format/index"
)

// watched is what Watch says of one build.
type watched struct {
	report *Report
	err    error
}

// startWatch runs Watch until the test ends. build returns what it says of the next build. It wants that nothing is
// left beside the sources and the artifact.
func startWatch(t *testing.T, dir string, next func() (Options, error)) (build func() watched) {
	said, ended := make(chan watched, 100), make(chan error, 1)
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		ended <- Watch(ctx, WatchOptions{Next: next, Built: func(r *Report, err error) error {
			said <- watched{r, err}
			return nil
		}})
	}()
	t.Cleanup(func() {
		stop()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("Watch = %v, want the end of its context", err)
		}
		if left := leftovers(t, dir, "docs", "out.kddx"); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	})
	return func() watched {
		t.Helper()
		select {
		case w := <-said:
			return w
		case <-time.After(time.Minute):
			t.Fatal("no build")
			return watched{}
		}
	}
}

// changed returns the next build that wrote an artifact or failed.
func changed(t *testing.T, build func() watched) watched {
	t.Helper()
	for {
		if w := build(); w.err != nil || !w.report.Unchanged {
			return w
		}
	}
}

func writeDoc(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestWatch edits a document: only its chunk is embedded, the query encoder stays, and what fails leaves the artifact.
func TestWatch(t *testing.T) {
	top := t.TempDir()
	dir, out := filepath.Join(top, "docs"), filepath.Join(top, "out.kddx")
	newCorpus(3, 5).write(t, dir)
	o := withVectors(dir, smallModel(t, 1, ""))
	o.Output = out
	build := startWatch(t, top, func() (Options, error) { return o, nil })
	first := changed(t, build)
	if first.err != nil || first.report.Embedded == 0 {
		t.Fatalf("the first build: %+v, %v, want vectors", first.report, first.err)
	}
	doc := filepath.Join(dir, "new.md")
	writeDoc(t, doc, "# Kettle\n\nCopper.\n")
	second := changed(t, build)
	if second.err != nil || second.report.Counts.Documents != first.report.Counts.Documents+1 {
		t.Fatalf("after a new document: %+v, %v", second.report, second.err)
	}
	if second.report.Embedded != 1 {
		t.Errorf("%d texts were embedded, want that of the new document alone", second.report.Embedded)
	}
	if x, err := index.Open(out); err != nil || !strings.HasPrefix(x.Meta.EncoderFrom, first.report.IndexID) {
		t.Errorf("%v, want the query encoder of %s", err, first.report.IndexID)
	} else {
		x.File.Close()
	}
	os.Remove(doc)
	third := changed(t, build)
	if third.err != nil || third.report.Counts.Documents != first.report.Counts.Documents {
		t.Fatalf("after it went: %+v, %v", third.report, third.err)
	}
	want, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(dir, dir+"2"); err != nil {
		t.Fatal(err)
	}
	if w := changed(t, build); !errors.Is(w.err, source.ErrMissing) {
		t.Errorf("without its sources: %+v, %v, want ErrMissing", w.report, w.err)
	}
	if got, err := os.ReadFile(out); err != nil || string(got) != string(want) {
		t.Errorf("a build that failed changed the artifact: %v", err)
	}
	if err := os.Rename(dir+"2", dir); err != nil {
		t.Fatal(err)
	}
	if w := build(); w.err != nil || !w.report.Unchanged || w.report.IndexID != third.report.IndexID {
		t.Errorf("with its sources again: %+v, %v, want what was there", w.report, w.err)
	}
	writeDoc(t, doc, "# Kettle\n\nTin.\n")
	if w := changed(t, build); w.err != nil || w.report.Embedded != 1 {
		t.Errorf("after another edit: %+v, %v", w.report, w.err)
	}
}

// TestWatchIncluded changes files that a document includes: one beside it, and one in a folder that is not walked, which
// goes and comes back.
func TestWatchIncluded(t *testing.T) {
	top := t.TempDir()
	dir, out := filepath.Join(top, "docs"), filepath.Join(top, "out.kddx")
	near, far := filepath.Join(dir, "near.rs"), filepath.Join(dir, ".parts", "far.rs")
	if err := os.MkdirAll(filepath.Dir(far), 0o777); err != nil {
		t.Fatal(err)
	}
	writeDoc(t, filepath.Join(dir, "a.md"), "# Book\n\n{{#include near.rs}}\n\n{{#include .parts/far.rs}}\n")
	writeDoc(t, filepath.Join(dir, "b.md"), "# Other\n\nNothing from elsewhere.\n")
	writeDoc(t, near, "near one\n")
	writeDoc(t, far, "far one\n")
	o := Options{Sources: []string{dir}, Output: out, NoVectors: true}
	build := startWatch(t, top, func() (Options, error) { return o, nil })
	// until waits for an artifact whose document holds a text.
	until := func(want string) {
		t.Helper()
		for {
			w := changed(t, build)
			if w.err != nil {
				t.Fatal(w.err)
			}
			x, err := index.Open(out)
			if err != nil {
				t.Fatal(err)
			}
			from, to := x.DocText(0)
			text := string(x.AppendText(nil, x.Text.Reader(), 0, 0, to-from))
			x.File.Close()
			if strings.Contains(text, want) {
				return
			}
		}
	}
	until("near one\n\n[included: .parts/far.rs, line 1]\nfar one")
	writeDoc(t, near, "near two\n")
	until("near two")
	writeDoc(t, far, "far two\n")
	until("far two")
	if err := os.RemoveAll(filepath.Dir(far)); err != nil {
		t.Fatal(err)
	}
	until("\n{{#include .parts/far.rs}}")
	if err := os.Mkdir(filepath.Dir(far), 0o777); err != nil {
		t.Fatal(err)
	}
	writeDoc(t, far, "far three\n")
	until("far three")
	watched, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	fresh := o
	fresh.Output = filepath.Join(t.TempDir(), "out.kddx")
	if _, got := mustBuild(t, fresh); !bytes.Equal(got, watched) {
		t.Error("documents that were kept in memory give another artifact than all of them parsed anew")
	}
}

// TestWatchReplaced builds anew what somebody else has put in the artifact's place.
func TestWatchReplaced(t *testing.T) {
	top := t.TempDir()
	dir, out := filepath.Join(top, "docs"), filepath.Join(top, "out.kddx")
	newCorpus(3, 5).write(t, dir)
	o := withVectors(dir, smallModel(t, 1, ""))
	o.Output = out
	build := startWatch(t, top, func() (Options, error) { return o, nil })
	if w := changed(t, build); w.err != nil {
		t.Fatal(w.err)
	}
	words := o
	words.NoVectors = true
	mustBuild(t, words)
	writeDoc(t, filepath.Join(dir, "new.md"), "# Kettle\n\nCopper.\n")
	if w := changed(t, build); w.err != nil || w.report.Counts.Vectors != w.report.Counts.Chunks {
		t.Errorf("%+v, %v, want vectors though the artifact before had no query encoder to take", w.report, w.err)
	}
}

// TestWatchFirst ends with an error that no change of the sources can mend, and waits for a change after another.
func TestWatchFirst(t *testing.T) {
	top := t.TempDir()
	dir := filepath.Join(top, "docs")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	o := Options{Sources: []string{dir}, Output: filepath.Join(top, "out.kddx"), NoVectors: true}
	for name, tt := range map[string]struct {
		change func(*Options)
		next   error
		want   error
	}{
		"no such folder": {func(o *Options) { o.Sources = []string{filepath.Join(top, "none")} }, nil, source.ErrMissing},
		"a bad option":   {func(o *Options) { o.Language = "elvish" }, nil, ErrOption},
		"a bad kdd.yaml": {func(o *Options) {}, errors.ErrUnsupported, errors.ErrUnsupported},
	} {
		bad := o
		tt.change(&bad)
		err := Watch(t.Context(), WatchOptions{
			Next:  func() (Options, error) { return bad, tt.next },
			Built: func(r *Report, err error) error { t.Errorf("%s: told of %v, %v", name, r, err); return nil },
		})
		if !errors.Is(err, tt.want) {
			t.Errorf("%s: Watch = %v, want %v", name, err, tt.want)
		}
	}
	build := startWatch(t, top, func() (Options, error) { return o, nil })
	if w := build(); !errors.Is(w.err, source.ErrEmpty) {
		t.Fatalf("without documents: %v, want ErrEmpty", w.err)
	}
	writeDoc(t, filepath.Join(dir, "a.md"), "# A\n")
	for {
		if w := build(); w.err == nil {
			break
		} else if !errors.Is(w.err, source.ErrEmpty) { // the file was seen before it was written
			t.Fatal(w.err)
		}
	}
}

// TestWordsFirst writes an artifact without vectors where nothing lies, and leaves what lies there.
func TestWordsFirst(t *testing.T) {
	dir, out := filepath.Join(t.TempDir(), "docs"), t.TempDir()
	newCorpus(3, 5).write(t, dir)
	o := withVectors(dir, smallModel(t, 1, ""))
	o.Output = filepath.Join(out, "plain.kddx")
	_, want := mustBuild(t, o)
	o.Output = filepath.Join(out, "first.kddx")
	var words []*Report
	o.WordsFirst = func(r *Report) {
		words = append(words, r)
		if info, err := os.Stat(o.Output); err != nil || info.Size() != r.FileBytes {
			t.Errorf("words first: %v, %v, want an artifact of %d bytes", info, err, r.FileBytes)
		}
	}
	_, got := mustBuild(t, o)
	sameBytes(t, "after words first", got, want)
	if len(words) != 1 || words[0].Counts.Vectors != 0 || words[0].Counts.Documents == 0 {
		t.Errorf("words first: %+v, want one artifact without vectors", words)
	}
	mustBuild(t, o)
	if len(words) != 1 {
		t.Error("an artifact was replaced by one without vectors")
	}
	writeDoc(t, filepath.Join(dir, "broken.md"), "[nowhere](nowhere.md)\n")
	o.Output, o.Strict = filepath.Join(out, "strict.kddx"), true
	if _, err := Build(t.Context(), o); !errors.Is(err, ErrFindings) {
		t.Errorf("strict: %v, want ErrFindings", err)
	}
	if left := leftovers(t, out, "plain.kddx", "first.kddx"); len(left) > 0 || len(words) != 1 {
		t.Errorf("a strict build with findings has left %v", left)
	}
}
