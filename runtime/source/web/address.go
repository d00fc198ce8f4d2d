package web

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"

	"kdd/runtime/source"
)

// parse reads the address that a user typed.
func parse(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, &source.Error{Place: bare(u, address), Wrong: "no address of a web server",
			Hint: "want one such as https://docs.example.com/docs.kddx"}
	}
	if u.User != nil {
		return nil, &source.Error{Place: place(u), Wrong: "user and password stand in the address",
			Hint: "leave them out, and set " + UserVariable + " and " + PasswordVariable + ", or " + TokenVariable}
	}
	u.Fragment, u.RawFragment = "", ""
	return u, nil
}

// bare is an address that could not be used, for a message: without what may be secret.
func bare(u *url.URL, address string) string {
	if u != nil {
		return place(u)
	}
	address, _, _ = strings.Cut(address, "?")
	if at := strings.LastIndexByte(address, '@'); at >= 0 {
		address = address[at+1:]
	}
	return fmt.Sprintf("%q", address)
}

// place is a URL without user, password, query and fragment.
func place(u *url.URL) string {
	return (&url.URL{Scheme: u.Scheme, Opaque: u.Opaque, Host: u.Host, Path: u.Path, RawPath: u.RawPath}).String()
}

// sameHost says whether two URLs are of one host: the same name and port, or the ports that http and https have.
func sameHost(a, b *url.URL) bool {
	if !strings.EqualFold(a.Hostname(), b.Hostname()) {
		return false
	}
	return port(a) == port(b) || a.Scheme != b.Scheme && usual(a) && usual(b)
}

// port is the port of a URL, said or not.
func port(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "http":
		return "80"
	}
	return "443"
}

// usual says whether a URL has the port of its scheme.
func usual(u *url.URL) bool { return u.Port() == "" || port(&url.URL{Scheme: u.Scheme}) == u.Port() }

// onLoopback says whether a host is this machine by its name or number.
func onLoopback(host string) bool {
	a, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && a.Unmap().IsLoopback()
}

// shared are addresses between a carrier and its customers (RFC 6598), which private networks use too.
var shared = netip.MustParsePrefix("100.64.0.0/10")

// isLocal says whether an address is of this machine or a private network, and not of the public one.
func isLocal(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	return a.IsLoopback() || a.IsPrivate() || a.IsLinkLocalUnicast() || a.IsUnspecified() || a.IsMulticast() ||
		a.IsLinkLocalMulticast() || shared.Contains(a)
}
