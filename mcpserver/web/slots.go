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

// slots bounds how many requests work at the same time. Others wait for a while, then they are refused: a long queue
// would answer clients that are gone.
type slots struct {
	free *semaphore.Weighted
	wait time.Duration
}

func newSlots(n int, wait time.Duration) slots {
	return slots{free: semaphore.NewWeighted(int64(n)), wait: wait}
}

// take waits for a slot, and reports whether it got one in time. give returns the slot.
func (s *slots) take(ctx context.Context) bool {
	if s.free.TryAcquire(1) { // Acquire would refuse a free slot once its context has ended
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, s.wait)
	defer cancel()
	return s.free.Acquire(ctx, 1) == nil
}

func (s *slots) give() { s.free.Release(1) }

// leaseState is the state of a request.
type leaseState uint8

const (
	working leaseState = iota // the request holds the slot
	unread                    // it has given its slot back, and its answer counts as unsent
	over                      // it holds nothing
)

// lease is a slot that a request and the goroutines that work for it hold together. The last one to let go gives it
// back. So work that took too long and goes on after its request was answered still counts.
type lease struct {
	give   func()
	body   int                 // bytes of the request's body, which it may hold to its end
	unsent *semaphore.Weighted // bytes that all requests share

	mu      sync.Mutex
	holders int // the request itself is one while it is working
	state   leaseState
	held    int64 // bytes of unsent, in state unread
}

// newLease returns the lease of a request that is working.
func newLease(give func(), body int, unsent *semaphore.Weighted) *lease {
	return &lease{give: give, body: body, unsent: unsent, holders: 1}
}

// hold adds a goroutine as a holder. It calls letGo in the end.
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

// leave removes a holder. l.mu is held.
func (l *lease) leave() {
	if l.holders--; l.holders == 0 {
		l.give()
	}
}

// free gives the slot of a working request back while n bytes of its answer are still to be sent, and reports whether
// it did. It does not if slow readers hold too many bytes already: then the slots bound what more there can be.
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

// The time that a client has to read an answer: enough for slow readers, while clients that read nothing are cut off.
const (
	sendTime = 10 * time.Second
	sendRate = 8 << 10 // bytes a second, in addition
)

// sending is called when the work of a request is done and the n bytes of its answer are to be sent. It frees the slot
// and the body of the request, within maxUnsent, so that clients that read slowly or not at all do not hold them.
func sending(w http.ResponseWriter, r *http.Request, n int) {
	if l, ok := r.Context().Value(leaseKey{}).(*lease); ok && l.free(n) {
		r.Body = http.NoBody
	}
	takeIn(w, n)
}

// takeIn extends the write deadline by the time for n bytes. Writers without deadlines, as in tests, are left alone.
func takeIn(w http.ResponseWriter, n int) {
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(sendTime + time.Duration(n)*time.Second/sendRate))
}

// within calls f and returns its results. If ctx ends first it returns an error at once, so that no request hangs. f
// goes on until it sees the end of ctx itself, and holds the request's slot until then.
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
	case o := <-done: // both were ready
		return o.value, o.err
	default:
	}
	var none T
	return none, wire.NewError(wire.CodeTimeout, "the operation took too long", "ask for less, or raise the time limit").Because(context.Cause(ctx))
}
