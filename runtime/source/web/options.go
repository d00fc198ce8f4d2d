package web

import (
	"cmp"
	"crypto/x509"
	"encoding/base64"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"kdd/runtime/source"
)

// Options say how a host is read. The zero value is good for most.
type Options struct {
	// WholeLimit is the most bytes of a file that is read whole, into memory, because its host has no ranges; 0 is
	// DefaultWholeLimit, and below 0 no file is
	WholeLimit  int64
	Credentials Credentials
	// Notice is told, once each, what a user should know: that another host is read, that a file is read whole
	Notice func(text string)
	// Stall is how long nothing, or nearly nothing, may come; 0 is 30 s
	Stall time.Duration
	// FirstWait is the wait before the second try of a request, which doubles with each; 0 is a quarter of a second
	FirstWait time.Duration

	// Of tests; nil is the environment's proxy, the system's certificates and what isLocal says.
	proxy func(*http.Request) (*url.URL, error)
	roots *x509.CertPool
	local func(netip.AddrPort) bool
}

// Limits of what is asked and waited for.
const (
	HeadBytes         = 64 << 10 // of the first request
	DefaultWholeLimit = 64 << 20

	stallTime  = 30 * time.Second
	stallBytes = 16 << 10 // that have to come in this time
	firstWait  = 250 * time.Millisecond
	// maxWait is the longest that a server may ask to wait (Retry-After).
	maxWait = 30 * time.Second
	// maxTries is how often a request may fail in a row; one that brought progressBytes is no failure.
	maxTries      = 5
	progressBytes = stallBytes
	maxRedirects  = 5
)

// defaults fills in what is 0.
func (o Options) defaults() Options {
	o.WholeLimit = cmp.Or(o.WholeLimit, DefaultWholeLimit)
	o.Stall = cmp.Or(o.Stall, stallTime)
	o.FirstWait = cmp.Or(o.FirstWait, firstWait)
	if o.proxy == nil {
		o.proxy = http.ProxyFromEnvironment
	}
	if o.local == nil {
		o.local = func(a netip.AddrPort) bool { return isLocal(a.Addr()) }
	}
	if o.Notice == nil {
		o.Notice = func(string) {}
	}
	return o
}

// The variables that credentials are read from.
const (
	UserVariable     = "KDD_HTTP_USER"
	PasswordVariable = "KDD_HTTP_PASSWORD"
	TokenVariable    = "KDD_HTTP_TOKEN"
)

// Credentials go to the host that the user typed, by https or on this machine, and nowhere else.
type Credentials struct {
	User, Password string
	Token          string // instead of user and password
}

// CredentialsOf reads the environment by a function such as os.Getenv.
func CredentialsOf(getenv func(string) string) Credentials {
	return Credentials{User: getenv(UserVariable), Password: getenv(PasswordVariable), Token: getenv(TokenVariable)}
}

// authorization is the header of that name; "" without credentials.
func (c Credentials) authorization() (string, error) {
	switch {
	case c.Token != "" && (c.User != "" || c.Password != ""):
		return "", &source.Error{Place: TokenVariable, Wrong: "set beside " + UserVariable + " or " + PasswordVariable,
			Hint: "unset one of them", Kind: source.ErrUnauthorized}
	case c.Token != "":
		return "Bearer " + c.Token, nil
	case c.User != "" || c.Password != "":
		return "Basic " + base64.StdEncoding.EncodeToString([]byte(c.User+":"+c.Password)), nil
	}
	return "", nil
}
