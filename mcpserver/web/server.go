package web

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kdd/mcpserver"
	"kdd/runtime"
)

// The limits of a connection. Those of a request are in Options.
const (
	headerTime     = 5 * time.Second  // to send the header
	bodyTime       = 30 * time.Second // to send all of a request
	idleTime       = 2 * time.Minute  // between two requests of a connection
	writeTime      = time.Minute      // beyond the deadline of the work, for a slow reader
	maxHeaderBytes = 32 << 10
	maxBodyBytes   = 4 << 20
	drainTime      = 15 * time.Second // for running requests once the server is to end
)

// The defaults of Options.
const (
	DefaultTimeout = 12 * time.Second
	DefaultCalls   = 64
	defaultWait    = time.Second
)

// Options say what to serve and to whom.
type Options struct {
	Service *runtime.Service
	Info    mcpserver.Info
	Log     io.Writer // warnings of the protocol and of connections; nil: none

	Extend func(*mcp.Server) // adds to what /mcp has; nil: nothing

	Token        string   // demanded as "Authorization: Bearer TOKEN" but on open routes; "": not
	AllowHosts   []string // names that the Host header may have besides addresses and localhost
	AllowOrigins []string // "https://example.com": pages that may send requests besides our own

	Timeout  time.Duration // of the work of one request; 0: DefaultTimeout
	MaxCalls int           // that work at the same time; 0: DefaultCalls
	Wait     time.Duration // for one of those slots before 503; 0: one second
}

// Server answers HTTP requests.
type Server struct {
	options Options
	access  *access
	slots   slots
	bodies  slots // for requests with a body, from its first byte on: they bound the memory
	handler http.Handler
}

// New returns a Server; it opens nothing. The error is about the options.
func New(o Options) (*Server, error) {
	if o.Log == nil {
		o.Log = io.Discard
	}
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.MaxCalls <= 0 {
		o.MaxCalls = DefaultCalls
	}
	if o.Wait <= 0 {
		o.Wait = defaultWait
	}
	access, err := newAccess(&o)
	if err != nil {
		return nil, err
	}
	s := &Server{options: o, access: access, slots: newSlots(o.MaxCalls, o.Wait), bodies: newSlots(4*o.MaxCalls, o.Wait)}
	s.handler = s.chain(s.routes())
	return s, nil
}

// Handler returns what answers the requests, for a server of the caller's own.
func (s *Server) Handler() http.Handler { return s.handler }

// Serve answers the requests of listener until ctx ends; then it takes no more, lets those finish that run, for 15
// seconds at most, and returns nil. It closes listener.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	server := &http.Server{
		Handler:           s.handler,
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       bodyTime,
		WriteTimeout:      s.options.Timeout + s.options.Wait + writeTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          log.New(s.options.Log, "http: ", 0),
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	finish, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
	defer cancel()
	err := server.Shutdown(finish)
	if errors.Is(err, context.DeadlineExceeded) {
		err = server.Close() // what still runs is given up
	}
	<-done
	return err
}

// deadline bounds the work of one MCP request: the SDK does not pass the HTTP request's own on to it.
func deadline(limit time.Duration) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, request mcp.Request) (mcp.Result, error) {
			ctx, cancel := context.WithTimeout(ctx, limit)
			defer cancel()
			return next(ctx, method, request)
		}
	}
}
