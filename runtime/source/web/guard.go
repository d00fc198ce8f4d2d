package web

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"net/url"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"kdd/runtime/source"
)

// guard makes all requests of a client: it adds the credentials where they may go, and refuses connections to where
// the client may not.
type guard struct {
	typed         *url.URL
	authorization string
	o             Options
	// Connections of near are made for the user, those of far after a redirect by a public host. Two pools, because
	// an address is checked when it is dialled, and a connection of the other kind must not be used again.
	near, far *http.Transport
	counter   counter
	told      sync.Map // keys of what the user was told
}

// trip is what is known of a request and those that it was redirected to.
type trip struct {
	public atomic.Bool // a public host was asked, or one behind a proxy
	left   atomic.Bool // another host than the typed one was asked
}

type tripKey struct{}

// rule is what holds for a connection.
type rule struct {
	host  string // that is dialled
	plain bool   // without encryption: only to a local address
	far   bool   // by redirect of a public host: to no local address
}

type ruleKey struct{}

// refusal is an error that no further try mends.
type refusal struct{ said *source.Error }

// Error returns what is said of it.
func (r refusal) Error() string { return r.said.Error() }

func newGuard(typed *url.URL, o Options) (*guard, error) {
	authorization, err := o.Credentials.authorization()
	if err != nil {
		return nil, err
	}
	g := &guard{typed: typed, authorization: authorization, o: o}
	dialer := &net.Dialer{Timeout: 15 * time.Second, KeepAlive: 30 * time.Second, ControlContext: g.control}
	g.near = &http.Transport{
		Proxy:                  o.proxy,
		DialContext:            dialer.DialContext,
		TLSClientConfig:        &tls.Config{RootCAs: o.roots, MinVersion: tls.VersionTLS12},
		ForceAttemptHTTP2:      true,
		DisableCompression:     true,
		MaxIdleConnsPerHost:    24,
		HTTP2:                  &http.HTTP2Config{SendPingTimeout: 10 * time.Second, PingTimeout: 10 * time.Second}, // finds dead connections
		IdleConnTimeout:        90 * time.Second,
		TLSHandshakeTimeout:    15 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
	}
	g.far = g.near.Clone()
	return g, nil
}

// RoundTrip makes one request, which may be one that another was redirected to.
func (g *guard) RoundTrip(r *http.Request) (*http.Response, error) {
	t := r.Context().Value(tripKey{}).(*trip)
	proxy, err := g.o.proxy(r)
	if err != nil {
		return nil, refusal{&source.Error{Place: place(r.URL), Wrong: "no proxy to go by: " + err.Error(),
			Hint: "check HTTP_PROXY, HTTPS_PROXY and NO_PROXY"}}
	}
	ru := rule{host: r.URL.Host, plain: r.URL.Scheme == "http", far: t.public.Load()}
	ctx := r.Context()
	if proxy == nil {
		ctx = context.WithValue(ctx, ruleKey{}, ru)
	} else if err := g.proxied(r.URL, ru); err != nil {
		return nil, err
	}
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
		a, err := netip.ParseAddrPort(info.Conn.RemoteAddr().String())
		if proxy != nil || err != nil || !g.o.local(a) {
			t.public.Store(true)
		}
	}})
	r = r.Clone(ctx)
	// The address of one host, whose query may hold a signature, is not told to another.
	r.Header.Del("Referer")
	r.Header.Del("Authorization")
	switch {
	case !sameHost(g.typed, r.URL):
		t.left.Store(true)
	case g.authorization != "" && !t.left.Load() && (r.URL.Scheme == "https" || onLoopback(r.URL.Hostname())):
		r.Header.Set("Authorization", g.authorization)
	}
	transport := g.near
	if ru.far {
		transport = g.far
	}
	count := g.counter.begin()
	response, err := transport.RoundTrip(r)
	if err != nil {
		count.end()
		return nil, err
	}
	response.Body = &countedBody{response.Body, count}
	return response, nil
}

// control looks at an address before it is dialled.
func (g *guard) control(ctx context.Context, _, address string, _ syscall.RawConn) error {
	ru, direct := ctx.Value(ruleKey{}).(rule)
	if !direct {
		return nil // the proxy's address, which the user chose
	}
	a, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	return ru.check(g.o.local(a), a.Addr().String())
}

// check says whether a connection to an address may be made.
func (ru rule) check(local bool, address string) error {
	switch {
	case ru.plain && !local:
		return refusal{&source.Error{Place: "http://" + ru.host,
			Wrong: "unencrypted, at the public address " + address + "; http is for this machine and private networks",
			Hint:  "use https"}}
	case ru.far && local:
		return refusal{&source.Error{Place: ru.host,
			Wrong: "a public host redirects to it, and its address " + address + " is private",
			Hint:  "name the address itself if you want what is there"}}
	}
	return nil
}

// proxied checks what can be known of an address that a proxy dials.
func (g *guard) proxied(u *url.URL, ru rule) error {
	a, err := netip.ParseAddr(u.Hostname())
	if err == nil {
		return ru.check(isLocal(a), a.String())
	}
	if ru.plain {
		return refusal{&source.Error{Place: place(u), Wrong: "unencrypted, and by a proxy, so that its address is not known",
			Hint: "use https, or name the host in NO_PROXY if it is in your network"}}
	}
	return nil
}

// redirected is asked before a redirect is followed.
func (g *guard) redirected(next *http.Request, via []*http.Request) error {
	from, to := via[len(via)-1].URL, next.URL
	refuse := func(wrong, hint string) error {
		return refusal{&source.Error{Place: place(from), Wrong: wrong, Hint: hint}}
	}
	switch {
	case len(via) > maxRedirects:
		return refuse("redirects again, after 5 times, to "+place(to), "check the address")
	case to.Scheme != "http" && to.Scheme != "https" || to.Host == "":
		return refuse("redirects to "+place(to)+", which is no address of a web server", "check the address")
	case to.User != nil:
		return refuse("redirects to "+place(to)+" with user and password", "name that address itself")
	case from.Scheme == "https" && to.Scheme == "http":
		return refuse("redirects from https to "+place(to), "use an address that stays with https")
	case !sameHost(g.typed, to):
		g.once("redirected to "+to.Host, place(g.typed)+": redirects to "+to.Host+", which is read, without credentials")
	}
	return nil
}

// once tells the user something, the first time.
func (g *guard) once(key, text string) {
	if _, told := g.told.LoadOrStore(key, true); !told {
		g.o.Notice(text)
	}
}
