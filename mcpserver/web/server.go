package web

import (
	"context"
	"errors"
	"html/template"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/sync/semaphore"

	"kdd/mcpserver"
	"kdd/runtime"
	"kdd/runtime/feedback"
	"kdd/runtime/wire"
)

// limits are those of a connection. Those of a request are in Options.
type limits struct {
	header      time.Duration // to send the header
	whole       time.Duration // to send all of a request
	idle        time.Duration // between two requests of a connection
	write       time.Duration // beyond the deadline of the work, for a slow reader
	drain       time.Duration // for running requests once the server is to end
	leave       time.Duration // of that, for clients to be told that it ends before their connections are closed
	heartbeat   time.Duration // between two signs of life on a stream of events
	headerBytes int
	body        int
	connections int // the one that was idle for longest is closed for the next
}

var defaultLimits = limits{
	header: 5 * time.Second, whole: 30 * time.Second, idle: 2 * time.Minute, write: time.Minute, drain: 15 * time.Second, leave: 300 * time.Millisecond,
	heartbeat: 5 * time.Second, headerBytes: 32 << 10, body: maxBodyBytes, connections: 4096,
}

const maxBodyBytes = 4 << 20

// The defaults of Options.
const (
	DefaultTimeout    = 12 * time.Second
	DefaultCalls      = 64
	DefaultCacheBytes = 32 << 20
	DefaultPublicRate = 60
	defaultWait       = time.Second
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

	Public       bool   // for anyone: no token, only what the documents say; Rate, AllowHosts and AllowOrigins have to be there
	Rate         int    // requests a minute of one client; 0: any number
	ClientHeader string // in which a proxy in front names the client; "": the connection's address counts
	CacheBytes   int    // of answers that are kept; 0: none
	AccessLog    string // LogOff (or ""), LogRequests, LogQueries; to Log
	Feedback     *feedback.Log
}

// Server answers HTTP requests.
type Server struct {
	options Options
	limits  limits
	access  *access
	slots   slots
	bodies  slots               // for requests with a body, from its first byte on: they bound the memory
	unsent  *semaphore.Weighted // bytes of answers for slow readers
	cache   *cache
	recent  *cache // what was cited in recent answers, for the feedback to them
	limiter *limiter
	metrics *metrics
	log     *accessLog
	ending  atomic.Bool
	handler http.Handler

	answerer     answerer
	pageTemplate *template.Template
	markdown     *sanitizer
	document     func() *rendered // of /openapi.json
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
	if o.AccessLog == "" {
		o.AccessLog = LogOff
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	s := &Server{
		options: o, limits: defaultLimits, access: access, slots: newSlots(o.MaxCalls, o.Wait), bodies: newSlots(4*o.MaxCalls, o.Wait), unsent: semaphore.NewWeighted(maxUnsent),
		cache: newCache(o.CacheBytes, cacheAge), recent: newCache(recentMax, recentAge), limiter: newLimiter(o.Rate), metrics: newMetrics(), log: newAccessLog(),
	}
	s.answerer, s.pageTemplate, s.markdown = asks{o.Service}, newPageTemplate(), newSanitizer()
	s.document = sync.OnceValue(func() *rendered {
		body := s.describe()
		return &rendered{body, entityTag(body)}
	})
	s.handler = s.chain(s.routes())
	return s, nil
}

// check says what options do not go together.
func (o *Options) check() error {
	switch {
	case o.Public && len(o.AllowOrigins) == 0:
		return wire.NewError(wire.CodeInvalidInput, "a public server needs the web sites whose pages may ask it", "give --allow-origin https://NAME")
	case o.Public && len(o.AllowHosts) == 0:
		return wire.NewError(wire.CodeInvalidInput, "a public server needs the names that it is asked by", "give --allow-host NAME")
	case o.Public && o.Token != "":
		return wire.NewError(wire.CodeInvalidInput, "a public server takes no token", "leave out --public or the token")
	}
	return nil
}

// Handler returns what answers the requests, for a server of the caller's own.
func (s *Server) Handler() http.Handler { return s.handler }

// Serve answers the requests of listener until ctx ends; then it tells clients to go, takes no more, lets those requests
// finish that run, for 15 seconds at most, and returns nil. It closes listener.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	if s.options.AccessLog != LogOff {
		defer s.log.write(s.options.Log)()
	}
	connections := newConnections(connectionLimit(s.limits.connections, OpenFiles()))
	server := &http.Server{
		Handler:           s.handler,
		ReadHeaderTimeout: s.limits.header,
		ReadTimeout:       s.limits.whole,
		WriteTimeout:      s.options.Timeout + s.options.Wait + s.limits.write,
		IdleTimeout:       s.limits.idle,
		MaxHeaderBytes:    s.limits.headerBytes,
		ErrorLog:          log.New(s.options.Log, "http: ", 0),
		ConnState:         connections.changed,
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	s.ending.Store(true)
	finish, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.limits.drain)
	defer cancel()
	connections.quiet(finish, s.limits.leave)
	err := server.Shutdown(finish)
	if errors.Is(err, context.DeadlineExceeded) {
		err = server.Close() // what still runs is given up
	}
	<-done
	return err
}

// deadline bounds the work of one MCP request, even if the work does not look at its context. The HTTP request around it has no
// deadline: the SDK would end it without an answer.
func deadline(limit time.Duration) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, request mcp.Request) (mcp.Result, error) {
			ctx, cancel := context.WithTimeout(ctx, limit)
			defer cancel()
			result, err := within(ctx, func(ctx context.Context) (mcp.Result, error) { return next(ctx, method, request) })
			if _, call := request.(*mcp.CallToolRequest); call && ctx.Err() != nil && err != nil {
				return mcpserver.Failure(err), nil
			}
			return result, err
		}
	}
}
