package web

import (
	"container/list"
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

// connections bounds how many connections are open. Beyond the limit the one that has been idle longest is closed, so
// that clients with thousands of idle connections do not keep others out.
type connections struct {
	mu   sync.Mutex
	max  int
	open int
	at   map[net.Conn]*list.Element // of wait
	wait *list.List                 // net.Conn without a request, the one idle longest in front
}

// connectionLimit lowers the limit of connections for a process that may have so many files open (0: any number). Some
// are left for artifacts, logs and language models. Without them a server that cannot accept a connection could not
// close an idle one for it either.
func connectionLimit(limit, files int) int {
	if files <= 0 {
		return limit
	}
	return min(limit, max(files-128, files/2))
}

func newConnections(max int) *connections {
	return &connections{max: max, at: map[net.Conn]*list.Element{}, wait: list.New()}
}

// changed is http.Server.ConnState.
func (c *connections) changed(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at, ok := c.at[conn]; ok {
		c.wait.Remove(at)
		delete(c.at, conn)
	}
	switch state {
	case http.StateNew:
		c.open++
		c.at[conn] = c.wait.PushBack(conn)
		if c.open > c.max {
			oldest := c.wait.Remove(c.wait.Front()).(net.Conn)
			delete(c.at, oldest)
			oldest.Close() // it counts as open until its StateClosed
		}
	case http.StateIdle:
		c.at[conn] = c.wait.PushBack(conn)
	case http.StateClosed, http.StateHijacked:
		c.open--
	}
}

// quiet returns once no connection is open, or after limit.
func (c *connections) quiet(ctx context.Context, limit time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	tick := time.NewTicker(limit/20 + 1)
	defer tick.Stop()
	for {
		c.mu.Lock()
		open := c.open
		c.mu.Unlock()
		if open == 0 {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}
