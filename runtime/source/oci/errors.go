package oci

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"kdd/runtime/wire"
)

// maxError is the most bytes of an answer that is an error; maxText is what is told of it.
const (
	maxError = 8 << 10
	maxText  = 200
)

// failed makes an error of a request that got no answer, or that oras-go did not send.
func (r *Repository) failed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if errors.As(err, new(*wire.Error)) {
		return err
	}
	var address *url.Error
	if errors.As(err, &address) { // its URL may carry a signature
		err = address.Err
	}
	return wire.NewError(wire.CodeIO, r.place()+"the registry does not answer: "+short(withoutQuery(err.Error())),
		"check the reference and the network").Because(err)
}

// refused makes an error of an answer that is none of what was asked for, and closes it.
func (r *Repository) refused(resp *http.Response) error {
	defer resp.Body.Close()
	return r.Status(resp.StatusCode, explanation(resp.Body))
}

// Explain makes an error of package wire of a request's.
func (r *Repository) Explain(ctx context.Context, err error) error { return r.failed(ctx, err) }

// errAnswer marks that the registry answered: asking again at once gives the same.
var errAnswer = errors.New("the registry's answer")

// Final says whether a request that failed would fail again: the registry answered, and no connection broke off.
func Final(err error) bool {
	var known *wire.Error
	return errors.Is(err, errAnswer) || errors.As(err, &known) && known.Code != wire.CodeIO
}

// Status makes an error of a status and what the registry says to it.
func (r *Repository) Status(code int, says string) error {
	r.access.mu.Lock()
	login := r.access.login
	r.access.mu.Unlock()
	return r.statusOf(login, code, says)
}

func (r *Repository) statusOf(login login, code int, says string) error {
	if says = short(says); says != "" {
		says = ": " + says
	}
	told := fmt.Sprintf("%d %s%s", code, http.StatusText(code), says)
	switch code {
	case http.StatusUnauthorized, http.StatusForbidden:
		return r.unauthorized(login, told)
	case http.StatusNotFound:
		return wire.NewError(wire.CodeNotFound, r.place()+"the registry has no such thing ("+told+")", "check the name")
	case http.StatusTooManyRequests:
		return wire.NewError(wire.CodeRateLimited, r.place()+"the registry says "+told, "wait, log in (docker login), or name a mirror")
	}
	return wire.NewError(wire.CodeIO, r.place()+"the registry says "+told, "").Because(errAnswer)
}

// unauthorized says why the registry gives or takes nothing.
func (r *Repository) unauthorized(login login, told string) error {
	host := r.Reference.Host
	message, hint := "the registry wants a login, or there is nothing of this name", "run docker login "+host+", or check the name"
	switch login {
	case loginSent:
		message = "the registry refuses what docker's configuration has for " + host
		hint = "run docker login " + host + " again, and check what its account may do there"
	case loginBroken:
		message = "the registry wants a login, and docker's configuration or its credential helper cannot be read"
		hint = "repair config.json in ~/.docker or DOCKER_CONFIG, or run docker login " + host
	case loginWithheld:
		message = "the registry wants a login, which is not sent over http to a public address"
		hint = "leave --plain-http out"
	}
	return wire.NewError(wire.CodeUnauthorized, r.place()+message+" ("+told+")", hint).With("host", host)
}

// wrong is an error about what the registry has: it contradicts itself, or is no artifact.
func (r *Repository) wrong(code, hint, format string, args ...any) error {
	return wire.NewError(code, r.place()+fmt.Sprintf(format, args...), hint)
}

// place begins a message.
func (r *Repository) place() string { return r.Reference.String() + ": " }

// explanation reads what a registry says of an error: the first of a list in JSON.
func explanation(body io.Reader) string {
	data, err := io.ReadAll(io.LimitReader(body, maxError))
	if err != nil {
		return ""
	}
	var list struct {
		Errors []struct{ Code, Message string }
	}
	if json.Unmarshal(data, &list) != nil || len(list.Errors) == 0 {
		return ""
	}
	code := strings.ToLower(strings.ReplaceAll(list.Errors[0].Code, "_", " "))
	if message := list.Errors[0].Message; message != "" && !strings.EqualFold(code, message) {
		return code + ": " + message
	}
	return code
}

// short is a text of another machine in one harmless line.
func short(text string) string {
	text = strings.TrimSpace(wire.Clean(text))
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "") + "…"
	}
	return text
}

// withoutQuery leaves the queries of addresses out: storage behind registries has keys there.
func withoutQuery(text string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, "?")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		if end := strings.IndexAny(after, "\" \n"); end >= 0 {
			text = after[end:]
		} else {
			text = ""
		}
	}
}
