package web

import (
	"math"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"golang.org/x/time/rate"
)

// maxClients bounds how many clients have a rate limiter. Beyond that the one that was not seen for longest is
// forgotten.
const maxClients = 1 << 16

// limiter has a rate limiter for each client: a burst of perMinute requests, refilled within a minute.
type limiter struct {
	mu        sync.Mutex
	perMinute int
	clients   *simplelru.LRU[string, *rate.Limiter]
	now       func() time.Time
	refused   uint64
}

// newLimiter returns a limiter; perMinute 0 refuses nothing.
func newLimiter(perMinute int) *limiter {
	clients, err := simplelru.NewLRU[string, *rate.Limiter](maxClients, nil)
	if err != nil {
		panic(err) // only a size below 1 is wrong
	}
	return &limiter{perMinute: perMinute, clients: clients, now: time.Now}
}

// take reports whether a client may ask now, and if not after how many seconds.
func (l *limiter) take(client string) (seconds int, ok bool) {
	if l.perMinute == 0 {
		return 0, true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	bucket, known := l.clients.Get(client)
	if !known {
		bucket = rate.NewLimiter(rate.Limit(l.perMinute)/60, l.perMinute)
		l.clients.Add(client, bucket)
	}
	now := l.now()
	if bucket.AllowN(now, 1) {
		return 0, true
	}
	l.refused++
	return int(math.Ceil((1 - bucket.TokensAt(now)) * 60 / float64(l.perMinute))), false
}

func (l *limiter) refusals() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.refused
}

// client names the client of a request: the address of the connection, or the one that a proxy in front has put into
// the header ClientHeader. Of an IPv6 address the first 64 bits count, since one customer has all addresses below them.
func (s *Server) client(r *http.Request) string {
	name, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		name = r.RemoteAddr
	}
	if header := s.options.ClientHeader; header != "" {
		said := strings.Join(r.Header.Values(header), ",")
		if at := strings.LastIndexByte(said, ','); at >= 0 { // the last is the one that the proxy itself has seen
			said = said[at+1:]
		}
		if said = strings.TrimSpace(said); said != "" {
			name = bareHost(said)
		}
	}
	address, err := netip.ParseAddr(strings.Trim(name, "[]"))
	if err != nil {
		return "?" // clients with unreadable addresses count as one
	}
	address = address.Unmap().WithZone("")
	if address.Is6() {
		prefix, _ := address.Prefix(64)
		return prefix.String()
	}
	return address.String()
}
