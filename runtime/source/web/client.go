package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"

	"kdd/runtime/source"
)

// Client reads files of one host, and of those that it redirects to. It is safe for concurrent use.
type Client struct {
	typed *url.URL
	o     Options
	guard *guard
	http  *http.Client

	mu       sync.Mutex
	answered bool // by anything
	led      led
}

// led is where the typed address has led, so that later requests save the redirects.
type led struct {
	to  *url.URL // nil: nowhere
	far bool     // by a public host
}

// NewClient returns a client for the host of an address. It asks nothing.
func NewClient(address string, o Options) (*Client, error) {
	typed, err := parse(address)
	if err != nil {
		return nil, err
	}
	o = o.defaults()
	g, err := newGuard(typed, o)
	if err != nil {
		return nil, err
	}
	return &Client{typed: typed, o: o, guard: g, http: &http.Client{Transport: g, CheckRedirect: g.redirected}}, nil
}

// Name is the address without user, password and query.
func (c *Client) Name() string { return place(c.typed) }

// Stats counts the requests until now.
func (c *Client) Stats() Stats { return c.guard.counter.get() }

// Close gives up the connections that nothing uses.
func (c *Client) Close() error {
	c.guard.near.CloseIdleConnections()
	c.guard.far.CloseIdleConnections()
	return nil
}

// again is an error that another try may mend.
type again struct {
	error
	wait time.Duration // that the host asks for; 0 = nothing
}

// Unwrap returns the error itself.
func (a again) Unwrap() error { return a.error }

// try calls once until it gives no error, one that no further try mends, or one for the maxTries-th time in a row.
// progress is how many bytes a call got; one that got enough is no failure. The waits double, with some chance in them;
// a host that says how long to wait (Retry-After) is believed.
func (c *Client) try(ctx context.Context, once func() (progress int64, err error)) error {
	waits := backoff.NewExponentialBackOff()
	waits.InitialInterval, waits.Multiplier = c.o.FirstWait, 2
	failures := 0
	var last error
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		progress, err := once()
		if err == nil {
			return struct{}{}, nil
		}
		var more again
		if !errors.As(err, &more) {
			last = err
			return struct{}{}, backoff.Permanent(err)
		}
		last = more.error
		if failures++; progress >= progressBytes {
			failures = 0
			waits.Reset()
		}
		switch {
		case failures >= maxTries:
			return struct{}{}, backoff.Permanent(err)
		case more.wait > 0:
			return struct{}{}, &backoff.RetryAfterError{Duration: more.wait}
		}
		return struct{}{}, last
	}, backoff.WithBackOff(waits), backoff.WithMaxElapsedTime(0))
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return last
	}
	return nil
}

// errStalled ends a request in which nearly nothing comes.
var errStalled = errors.New("stalled")

// answer is the head of an answer, and reads its body.
type answer struct {
	*http.Response
	c      *Client
	bytes  io.Reader // of the body
	parent context.Context
	ctx    context.Context
	cancel context.CancelCauseFunc
	timer  *time.Timer
}

// ask sends a GET request and returns an answer of status 200, 206 or 416, which the caller closes. u is nil for the
// typed address, or another one; far says of that whether a public host led to it.
func (c *Client) ask(parent context.Context, u *url.URL, far bool, header http.Header) (*answer, error) {
	t, typed := &trip{}, u == nil
	if typed {
		u = c.typed
		if led := c.whereTo(); led.to != nil {
			u, far = led.to, led.far
		}
	}
	t.public.Store(far)
	a := &answer{c: c, parent: parent}
	ctx, cancel := context.WithCancelCause(context.WithValue(parent, tripKey{}, t))
	a.ctx, a.cancel = ctx, cancel
	a.timer = time.AfterFunc(c.o.Stall, func() { cancel(errStalled) })
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		a.close()
		return nil, err
	}
	r.Header = header.Clone()
	r.Header.Set("Accept-Encoding", "identity")
	r.Header.Set("User-Agent", "kdd")
	a.Response, err = c.http.Do(r)
	if err != nil {
		defer a.close()
		return nil, a.failed(err)
	}
	a.bytes = a.Body
	a.timer.Reset(c.o.Stall)
	if err := c.refused(a); err != nil {
		a.close()
		if typed && u != c.typed && a.StatusCode/100 == 4 {
			// Such addresses run out. The typed one leads to a new one.
			c.follow(led{})
			return nil, again{error: err}
		}
		return nil, err
	}
	c.mu.Lock()
	c.answered = true
	c.mu.Unlock()
	if final := a.Request.URL; typed && final.String() != c.typed.String() {
		c.follow(led{final, t.public.Load()})
	}
	return a, nil
}

func (c *Client) whereTo() led {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.led
}

func (c *Client) follow(l led) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.led = l
}

// place is where an answer came from.
func (a *answer) place() string {
	if a.Response == nil || a.Request == nil {
		return place(a.c.typed)
	}
	return place(a.Request.URL)
}

// wrong is an error about an answer.
func (a *answer) wrong(hint, text string, args ...any) *source.Error {
	return &source.Error{Place: a.place(), Wrong: fmt.Sprintf(text, args...), Hint: hint}
}

// close gives up what was not read.
func (a *answer) close() {
	a.timer.Stop()
	if a.Response != nil {
		a.Body.Close()
	}
	a.cancel(nil)
}

// more appends n bytes of the body to b, fewer only with an error: io.EOF behind the last byte of a body whose length
// was not said, io.ErrUnexpectedEOF in the middle of another, or why reading failed.
func (a *answer) more(b []byte, n int64) ([]byte, error) {
	since := 0
	for n > 0 {
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
		k, err := a.bytes.Read(b[len(b):min(int64(cap(b)), int64(len(b))+n)])
		b, n, since = b[:len(b)+k], n-int64(k), since+k
		if since >= stallBytes {
			since = 0
			a.timer.Reset(a.c.o.Stall)
		}
		if n > 0 && err != nil {
			return b, err
		}
	}
	return b, nil
}

// short is the error for a body that ended early or could not be read. Another try may mend it.
func (a *answer) short(err error, got, want int64) error {
	if err != io.EOF && err != io.ErrUnexpectedEOF {
		return a.failed(err)
	}
	return again{error: &source.Error{Place: a.place(), Wrong: fmt.Sprintf("the answer ends after %d of %d bytes", got, want),
		Kind: source.ErrUnreachable}}
}

// retryAfter reads the header, a number of seconds or a date (RFC 9110, section 10.2.3); 0 if it says nothing.
func retryAfter(value string, now time.Time) time.Duration {
	if seconds, err := strconv.Atoi(value); err == nil && seconds >= 0 && seconds <= math.MaxInt32 {
		return time.Duration(seconds) * time.Second
	}
	if date, err := http.ParseTime(value); err == nil {
		return max(date.Sub(now), 0)
	}
	return 0
}
