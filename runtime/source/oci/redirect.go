package oci

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// maxRedirects of one request.
const maxRedirects = 10

// redirect decides whether a redirect is followed. Registries keep blobs in other places; but a redirect may neither
// leave https, nor lead from a public host to an address of this machine or network, nor take along what is uploaded.
// No credentials leave the host that they were meant for, not even to another port of it, nor once a redirect comes back.
func redirect(next *http.Request, via []*http.Request) error {
	from, to := via[0].URL, next.URL
	away := !sameOrigin(from, to)
	for _, hop := range via {
		away = away || !sameOrigin(from, hop.URL)
	}
	switch {
	case len(via) >= maxRedirects:
		return fmt.Errorf("more than %d redirects", maxRedirects)
	case to.Scheme != "http" && to.Scheme != "https":
		return fmt.Errorf("a redirect to %s: not followed", to.Scheme)
	case from.Scheme == "https" && to.Scheme != "https":
		return errors.New("a redirect from https to http: not followed")
	case private(to.Host) && !private(from.Host) && !isNear(next.Context()):
		return fmt.Errorf("a redirect to %s, an address of this machine or network: not followed", to.Host)
	case away && next.Method != http.MethodGet && next.Method != http.MethodHead:
		return fmt.Errorf("a redirect of a %s request to %s: not followed", next.Method, to.Host)
	}
	if away {
		next.Header.Del("Authorization")
	}
	to.User = nil // else net/http would make credentials of it
	return nil
}

type nearKey struct{}

// watched returns the context of a request, which remembers whether the first host that is asked has an address of this
// machine or network: a registry of one's own, by its name. Behind a proxy that is not known, and taken for no.
func watched(req *http.Request) context.Context {
	near, asked := new(atomic.Bool), new(atomic.Bool)
	ctx := context.WithValue(req.Context(), nearKey{}, near)
	if proxy, err := http.ProxyFromEnvironment(req); proxy != nil || err != nil {
		return ctx
	}
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
		if !asked.Swap(true) {
			near.Store(private(info.Conn.RemoteAddr().String()))
		}
	}})
}

// isNear says whether the request of a context went to an address of this machine or network first.
func isNear(ctx context.Context) bool {
	near, known := ctx.Value(nearKey{}).(*atomic.Bool)
	return known && near.Load()
}

// sameOrigin says whether addresses have the same scheme, host and port.
func sameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Hostname(), b.Hostname()) && portOf(a) == portOf(b)
}

func portOf(u *url.URL) string {
	if port := u.Port(); port != "" {
		return port
	}
	if u.Scheme == "http" {
		return "80"
	}
	return "443"
}

// repetitions of a request that failed for a while: none is sent more often than once and these.
const repetitions = 4

// repeater is a transport that sends a request again if the answer may be another one then: after a timeout, a connection
// that breaks off, an overload.
type repeater struct {
	base http.RoundTripper
	wait time.Duration // before the first repetition; it doubles
}

// RoundTrip sends a request, and those without a body, or with one that can be had again, several times.
func (t *repeater) RoundTrip(req *http.Request) (*http.Response, error) {
	for i := 0; ; i++ {
		resp, err := t.base.RoundTrip(req)
		hasBody := req.Body != nil && req.Body != http.NoBody
		if i == repetitions || !temporary(resp, err) || hasBody && req.GetBody == nil {
			return resp, err
		}
		wait := t.wait << i
		if resp != nil {
			// a registry that says how long; but never longer than the longest wait of our own
			if after, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && after > 0 {
				wait = min(max(wait, time.Duration(after)*time.Second), t.wait<<(repetitions+2))
			}
		}
		if err := sleep(req.Context(), wait); err != nil {
			if resp != nil {
				resp.Body.Close()
			}
			return nil, err
		}
		if resp != nil {
			resp.Body.Close()
		}
		if hasBody {
			body, err := req.GetBody()
			if err != nil {
				return nil, err
			}
			req = req.Clone(req.Context())
			req.Body = body
		}
	}
}

// temporary says whether a request may succeed if it is sent again.
func temporary(resp *http.Response, err error) bool {
	if err != nil {
		var timeout net.Error
		return errors.As(err, &timeout) && timeout.Timeout() || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) ||
			errors.Is(err, syscall.ECONNRESET)
	}
	return resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode == http.StatusRequestTimeout ||
		resp.StatusCode >= 500 && resp.StatusCode != http.StatusNotImplemented && resp.StatusCode != http.StatusInsufficientStorage
}

// sleep waits, or returns why the context has ended.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}
