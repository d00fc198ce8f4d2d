package web

import (
	"math"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"kdd/runtime/wire"
)

const (
	cacheAge  = time.Minute // an answer names source files, which may change while the index does not
	recentAge = time.Hour   // between an answer and the feedback to it
	recentMax = 4 << 20     // bytes of what is known of recent answers
)

// cache keeps answers for a while, within a number of bytes. golang-lru counts entries, so the bytes are counted here,
// and the least recently used entry is removed until they fit. It is safe for concurrent use; values must not change
// any more.
//
// Caches that count bytes themselves (otter, ristretto) may reject a new entry in favour of one that is used more
// often. But feedback most often names the answer that was given last.
type cache struct {
	mu      sync.Mutex
	max     int
	age     time.Duration
	bytes   int
	entries *simplelru.LRU[string, entry]
	now     func() time.Time

	hits, misses uint64
}

type entry struct {
	value any
	bytes int
	until time.Time
}

// newCache returns a cache of at most max bytes, each for so long; 0 bytes keep nothing.
func newCache(max int, age time.Duration) *cache {
	c := &cache{max: max, age: age, now: time.Now}
	entries, err := simplelru.NewLRU(math.MaxInt, func(_ string, e entry) { c.bytes -= e.bytes })
	if err != nil {
		panic(err) // only a size below 1 is wrong
	}
	c.entries = entries
	return c
}

// cacheKey names the answer to a request: another index, operation or argument is another answer.
func cacheKey(indexID, operation string, request any) string {
	return indexID + "\x00" + operation + "\x00" + string(wire.Encode(request))
}

// get returns what was put under key, nil if it is not there or too old.
func (c *cache) get(key string) any {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries.Get(key)
	if ok && c.now().After(e.until) {
		c.entries.Remove(key)
		ok = false
	}
	if !ok {
		c.misses++
		return nil
	}
	c.hits++
	return e.value
}

// put keeps a value of about so many bytes.
func (c *cache) put(key string, value any, bytes int) {
	bytes += len(key) + 200
	if bytes > c.max/8 { // one answer must not empty the cache
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries.Remove(key)
	c.entries.Add(key, entry{value, bytes, c.now().Add(c.age)})
	c.bytes += bytes
	for c.bytes > c.max {
		c.entries.RemoveOldest()
	}
}

// counts returns how often something was found and not found.
func (c *cache) counts() (hits, misses uint64, bytes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.hits, c.misses, c.bytes
}
