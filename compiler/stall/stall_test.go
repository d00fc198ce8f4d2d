package stall

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

var errStalled = errors.New("stalled")

// TestWatch has a watch of a minute, and what comes when.
func TestWatch(t *testing.T) {
	for _, tt := range []struct {
		name  string
		waits []time.Duration // before each byte
		want  error
	}{
		{"all in time", []time.Duration{59 * time.Second, 59 * time.Second, 59 * time.Second}, nil},
		{"nothing for a minute", []time.Duration{time.Second, 61 * time.Second}, errStalled},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, watch := Start(t.Context(), Limit, func() error { return errStalled })
				defer watch.Stop()
				var told int64
				r := watch.Reader(strings.NewReader("abc"), func(n int64) { told = n })
				for _, wait := range tt.waits {
					time.Sleep(wait)
					if _, err := io.ReadFull(r, make([]byte, 1)); err != nil {
						t.Fatal(err)
					}
				}
				synctest.Wait()
				if got := context.Cause(ctx); !errors.Is(got, tt.want) || told != int64(len(tt.waits)) {
					t.Errorf("the context ended with %v after %d bytes, want %v after %d", got, told, tt.want, len(tt.waits))
				}
			})
		})
	}
}
