package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kdd/runtime/wire"
)

// legacyProtocol is offered to a server that ended when it was asked for a newer version.
const legacyProtocol = "2025-11-25"

// ErrDown matches every error that says that a server cannot be used.
var ErrDown = errors.New("the server is failing")

// Failure says why a server cannot be used.
type Failure struct {
	Server string
	Code   string // of error.v1: timeout, unauthorized, io_error or invalid_input
	Reason string // without secrets, neutralised
	Stderr string // last lines of a child's standard error
}

// Error is one line.
func (f *Failure) Error() string {
	text := fmt.Sprintf("server %q is failing: %s", f.Server, f.Reason)
	if f.Stderr != "" {
		text += " (" + strings.ReplaceAll(f.Stderr, "\n", " | ") + ")"
	}
	return text
}

// Is says that a Failure is an ErrDown.
func (f *Failure) Is(target error) bool { return target == ErrDown }

// wire returns the failure as error.v1.
func (f *Failure) wire() error {
	hint := ""
	switch f.Code {
	case wire.CodeUnauthorized:
		hint = "check auth and headers of its entry"
	case wire.CodeTimeout:
		hint = "give it more with --timeout"
	}
	e := wire.NewError(f.Code, f.Error(), hint).With("server", f.Server).Because(f)
	if f.Stderr != "" {
		e.With("stderr", f.Stderr)
	}
	return e
}

// session is a connection with one server.
type session struct {
	r       *resolved
	client  *mcp.ClientSession
	process *process      // of a stdio server, else nil
	conn    *lineConn     // likewise
	guard   *roundTripper // of a server over HTTP, else nil
	cancel  context.CancelFunc
	ended   chan struct{} // closed when the connection is gone
	hung    atomic.Bool   // a call was not answered: the session is ended without a request
}

// connect opens a session with a server before ctx ends. A child that ends when asked for the newest protocol, or does
// not answer within half the time, is started again and asked for legacyProtocol. The error is a *Failure or the cause
// of ctx.
func connect(ctx context.Context, r *resolved, getenv func(string) string, version string) (*session, error) {
	if r.Transport != Stdio {
		return attempt(ctx, r, getenv, version, "")
	}
	first := ctx
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		first, cancel = context.WithDeadlineCause(ctx, time.Now().Add(time.Until(deadline)/2), context.DeadlineExceeded)
		defer cancel()
	}
	s, err := attempt(first, r, getenv, version, "")
	if err == nil || ctx.Err() != nil || errors.Is(err, errNoStart) {
		return s, err
	}
	return attempt(ctx, r, getenv, version, legacyProtocol)
}

// errNoStart means that the child could not be started.
var errNoStart = errors.New("does not start")

// attempt opens a session. protocol "" means the newest that both know.
func attempt(ctx context.Context, r *resolved, getenv func(string) string, version, protocol string) (*session, error) {
	s := &session{r: r, ended: make(chan struct{})}
	// The session outlives ctx, which bounds its opening only.
	life, cancel := context.WithCancel(context.WithoutCancel(ctx))
	s.cancel = cancel
	var transport mcp.Transport
	var err error
	if r.Transport == Stdio {
		if s.process, err = start(r, getenv); err != nil {
			cancel()
			return nil, errors.Join(s.failure(ctx, err), errNoStart)
		}
		s.conn = newLineConn(s.process)
		transport = s.conn
	} else if transport, s.guard, err = httpTransport(r); err != nil {
		cancel()
		return nil, s.failure(ctx, err)
	}
	if r.Transport == SSE {
		protocol = legacyProtocol
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "kdd", Version: version}, &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{}, // servers cannot send requests to this client
		Logger:       slog.New(slog.DiscardHandler),
	})
	s.client, err = await(ctx, life, func(life context.Context) (*mcp.ClientSession, error) {
		return client.Connect(life, transport, &mcp.ClientSessionOptions{ProtocolVersion: protocol})
	})
	if err != nil {
		err = s.failure(ctx, err)
		s.close(true)
		return nil, err
	}
	go func() {
		defer close(s.ended)
		s.client.Wait()
	}()
	return s, nil
}

// await runs f with the context life and returns its results. If ctx ends first it returns the cause of that at once
// and leaves f running, since f may ignore its context. With an error it returns no value.
func await[T any](ctx, life context.Context, f func(context.Context) (T, error)) (T, error) {
	value := new(T) // f may write it when nobody waits for it any more
	err := settle(ctx, life, func(ctx context.Context) (err error) {
		*value, err = f(ctx)
		return err
	})
	if err != nil {
		var none T
		return none, err
	}
	return *value, nil
}

// settle is await for functions without a value.
func settle(ctx, life context.Context, f func(context.Context) error) error {
	done := make(chan error, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil { // the SDK met something that it did not expect
				done <- fmt.Errorf("it sent what cannot be understood: %v", r)
			}
		}()
		done <- f(life)
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		select {
		case err := <-done: // both were ready
			if err == nil {
				return nil
			}
		default:
		}
		return context.Cause(ctx)
	}
}

// dead says whether the connection is gone.
func (s *session) dead() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

// failure describes an error of the session. If the user cancelled ctx, it returns the cause of that.
func (s *session) failure(ctx context.Context, err error) error {
	f := &Failure{Server: s.r.Name, Code: wire.CodeIO}
	var status *statusError
	var content *contentError
	switch {
	case errors.Is(context.Cause(ctx), context.DeadlineExceeded) && (errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)):
		f.Code, f.Reason = wire.CodeTimeout, "it did not answer in time"
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &status):
		f.Code, f.Reason = wire.CodeUnauthorized, status.Error()
	case errors.As(err, &content):
		f.Reason = content.Error()
	case s.guard != nil && s.guard.trouble.Load() != nil:
		f.Reason = (*s.guard.trouble.Load()).Error()
	case errors.Is(err, errOrigin):
		f.Code, f.Reason = wire.CodeUnauthorized, err.Error()
	default:
		f.Reason = err.Error()
		for _, mark := range []string{": unmarshaling ", ": json: "} { // what follows quotes the message or Go types
			if before, _, found := strings.Cut(f.Reason, mark); found {
				f.Reason = before + ": it sent what cannot be understood"
			}
		}
	}
	if s.process != nil {
		if f.Code == wire.CodeIO && errors.Is(err, mcp.ErrConnectionClosed) || errors.Is(err, io.EOF) {
			f.Reason = "it closed its standard output"
			s.process.gone(graceTime / 2)
		}
		rubbish, problem := s.conn.trouble()
		if state := s.process.state(); state != "" {
			f.Code, f.Reason = wire.CodeIO, "it ended: "+state
		}
		switch {
		case problem != nil:
			f.Code, f.Reason = wire.CodeIO, problem.Error()
		case rubbish != "":
			f.Reason += fmt.Sprintf("; it wrote to standard output what is no protocol: %q", rubbish)
		}
		if s.process.state() != "" {
			select { // the rest of its standard error may still come
			case <-s.process.stderr:
			case <-time.After(graceTime / 4):
			}
		}
		f.Stderr = s.process.tail.lines(s.r)
	}
	f.Reason = wire.Shorten(strings.Join(strings.Fields(wire.Clean(s.r.redact(f.Reason))), " "), 400)
	return f
}

// close ends the session and the child. With now it does not ask the child to end first.
func (s *session) close(now bool) {
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		if s.client != nil {
			s.client.Close()
		}
	}()
	if s.process != nil {
		s.process.stop(now)
	} else if !now {
		select { // a streamable session is deleted at the server
		case <-closed:
		case <-time.After(graceTime):
		}
	}
	s.cancel()
}

// call runs one request of the session. The error is a *Failure, a *jsonrpc.Error of the server, or the cause of ctx.
func call[T any](ctx context.Context, s *session, f func(context.Context, *mcp.ClientSession) (T, error)) (T, error) {
	result, err := await(ctx, ctx, func(ctx context.Context) (T, error) { return f(ctx, s.client) })
	if err == nil {
		return result, nil
	}
	var none T
	var known *jsonrpc.Error
	if errors.As(err, &known) && ctx.Err() == nil && !errors.Is(err, mcp.ErrConnectionClosed) {
		return none, &jsonrpc.Error{Code: known.Code, Message: wire.Shorten(s.r.redact(known.Message), 4000)}
	}
	return none, s.failure(ctx, err)
}
