package format

import "slices"

// Fetch reads the pages of several ranges at once where they are not there yet, so that they cost one round trip to
// the file's host and not one each. It does nothing for a file of this machine.
func (f *File) Fetch(spans ...Span) error {
	if f.pages == nil {
		return nil
	}
	return f.pages.fetch(spans)
}

// Fetch is File.Fetch, for who has the block alone.
func (b *Block) Fetch(spans ...Span) error {
	if b.pages == nil {
		return nil
	}
	return b.pages.fetch(spans)
}

// Has says whether all pages of ranges are there; it is true for a file of this machine.
func (f *File) Has(spans ...Span) bool {
	return f.pages == nil || !slices.ContainsFunc(spans, func(s Span) bool { return !s.Here() })
}

// Remote says whether the file lies elsewhere and is read by range.
func (f *File) Remote() bool { return f.pages != nil }

// Span is bytes [At, At+N) of a block; what is outside of the block does not count.
type Span struct {
	Block *Block
	At, N uint64
}

// pages returns the numbers [first, end) of the pages that a range has bytes of.
func (s Span) pages() (first, end uint64) {
	b := s.Block
	if b == nil || b.pages == nil || s.At >= b.Length || s.N == 0 {
		return 0, 0
	}
	return s.At >> b.shift, (s.At+min(s.N, b.Length-s.At)-1)>>b.shift + 1
}

// Here says whether all pages of a range are there; it is true for a file of this machine.
func (s Span) Here() bool {
	first, end := s.pages()
	for page := first; page < end; page++ {
		if !s.Block.checked(page) {
			return false
		}
	}
	return true
}
