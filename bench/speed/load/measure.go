package load

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"kdd/bench/internal/harness"
)

// kind is one kind of request.
type kind struct {
	name string
	make func(base, query string) (*http.Request, error)
}

var kinds = []kind{
	{"tools/call", func(base, query string) (*http.Request, error) {
		body, err := json.Marshal(map[string]any{"tool_name": "generate_rag_answer", "arguments": map[string]any{"query": query, "include_sources": true}, "session_id": "web"})
		if err != nil {
			return nil, err
		}
		r, err := http.NewRequest("POST", base+"/api/v1/mcp/tools/call", bytes.NewReader(body))
		if err == nil {
			r.Header.Set("Content-Type", "application/json")
		}
		return r, err
	}},
	{"search", func(base, query string) (*http.Request, error) {
		return http.NewRequest("GET", base+"/api/v1/search?query="+url.QueryEscape(query), nil)
	}},
}

// once sends a request and returns its whole answer; an answer that is cut off, no JSON or no success is an error.
func once(client *http.Client, r *http.Request) ([]byte, error) {
	response, err := client.Do(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != 200 || !json.Valid(body) || !bytes.HasPrefix(body, []byte(`{"schema_version":"`)) || bytes.Contains(body, []byte(`"success":false`)) {
		return nil, fmt.Errorf("%d %.200s", response.StatusCode, body)
	}
	return body, nil
}

func newClient(clients int) *http.Client {
	return &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients, MaxConnsPerHost: 0}, Timeout: time.Minute}
}

// load sends n requests and returns their times and how many failed.
func (s *settings) load(ctx context.Context, client *http.Client, base string, k kind, n int, stderr io.Writer) (times []time.Duration, failed int) {
	times = make([]time.Duration, n)
	var next, failures atomic.Int64
	var clients sync.WaitGroup
	for range s.clients {
		clients.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n || ctx.Err() != nil {
					return
				}
				r, err := k.make(base, s.queries[i%len(s.queries)])
				start := time.Now()
				if err == nil {
					_, err = once(client, r)
				}
				times[i] = time.Since(start)
				if err != nil && failures.Add(1) <= 5 {
					fmt.Fprintf(stderr, "%s: %v\n", k.name, err)
				}
			}
		})
	}
	clients.Wait()
	return times, int(failures.Load())
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// measure measures all and returns it as markdown.
func (s *settings) measure(ctx context.Context, stderr io.Writer) (table string, failed int, err error) {
	var b strings.Builder
	fmt.Fprintf(&b, "%d clients, %d requests of each kind, %d queries, each kind a server of its own.\n\n", s.clients, s.n, len(s.queries))
	b.WriteString("| Cache | Kind | requests/s | CPU ms each | p50 ms | p99 ms | max ms | errors | MiB after 1,000 | of it private | MiB at the end | of it private |\n|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, cache := range []string{"0", "32"} {
		for _, k := range kinds {
			row, bad, err := s.row(ctx, k, cache, stderr)
			if err != nil {
				return "", 0, err
			}
			b.WriteString(row)
			failed += bad
		}
	}
	b.WriteString("\nWithout a cache (0 MiB) every answer is made anew. Clients and server share the processors; CPU is the server's. Resident memory has the pages of the artifact that were touched, which are files; private memory has not.\n")
	text, bad, err := s.ended(ctx, stderr)
	if err != nil {
		return "", 0, err
	}
	return b.String() + text, failed + bad, ctx.Err()
}

// row measures one kind of request with a cache of so many MiB.
func (s *settings) row(ctx context.Context, k kind, cache string, stderr io.Writer) (row string, failed int, err error) {
	server, err := start(s.kddq, s.index, "--access-log", "off", "--cache", cache, "--max-calls", "256")
	if err != nil {
		return "", 0, err
	}
	client := newClient(s.clients)
	warm := min(1000, s.n)
	_, bad := s.load(ctx, client, server.url, k, warm, stderr)
	first, firstPrivate := server.memory()
	begin := time.Now()
	times, more := s.load(ctx, client, server.url, k, s.n, stderr)
	took := time.Since(begin)
	last, lastPrivate := server.memory()
	client.CloseIdleConnections()
	if _, err := server.end(); err != nil {
		return "", 0, err
	}
	cpu := server.cmd.ProcessState.UserTime() + server.cmd.ProcessState.SystemTime()
	return fmt.Sprintf("| %s MiB | %s | %.0f | %.2f | %.2f | %.2f | %.1f | %d | %.1f | %.1f | %.1f | %.1f |\n", cache, k.name, float64(s.n)/took.Seconds(),
		milliseconds(cpu)/float64(warm+s.n), milliseconds(harness.Percentile(times, 50)), milliseconds(harness.Percentile(times, 99)), milliseconds(slices.Max(times)), bad+more, first, firstPrivate, last, lastPrivate), bad + more, nil
}

// ended asks the server to end while clients ask: what its log has as answered with 200 is what clients got whole.
func (s *settings) ended(ctx context.Context, stderr io.Writer) (string, int, error) {
	server, err := start(s.kddq, s.index, "--cache", "0", "--max-calls", "256")
	if err != nil {
		return "", 0, err
	}
	client := newClient(s.clients)
	defer client.CloseIdleConnections()
	var whole, cut, refused atomic.Int64
	var clients sync.WaitGroup
	for c := range s.clients {
		clients.Go(func() {
			for i := c; ctx.Err() == nil; i++ {
				r, err := kinds[i%2].make(server.url, s.queries[i%len(s.queries)])
				if err != nil {
					return
				}
				response, err := client.Do(r)
				if err != nil { // it has not been read, or the count below tells
					refused.Add(1)
					return
				}
				body, err := io.ReadAll(response.Body)
				response.Body.Close()
				if err != nil || response.StatusCode != 200 || !json.Valid(body) {
					cut.Add(1)
					fmt.Fprintf(stderr, "ended: %d %.100s %v\n", response.StatusCode, body, err)
					continue
				}
				whole.Add(1)
			}
		})
	}
	for whole.Load() < 2000 && ctx.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	log, err := server.end()
	clients.Wait()
	if err != nil {
		return "", 0, err
	}
	accepted := int64(strings.Count(log, `"status":`))
	bad := int(cut.Load() + max(0, accepted-whole.Load()))
	return fmt.Sprintf("\nSIGTERM under load: %d requests accepted, %d answered whole, %d cut off; %d clients then found the port closed.\n", accepted, whole.Load(), cut.Load(), refused.Load()), bad, nil
}
