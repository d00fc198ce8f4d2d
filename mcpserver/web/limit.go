package web

import (
	"container/list"
	"math"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"
)

// maxClients bounds how many clients are counted; the one that was not seen for longest is forgotten.
const maxClients = 1 << 16

// limiter gives each client a bucket of tokens (a token bucket): perMinute at once, and as many again in a minute.
type limiter struct {
	mu        sync.Mutex
	perMinute float64
	clients   map[string]*list.Element
	order     *list.List // of *bucket, the one that was seen last in front
	now       func() time.Time
	refused   uint64
}

type bucket struct {
	client string
	tokens float64
	seen   time.Time
}

// newLimiter returns a limiter; perMinute 0 refuses nothing.
func newLimiter(perMinute int) *limiter {
	return &limiter{perMinute: float64(perMinute), clients: map[string]*list.Element{}, order: list.New(), now: time.Now}
}

// take reports whether a client may ask now, and if not after how many seconds.
func (l *limiter) take(client string) (seconds int, ok bool) {
	if l.perMinute == 0 {
		return 0, true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	at, known := l.clients[client]
	if !known {
		if l.order.Len() >= maxClients {
			delete(l.clients, l.order.Remove(l.order.Back()).(*bucket).client)
		}
		at = l.order.PushFront(&bucket{client, l.perMinute, now})
		l.clients[client] = at
	}
	l.order.MoveToFront(at)
	b := at.Value.(*bucket)
	b.tokens = min(l.perMinute, b.tokens+now.Sub(b.seen).Minutes()*l.perMinute)
	b.seen = now
	if b.tokens < 1 {
		l.refused++
		return int(math.Ceil((1 - b.tokens) * 60 / l.perMinute)), false
	}
	b.tokens--
	return 0, true
}

func (l *limiter) refusals() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.refused
}

// client names who asks: the address of the connection, or what a proxy in front says in a header that it was told to.
// Of IPv6 the first 64 bits count, which is what one customer has.
func (s *Server) client(r *http.Request) string {
	name, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		name = r.RemoteAddr
	}
	if header := s.options.ClientHeader; header != "" {
		said := strings.Join(r.Header.Values(header), ",")
		if at := strings.LastIndexByte(said, ','); at >= 0 { // the last is what the proxy itself has seen
			said = said[at+1:]
		}
		if said = strings.TrimSpace(said); said != "" {
			name = bareHost(said)
		}
	}
	address, err := netip.ParseAddr(strings.Trim(name, "[]"))
	if err != nil {
		return "?" // all whose name cannot be read are one
	}
	address = address.Unmap().WithZone("")
	if address.Is6() {
		prefix, _ := address.Prefix(64)
		return prefix.String()
	}
	return address.String()
}
