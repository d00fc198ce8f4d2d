package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"kdd/mcpserver/web"
)

// What a server does with connections that ask for nothing (mcpserver/web): defaults that this run compares with.
const (
	serverConnections = 4096            // at most
	headerTimeout     = 5 * time.Second // before the first request
	idleTimeout       = 2 * time.Minute // behind one
	slack             = 5 * time.Second // until the other side has seen it
)

// herd is many idle connections.
type herd struct {
	conns   []net.Conn
	readers sync.WaitGroup
	open    [2]atomic.Int64 // as far as is seen here: silent ones, and those that asked once
	mu      sync.Mutex
	last    [2]time.Duration // when the last of them was closed, after begin
	begin   time.Time
}

// The kinds of idle connections.
const (
	silent = iota
	askedOnce
)

// roomFor says what is in the way of so many idle connections.
func roomFor(idle int) error {
	if have, want := web.OpenFiles(), idle+256; idle > 0 && have > 0 && have < want {
		return fmt.Errorf("%d idle connections need %d open files and this process may have %d: raise the hard limit (ulimit -Hn %d), or ask for fewer with -idle", idle, want, have, want)
	}
	return nil
}

// idling opens idle connections, half of them silent from the start and half behind one request, asks beside them, and waits
// until they are closed.
func (s *settings) idling(ctx context.Context, stderr io.Writer) (string, int, error) {
	if s.idle == 0 {
		return "", 0, nil
	}
	server, err := start(s.kddq, s.index, "--access-log", "off", "--cache", "0")
	if err != nil {
		return "", 0, err
	}
	client := newClient(1)
	if _, bad := s.load(ctx, client, server.url, kinds[1], 100, stderr); bad > 0 { // what comes with the first questions is no matter of connections
		fmt.Fprintf(stderr, "idle: %d failed before\n", bad)
	}
	before, beforeOwn := server.memory()
	h := &herd{begin: time.Now()}
	err = h.fill(ctx, strings.TrimPrefix(server.url, "http://"), s.idle)
	filled := time.Since(h.begin)
	open := h.open[silent].Load() + h.open[askedOnce].Load()
	var times []time.Duration
	bad := 0
	for i := 0; err == nil && i < 200 && ctx.Err() == nil; i++ {
		k := kinds[i%2]
		if i%10 == 0 {
			client.CloseIdleConnections() // the next has to be accepted beside all others
		}
		r, err := k.make(server.url, s.queries[i%len(s.queries)])
		if err != nil {
			return "", 0, err
		}
		begin := time.Now()
		_, err = once(client, r)
		if took := time.Since(begin); err != nil || took > s.bound {
			if bad++; bad <= 5 {
				fmt.Fprintf(stderr, "idle: %s beside idle connections took %v, %v\n", k.name, took, err)
			}
		}
		times = append(times, time.Since(begin))
	}
	with, withOwn := server.memory()
	for deadline := time.Now().Add(s.wait); err == nil && time.Now().Before(deadline) && ctx.Err() == nil && h.open[silent].Load()+h.open[askedOnce].Load() > 0; {
		time.Sleep(20 * time.Millisecond)
	}
	waited := time.Since(h.begin)
	after, afterOwn := server.memory()
	h.mu.Lock()
	left, last := [2]int64{h.open[silent].Load(), h.open[askedOnce].Load()}, h.last
	h.mu.Unlock()
	client.CloseIdleConnections()
	h.close()
	if _, failed := server.end(); err == nil {
		err = failed
	}
	if err != nil {
		return "", 0, err
	}
	slices.Sort(times)
	var b strings.Builder
	fmt.Fprintf(&b, "\n%d idle connections opened in %.1f s, every other one behind a request; %d of them open then (the server keeps %d).\n", s.idle, filled.Seconds(), open, serverConnections)
	fmt.Fprintf(&b, "%d requests beside them: p50 %.2f ms, most %.1f ms, %d failed or above %v.\n", len(times), milliseconds(times[len(times)/2]), milliseconds(times[len(times)-1]), bad, s.bound)
	for kind, name := range [2]string{"that never asked", "that asked once"} {
		limit := [2]time.Duration{headerTimeout, idleTimeout}[kind] + filled + slack
		at := last[kind]
		switch {
		case left[kind] == 0 && at <= limit:
			fmt.Fprintf(&b, "Those %s: the last was closed after %.1f s.\n", name, at.Seconds())
		case left[kind] > 0 && waited < limit:
			fmt.Fprintf(&b, "Those %s: %d open after %.1f s, when the run ended.\n", name, left[kind], waited.Seconds())
		default:
			bad++
			fmt.Fprintf(&b, "Those %s: %d open after %.1f s, the last was closed after %.1f s, want all closed after %.1f s.\n", name, left[kind], waited.Seconds(), at.Seconds(), limit.Seconds())
		}
	}
	if open > serverConnections+int64(s.clients) {
		bad++
		fmt.Fprintf(&b, "More were open than the server keeps.\n")
	}
	fmt.Fprintf(&b, "Resident memory: %.1f MiB before (%.1f not files), %.1f with them (%.1f), %.1f at the end (%.1f).\n", before, beforeOwn, with, withOwn, after, afterOwn)
	return b.String(), bad, ctx.Err()
}

// fill opens n connections, and sends a request on every other one. One that the server closes meanwhile, for it has too many,
// is no error.
func (h *herd) fill(ctx context.Context, address string, n int) error {
	var dialer net.Dialer
	for i := range n {
		c, err := dialer.DialContext(ctx, "tcp", address)
		if err != nil {
			return fmt.Errorf("idle connection %d of %d: %w", i+1, n, err)
		}
		h.conns = append(h.conns, c)
		kind := i % 2
		h.open[kind].Add(1)
		if kind == askedOnce {
			if _, err := io.WriteString(c, "GET /healthz HTTP/1.1\r\nHost: "+address+"\r\n\r\n"); err == nil {
				r, err := http.ReadResponse(bufio.NewReader(c), nil)
				if err == nil {
					io.Copy(io.Discard, r.Body)
					r.Body.Close()
				}
			}
		}
		h.readers.Go(func() {
			io.Copy(io.Discard, c) // until it is closed
			h.open[kind].Add(-1)
			h.mu.Lock()
			h.last[kind] = time.Since(h.begin)
			h.mu.Unlock()
		})
	}
	return nil
}

// close closes what is open.
func (h *herd) close() {
	for _, c := range h.conns {
		c.Close()
	}
	h.readers.Wait()
}
