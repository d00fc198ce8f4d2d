// Package watch builds again whenever what a build reads has changed.
//
// Each round lists the folders that a build would list, by the same rules, watches them, and builds; a change that comes
// after the listing begins the next round, so none is lost. Changes come from the system, by fsnotify, or where it
// cannot watch as many folders, from looking at the folders again and again. Files that documents include may lie in
// folders that are not listed: they are known when a build has read them, and are watched from then on.
package watch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kdd/compiler/source"
)

// The defaults of Options.
const (
	DefaultQuiet = 20 * time.Millisecond
	DefaultMost  = 500 * time.Millisecond
	DefaultPoll  = time.Second
)

// Options say what is watched.
type Options struct {
	// Sources returns what the next build will read: kdd.yaml, which may change, has a say in it.
	Sources func() source.Options
	// Included returns the files that documents included in the builds so far, absolute; nil = there is none.
	Included func() []string
	Quiet    time.Duration // no change for so long ends a burst of them; 0 = DefaultQuiet
	Most     time.Duration // the longest that a burst is waited for; 0 = DefaultMost
	Poll     time.Duration // look at the folders so often in place of waiting for the system; 0 = do not
	Notice   func(string)  // hears what the user should know; nil = nobody

	system func() (origin, error) // in place of the system's, for tests; nil = the system's
}

// Run calls build, and again after each change, until ctx ends or build returns an error. It returns that error, or the
// cause of ctx. Builds do not overlap.
func Run(ctx context.Context, o Options, build func(context.Context) error) error {
	w := &watcher{Options: o}
	w.Quiet, w.Most = positive(o.Quiet, DefaultQuiet), positive(o.Most, DefaultMost)
	defer w.close()
	for {
		if err := w.prepare(ctx); err != nil {
			return err
		}
		if err := build(ctx); err != nil {
			return err
		}
		if w.unwatched() {
			continue // what has changed while nobody watched is built, too
		}
		if err := w.from.wait(ctx); err != nil {
			return err
		}
		if err := settle(ctx, w.from.changes(), w.Quiet, w.Most); err != nil {
			return err
		}
	}
}

func positive(d, otherwise time.Duration) time.Duration {
	if d > 0 {
		return d
	}
	return otherwise
}

// origin is where changes come from.
type origin interface {
	// set watches these and no others; it says whether one of them was not watched before.
	set(w watched) (added bool, err error)
	// wait returns once there may have been a change since set was called first.
	wait(ctx context.Context) error
	// changes has a value if there was one since; nil if that is not known.
	changes() <-chan struct{}
	close()
}

// watched is what a build depends on.
type watched struct {
	folders []string // whose entries count, sorted
	roots   []string // the sources, and files of which documents include text: they may vanish and come back
}

// watcher is a Run at work.
type watcher struct {
	Options
	from origin
	list watched // of the last round
}

func (w *watcher) close() {
	if w.from != nil {
		w.from.close()
	}
}

// prepare watches what the next build reads. A folder that appears while the folders are listed is listed in the next
// turn, since its parent is watched by then.
func (w *watcher) prepare(ctx context.Context) error {
	const most = 8 // turns; what appears later is a change
	for range most {
		list, err := w.lists(ctx)
		if err != nil {
			return err
		}
		if w.from == nil {
			w.from = w.open()
		}
		w.list = list
		added, err := w.from.set(list)
		if err != nil { // the system has no more watches
			w.notice(fmt.Sprintf("the system watches no more folders (%v): they are looked at every %v instead", err, DefaultPoll))
			w.from.close()
			w.from = newPoller(DefaultPoll)
			added = true
		}
		if !added {
			return nil
		}
	}
	return nil
}

// lists returns what is to be watched. Sources that are not there are waited for.
func (w *watcher) lists(ctx context.Context) (watched, error) {
	o := w.Sources()
	var l watched
	for _, dir := range o.Dirs {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return l, err
		}
		l.roots = append(l.roots, abs)
	}
	folders, err := source.Folders(ctx, o)
	if err != nil && ctx.Err() != nil {
		return l, context.Cause(ctx)
	} // any other error is the build's to tell
	l.folders = folders
	for _, file := range w.included() {
		if !l.listed(file) {
			l.roots = append(l.roots, file)
		}
	}
	return l, nil
}

func (w *watcher) included() []string {
	if w.Included == nil {
		return nil
	}
	return w.Included()
}

// listed says whether a file lies in a folder whose entries count.
func (w *watched) listed(file string) bool {
	_, listed := slices.BinarySearch(w.folders, filepath.Dir(file))
	return listed
}

// unwatched says whether the build has included a file that is not watched yet.
func (w *watcher) unwatched() bool {
	return slices.ContainsFunc(w.included(), func(file string) bool {
		return !w.list.listed(file) && !slices.Contains(w.list.roots, file)
	})
}

// open returns the origin that the options and the system allow.
func (w *watcher) open() origin {
	if w.Poll > 0 {
		return newPoller(w.Poll)
	}
	system := w.system
	if system == nil {
		system = func() (origin, error) { return newNotifier() }
	}
	o, err := system()
	if err != nil {
		w.notice(fmt.Sprintf("the system does not tell of changes (%v): folders are looked at every %v instead", err, DefaultPoll))
		return newPoller(DefaultPoll)
	}
	return o
}

func (w *watcher) notice(text string) {
	if w.Notice != nil {
		w.Notice(text)
	}
}

// settle returns when there was no change for quiet, or after most: an editor that saves makes several changes, and a
// checkout makes thousands.
func settle(ctx context.Context, changes <-chan struct{}, quiet, most time.Duration) error {
	end := time.NewTimer(most)
	defer end.Stop()
	still := time.NewTimer(quiet)
	defer still.Stop()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-changes:
			still.Reset(quiet)
		case <-still.C:
			return nil
		case <-end.C:
			return nil
		}
	}
}

// counts says whether a change of a path may change what a build gives: it lies in a folder that is read, is one, or is a
// folder that a source lies in.
func (w *watched) counts(path string) bool {
	if passing(filepath.Base(path)) {
		return false
	}
	for _, dir := range []string{filepath.Dir(path), path} {
		if _, listed := slices.BinarySearch(w.folders, dir); listed {
			return true
		}
	}
	return slices.ContainsFunc(w.roots, func(root string) bool {
		return root == path || strings.HasPrefix(root, path+string(filepath.Separator))
	})
}

// passing says that a name is that of a file that an editor or a build makes for a moment, or of an artifact.
func passing(name string) bool {
	switch {
	case name == ".git", name == ".DS_Store", name == "4913": // the last: vim sees whether it may write
		return true
	case strings.HasPrefix(name, ".#"), strings.HasPrefix(name, "~$"), strings.HasPrefix(name, ".~lock."),
		strings.HasPrefix(name, ".goutputstream-"), strings.HasPrefix(name, ".kddx-"), strings.HasPrefix(name, ".vec-"):
		return true
	case strings.HasPrefix(name, "#") && strings.HasSuffix(name, "#"):
		return true
	}
	for _, end := range []string{"~", ".swp", ".swo", ".swx", ".tmp", ".kddx", "___jb_tmp___", "___jb_old___"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// standing returns the folders that have to be watched to hear of the roots themselves: of each the nearest that exists.
func (w *watched) standing() []string {
	var above []string
	for _, root := range w.roots {
		for dir := filepath.Dir(root); ; dir = filepath.Dir(dir) {
			if info, err := os.Stat(dir); err == nil && info.IsDir() {
				above = append(above, dir)
				break
			} else if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	return above
}

// gone says that a folder vanished between listing and watching it.
func gone(err error) bool { return errors.Is(err, os.ErrNotExist) }
