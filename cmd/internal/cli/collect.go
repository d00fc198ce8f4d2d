package cli

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
)

// CollectAt lets so much garbage gather, in percent of the memory in use, until the function that it returns is called.
// GOGC in the environment wins.
func (c *Call) CollectAt(percent int) (end func()) {
	if c.getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(percent)
	return func() { debug.SetGCPercent(before) }
}

// CollectWithin is CollectAt for a heap that grows large: the percentage falls so that no more than so many bytes of
// garbage gather, but not below leastGCPercent.
func (c *Call) CollectWithin(percent int, garbage uint64) (end func()) {
	restore := c.CollectAt(percent)
	if c.getenv("GOGC") != "" {
		return restore
	}
	done := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() {
		tick := time.NewTicker(gcWatch)
		defer tick.Stop()
		live, set := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}, percent
		for {
			select {
			case <-done:
				return
			case <-tick.C:
			}
			metrics.Read(live)
			fits := int(garbage * 100 / max(1, live[0].Value.Uint64()))
			if want := min(percent, max(leastGCPercent, fits)); want != set {
				debug.SetGCPercent(want)
				set = want
			}
		}
	})
	return func() {
		close(done)
		watch.Wait()
		restore()
	}
}

// collectLater lets the heap of one answer grow to 16 MB before the garbage collector runs for the first time, instead of
// 4: most commands end before that. From then on it collects as ever, so that memory stays bounded. GOGC in the
// environment wins.
func (c *Call) collectLater() {
	if c.getenv("GOGC") != "" {
		return
	}
	usual := debug.SetGCPercent(firstGCPercent)
	runtime.AddCleanup(new([64]byte), func(percent int) { debug.SetGCPercent(percent) }, usual)
}

// firstGCPercent makes of the 4 MB at which Go collects first 16.
const firstGCPercent = 400

// leastGCPercent bounds how often a large heap is collected, and gcWatch is how often its size is looked at.
const (
	leastGCPercent = 10
	gcWatch        = 50 * time.Millisecond
)
