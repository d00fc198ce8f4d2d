package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"kdd/runtime/answer/ask"
	"kdd/runtime/wire"
)

// chain puts the middleware for all requests before the routes.
func (s *Server) chain(table []route) http.Handler {
	mux := http.NewServeMux()
	for _, r := range table {
		mux.Handle(r.path, s.middleware(r))
	}
	return s.counted(recovered(s.leaving(s.access.checked(s.cors(s.plainPaths(mux))))))
}

// plainPaths is middleware that answers 404 to paths with "//", "." or "..", which the mux would redirect, and to
// CONNECT, which the mux would refuse in HTML. No path of this server is like that.
func (s *Server) plainPaths(next http.Handler) http.Handler {
	none := s.middleware(route{path: "/", light: true, open: true, handle: s.noRoute})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p := r.URL.Path; r.Method == http.MethodConnect || p != "" && p != "/" && path.Clean(p) != strings.TrimSuffix(p, "/") {
			none.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// leaving is middleware that, once the server is to end, tells clients to close the connection.
func (s *Server) leaving(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.ending.Load() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

// shortBody is how long the body of a request may be that is read without being counted among the bodies: connections
// bound the memory for these. So clients that send a long body slowly, or none of the body that they announce, keep
// nobody from asking.
const shortBody = 16 << 10

// middleware puts the checks of a route before its handler: method, token, rate limit, size of the body, a slot, a
// deadline.
func (s *Server) middleware(r route) http.Handler {
	maxBody := int64(s.limits.body)
	if r.body > 0 {
		maxBody = min(maxBody, r.body)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		recordOf(request).route = r.label()
		if len(r.methods) > 0 && !takes(r.methods, request.Method) {
			notAllowed(w, request, r.methods)
			return
		}
		if !r.open && !s.access.authorized(request) {
			w.Header().Set("WWW-Authenticate", `Bearer realm="kdd"`)
			writeError(w, request, wire.NewError(wire.CodeUnauthorized, "a token is required", `send the header "Authorization: Bearer TOKEN"`))
			return
		}
		if !r.free {
			if seconds, ok := s.limiter.take(s.client(request)); !ok {
				w.Header().Set("Retry-After", strconv.Itoa(seconds))
				writeError(w, request, wire.NewError(wire.CodeRateLimited, fmt.Sprintf("more than %d requests a minute", s.options.Rate), "try again in "+inSeconds(seconds)))
				return
			}
		}
		if request.ContentLength > maxBody { // refused before it is sent
			unreadable(w, request, &http.MaxBytesError{Limit: maxBody})
			return
		}
		request.Body = http.MaxBytesReader(w, request.Body, maxBody)
		if r.light {
			r.handle(w, request)
			return
		}
		free, size := func() {}, 0
		if takes(r.methods, http.MethodPost) { // the whole body is read first, so that a slow sender holds no slot
			body, err := io.ReadAll(io.LimitReader(request.Body, shortBody+1))
			if err == nil && len(body) > shortBody {
				if !s.bodies.take(request.Context()) {
					s.busy(w, request)
					return
				}
				free = sync.OnceFunc(s.bodies.give)
				defer free()
				var rest []byte
				rest, err = io.ReadAll(request.Body)
				body = append(body, rest...)
			}
			if err != nil {
				unreadable(w, request, err)
				return
			}
			request.Body, size = io.NopCloser(bytes.NewReader(body)), len(body)
		}
		if !s.slots.take(request.Context()) {
			s.busy(w, request)
			return
		}
		slot := newLease(func() { s.slots.give(); free() }, size, s.unsent)
		defer slot.end()
		ctx := context.WithValue(request.Context(), leaseKey{}, slot)
		if !r.ownTime {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, s.options.Timeout)
			defer cancel()
		}
		if s.options.Public { // those who share the token of a server share conversations too
			ctx = ask.WithAsker(ctx, s.client(request))
		}
		inner := request.WithContext(ctx)
		request.Body = http.NoBody // inner has it, until the answer is sent
		r.handle(w, inner)
	})
}

func inSeconds(n int) string {
	if n == 1 {
		return "a second"
	}
	return fmt.Sprintf("%d seconds", n)
}

// busy tells a client to come back.
func (s *Server) busy(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Retry-After", "1")
	writeStatus(w, r, http.StatusServiceUnavailable,
		wire.NewError(wire.CodeRateLimited, fmt.Sprintf("busy: %d requests are being answered", s.options.MaxCalls), "try again in a second"))
}

// unreadable answers a request whose body is too long or incomplete.
func unreadable(w http.ResponseWriter, r *http.Request, err error) {
	var tooLong *http.MaxBytesError
	if errors.As(err, &tooLong) {
		w.Header().Set("Connection", "close") // the rest of the body is not read
		writeError(w, r, wire.NewError(wire.CodeTooLarge, fmt.Sprintf("body: longer than %d bytes", tooLong.Limit), ""))
		return
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		w.Header().Set("Connection", "close")
		writeStatus(w, r, http.StatusRequestTimeout, wire.NewError(wire.CodeTimeout, "body: it did not arrive in time", ""))
		return
	}
	writeStatus(w, r, http.StatusBadRequest, wire.NewError(wire.CodeInvalidInput, "body: "+wire.Clean(err.Error()), ""))
}

// takes says whether a method is among those of a route.
func takes(methods []string, method string) bool {
	return slices.Contains(methods, method) || method == http.MethodHead && slices.Contains(methods, http.MethodGet)
}

// notAllowed refuses a method and names those that a route takes, with HEAD where takes allows it.
func notAllowed(w http.ResponseWriter, r *http.Request, methods []string) {
	if at := slices.Index(methods, http.MethodGet); at >= 0 && !slices.Contains(methods, http.MethodHead) {
		methods = slices.Insert(slices.Clone(methods), at+1, http.MethodHead)
	}
	w.Header().Set("Allow", strings.Join(methods, ", "))
	writeStatus(w, r, http.StatusMethodNotAllowed, wire.NewError(wire.CodeInvalidInput,
		fmt.Sprintf("method: got %s, want %s", wire.Clean(wire.Shorten(r.Method, 20)), wire.Alternatives(methods)), ""))
}

// recovered is middleware that answers a request whose handler panicked.
func recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if p := recover(); p != nil && p != http.ErrAbortHandler {
				writeError(w, r, wire.NewError(wire.CodeInternal, fmt.Sprintf("%s: %v", r.URL.Path, p), "this is a mistake in kdd; please report it"))
			}
		}()
		next.ServeHTTP(w, r)
	})
}
