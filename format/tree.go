package format

import (
	"cmp"
	"crypto/sha256"
	"slices"
)

// TagTree is the block of page hashes, FORMAT.md §4.2. The container itself reads and writes it, as it does TagSums.
var TagTree = Tag{'T', 'R', 'E', 'E'}

// PageSize is log2 of the size of the pages in which a block is hashed; 0 stands for CoarsePages.
type PageSize uint8

// The sizes of pages.
const (
	RowPages    PageSize = 10 // 1 KiB: rows of about a hundred bytes are read one by one, and an edit changes a few of them
	FinePages   PageSize = 12 // 4 KiB: rows or lists are read one by one
	CoarsePages PageSize = 16 // 64 KiB
)

// A block is hashed by pages, and the hashes are hashed by nodes of 128 until there is one, the root: it stands in the
// directory, which the root hash covers. So a page of a few kilobytes can be checked without the rest of the file.
const (
	treeFan   = 128 // hashes in a node: 4 KiB of them
	hashBytes = sha256.Size
)

// treeLevels returns the number of hashes on each level below the root, pages first. A block of one page has none.
func treeLevels(length uint64, bits PageSize) (levels []uint64) {
	for n := (length + 1<<bits - 1) >> bits; n > 1; n = (n + treeFan - 1) / treeFan {
		levels = append(levels, n)
	}
	return levels
}

// blockTree returns the levels of hashes below the root, pages first, and the root. With 0 bits there are no levels,
// and the root is the SHA-256 of the block. Cost: SHA-256 of the block.
func blockTree(data []byte, bits PageSize) (levels [][]byte, root [hashBytes]byte) {
	if bits == 0 || len(data) <= 1<<bits {
		return nil, sha256.Sum256(data)
	}
	size := 1 << bits
	for {
		var hashes []byte
		for part := range slices.Chunk(data, size) {
			sum := sha256.Sum256(part)
			hashes = append(hashes, sum[:]...)
		}
		levels = append(levels, hashes)
		if data, size = hashes, treeFan*hashBytes; len(data) <= size {
			return levels, sha256.Sum256(data)
		}
	}
}

// treePlaces says where TREE has the hashes of each block's levels.
type treePlaces struct {
	of    [][]uint64 // by entry and level
	total uint64     // bytes of TREE
}

// placeTree gives each level of each block its place: the highest levels of all blocks first, and of one level the
// blocks as they lie in the file. So what a reader needs first stands first.
func placeTree(entries []Entry) treePlaces {
	t := treePlaces{of: make([][]uint64, len(entries))}
	levels := make([][]uint64, len(entries))
	top := 0
	for i := range entries {
		if entries[i].leaf > 0 {
			levels[i] = treeLevels(entries[i].Length, entries[i].leaf)
		}
		t.of[i] = make([]uint64, len(levels[i]))
		top = max(top, len(levels[i]))
	}
	order := byOffset(entries)
	for level := top - 1; level >= 0; level-- {
		for _, i := range order {
			if level < len(levels[i]) {
				t.of[i][level] = t.total
				t.total += levels[i][level] * hashBytes
			}
		}
	}
	return t
}

// byOffset returns the numbers of the entries as their blocks lie in the file.
func byOffset(entries []Entry) []int {
	order := make([]int, len(entries))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(entries[a].Offset, entries[b].Offset),
			cmp.Compare(entries[a].Length, entries[b].Length))
	})
	return order
}
