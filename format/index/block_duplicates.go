package index

import (
	"cmp"
	"iter"
	"sort"

	"kdd/format"
	"kdd/format/internal/table"
)

// Columns of the table of near duplicates, FORMAT.md §11: a row for each chunk that has one, by chunk.
const (
	dupChunk  = iota
	dupLeader // the first chunk of its group
	dupNext   // rows to the next chunk of its group; 0 for the last one
)

// duplicates encodes the groups of near duplicates; no block if there is none.
func (e *encoder) duplicates() {
	c := e.content
	type row struct{ chunk, leader, next uint64 }
	leaders := map[ChunkID]ChunkID{}
	for _, group := range c.Duplicates {
		for _, chunk := range group {
			leaders[chunk] = group[0]
		}
	}
	if len(leaders) == 0 {
		return
	}
	rows := make([]row, 0, len(leaders))
	last := map[ChunkID]int{} // row of the last chunk of a group, by leader
	for chunk := range ChunkID(len(c.Chunks)) {
		leader, ok := leaders[chunk]
		if !ok {
			continue
		}
		if before, ok := last[leader]; ok {
			rows[before].next = uint64(len(rows) - before)
		}
		last[leader] = len(rows)
		rows = append(rows, row{chunk: uint64(chunk), leader: uint64(leader)})
	}
	t := table.New(len(rows))
	t.Plain(func(i int) uint64 { return rows[i].chunk })
	t.Plain(func(i int) uint64 { return rows[i].leader })
	t.Plain(func(i int) uint64 { return rows[i].next })
	e.blocks = append(e.blocks, format.RawBlock{Tag: tagDuplicates, Rows: uint64(len(rows)), Data: t.Bytes()})
}

// duplicateRow returns a chunk's row in the table of near duplicates. Cost: a binary search.
func (x *Index) duplicateRow(c ChunkID) (uint32, bool) {
	chunks := &x.duplicates[dupChunk]
	row, ok := sort.Find(int(chunks.Rows), func(i int) int { return cmp.Compare(uint64(c), chunks.At(uint32(i))) })
	return uint32(row), ok
}

// DuplicateLeader returns the first chunk of the group of near duplicates that c belongs to; false if it has none.
// Cost: a binary search.
func (x *Index) DuplicateLeader(c ChunkID) (ChunkID, bool) {
	row, ok := x.duplicateRow(c)
	if !ok {
		return 0, false
	}
	return x.duplicateChunk(row, dupLeader), true
}

// Duplicates yields all chunks of the group that c belongs to, c among them, ascending; none if it has no near
// duplicate.
func (x *Index) Duplicates(c ChunkID) iter.Seq[ChunkID] {
	return func(yield func(ChunkID) bool) {
		leader, ok := x.DuplicateLeader(c)
		if !ok {
			return
		}
		row, ok := x.duplicateRow(leader)
		if !ok {
			format.Fail(tagDuplicates, "chunk %d is near chunk %d, which has no row", c, leader)
		}
		for yield(x.duplicateChunk(row, dupChunk)) {
			next := x.duplicates[dupNext].U32(row)
			if next == 0 {
				return
			}
			if uint64(row)+uint64(next) >= x.duplicates[dupChunk].Rows {
				format.Fail(tagDuplicates, "row %d leads %d rows on, of %d", row, next, x.duplicates[dupChunk].Rows)
			}
			row += next // always forward: the walk ends
		}
	}
}

func (x *Index) duplicateChunk(row uint32, column int) ChunkID {
	c := x.duplicates[column].At(row)
	if c >= uint64(x.chunkN) {
		format.Fail(tagDuplicates, "chunk %d of %d", c, x.chunkN)
	}
	return ChunkID(c)
}

// duplicates checks that rows ascend by chunk, and that each group has two chunks or more, all named by its leader's
// row.
func (v *verifier) duplicates() {
	x := v.x
	n := uint32(x.duplicates[dupChunk].Rows)
	last := map[ChunkID]uint32{} // row of the last chunk of a group, by leader
	for row := range n {
		chunk, leader := x.duplicateChunk(row, dupChunk), x.duplicateChunk(row, dupLeader)
		if row > 0 && chunk <= x.duplicateChunk(row-1, dupChunk) {
			v.Add(tagDuplicates, "row %d: chunk %d is not above the one before", row, chunk)
			return
		}
		before, ok := last[leader]
		if ok != (chunk != leader) {
			v.Add(tagDuplicates, "row %d: chunk %d has the leader %d, which must be the first of its group",
				row, chunk, leader)
			return
		}
		if ok && x.duplicates[dupNext].U32(before) != row-before {
			v.Add(tagDuplicates, "row %d leads %d rows on, want %d",
				before, x.duplicates[dupNext].U32(before), row-before)
		}
		last[leader] = row
	}
	for leader, row := range last {
		if next := x.duplicates[dupNext].U32(row); next != 0 || x.duplicateChunk(row, dupChunk) == leader {
			v.Add(tagDuplicates,
				"the group of chunk %d ends at row %d with %d rows to the next, want 0 and two chunks or more", leader, row, next)
			return
		}
	}
}
