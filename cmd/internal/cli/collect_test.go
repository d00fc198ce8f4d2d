package cli

import (
	"runtime"
	"runtime/debug"
	"testing"
	"testing/synctest"
	"time"
)

// TestCollectWithin: a heap that would gather more garbage than is allowed is collected more often, and the percentage
// is what it was in the end. GOGC wins.
func TestCollectWithin(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	runtime.GC() // what is live is known after one
	for _, test := range []struct {
		name, gogc string
		garbage    uint64
		want       int
	}{
		{"a large heap", "", 1, leastGCPercent},
		{"a small heap", "", 1 << 40, 50},
		{"told otherwise", "300", 1, 100},
	} {
		synctest.Test(t, func(t *testing.T) {
			c := &Call{Options: &Options{getenv: func(string) string { return test.gogc }}}
			end := c.CollectWithin(50, test.garbage)
			time.Sleep(3 * gcWatch)
			synctest.Wait()
			got := debug.SetGCPercent(100)
			debug.SetGCPercent(got)
			if got != test.want {
				t.Errorf("%s: %d %%, want %d", test.name, got, test.want)
			}
			end()
			if got := debug.SetGCPercent(100); got != 100 {
				t.Errorf("%s: %d %% in the end, want 100", test.name, got)
			}
		})
	}
}
