package oci

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"kdd/runtime/wire"
)

// maxToken is the most bytes of a token server's answer.
const maxToken = 128 << 10

// access is what a registry wants to see.
type access struct {
	scope string // what tokens are asked for

	mu     sync.Mutex
	header string // the Authorization that it took last
	login  login
}

// login is what became of the credentials.
type login uint8

const (
	loginNone     login = iota // docker's configuration has none for the registry, or they were not asked for
	loginSent                  // they were sent
	loginBroken                // docker's configuration or its helper cannot be read
	loginWithheld              // they would be sent in the clear
)

// current returns the Authorization to begin with.
func (a *access) current() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.header
}

// authorize returns another Authorization than the one that was sent, as the challenges of a registry want it; "" if
// there is none.
func (r *Repository) authorize(ctx context.Context, challenges []string, sent string) (string, error) {
	r.access.mu.Lock()
	defer r.access.mu.Unlock()
	if r.access.header != sent { // another request was quicker
		return r.access.header, nil
	}
	var header string
	for _, text := range challenges {
		switch scheme, params := parseChallenge(text); scheme {
		case "bearer":
			token, err := r.token(ctx, params)
			if err != nil {
				return "", err
			}
			header = "Bearer " + token
		case "basic":
			if c := r.credential(ctx); c.user != "" && c.password != "" {
				header = basic(c)
			}
		}
		if header != "" {
			break
		}
	}
	if header == sent { // it was refused
		header = ""
	}
	r.access.header = header
	return header, nil
}

func basic(c credential) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(c.user+":"+c.password))
}

// credential returns docker's credentials for the registry. It is asked without where docker's configuration cannot be
// read: most of what it has needs no login.
func (r *Repository) credential(ctx context.Context) credential {
	if r.plain && !private(r.Reference.server()) {
		r.access.login = loginWithheld
		return credential{}
	}
	c, err := dockerCredential(ctx, r.Reference.server())
	switch {
	case err != nil:
		r.access.login = loginBroken
	case c != credential{}:
		r.access.login = loginSent
	}
	return c
}

// token asks a registry's token server, by the distribution specification's two ways: a name and password, or none, with
// GET; an identity token, as docker's helpers keep it, with POST.
func (r *Repository) token(ctx context.Context, params map[string]string) (string, error) {
	realm, err := r.realm(params["realm"])
	if err != nil {
		return "", err
	}
	c := r.credential(ctx)
	if c.registryToken != "" {
		return c.registryToken, nil
	}
	query := url.Values{"scope": {r.access.scope}}
	if scope := params["scope"]; scope != "" && scope != r.access.scope {
		query.Add("scope", scope)
	}
	if service := params["service"]; service != "" {
		query.Set("service", service)
	}
	method, body := http.MethodGet, io.Reader(nil)
	if c.identity != "" {
		method = http.MethodPost
		query.Set("grant_type", "refresh_token")
		query.Set("refresh_token", c.identity)
		query.Set("client_id", "kdd")
		query.Set("scope", strings.Join(query["scope"], " "))
		body = strings.NewReader(query.Encode())
	} else {
		asked := realm.Query()
		for key, values := range query {
			asked[key] = values
		}
		realm.RawQuery = asked.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, method, realm.String(), body)
	if err != nil {
		return "", r.wrong(wire.CodeIO, "", "its token server has the address %q", short(params["realm"]))
	}
	if c.identity != "" {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	authorization := ""
	if c.user != "" && c.identity == "" {
		authorization = basic(c)
	}
	resp, err := r.send(req, authorization)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return "", r.statusOf(r.access.login, resp.StatusCode, explanation(resp.Body))
	}
	var answer struct {
		Token       string `json:"token"`
		AccessToken string `json:"access_token"`
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, maxToken)).Decode(&answer); err != nil {
		return "", r.wrong(wire.CodeIO, "", "its token server's answer is no token: %s", short(err.Error()))
	}
	token := answer.Token
	if token == "" {
		token = answer.AccessToken
	}
	if token == "" || strings.ContainsFunc(token, func(c rune) bool { return c <= ' ' || c >= 0x7f }) {
		return "", r.wrong(wire.CodeIO, "", "its token server's answer has no token")
	}
	return token, nil
}

// realm checks the address of a token server: credentials go there.
func (r *Repository) realm(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return nil, r.wrong(wire.CodeIndexUntrusted, "", "its token server has the address %q, want https://HOST", short(text))
	}
	host := r.Reference.server()
	switch {
	case u.Scheme == "http" && !r.plain:
		return nil, r.wrong(wire.CodeIndexUntrusted, "", "its token server %s speaks http: nothing is sent there", short(u.Host))
	case private(u.Host) && !private(host):
		return nil, r.wrong(wire.CodeIndexUntrusted, "", "its token server %s is an address of this machine or network: nothing is sent there", short(u.Host))
	}
	u.Fragment = ""
	return u, nil
}

// parseChallenge reads a header WWW-Authenticate: a scheme in small letters and its parameters, as
//
//	Bearer realm="https://auth.example.com/token",service="registry"
func parseChallenge(text string) (scheme string, params map[string]string) {
	scheme, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	params = map[string]string{}
	for {
		key, after, found := strings.Cut(strings.TrimLeft(rest, " ,\t"), "=")
		if !found {
			return strings.ToLower(scheme), params
		}
		var value string
		if after = strings.TrimLeft(after, " \t"); strings.HasPrefix(after, `"`) {
			value, rest = unquote(after[1:])
		} else {
			at := strings.IndexAny(after, ", \t")
			if at < 0 {
				at = len(after)
			}
			value, rest = after[:at], after[at:]
		}
		params[strings.ToLower(strings.TrimSpace(key))] = value
	}
}

// unquote reads a quoted string up to its end, and returns what follows.
func unquote(text string) (value, rest string) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			return b.String(), text[i+1:]
		case c == '\\' && i+1 < len(text):
			i++
			b.WriteByte(text[i])
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), ""
}
