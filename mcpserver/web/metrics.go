package web

import (
	"fmt"
	"maps"
	"net/http"
	goruntime "runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// secondsBounds are the upper bounds of the histogram of durations.
var secondsBounds = [...]float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

// metrics counts requests by route, never by path: clients can make up any number of paths.
type metrics struct {
	mu      sync.Mutex
	served  map[servedKey]uint64
	seconds map[string]*histogram
	running int
	begun   uint64
	asked   map[string]uint64 // calls of the dialect by tool
	rated   map[string]uint64 // feedback by rating
}

type servedKey struct {
	route  string
	status int
}

type histogram struct {
	counts [len(secondsBounds) + 1]uint64
	sum    float64
}

func newMetrics() *metrics {
	return &metrics{served: map[servedKey]uint64{}, seconds: map[string]*histogram{}, asked: map[string]uint64{}, rated: map[string]uint64{}}
}

func (m *metrics) begin() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.running++
	m.begun++
}

// end counts a request that was answered.
func (m *metrics) end(route string, status int, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.running--
	m.served[servedKey{route, status}]++
	h := m.seconds[route]
	if h == nil {
		h = &histogram{}
		m.seconds[route] = h
	}
	at, _ := slices.BinarySearch(secondsBounds[:], took.Seconds())
	h.counts[at]++
	h.sum += took.Seconds()
}

func (m *metrics) call(tool string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked[tool]++
}

func (m *metrics) feedback(rating string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.rated[rating]++
}

// text returns the counts in Prometheus' text format 0.0.4, in a stable order.
func (m *metrics) text() []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	var b []byte
	family := func(name, kind, help string) {
		b = fmt.Appendf(b, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
	}
	family("kdd_requests_total", "counter", "Requests that were answered, by route and status.")
	served := make([]string, 0, len(m.served))
	for k, n := range m.served {
		served = append(served, fmt.Sprintf("kdd_requests_total{route=%q,status=\"%d\"} %d\n", k.route, k.status, n))
	}
	slices.Sort(served) // a status has three digits
	b = append(b, strings.Join(served, "")...)
	family("kdd_request_seconds", "histogram", "Time from the first byte of the header to the last of the answer.")
	for _, route := range slices.Sorted(maps.Keys(m.seconds)) {
		h, sum := m.seconds[route], uint64(0)
		for i, n := range h.counts {
			sum += n
			bound := "+Inf"
			if i < len(secondsBounds) {
				bound = strconv.FormatFloat(secondsBounds[i], 'g', -1, 64)
			}
			b = fmt.Appendf(b, "kdd_request_seconds_bucket{route=%q,le=%q} %d\n", route, bound, sum)
		}
		b = fmt.Appendf(b, "kdd_request_seconds_sum{route=%q} %g\nkdd_request_seconds_count{route=%q} %d\n", route, h.sum, route, sum)
	}
	family("kdd_requests_running", "gauge", "Requests that are being answered.")
	b = fmt.Appendf(b, "kdd_requests_running %d\n", m.running)
	labelled := func(name, label, help string, counts map[string]uint64) {
		family(name, "counter", help)
		for _, value := range slices.Sorted(maps.Keys(counts)) {
			b = fmt.Appendf(b, "%s{%s=%q} %d\n", name, label, value, counts[value])
		}
	}
	labelled("kdd_calls_total", "tool", "Calls of tools/call, by tool.", m.asked)
	labelled("kdd_feedback_total", "rating", "Feedback that was taken, by rating.", m.rated)
	return b
}

// metrics answers GET /metrics.
func (s *Server) metricsText(w http.ResponseWriter, r *http.Request) {
	body := s.metrics.text()
	single := func(name, kind, help string, value any) {
		body = fmt.Appendf(body, "# HELP %s %s\n# TYPE %s %s\n%s %v\n", name, help, name, kind, name, value)
	}
	hits, misses, bytes := s.cache.counts()
	single("kdd_cache_hits_total", "counter", "Answers that were taken from the cache.", hits)
	single("kdd_cache_misses_total", "counter", "Answers that were looked for there and had to be made.", misses)
	single("kdd_cache_bytes", "gauge", "Size of the answers in the cache.", bytes)
	single("kdd_rate_limited_total", "counter", "Requests that were refused since their client asked too often.", s.limiter.refusals())
	single("kdd_log_dropped_total", "counter", "Lines of the access log that nobody read in time.", s.log.dropped.Load())
	var memory goruntime.MemStats
	goruntime.ReadMemStats(&memory)
	single("go_goroutines", "gauge", "Goroutines.", goruntime.NumGoroutine())
	single("go_memstats_heap_inuse_bytes", "gauge", "Bytes of the heap in use.", memory.HeapInuse)
	body = fmt.Appendf(body, "# HELP kdd_build_info The version of the program.\n# TYPE kdd_build_info gauge\nkdd_build_info{version=%q} 1\n", strings.ToValidUTF8(s.options.Info.Version, ""))
	write(w, r, http.StatusOK, "text/plain; version=0.0.4; charset=utf-8", body)
}
