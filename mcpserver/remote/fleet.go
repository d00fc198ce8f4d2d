package remote

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"kdd/runtime/wire"
)

// Options of a Fleet.
type Options struct {
	Getenv   func(string) string
	Timeout  time.Duration // for a server to start and send its lists; 0 = 30 s
	Patience time.Duration // for one call; 0 = Timeout
	CacheDir string        // folder of the cache; "" = none
	Refresh  bool          // do not read the cache
	Version  string        // of the program
	Only     []string      // names of servers to use; empty = all
	Now      func() time.Time
}

// Fleet is the servers of one run. Its methods may be called at the same time.
type Fleet struct {
	members []*member
	options Options
	cache   cache
}

// member is one server with its session, once it has one, and its last lists.
type member struct {
	server Server
	lock   chan struct{} // holds a token while nobody connects

	mu      sync.Mutex
	session *session
	catalog *catalog
	cached  bool
	read    time.Time // when the catalog was read
	failed  error     // of the last listing, nil if it went well
	tried   time.Time // when that was
}

// retryTime is how long a server whose lists could not be read is not asked again: hosts ask for three lists in a row.
const retryTime = 20 * time.Second

// NewFleet returns the servers that config and options.Only name. Nothing is started. The error is invalid_input.
func NewFleet(config *Config, options Options) (*Fleet, error) {
	if options.Timeout <= 0 {
		options.Timeout = 30 * time.Second
	}
	if options.Patience <= 0 {
		options.Patience = options.Timeout
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	f := &Fleet{options: options, cache: cache{options.CacheDir, options.Now}}
	for _, s := range config.Servers {
		if len(options.Only) > 0 && !slices.Contains(options.Only, s.Name) {
			continue
		}
		m := &member{server: s, lock: make(chan struct{}, 1)}
		m.lock <- struct{}{}
		f.members = append(f.members, m)
	}
	for _, name := range options.Only {
		if f.member(name) == nil {
			return nil, unknownServer(name, config)
		}
	}
	return f, nil
}

func unknownServer(name string, config *Config) error {
	var names []string
	for _, s := range config.Servers {
		names = append(names, s.Name)
	}
	e := invalid("", "no server %q is configured", wire.Clean(wire.Shorten(name, 80)))
	switch near := wire.Nearest(name, names); {
	case near != "":
		e.Hint = fmt.Sprintf("did you mean %q?", near)
	case len(names) > 0:
		e.Hint = "there are " + wire.Shorten(wire.Alternatives(names), 200)
	}
	return e
}

func (f *Fleet) member(name string) *member {
	for _, m := range f.members {
		if m.server.Name == name {
			return m
		}
	}
	return nil
}

// find returns the server of a full name, and the name at that server.
func (f *Fleet) find(full string) (*member, string, error) {
	server, name, err := Split(full)
	if err != nil {
		return nil, "", err
	}
	m := f.member(server)
	if m == nil {
		var config Config
		for _, m := range f.members {
			config.Servers = append(config.Servers, m.server)
		}
		return nil, "", unknownServer(server, &config)
	}
	if m.server.Disabled {
		return nil, "", invalid("", "server %q is disabled in the configuration", server)
	}
	return m, name, nil
}

// Close ends all sessions and their processes in parallel.
func (f *Fleet) Close() {
	var all sync.WaitGroup
	for _, m := range f.members {
		m.mu.Lock()
		s := m.session
		m.session = nil
		m.mu.Unlock()
		if s != nil {
			all.Go(func() { s.close(s.hung.Load()) })
		}
	}
	all.Wait()
}

// resolve fills in the variables of a server's entry.
func (f *Fleet) resolve(m *member) (*resolved, error) {
	r, err := resolve(&m.server, f.options.Getenv)
	if err != nil {
		return r, &Failure{Server: m.server.Name, Code: wire.CodeIO, Reason: wire.Clean(r.redact(err.Error()))}
	}
	if self(&r.Server) {
		return r, &Failure{Server: m.server.Name, Code: wire.CodeIO, Reason: "it is kdd remote serve itself, which would start itself without end; disable the entry"}
	}
	return r, nil
}

// connected returns the session of a server, or a new one. Only one connection to a server is opened at a time.
func (f *Fleet) connected(ctx context.Context, m *member) (*session, error) {
	select {
	case <-m.lock:
		defer func() { m.lock <- struct{}{} }()
	case <-ctx.Done():
		if cause := context.Cause(ctx); !errors.Is(cause, context.DeadlineExceeded) {
			return nil, cause // the caller has gone, which says nothing about the server
		}
		return nil, &Failure{Server: m.server.Name, Code: wire.CodeTimeout, Reason: "it did not answer in time"}
	}
	m.mu.Lock()
	s := m.session
	m.mu.Unlock()
	if s != nil && !s.dead() {
		return s, nil
	}
	if s != nil {
		f.drop(m, s)
	}
	r, err := f.resolve(m)
	if err != nil {
		return nil, err
	}
	if s, err = connect(ctx, r, f.options.Getenv, f.options.Version); err != nil {
		var failure *Failure
		if errors.As(err, &failure) {
			return nil, failure
		}
		return nil, err
	}
	m.mu.Lock()
	m.session = s
	m.mu.Unlock()
	return s, nil
}

// drop ends a useless session at once.
func (f *Fleet) drop(m *member, s *session) {
	m.mu.Lock()
	if m.session == s {
		m.session = nil
	}
	m.mu.Unlock()
	s.close(true)
}

// limit bounds ctx by d.
func limit(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, d, context.DeadlineExceeded)
}

// listing returns the lists of a server, from memory, from the cache or from the server. With an error it returns what
// was read before, or nil.
func (f *Fleet) listing(ctx context.Context, m *member) (*catalog, bool, error) {
	now := f.options.Now()
	m.mu.Lock()
	got, cached, fresh := m.catalog, m.cached, now.Sub(m.read) <= maxCacheAge
	failed, recent := m.failed, now.Sub(m.tried) <= retryTime
	m.mu.Unlock()
	switch {
	case failed != nil && recent:
		return nil, false, failed
	case failed == nil && got != nil && fresh:
		return got, cached, nil
	}
	got, cached, err := f.ask(ctx, m)
	if err != nil && ctx.Err() != nil {
		return got, cached, err // this says nothing about the server
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.failed, m.tried = nil, f.options.Now()
	switch {
	case err == nil:
		m.catalog, m.cached, m.read = got, cached, m.tried
	case errors.Is(err, ErrDown):
		m.failed = err
	}
	return got, cached, err
}

// ask is listing from the cache or the server.
func (f *Fleet) ask(ctx context.Context, m *member) (*catalog, bool, error) {
	r, err := f.resolve(m)
	if err != nil {
		return nil, false, err
	}
	key := r.key(f.options.Version)
	if !f.options.Refresh {
		if got := f.cache.load(key); got != nil {
			return got, true, nil
		}
	}
	ctx, cancel := limit(ctx, f.options.Timeout)
	defer cancel()
	s, err := f.connected(ctx, m)
	if err != nil {
		return nil, false, err
	}
	got, err := s.discover(ctx)
	if err != nil {
		if !errors.Is(context.Cause(ctx), context.Canceled) { // others may be using it
			f.drop(m, s)
		}
		return got, false, err
	}
	f.cache.store(r, key, got)
	return got, false, nil
}

// status is the state of one server and its lists.
type status struct {
	m       *member
	server  ServerStatus
	catalog *catalog // never nil
}

// discover asks all servers in parallel. The result has failing ones too. The error is the cause of ctx.
func (f *Fleet) discover(ctx context.Context) ([]status, error) {
	all := make([]status, len(f.members))
	var asked sync.WaitGroup
	for i, m := range f.members {
		all[i] = status{m: m, catalog: &catalog{}, server: ServerStatus{
			Name: m.server.Name, Transport: m.server.Transport, Address: m.server.Address(), State: StateDisabled}}
		if m.server.Disabled {
			continue
		}
		asked.Go(func() {
			got, cached, err := f.listing(ctx, m)
			s := &all[i].server
			s.State, s.Cached = StateOK, cached
			if err != nil {
				s.State, s.Error = StateFailing, err.Error()
				var failure *Failure
				if errors.As(err, &failure) {
					s.Error, s.Stderr = failure.Reason, failure.Stderr
				}
			}
			if got == nil {
				return
			}
			all[i].catalog = got
			s.Server, s.Protocol, s.Features, s.Warnings = got.Server, got.Protocol, got.Features, got.Warnings
			s.Tools, s.Resources, s.Templates, s.Prompts = len(got.Tools), len(got.Resources), len(got.Templates), len(got.Prompts)
		})
	}
	asked.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return all, nil
}

// outcome returns nil if no server is failing, ErrDown if all are, else ErrSomeDown.
func outcome(servers []ServerStatus) error {
	asked, failing := 0, 0
	for i := range servers {
		switch servers[i].State {
		case StateOK:
			asked++
		case StateFailing:
			asked++
			failing++
		}
	}
	switch {
	case failing == 0:
		return nil
	case failing == asked:
		return ErrDown
	}
	return ErrSomeDown
}

// ErrSomeDown means that some servers are failing, so that an answer is without their entries.
var ErrSomeDown = errors.New("some servers are failing")
