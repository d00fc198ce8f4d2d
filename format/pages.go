package format

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
)

// Remote is a file that lies elsewhere and is read by range. Its functions are called by several goroutines at a time.
type Remote struct {
	Name string // for messages
	Size int64  // of the file, with trailers
	// Read returns the n bytes from byte at on. The bytes are compared with their hashes here.
	Read func(at, n int64) ([]byte, error)
	// Changed says whether another file is there now; nil = never.
	Changed func() bool
	// Cache returns a file of length bytes for the pages of the artifact with that root hash, or nil. It may have been
	// used before, by other processes at this moment too, and may hold anything: what it has is compared with its
	// hash. It is closed with the File.
	Cache func(root [32]byte, length int64) *os.File
	// Close is called once when the File is closed, and not if it could not be opened; nil = nothing.
	Close func() error
}

// RemoteError says that a part of a file that lies elsewhere could not be read.
type RemoteError struct {
	Name string
	Err  error
}

// Error names the source and what it said.
func (e *RemoteError) Error() string { return e.Name + ": " + e.Err.Error() }

// Unwrap returns what the source said.
func (e *RemoteError) Unwrap() error { return e.Err }

const (
	bootBytes  = 1 << 16 // are read first: header, directory, metadata and the upper levels of TREE lie there
	treeNode   = treeFan * hashBytes
	wholeShift = 63 // of a block that is one page
)

// OpenRemote opens a file that lies elsewhere by one read of its first 64 KiB. All else is read when it is used, by
// page, and compared with the hash that the root hash gives it: a page that was changed on the way is a CorruptError,
// and what the source says is a RemoteError. Who knows the root hash compares it with File.RootHash.
//
// Memory: the pages that were read; with a cache that can be written they belong to the page cache.
func OpenRemote(r Remote) (*File, error) {
	head, err := r.Read(0, min(bootBytes, r.Size))
	if err != nil {
		return nil, &RemoteError{r.Name, err}
	}
	h, entries, err := openHead(head, r.Size)
	if err != nil {
		return nil, err
	}
	p := &pages{Remote: r, head: head[:min(uint64(len(head)), h.length)], at: placeTree(entries),
		nodes: map[node][]byte{}, claimed: map[pageID]chan struct{}{}}
	if r.Cache != nil {
		p.cache = r.Cache(h.rootHash, int64(h.length))
	}
	if p.cache != nil {
		p.cache.WriteAt(p.head, 0)
	}
	data, release, err := reserve(p.cache, int64(h.length))
	if err != nil {
		if p.cache != nil {
			p.cache.Close()
		}
		return nil, err
	}
	f := &File{Path: r.Name, data: data, whole: data, head: *h, entries: entries, blocks: make([]Block, len(entries)),
		pages: p}
	p.blocks = f.blocks
	f.release = func() error {
		if p.cache != nil {
			p.cache.Close()
		}
		return release()
	}
	for i, e := range entries {
		b := &f.blocks[i]
		b.Entry, b.data = e, data[e.Offset:e.Offset+e.Length:e.Offset+e.Length]
		b.pages, b.number, b.shift = p, i, uint8(e.leaf)
		if e.leaf == 0 {
			b.shift = wholeShift
		}
		b.forget()
		if e.Tag == TagTree {
			p.tree = b
		}
	}
	if p.tree == nil || p.tree.Length != p.at.total {
		f.release()
		return nil, Corrupt(TagTree, "the block is missing or not as long as the blocks want it: %d bytes", p.at.total)
	}
	if r.Close != nil {
		memory := f.release
		f.release = func() error { return errors.Join(memory(), r.Close()) }
	}
	return f, nil
}

// pages brings the bytes of a remote file to where a local one has them.
type pages struct {
	Remote
	head   []byte // the first bytes
	cache  *os.File
	blocks []Block
	tree   *Block
	at     treePlaces

	trailing sync.Mutex // of File.trailers

	mu      sync.Mutex
	nodes   map[node][]byte          // hashes that agree with the hash above them
	claimed map[pageID]chan struct{} // that a goroutine brings; closed when it has ended
}

// node is one group of hashes of a block's tree.
type node struct {
	entry, level int
	number       uint64 // on its level
}

// pageID is one page of a block.
type pageID struct {
	entry  int
	number uint64
}

// fetch returns after all pages of the spans are there and have been checked.
func (p *pages) fetch(spans []Span) error {
	for {
		mine, others := p.claim(spans)
		if len(mine) == 0 && len(others) == 0 {
			return nil
		}
		err := Guard(func() error { return p.bring(mine) })
		p.mu.Lock()
		for _, id := range mine {
			close(p.claimed[id])
			delete(p.claimed, id)
		}
		p.mu.Unlock()
		if err != nil {
			return err
		}
		for _, done := range others {
			<-done
		}
	}
}

// claim returns the pages of the spans that are missing and now are the caller's to bring, and those that others bring.
func (p *pages) claim(spans []Span) (mine []pageID, others []chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range spans {
		b := s.Block
		first, end := s.pages()
		for number := first; number < end; number++ {
			id := pageID{b.number, number}
			if b.checked(number) {
				continue
			}
			if done := p.claimed[id]; done != nil {
				others = append(others, done)
				continue
			}
			p.claimed[id] = make(chan struct{})
			mine = append(mine, id)
		}
	}
	return mine, others
}

// bring takes pages from the cache, or reads them and the hashes that they need in one round.
func (p *pages) bring(list []pageID) error {
	var missing []pageID
	var nodes []node
	var reads []part
	for _, id := range list {
		want, above := p.hash(id)
		from, to := p.place(id)
		if above == nil {
			if b := p.cached(from, to); b != nil && sha256.Sum256(b) == want {
				p.keep(id, from, b)
				continue
			}
		}
		missing = append(missing, id)
		reads = append(reads, part{from: from, to: to})
		nodes = append(nodes, above...)
	}
	slices.SortFunc(nodes, func(a, b node) int { // from the top
		return cmp.Or(cmp.Compare(b.level, a.level), cmp.Compare(a.entry, b.entry), cmp.Compare(a.number, b.number))
	})
	nodes = slices.Compact(nodes)
	for _, n := range nodes {
		from, to := p.nodePlace(n)
		reads = append(reads, part{from: from, to: to})
	}
	got, err := p.read(reads)
	if err != nil {
		return err
	}
	for _, n := range nodes {
		if err := p.learn(n, got); err != nil {
			return err
		}
	}
	for _, id := range missing {
		want, above := p.hash(id)
		from, to := p.place(id)
		b := cutPart(got, from, to)
		if above != nil || sha256.Sum256(b) != want {
			return p.forged(id.entry, from, "page %d", id.number)
		}
		if p.cache != nil {
			p.cache.WriteAt(b, int64(from)) // what cannot be kept is asked for again
		}
		p.keep(id, from, b)
	}
	return nil
}

// hash returns the hash of a page, or the nodes above it that have to be learnt first.
func (p *pages) hash(id pageID) (want [32]byte, above []node) {
	b := &p.blocks[id.entry]
	levels := len(p.at.of[id.entry])
	if levels == 0 {
		return b.Root, nil
	}
	number := id.number
	for level := range levels {
		n := node{id.entry, level, number / treeFan}
		p.mu.Lock()
		hashes := p.nodes[n]
		p.mu.Unlock()
		if hashes == nil {
			hashes = p.cachedNode(n)
		}
		if hashes == nil {
			above = append(above, n)
		} else if level == 0 {
			copy(want[:], hashes[number%treeFan*hashBytes:])
			return want, nil
		} else {
			break
		}
		number /= treeFan
	}
	return want, above
}

// above returns the hash that a node has to have, if the node above it is known.
func (p *pages) above(n node) (want [32]byte, ok bool) {
	if n.level == len(p.at.of[n.entry])-1 {
		return p.blocks[n.entry].Root, true
	}
	p.mu.Lock()
	hashes := p.nodes[node{n.entry, n.level + 1, n.number / treeFan}]
	p.mu.Unlock()
	if hashes == nil {
		return want, false
	}
	copy(want[:], hashes[n.number%treeFan*hashBytes:])
	return want, true
}

// cachedNode takes a node from the cache, with those above it; nil if it is not there.
func (p *pages) cachedNode(n node) []byte {
	if p.cache == nil {
		return nil
	}
	want, ok := p.above(n)
	if !ok {
		if n.level == len(p.at.of[n.entry])-1 || p.cachedNode(node{n.entry, n.level + 1, n.number / treeFan}) == nil {
			return nil
		}
		want, _ = p.above(n)
	}
	from, to := p.nodePlace(n)
	b := p.cached(from, to)
	if b == nil || sha256.Sum256(b) != want {
		return nil
	}
	p.mu.Lock()
	p.nodes[n] = b
	p.mu.Unlock()
	return b
}

// learn checks a node that was read, after those above it.
func (p *pages) learn(n node, got []part) error {
	from, to := p.nodePlace(n)
	b := bytes.Clone(cutPart(got, from, to))
	if want, ok := p.above(n); !ok || sha256.Sum256(b) != want {
		return p.forged(n.entry, from, "hashes %d on level %d", n.number, n.level)
	}
	if p.cache != nil {
		p.cache.WriteAt(b, int64(from))
	}
	p.mu.Lock()
	p.nodes[n] = b
	p.mu.Unlock()
	return nil
}

func (p *pages) forged(entry int, at uint64, what string, args ...any) error {
	return &CorruptError{Block: p.blocks[entry].Tag, Offset: int64(at), Reason: fmt.Sprintf(what, args...) +
		" came with bytes that are not those of the artifact"}
}

// place returns the range of the file that a page has.
func (p *pages) place(id pageID) (from, to uint64) {
	b := &p.blocks[id.entry]
	if b.shift == wholeShift {
		return b.Offset, b.Offset + b.Length
	}
	from = b.Offset + id.number<<b.shift
	return from, min(from+1<<b.shift, b.Offset+b.Length)
}

// nodePlace returns the range of the file that a node has.
func (p *pages) nodePlace(n node) (from, to uint64) {
	levels := treeLevels(p.blocks[n.entry].Length, p.blocks[n.entry].leaf)
	start := p.tree.Offset + p.at.of[n.entry][n.level]
	from = start + n.number*treeNode
	return from, min(from+treeNode, start+levels[n.level]*hashBytes)
}

// cached returns bytes [from, to) of the cache, nil if there is none.
func (p *pages) cached(from, to uint64) []byte {
	if p.cache == nil {
		return nil
	}
	b := make([]byte, to-from)
	if _, err := p.cache.ReadAt(b, int64(from)); err != nil {
		return nil
	}
	return b
}

// keep puts a page whose hash is right where its readers look for it.
func (p *pages) keep(id pageID, from uint64, b []byte) {
	if at := p.blocks[id.entry].data[from-p.blocks[id.entry].Offset:][:len(b)]; !bytes.Equal(at, b) {
		copy(at, b) // the cache is not mapped, or could not be written
	}
	p.blocks[id.entry].mark(id.number)
}
