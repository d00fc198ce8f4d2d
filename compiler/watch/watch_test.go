package watch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"kdd/compiler/source"
)

// TestSettle has bursts of changes: one ends when it is quiet, an endless one after a while.
func TestSettle(t *testing.T) {
	const quiet, most = 30 * time.Millisecond, 500 * time.Millisecond
	for _, tt := range []struct {
		name    string
		changes int
		every   time.Duration
		want    time.Duration
	}{
		{"one change", 0, 0, quiet},
		{"an editor's three", 2, 10 * time.Millisecond, 2*10*time.Millisecond + quiet},
		{"a pause as long as quiet ends it", 5, quiet + 1, quiet},
		{"a checkout", 40, 10 * time.Millisecond, 400*time.Millisecond + quiet},
		{"no end", 1000, 10 * time.Millisecond, most},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				changes := make(chan struct{}, 1)
				go func() {
					for range tt.changes {
						select {
						case <-time.After(tt.every):
						case <-ctx.Done():
							return
						}
						select {
						case changes <- struct{}{}:
						default:
						}
					}
				}()
				begin := time.Now()
				if err := settle(ctx, changes, quiet, most); err != nil {
					t.Fatal(err)
				}
				if took := time.Since(begin); took != tt.want {
					t.Errorf("settled after %v, want %v", took, tt.want)
				}
			})
		})
	}
}

// TestSettleEnds ends with its context.
func TestSettleEnds(t *testing.T) {
	why := errors.New("why")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	if err := settle(ctx, nil, time.Hour, time.Hour); !errors.Is(err, why) {
		t.Errorf("settle = %v, want %v", err, why)
	}
}

// patience is how long a test waits for what has to come.
const patience = time.Minute

// rounds runs Run on a folder and tells what each build would read, as "path=text" in the order of paths.
type rounds struct {
	t     *testing.T
	dir   string
	saw   chan string
	said  chan string
	ended chan error
	end   context.CancelFunc
}

func start(t *testing.T, dir string, change func(*Options)) *rounds {
	r := &rounds{t: t, dir: dir, saw: make(chan string, 100), said: make(chan string, 100), ended: make(chan error, 1)}
	var ctx context.Context
	ctx, r.end = context.WithCancel(t.Context())
	o := Options{
		Sources: func() source.Options { return source.Options{Dirs: []string{dir}} },
		Notice:  func(text string) { r.said <- text },
	}
	change(&o)
	go func() { r.ended <- Run(ctx, o, func(ctx context.Context) error { r.saw <- r.read(ctx); return nil }) }()
	return r
}

func (r *rounds) read(ctx context.Context) string {
	tree, err := source.Walk(ctx, source.Options{Dirs: []string{r.dir}})
	if err != nil {
		return "error"
	}
	var all []string
	for _, f := range tree.Files {
		all = append(all, f.Path+"="+string(f.Data))
	}
	return strings.Join(all, " ")
}

// until waits for a build that reads this.
func (r *rounds) until(want string) {
	r.t.Helper()
	late := time.After(patience)
	var last string
	for {
		select {
		case last = <-r.saw:
			if last == want {
				return
			}
		case <-late:
			r.t.Fatalf("the last build read %q, want %q", last, want)
		}
	}
}

func (r *rounds) stop() {
	r.t.Helper()
	r.end()
	select {
	case err := <-r.ended:
		if !errors.Is(err, context.Canceled) {
			r.t.Errorf("Run = %v, want the end of its context", err)
		}
	case <-time.After(patience):
		r.t.Fatal("Run does not end with its context")
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func move(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

// TestRun changes a folder in every way in which folders change, told by the system and by looking.
func TestRun(t *testing.T) {
	for name, poll := range map[string]time.Duration{"told": 0, "looking": time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "above", "docs")
			at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
			write(t, at("a.md"), "one")
			r := start(t, dir, func(o *Options) { o.Poll, o.Quiet = poll, time.Millisecond })
			r.until("a.md=one")
			for _, step := range []struct {
				what   string
				change func()
				want   string
			}{
				{"an edit", func() { write(t, at("a.md"), "two!") }, "a.md=two!"},
				{"an atomic save", func() { write(t, at(".a.md.swp"), "three"); move(t, at(".a.md.swp"), at("a.md")) }, "a.md=three"},
				{"a new file", func() { write(t, at("b.md"), "b") }, "a.md=three b.md=b"},
				{"a file goes", func() { os.Remove(at("b.md")) }, "a.md=three"},
				{"new folders", func() { write(t, at("x/y/c.md"), "c") }, "a.md=three x/y/c.md=c"},
				{"an edit in a new folder", func() { write(t, at("x/y/c.md"), "cc") }, "a.md=three x/y/c.md=cc"},
				{"a folder moves", func() { move(t, at("x"), at("z")) }, "a.md=three z/y/c.md=cc"},
				{"an edit in it", func() { write(t, at("z/y/c.md"), "ccc") }, "a.md=three z/y/c.md=ccc"},
				{"an ignore file", func() { write(t, at(".kddignore"), "z\n") }, "a.md=three"},
				{"no ignore file", func() { os.Remove(at(".kddignore")) }, "a.md=three z/y/c.md=ccc"},
				{"a folder goes", func() { os.RemoveAll(at("z")) }, "a.md=three"},
				{"many files", func() {
					for i := range 300 {
						write(t, at(fmt.Sprintf("many/%03d/d.md", i)), "")
					}
					os.RemoveAll(at("many"))
					write(t, at("a.md"), "four")
				}, "a.md=four"},
				{"the source is gone", func() { move(t, dir, dir+"-away") }, "error"},
				{"and back", func() { move(t, dir+"-away", dir) }, "a.md=four"},
				{"an edit after that", func() { write(t, at("a.md"), "last") }, "a.md=last"},
			} {
				t.Log(step.what)
				step.change()
				r.until(step.want)
			}
			r.stop()
		})
	}
}

// full is a system that watches nothing more.
type full struct{ closed bool }

func (*full) set(watched) (bool, error)  { return false, syscall.ENOSPC }
func (*full) wait(context.Context) error { return errors.New("waited for a system that tells nothing") }
func (*full) changes() <-chan struct{}   { return nil }
func (f *full) close()                   { f.closed = true }

// TestRunExhausted looks at the folders where the system watches no more, and says so.
func TestRunExhausted(t *testing.T) {
	for name, system := range map[string]func() (origin, error){
		"no watch left":   func() (origin, error) { return &full{}, nil },
		"no watcher left": func() (origin, error) { return nil, syscall.EMFILE },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "a.md"), "one")
			r := start(t, dir, func(o *Options) { o.system = system })
			r.until("a.md=one")
			if text := <-r.said; !strings.Contains(text, "are looked at every 1s instead") {
				t.Errorf("notice %q, want that folders are looked at", text)
			}
			write(t, filepath.Join(dir, "a.md"), "two!")
			r.until("a.md=two!")
			r.stop()
		})
	}
}

// TestRunError ends with the error of a build.
func TestRunError(t *testing.T) {
	why := errors.New("why")
	o := Options{Sources: func() source.Options { return source.Options{Dirs: []string{t.TempDir()}} }}
	if err := Run(t.Context(), o, func(context.Context) error { return why }); !errors.Is(err, why) {
		t.Errorf("Run = %v, want %v", err, why)
	}
}

// TestCounts names what a change of starts a build.
func TestCounts(t *testing.T) {
	w := watched{folders: []string{"/d/docs", "/d/docs/sub"}, roots: []string{"/d/docs"}}
	slices.Sort(w.folders)
	for path, want := range map[string]bool{
		"/d/docs/a.md": true, "/d/docs/sub/img.png": true, "/d/docs/kdd.yaml": true, "/d/docs/.gitignore": true, "/d/docs/new": true,
		"/d/docs": true, "/d/docs/sub": true, "/d": true,
		"/d/other": false, "/d/docs2": false, "/d/docs/node_modules/x.md": false,
		// what editors and builds make for a moment
		"/d/docs/a.md~": false, "/d/docs/.a.md.swp": false, "/d/docs/.a.md.swx": false, "/d/docs/4913": false, "/d/docs/#a.md#": false,
		"/d/docs/.#a.md": false, "/d/docs/~$a.md": false, "/d/docs/a.md___jb_tmp___": false, "/d/docs/.DS_Store": false,
		"/d/docs/out.kddx": false, "/d/docs/.kddx-0123456789abc": false, "/d/docs/.git": false,
	} {
		if got := w.counts(filepath.FromSlash(path)); got != want {
			t.Errorf("counts(%s) = %t, want %t", path, got, want)
		}
	}
}
