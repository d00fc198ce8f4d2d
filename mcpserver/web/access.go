package web

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"kdd/runtime/wire"
)

// access decides who may ask: which Host and Origin a request may name, and which token it has to bring.
//
// A web page whose name resolves to 127.0.0.1 (DNS rebinding) sends its own name as Host; a page of another site sends
// its Origin. Both are refused, so that a page in a browser on this machine cannot read the documents.
type access struct {
	hosts   []string // lower-case names without port
	origins []string // scheme://host[:port], lower-case
	token   *[sha256.Size]byte
	cross   *http.CrossOriginProtection
}

func newAccess(o *Options) (*access, error) {
	a := &access{cross: http.NewCrossOriginProtection()}
	for _, host := range o.AllowHosts {
		host = strings.ToLower(strings.TrimSpace(host))
		if host == "" || strings.ContainsAny(host, "/ *") {
			return nil, wire.NewError(wire.CodeInvalidInput, fmt.Sprintf("allowed host: got %q, want a name such as docs.example.com", wire.Clean(host)), "")
		}
		a.hosts = append(a.hosts, bareHost(host))
	}
	for _, origin := range o.AllowOrigins {
		u, err := url.Parse(strings.ToLower(strings.TrimSpace(origin)))
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.Path != "" || u.RawQuery != "" || u.User != nil {
			return nil, wire.NewError(wire.CodeInvalidInput, fmt.Sprintf("allowed origin: got %q, want scheme and name such as https://docs.example.com", wire.Clean(origin)), "")
		}
		if err := a.cross.AddTrustedOrigin(u.String()); err != nil {
			return nil, wire.NewError(wire.CodeInvalidInput, "allowed origin: "+err.Error(), "")
		}
		a.origins = append(a.origins, u.String())
	}
	if o.Token != "" {
		sum := sha256.Sum256([]byte(o.Token))
		a.token = &sum
	}
	return a, nil
}

// checked refuses requests of a Host or Origin that may not ask.
func (a *access) checked(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !a.hostAllowed(r) {
			forbidden(w, r, fmt.Sprintf("Host: %q is not a name of this server", wire.Clean(wire.Shorten(r.Host, 100))), "ask by its address, or start it with --allow-host NAME")
			return
		}
		for _, origin := range r.Header.Values("Origin") { // a proxy in front may look at another of several
			if origin != "" && !a.originAllowed(origin, r.Host) {
				forbidden(w, r, fmt.Sprintf("Origin: %q may not ask this server", wire.Clean(wire.Shorten(origin, 100))), "start it with --allow-origin ORIGIN")
				return
			}
		}
		if a.cross.Check(r) != nil {
			forbidden(w, r, "Sec-Fetch-Site: a page of another site may not ask this server", "start it with --allow-origin ORIGIN")
			return
		}
		next.ServeHTTP(w, r)
	})
}

func forbidden(w http.ResponseWriter, r *http.Request, message, hint string) {
	writeStatus(w, r, http.StatusForbidden, wire.NewError(wire.CodeUnauthorized, message, hint))
}

// hostAllowed says whether this server answers to the Host header: an address, localhost, or an allowed name. Over a
// loopback connection the address has to be a loopback address.
func (a *access) hostAllowed(r *http.Request) bool {
	host := strings.ToLower(bareHost(r.Host))
	if host == "localhost" || slices.Contains(a.hosts, host) {
		return true
	}
	address, err := netip.ParseAddr(strings.Trim(host, "[]"))
	if err != nil {
		return false
	}
	local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return !isLoopback(local) || address.IsLoopback()
}

// originAllowed says whether a page of that origin may ask: a page of this server, or of an allowed origin.
func (a *access) originAllowed(origin, host string) bool {
	origin = strings.ToLower(origin)
	if slices.Contains(a.origins, origin) {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && strings.EqualFold(u.Host, host)
}

// authorized reports whether a request has the token, if there is one. It compares in constant time.
func (a *access) authorized(r *http.Request) bool {
	if a.token == nil {
		return true
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	sum := sha256.Sum256([]byte(strings.TrimSpace(token)))
	return subtle.ConstantTimeCompare(sum[:], a.token[:]) == 1 && strings.EqualFold(scheme, "Bearer")
}

// bareHost cuts the port off a Host header.
func bareHost(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return host
}

// isLoopback reports whether an address can be reached from this machine only.
func isLoopback(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}
