package mcpserver

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	firstProgress = 20 * time.Millisecond // of work before the first notification
	nextProgress  = time.Second           // between two
)

// progressing tells the client that a call is still worked on, if it sent a token: once after 20 ms, then each second, the
// milliseconds since the beginning as progress. The function that is returned ends that; no notification comes after it.
func progressing(ctx context.Context, request *mcp.CallToolRequest) (end func()) {
	token := request.Params.GetProgressToken()
	if token == nil || request.Session == nil {
		return func() {}
	}
	stop, done := make(chan struct{}), make(chan struct{})
	begin := time.Now()
	go func() {
		defer close(done)
		timer := time.NewTimer(firstProgress)
		defer timer.Stop()
		for {
			select {
			case <-stop:
				return
			case <-ctx.Done():
				return
			case <-timer.C:
			}
			err := request.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
				ProgressToken: token, Progress: float64(time.Since(begin).Milliseconds()), Message: request.Params.Name + " is working",
			})
			if err != nil {
				return
			}
			timer.Reset(nextProgress)
		}
	}()
	return func() {
		close(stop)
		<-done
	}
}
