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

// limits are the limits of connections. Those of requests are in Options.
type limits struct {
	header      time.Duration // for a client to send the header
	whole       time.Duration // for a client to send the whole request
	idle        time.Duration // between two requests of a connection
	write       time.Duration // beyond the deadline of the work, for a slow reader
	drain       time.Duration // for running requests to finish when the server ends
	leave       time.Duration // part of drain in which clients may close their connections themselves
	heartbeat   time.Duration // between two comments on a stream of events
	headerBytes int
	body        int
	connections int // beyond it the one that has been idle longest is closed
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

	Token        string   // required as "Authorization: Bearer TOKEN", except on open routes; "": none
	AllowHosts   []string // names allowed in the Host header, besides addresses and localhost
	AllowOrigins []string // such as "https://example.com": sites whose pages may send requests

	Timeout  time.Duration // of the work of one request; 0: DefaultTimeout
	MaxCalls int           // maximum requests at work at the same time; 0: DefaultCalls
	Wait     time.Duration // time for a request to wait for a slot before 503; 0: one second

	Public       bool   // for anyone: no token, publicOperations only; needs AllowHosts and AllowOrigins
	Rate         int    // maximum requests of a client in a minute; 0: any number
	ClientHeader string // header in which a proxy names the client; "": the address of the connection counts
	CacheBytes   int    // of cached answers; 0: no cache
	AccessLog    string // LogOff (or ""), LogRequests, LogQueries; to Log
	Feedback     *feedback.Log
}

// Server answers HTTP requests.
type Server struct {
	options Options
	limits  limits
	access  *access
	slots   slots
	bodies  slots               // for requests with a long body, while it is read too: they bound the memory
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
	document     func() *rendered // the answer of /openapi.json
}

// New returns a Server and opens nothing. The error is about the options.
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
	s.answerer, s.pageTemplate = asks{o.Service}, newPageTemplate()
	s.document = sync.OnceValue(func() *rendered {
		body := s.describe()
		return &rendered{body, entityTag(body)}
	})
	s.handler = s.chain(s.routes())
	return s, nil
}

// check says which options contradict each other.
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

// Handler returns the handler of all requests, for a server of the caller.
func (s *Server) Handler() http.Handler { return s.handler }

// Serve answers the requests of listener until ctx ends. Then it tells clients to close their connections, accepts no
// more, waits up to 15 seconds for running requests and returns nil. It closes listener.
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
		err = server.Close() // running requests are given up
	}
	<-done
	return err
}

// deadline is middleware of MCP that bounds the work of a request, even if the work ignores its context. The HTTP
// request around it has no deadline, because the SDK would end it without an answer.
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
