package oci

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"time"
)

// Options says how registries are spoken to.
type Options struct {
	PlainHTTP bool // http, which is else taken where a loopback or private address speaks no https
	Push      bool // asks for the right to push too
	// Transport sends requests; nil is net/http's, with the proxies and certificates of the environment.
	Transport http.RoundTripper
	Wait      time.Duration // before a request that failed for a while is sent again; it doubles. 0 = 250 ms

	// Of Open alone: further references, and the most bytes that are read whole; 0 = web.DefaultWholeLimit. Notice is told
	// of a reference that does not answer; nil = nobody is.
	Mirrors    []string
	WholeLimit int64
	Notice     func(text string)
}

// headerTimeout is how long a registry may think before it answers.
const headerTimeout = 2 * time.Minute

// Repository is a repository of a registry. It is safe for concurrent use.
type Repository struct {
	Reference Reference
	base      string // https://HOST/v2/NAME
	plain     bool
	client    *http.Client
	access    access
}

// Connect returns the repository of a reference. A registry at a loopback or private address is asked once whether it
// speaks https; others are not asked anything yet.
func Connect(ctx context.Context, ref Reference, o Options) (*Repository, error) {
	r := &Repository{Reference: ref, plain: o.PlainHTTP}
	base := o.Transport
	if base == nil {
		own := http.DefaultTransport.(*http.Transport).Clone()
		own.ResponseHeaderTimeout = headerTimeout
		base = own
	}
	r.client = &http.Client{Transport: base, CheckRedirect: redirect}
	if private(ref.server()) && !r.plain {
		if err := r.probe(ctx); err != nil {
			return nil, err
		}
	}
	r.client.Transport = &repeater{base, cmp.Or(o.Wait, 250*time.Millisecond)}
	r.base = r.scheme() + "://" + ref.server() + "/v2/" + ref.Name
	r.access.scope = "repository:" + ref.Name + ":pull"
	if o.Push {
		r.access.scope += ",push"
	}
	return r, nil
}

// probe finds out whether a registry near by speaks https.
func (r *Repository) probe(ctx context.Context) error {
	host := r.Reference.server()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://"+host+"/v2/", nil)
	if err != nil {
		return err
	}
	resp, err := r.client.Do(req)
	if err == nil {
		return resp.Body.Close()
	}
	_, _, portless := net.SplitHostPort(host)
	var dial *net.OpError
	refused := errors.As(err, &dial) && dial.Op == "dial" && ctx.Err() == nil
	if errors.Is(err, http.ErrSchemeMismatch) || portless != nil && refused {
		r.plain = true
		return nil
	}
	return r.failed(ctx, err)
}

// private says whether a host, with its port or without, is an address of this machine or of a private network. Names
// are not looked up.
func private(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.Trim(host, "[]"))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && (ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast() || ip.IsUnspecified())
}

// Plain says whether the registry is spoken to by http.
func (r *Repository) Plain() bool { return r.plain }

func (r *Repository) scheme() string {
	if r.plain {
		return "http"
	}
	return "https"
}

// Do sends a request to the registry, with a token or docker's credentials if it wants them. They go to no other host
// that it redirects to. A request whose body cannot be had again (GetBody) is sent once.
func (r *Repository) Do(req *http.Request) (*http.Response, error) {
	if req.Header.Get("Authorization") != "" || req.URL.Scheme != r.scheme() || req.URL.Host != r.Reference.server() {
		return r.send(req, "")
	}
	sent := r.access.current()
	resp, err := r.send(req, sent)
	if err != nil || resp.StatusCode != http.StatusUnauthorized || !sameOrigin(req.URL, resp.Request.URL) {
		return resp, err
	}
	wanted, err := r.authorize(req.Context(), resp.Header.Values("WWW-Authenticate"), sent)
	if err != nil || wanted == "" {
		if err != nil {
			resp.Body.Close()
			return nil, err
		}
		return resp, nil
	}
	if req.Body != nil && req.Body != http.NoBody {
		if req.GetBody == nil {
			return resp, nil
		}
		body, err := req.GetBody()
		if err != nil {
			return resp, nil
		}
		req = req.Clone(req.Context())
		req.Body = body
	}
	resp.Body.Close()
	return r.send(req, wanted)
}

// send sends a request with an Authorization, unless that is "".
func (r *Repository) send(req *http.Request, authorization string) (*http.Response, error) {
	req = req.Clone(watched(req))
	req.Header.Set("User-Agent", "kdd")
	if authorization != "" {
		req.Header.Set("Authorization", authorization)
	}
	return r.client.Do(req)
}
