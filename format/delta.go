package format

import (
	"bytes"
	"crypto/sha256"
	"io"
	"slices"
)

// searchReach is how many bytes before and behind the place where a page should be it is looked for.
const searchReach = 1 << 10

// mostLost is how many pages in a row are looked for about their places: a block of which more are lost has changed
// throughout, and would use up the tries that others need.
const mostLost = 8

// Adopt takes from an older version of a file that lies elsewhere what both have, so that it is not asked of the host:
// pages with the same hash, wherever they begin in the old block of that tag. What was inserted before a page moves it,
// so a page is also looked for behind the one before it, as far from the end of its block as it is, and within a
// kilobyte of these. The old file may be damaged or have holes: nothing is taken that has not the right hash. An old
// file of another format has nothing to take.
//
// It returns how many bytes were taken. Cost: one read of TREE, SHA-256 of the old file, of each page of the new one at
// two places, and about them as often as tries says at most, of some 3 µs each. Errors: those of reading the new file.
func (f *File) Adopt(old io.ReaderAt, size int64, tries int) (taken int64, err error) {
	p := f.pages
	if p == nil {
		return 0, nil
	}
	head := make([]byte, min(bootBytes, max(0, size)))
	if _, err := old.ReadAt(head, 0); err != nil {
		return 0, nil
	}
	_, entries, err := openHead(head, size)
	if err != nil {
		return 0, nil
	}
	if err := Guard(p.learnAll); err != nil {
		return 0, err
	}
	a := adoption{pages: p, tries: tries}
	for i := range p.blocks {
		b := &p.blocks[i]
		k := slices.IndexFunc(entries, func(e Entry) bool { return e.Tag == b.Tag })
		if k < 0 || b.Tag == TagTree {
			continue
		}
		data := make([]byte, entries[k].Length)
		n, _ := old.ReadAt(data, int64(entries[k].Offset)) // what cannot be read is not taken
		a.block(b, data[:n])
	}
	return a.taken, nil
}

// groupBytes is how much of a file FetchAll reads before it keeps what it has read.
const groupBytes = 4 << 20

// FetchAll reads all blocks of a file that lies elsewhere. What it has read before an error is kept, but for some 4 MiB.
func (f *File) FetchAll() error {
	if f.pages == nil {
		return nil
	}
	if err := Guard(f.pages.learnAll); err != nil {
		return err
	}
	var group []Span
	left := int64(groupBytes)
	for i := range f.blocks {
		b := &f.blocks[i]
		for at := uint64(0); at < b.Length; at += groupBytes {
			n := min(groupBytes, b.Length-at)
			if left -= int64(n); left < 0 && len(group) > 0 {
				if err := f.Fetch(group...); err != nil {
					return err
				}
				group, left = nil, groupBytes-int64(n)
			}
			group = append(group, Span{Block: b, At: at, N: n})
		}
	}
	return f.Fetch(group...)
}

// learnAll reads all of TREE.
func (p *pages) learnAll() error {
	all := p.tree.All()
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.blocks {
		for level, at := range p.at.of[i] {
			hashes := treeLevels(p.blocks[i].Length, p.blocks[i].leaf)[level]
			for number := range (hashes + treeFan - 1) / treeFan {
				from := at + number*treeNode
				p.nodes[node{i, level, number}] = all[from:min(from+treeNode, at+hashes*hashBytes)]
			}
		}
	}
	return nil
}

// Trailing returns what follows the file's length, as it is: the caller has the host's word for it alone.
func (f *File) Trailing() (at int64, bytes []byte, err error) {
	at = int64(f.head.length)
	if f.pages == nil {
		return at, f.whole[at:], nil
	}
	if n := f.pages.Size - at; n > 0 {
		bytes, err = f.pages.Read(at, n)
	}
	return at, bytes, err
}

// adoption is what one Adopt has done.
type adoption struct {
	pages *pages
	tries int // that are left
	taken int64
}

// block takes the pages of a block that an old one has.
func (a *adoption) block(b *Block, old []byte) {
	size := uint64(1) << b.shift
	if b.shift == wholeShift {
		size = b.Length
	}
	if size == 0 {
		return
	}
	aligned := map[[hashBytes]byte]int{}
	for at := 0; at < len(old); at += int(size) {
		if page := old[at:min(at+int(size), len(old))]; !isHole(page) {
			aligned[sha256.Sum256(page)] = at
		}
	}
	next := 0 // where the page should be if nothing was inserted before it
	lost := 0 // pages in a row that were not found
	for number := range (b.Length + size - 1) / size {
		id := pageID{b.number, number}
		from, to := a.pages.place(id)
		n := int(to - from)
		if b.checked(number) {
			next += n
			continue
		}
		want, _ := a.pages.hash(id)
		at, ok := aligned[want]
		if !ok {
			at, ok = a.search(old, want, n, lost > 0 && lost <= mostLost, next, int(from-b.Offset)+len(old)-int(b.Length))
		}
		if !ok {
			lost++
			next += n
			continue
		}
		lost = 0
		page := old[at : at+n]
		if a.pages.cache != nil {
			a.pages.cache.WriteAt(page, int64(from)) // what cannot be kept is asked for again
		}
		a.pages.keep(id, from, page)
		a.taken += int64(n)
		next = at + n
	}
}

// search looks for a page of n bytes at two places; with around also about the first of them. A page that is not found
// has been changed, mostly, and it is the next one that has moved.
func (a *adoption) search(old []byte, want [hashBytes]byte, n int, around bool, places ...int) (int, bool) {
	is := func(at int) bool {
		return at >= 0 && at+n <= len(old) && !isHole(old[at:at+n]) && sha256.Sum256(old[at:at+n]) == want
	}
	for _, at := range places {
		if is(at) {
			return at, true
		}
	}
	at := places[0]
	if !around || n > 1<<FinePages || at < 0 || at >= len(old) || isHole(old[at:min(at+n, len(old))]) {
		return 0, false
	}
	for by := 1; by <= searchReach && a.tries > 0; by++ {
		a.tries -= 2
		if is(at + by) {
			return at + by, true
		}
		if is(at - by) {
			return at - by, true
		}
	}
	return 0, false
}

// isHole says that bytes of a file were never written, or are zero.
func isHole(page []byte) bool { return len(bytes.TrimLeft(page, "\x00")) == 0 }
