package lexical

import (
	"runtime"
	"sync"
)

// Scratch is the memory of one search of one artifact: it grows with the artifact, so one search after another uses it.
// It is for one goroutine.
type Scratch struct {
	floats [][]float32
	taken  int // of floats
	marks  []uint64
	pieces [][]uint32
	piece  int // at hand, plus one
	free   []uint32

	touched []uint32 // chunks with freq > 0
	fresh   []uint32 // chunks with term > 0
	found   []uint32 // rows of rowsOf
}

// scratches are at hand for the searches of an artifact. The last one that came back is taken first, so there are never
// more of them than searches at once; a sync.Pool has up to one more for each processor.
type scratches struct {
	mu   sync.Mutex
	list []*Scratch
}

func (l *scratches) take() *Scratch {
	l.mu.Lock()
	defer l.mu.Unlock()
	last := len(l.list) - 1
	if last < 0 {
		return new(Scratch)
	}
	m := l.list[last]
	l.list = l.list[:last]
	return m
}

// give keeps m, unless there is already one for each processor and as many again.
func (l *scratches) give(m *Scratch) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.list) < 2*runtime.GOMAXPROCS(0) {
		l.list = append(l.list, m)
	}
}

// pieceSize is the numbers of a piece: as many as some thirty blocks of postings with their positions.
const pieceSize = 1 << 15

// Floats returns n zeros.
func (m *Scratch) Floats(n int) []float32 {
	if m.taken == len(m.floats) {
		m.floats = append(m.floats, nil)
	}
	list := &m.floats[m.taken]
	m.taken++
	if cap(*list) < n {
		*list = make([]float32, n)
	} else {
		*list = (*list)[:n]
		clear(*list)
	}
	return *list
}

// words returns n zeros.
func (m *Scratch) words(n int) []uint64 {
	if cap(m.marks) < n {
		m.marks = make([]uint64, n)
	} else {
		m.marks = m.marks[:n]
		clear(m.marks)
	}
	return m.marks
}

// numbers returns n numbers of any value.
func (m *Scratch) numbers(n int) []uint32 {
	if n > pieceSize/4 {
		return make([]uint32, n)
	}
	if n > len(m.free) {
		if m.piece == len(m.pieces) {
			m.pieces = append(m.pieces, make([]uint32, pieceSize))
		}
		m.free = m.pieces[m.piece]
		m.piece++
	}
	taken := m.free[:n:n]
	m.free = m.free[n:]
	return taken
}

// forgetNumbers takes back what numbers gave.
func (m *Scratch) forgetNumbers() { m.piece, m.free = 0, nil }

// Release gives the memory to the next search. Nothing that a scorer has filled may be used any more.
func (s *Scorer) Release() {
	if m := s.Scratch; m != nil {
		s.Scratch = nil
		m.taken, m.touched, m.fresh = 0, m.touched[:0], m.fresh[:0]
		m.forgetNumbers()
		s.rows.scratches.give(m)
	}
}
