package web

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"kdd/runtime/wire"
)

// slots bound how many requests work at the same time. The others wait for a while, then they are refused: a queue that
// grows only answers clients that have gone.
type slots struct {
	free *semaphore.Weighted
	wait time.Duration
}

func newSlots(n int, wait time.Duration) slots {
	return slots{free: semaphore.NewWeighted(int64(n)), wait: wait}
}

// take reports whether a slot was got before the wait was over or ctx ended; give returns it.
func (s *slots) take(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, s.wait)
	defer cancel()
	return s.free.Acquire(ctx, 1) == nil
}

func (s *slots) give() { s.free.Release(1) }

// leaseState is how far a request is.
type leaseState uint8

const (
	working leaseState = iota // the request holds the slot
	unread                    // it has let go of the slot, and its answer counts as unsent
	over                      // it holds nothing
)

// lease is a slot that a request and the goroutines that work for it hold; the last that lets go gives it back. So work that
// goes on after its request was answered, for it took too long, still counts.
type lease struct {
	give   func()
	body   int                 // bytes of the request's, which the request may hold to its end
	unsent *semaphore.Weighted // bytes, which requests share

	mu      sync.Mutex
	holders int // the request is one while it is working
	state   leaseState
	held    int64 // of unsent, while it is unread
}

// newLease returns the lease of a request that is working.
func newLease(give func(), body int, unsent *semaphore.Weighted) *lease {
	return &lease{give: give, body: body, unsent: unsent, holders: 1}
}

// hold makes a goroutine a holder, which calls letGo in the end.
func (l *lease) hold() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.holders++
}

func (l *lease) letGo() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.leave()
}

// leave takes a holder off; l.mu is held.
func (l *lease) leave() {
	if l.holders--; l.holders == 0 {
		l.give()
	}
}

// free lets go for a working request while n bytes of its answer are left to send, and reports whether it did: not where too much
// is held for slow readers already, so that the slots bound what more there can be.
func (l *lease) free(n int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	size := int64(n + l.body)
	if l.state != working || !l.unsent.TryAcquire(size) {
		return false
	}
	l.state, l.held = unread, size
	l.leave()
	return true
}

// end is called when the request is over.
func (l *lease) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch l.state {
	case working:
		l.leave()
	case unread:
		l.unsent.Release(l.held)
	}
	l.state = over
}

// maxUnsent bounds the bytes of answers, and of the requests for them, that wait for slow readers without a slot.
const maxUnsent = 64 << 20

type leaseKey struct{}

// The time that a client gets to take an answer: slow readers are to have theirs, and those who read nothing are to go.
const (
	sendTime = 10 * time.Second
	sendRate = 8 << 10 // bytes a second, besides
)

// sending is called when the work of a request is done and only the n bytes of its answer are left to send. It frees the slot and
// the body of the request, so that a client that reads slowly or not at all does not keep them; not beyond maxUnsent.
func sending(w http.ResponseWriter, r *http.Request, n int) {
	if l, ok := r.Context().Value(leaseKey{}).(*lease); ok && l.free(n) {
		r.Body = http.NoBody
	}
	takeIn(w, n)
}

// takeIn gives a client the time for n bytes more. What has no deadline, such as a test's writer, goes without.
func takeIn(w http.ResponseWriter, n int) {
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(sendTime + time.Duration(n)*time.Second/sendRate))
}

// within calls f and returns what it returns, or once ctx ends an error, whatever f does: no request hangs. f goes on
// until it sees the end of ctx itself, and holds the request's slot until then.
func within[T any](ctx context.Context, f func(context.Context) (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	if l, ok := ctx.Value(leaseKey{}).(*lease); ok {
		l.hold()
		inner := f
		f = func(ctx context.Context) (T, error) {
			defer l.letGo()
			return inner(ctx)
		}
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			if p := recover(); p != nil {
				o.err = wire.NewError(wire.CodeInternal, fmt.Sprint(p), "this is a mistake in kdd; please report it")
			}
			done <- o
		}()
		o.value, o.err = f(ctx)
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
	}
	select {
	case o := <-done: // both at once
		return o.value, o.err
	default:
	}
	var none T
	return none, wire.NewError(wire.CodeTimeout, "the operation took too long", "ask for less, or raise the time limit").Because(context.Cause(ctx))
}
