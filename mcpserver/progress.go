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

// progressing sends progress notifications for a call whose client asked for them: one after 20 ms, then one each
// second, with the milliseconds since the start. The returned function stops them; none is sent after it returns.
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
