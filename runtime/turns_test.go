package runtime

import (
	"context"
	"errors"
	goruntime "runtime"
	"testing"
	"testing/synctest"

	"kdd/runtime/wire"
)

func TestTurns(t *testing.T) {
	path := tree{"auth.md": "# Authentication\n\nAuthentication works in three steps."}.compile(t)
	synctest.Test(t, func(t *testing.T) { turns(t, path) })
	// The pool of format's zstd decoders may hold one that was made in the bubble, whose channel is of no use outside
	// it: a pool is empty after two collections.
	goruntime.GC()
	goruntime.GC()
}

func turns(t *testing.T, path string) {
	svc := New(Config{Index: []string{path}, Turns: 2})
	defer svc.Close()
	search := func(ctx context.Context) error {
		_, err := svc.Search(ctx, wire.SearchRequest{Query: "authentication"})
		return err
	}
	if err := search(t.Context()); err != nil {
		t.Fatal(err)
	}
	svc.turns <- struct{}{} // two operations that last
	svc.turns <- struct{}{}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	var known *wire.Error
	if err := search(cancelled); !errors.As(err, &known) || known.Code != wire.CodeTimeout {
		t.Errorf("a search that is cancelled before its turn: %v, want %s", err, wire.CodeTimeout)
	}
	if _, err := svc.Ready(t.Context()); err != nil {
		t.Errorf("Ready waits for a turn: %v", err)
	}
	done := make(chan error, 1)
	go func() { done <- search(t.Context()) }()
	if synctest.Wait(); len(done) > 0 {
		t.Fatalf("a third search did not wait: %v", <-done)
	}
	<-svc.turns
	if err := <-done; err != nil {
		t.Error(err)
	}
	if n := len(svc.turns); n != 1 {
		t.Errorf("%d turns are taken, want the one that lasts", n)
	}
}
