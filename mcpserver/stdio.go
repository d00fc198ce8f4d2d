package mcpserver

import (
	"context"
	"io"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kdd/runtime"
)

// ServeStdio serves one session: each line of in is a message, each line of out an answer. Calls run at the same time.
// After the end of in, running calls have two seconds to be answered; then it returns nil. After the end of ctx it
// returns ctx.Err() at once. Only messages are written to out, and none after the return, except the rest of a blocked
// write.
func ServeStdio(ctx context.Context, svc *runtime.Service, in io.Reader, out io.Writer, log io.Writer, info Info) error {
	return serve(ctx, NewServer(svc, log, info), in, out)
}

// Serve is ServeStdio with a server that NewServer made and that the caller may have extended.
func Serve(ctx context.Context, server *mcp.Server, in io.Reader, out io.Writer) error {
	return serve(ctx, server, in, out)
}

func serve(ctx context.Context, server *mcp.Server, in io.Reader, out io.Writer) error {
	conn := newLineConn(ctx, in, out)
	defer conn.Close()
	session, err := server.Connect(ctx, conn, nil)
	if err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- session.Wait() }()
	select {
	case err = <-done:
	case <-conn.end:
		// The session's calls have been cancelled. A call that ignores that must not keep the process alive.
		timer := time.NewTimer(max(time.Until(conn.late), stopTime))
		defer timer.Stop()
		select {
		case err = <-done:
		case <-timer.C:
		}
	}
	conn.silence()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}
