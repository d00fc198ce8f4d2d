package web

import (
	"io"
	"sync"
)

// Stats counts what reading a host cost.
type Stats struct {
	Requests int64 // redirects and further tries too
	Bytes    int64 // of bodies
	// Rounds is the length of the longest row of requests in which each began after the one before had ended
	Rounds int64
}

// counter keeps Stats.
type counter struct {
	mu    sync.Mutex
	stats Stats // Rounds is of the requests that have ended
}

// counting is one request.
type counting struct {
	c     *counter
	round int64
	ended bool
}

func (c *counter) begin() *counting {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stats.Requests++
	return &counting{c: c, round: c.stats.Rounds + 1}
}

func (n *counting) add(bytes int) {
	n.c.mu.Lock()
	defer n.c.mu.Unlock()
	n.c.stats.Bytes += int64(bytes)
}

func (n *counting) end() {
	n.c.mu.Lock()
	defer n.c.mu.Unlock()
	if !n.ended {
		n.ended, n.c.stats.Rounds = true, max(n.c.stats.Rounds, n.round)
	}
}

func (c *counter) get() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stats
}

// countedBody counts the bytes of a body.
type countedBody struct {
	io.ReadCloser
	count *counting
}

// Read reads from the body.
func (b *countedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.count.add(n)
	if err != nil {
		b.count.end()
	}
	return n, err
}

// Close ends the request.
func (b *countedBody) Close() error {
	b.count.end()
	return b.ReadCloser.Close()
}
