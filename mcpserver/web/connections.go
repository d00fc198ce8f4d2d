package web

import (
	"container/list"
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

// connections bound how many are open. Where there are too many, the one goes that has not asked for anything for longest:
// so clients that open thousands and say nothing do not keep others out.
type connections struct {
	mu   sync.Mutex
	max  int
	open int
	at   map[net.Conn]*list.Element // in waiting
	wait *list.List                 // net.Conn that have no request, the oldest in front
}

// connectionLimit is how many connections there may be at most where a process may have so many files open (0: any number):
// some are left for artifacts, logs and language models, since a server that cannot accept a connection cannot close an idle
// one for it either.
func connectionLimit(most, files int) int {
	if files <= 0 {
		return most
	}
	return min(most, max(files-128, files/2))
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
			oldest.Close() // it counts until its StateClosed
		}
	case http.StateIdle:
		c.at[conn] = c.wait.PushBack(conn)
	case http.StateClosed, http.StateHijacked:
		c.open--
	}
}

// quiet returns once no connection is open, or after so long.
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
