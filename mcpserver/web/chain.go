package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"kdd/runtime/shape"
)

// chain puts the steps that all requests go through before the routes.
func (s *Server) chain(table []route) http.Handler {
	mux := http.NewServeMux()
	for _, r := range table {
		mux.Handle(r.path, s.step(r))
	}
	return recovered(s.access.checked(mux))
}

// step is what a request of one route goes through: its method, the token, a slot, the bounds of body and time.
func (s *Server) step(r route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		if len(r.methods) > 0 && !takes(r.methods, request.Method) {
			notAllowed(w, request, r.methods)
			return
		}
		if !r.open && !s.access.authorized(request) {
			w.Header().Set("WWW-Authenticate", `Bearer realm="kdd"`)
			writeError(w, request, shape.NewError(shape.CodeUnauthorized, "a token is needed", `send the header "Authorization: Bearer TOKEN"`))
			return
		}
		request.Body = http.MaxBytesReader(w, request.Body, maxBodyBytes)
		if r.light {
			r.handle(w, request)
			return
		}
		if takes(r.methods, http.MethodPost) { // all of the body first: a slow sender must not hold a slot
			if !s.bodies.take(request.Context()) {
				s.busy(w, request)
				return
			}
			defer s.bodies.give()
			body, err := io.ReadAll(request.Body)
			if err != nil {
				unreadable(w, request, err)
				return
			}
			request.Body = io.NopCloser(bytes.NewReader(body))
		}
		if !s.slots.take(request.Context()) {
			s.busy(w, request)
			return
		}
		defer s.slots.give()
		ctx, cancel := context.WithTimeout(request.Context(), s.options.Timeout)
		defer cancel()
		r.handle(w, request.WithContext(ctx))
	})
}

// busy tells a client to come back.
func (s *Server) busy(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Retry-After", "1")
	writeStatus(w, r, http.StatusServiceUnavailable,
		shape.NewError(shape.CodeRateLimited, fmt.Sprintf("busy: %d requests are being answered", s.options.MaxCalls), "try again in a second"))
}

// unreadable answers a request whose body is too long or did not come whole.
func unreadable(w http.ResponseWriter, r *http.Request, err error) {
	var tooLong *http.MaxBytesError
	if errors.As(err, &tooLong) {
		writeError(w, r, shape.NewError(shape.CodeTooLarge, fmt.Sprintf("body: longer than %d bytes", tooLong.Limit), ""))
		return
	}
	writeStatus(w, r, http.StatusBadRequest, shape.NewError(shape.CodeInvalidInput, "body: "+shape.Clean(err.Error()), ""))
}

// takes says whether a method is among those of a route.
func takes(methods []string, method string) bool {
	return slices.Contains(methods, method) || method == http.MethodHead && slices.Contains(methods, http.MethodGet)
}

func notAllowed(w http.ResponseWriter, r *http.Request, methods []string) {
	w.Header().Set("Allow", strings.Join(methods, ", "))
	writeStatus(w, r, http.StatusMethodNotAllowed, shape.NewError(shape.CodeInvalidInput,
		fmt.Sprintf("method: got %s, want %s", shape.Clean(shape.Shorten(r.Method, 20)), shape.Alternatives(methods)), ""))
}

// recovered answers a request whose handler panicked, and keeps the server going.
func recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if p := recover(); p != nil && p != http.ErrAbortHandler {
				writeError(w, r, shape.NewError(shape.CodeInternal, fmt.Sprintf("%s: %v", r.URL.Path, p), "this is a mistake in kdd; please report it"))
			}
		}()
		next.ServeHTTP(w, r)
	})
}
