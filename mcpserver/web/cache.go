package web

import (
	"container/list"
	"sync"
	"time"
)

const (
	cacheAge  = time.Minute // an answer names source files, which may change while the index does not
	recentAge = time.Hour   // between an answer and the feedback to it
	recentMax = 4 << 20     // bytes of what is known of recent answers
)

// cache keeps the answers that were given last (least recently used goes first), bounded by their bytes. It is safe for
// concurrent use; what is in it is not written any more.
type cache struct {
	mu      sync.Mutex
	max     int
	age     time.Duration
	bytes   int
	entries map[string]*list.Element
	order   *list.List // of *entry, the one that was used last in front
	now     func() time.Time

	hits, misses uint64
}

type entry struct {
	key   string
	value any
	bytes int
	until time.Time
}

// newCache returns a cache of at most max bytes, each for so long; 0 bytes keep nothing.
func newCache(max int, age time.Duration) *cache {
	return &cache{max: max, age: age, entries: map[string]*list.Element{}, order: list.New(), now: time.Now}
}

// cacheKey names the answer to a request: another index, operation or argument is another answer.
func cacheKey(indexID, operation string, arguments []byte) string {
	return indexID + "\x00" + operation + "\x00" + string(arguments)
}

// get returns what was put under key, nil if it is not there or too old.
func (c *cache) get(key string) any {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.entries[key]
	if ok && c.now().After(at.Value.(*entry).until) {
		c.drop(at)
		ok = false
	}
	if !ok {
		c.misses++
		return nil
	}
	c.hits++
	c.order.MoveToFront(at)
	return at.Value.(*entry).value
}

// put keeps a value of about so many bytes.
func (c *cache) put(key string, value any, bytes int) {
	bytes += len(key) + 200
	if bytes > c.max/8 { // one answer must not empty the cache
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if at, ok := c.entries[key]; ok {
		c.drop(at)
	}
	c.entries[key] = c.order.PushFront(&entry{key, value, bytes, c.now().Add(c.age)})
	c.bytes += bytes
	for c.bytes > c.max {
		c.drop(c.order.Back())
	}
}

func (c *cache) drop(at *list.Element) {
	e := c.order.Remove(at).(*entry)
	delete(c.entries, e.key)
	c.bytes -= e.bytes
}

// counts returns how often something was found and not found.
func (c *cache) counts() (hits, misses uint64, bytes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.hits, c.misses, c.bytes
}
