package mcpserver

import (
	"context"
	"io"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kdd/runtime"
)

// ServeStdio serves one session: a line in is a message, a line out an answer. It returns nil soon after in has ended
// and the calls then running are answered, in two seconds at most, and ctx.Err() promptly after ctx has ended. Calls run
// at the same time. Only protocol is written to out, and nothing after the return but what a blocked write still holds.
func ServeStdio(ctx context.Context, svc *runtime.Service, in io.Reader, out io.Writer, log io.Writer, info Info) error {
	return serve(ctx, NewServer(svc, log, info), in, out)
}

// Serve is ServeStdio with a server that NewServer made and the caller added to.
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
		// The session's calls have been cancelled. One that does not listen may not hold the process up.
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
