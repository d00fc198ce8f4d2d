package web

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"kdd/runtime/source"
)

// compressed is the cure of a host that changes bodies.
const compressed = `switch compression off for this file, or publish it with "kdd site --parts"`

// proxyHint is the cure of a proxy that wants credentials.
const proxyHint = "give the proxy's user and password in HTTPS_PROXY"

// refused returns the error of an answer that has no bytes of a file; nil for status 200, 206 and 416.
func (c *Client) refused(a *answer) error {
	status := fmt.Sprintf("%d %s", a.StatusCode, http.StatusText(a.StatusCode))
	e := &source.Error{Place: a.place(), Wrong: status}
	switch code := a.StatusCode; {
	case code == http.StatusOK, code == http.StatusPartialContent, code == http.StatusRequestedRangeNotSatisfiable:
		return nil
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		e.Kind, e.Hint = source.ErrUnauthorized, c.credentialsHint(a)
		if code == http.StatusForbidden {
			e.Wrong += ": no such file, or no right to read it"
		}
	case code == http.StatusProxyAuthRequired:
		e.Kind, e.Hint = source.ErrUnauthorized, proxyHint
	case code == http.StatusNotFound, code == http.StatusGone:
		e.Kind, e.Hint = source.ErrNotFound, "check the address"
	case code == http.StatusTooManyRequests:
		e.Kind, e.Hint = source.ErrRateLimited, "ask again later"
		return c.later(a, e)
	case code == http.StatusRequestTimeout, code == http.StatusTooEarly, code >= 500 && code != http.StatusNotImplemented:
		e.Kind, e.Hint = source.ErrUnreachable, "ask again later"
		return c.later(a, e)
	default:
		e.Hint = "want 206 Partial Content or 200 OK; check the address"
	}
	return e
}

// later is an error that time mends, unless the host asks for more of it than anybody waits.
func (c *Client) later(a *answer, e *source.Error) error {
	wait := retryAfter(a.Header.Get("Retry-After"), time.Now())
	if wait > maxWait {
		e.Wrong += fmt.Sprintf(": it asks to wait %s", wait.Round(time.Second))
		return e
	}
	return again{e, wait}
}

// credentialsHint says how credentials are given, or why those that were given were not sent.
func (c *Client) credentialsHint(a *answer) string {
	u := a.Request.URL
	switch {
	case c.guard.authorization == "":
		return "set " + TokenVariable + ", or " + UserVariable + " and " + PasswordVariable
	case !sameHost(c.typed, u):
		return "credentials are sent to " + c.typed.Host + " only; name " + u.Host + " itself if they are for it"
	case u.Scheme == "http" && !onLoopback(u.Hostname()):
		return "credentials are sent by https only; use https"
	case c.guard.authorization[:6] == "Bearer":
		return "check " + TokenVariable
	}
	return "check " + UserVariable + " and " + PasswordVariable
}

// failed is the error of a request that was not answered, or whose body could not be read. It says whether another try
// may mend it.
func (a *answer) failed(err error) error {
	if a.parent.Err() != nil {
		return context.Cause(a.parent)
	}
	a.c.mu.Lock()
	answered := a.c.answered
	a.c.mu.Unlock()
	e := &source.Error{Place: a.place(), Kind: source.ErrUnreachable, Hint: "check the network, or ask again later"}
	if errors.Is(context.Cause(a.ctx), errStalled) {
		e.Wrong = fmt.Sprintf("nothing, or nearly nothing, came for %s", a.c.o.Stall)
		a.c.Close() // other connections may be as dead as this one
		if !answered {
			return e
		}
		return again{error: e}
	}
	var ours refusal
	if errors.As(err, &ours) {
		return ours.said
	}
	var ofURL *url.Error
	if errors.As(err, &ofURL) { // the address is that of the last redirect
		err = ofURL.Err
		if u, bad := url.Parse(ofURL.URL); bad == nil {
			e.Place = place(u)
		}
	}
	e.Wrong = err.Error()
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var name *net.DNSError
	var op *net.OpError
	switch {
	case errors.As(err, &certificate):
		e.Hint = "if the host's certificate is signed in your organisation, name the signer's file in SSL_CERT_FILE"
		return e
	case errors.As(err, &record):
		e.Hint = "https was asked for, and the host speaks something else; check the port"
		return e
	case err.Error() == http.StatusText(http.StatusProxyAuthRequired): // the transport has no other sign
		e.Kind, e.Hint = source.ErrUnauthorized, proxyHint
		return e
	case !answered && (errors.As(err, &name) || errors.As(err, &op) && op.Op != "read" && op.Op != "write"):
		e.Hint = "check the address, the network, and HTTPS_PROXY if you need a proxy"
		return e // nobody is there
	}
	return again{error: e}
}
