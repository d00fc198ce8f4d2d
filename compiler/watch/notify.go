package watch

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/fsnotify/fsnotify"
)

// notifier hears of changes from the system.
type notifier struct {
	system  *fsnotify.Watcher
	changed chan struct{} // holds one value at most
	ended   chan struct{} // closed when the goroutine has ended

	mu   sync.Mutex
	what watched
}

// newNotifier returns a notifier that watches nothing yet.
func newNotifier() (*notifier, error) {
	system, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	n := &notifier{system: system, changed: make(chan struct{}, 1), ended: make(chan struct{})}
	go n.listen()
	return n, nil
}

// listen passes on what counts until the system's watcher is closed.
func (n *notifier) listen() {
	defer close(n.ended)
	for {
		select {
		case e, open := <-n.system.Events:
			if !open {
				return
			}
			if e.Op != fsnotify.Chmod && n.counts(e.Name) {
				n.tell()
			}
		case _, open := <-n.system.Errors: // of which an overflow means that changes were lost
			if !open {
				return
			}
			n.tell()
		}
	}
}

func (n *notifier) counts(path string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.what.counts(path)
}

func (n *notifier) tell() {
	select {
	case n.changed <- struct{}{}:
	default:
	}
}

// set watches the folders. A folder that is gone by now is no error: its parent tells.
func (n *notifier) set(what watched) (added bool, err error) {
	n.mu.Lock()
	n.what = what
	n.mu.Unlock()
	want := slices.Concat(what.folders, what.standing())
	slices.Sort(want)
	want = slices.Compact(want)
	have := n.system.WatchList()
	for _, dir := range have {
		if _, wanted := slices.BinarySearch(want, dir); !wanted {
			if err := n.system.Remove(dir); err != nil && !errors.Is(err, fsnotify.ErrNonExistentWatch) {
				return added, err
			}
		}
	}
	slices.Sort(have)
	for _, dir := range want {
		if _, watched := slices.BinarySearch(have, dir); watched {
			continue
		}
		switch err := n.system.Add(dir); {
		case err == nil:
			added = true
		case !gone(err):
			return added, err
		}
	}
	return added, nil
}

// wait returns after a change.
func (n *notifier) wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-n.changed:
		return nil
	}
}

func (n *notifier) changes() <-chan struct{} { return n.changed }

// close ends the goroutine.
func (n *notifier) close() {
	n.system.Close()
	<-n.ended
}
