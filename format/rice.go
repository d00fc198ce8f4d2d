package format

import (
	"encoding/binary"
	"math/bits"
)

// Rows, frequencies and positions are mostly small numbers. They are written as limited Rice codes (Rice & Plaunt 1971; the
// limit as in JPEG-LS), FORMAT.md §9.2. With a parameter k, a number v with v>>k < 16 is written as v>>k one bits, a zero bit and
// the low k bits of v. A larger number is 16 one bits and then its 32 bits. Bits fill bytes from the lowest.
const (
	riceEscape = 16              // one bits that announce 32 plain bits
	riceMax    = 28              // largest k: 15<<28 and 28 bits fill 32 bits
	riceLength = riceEscape + 32 // bits of the longest code; a refill holds it
	wordBits   = 64
	refillBits = wordBits - 8 // a refill leaves at least as many bits, or all that are left
)

// bitWriter appends codes to a slice of bytes.
type bitWriter struct {
	dst  []byte
	word uint64
	have uint
}

func (w *bitWriter) put(v uint64, n uint) {
	w.word |= v << w.have
	w.have += n
	for w.have >= 8 {
		w.dst = append(w.dst, byte(w.word))
		w.word >>= 8
		w.have -= 8
	}
}

func (w *bitWriter) rice(v uint32, k uint) {
	q := uint(v >> k)
	if q >= riceEscape {
		w.put(1<<riceEscape-1, riceEscape)
		w.put(uint64(v), 32)
		return
	}
	w.put(1<<q-1, q+1)
	w.put(uint64(v)&(1<<k-1), k)
}

// end fills the last byte with zero bits and returns all bytes.
func (w *bitWriter) end() []byte {
	if w.have > 0 {
		w.dst = append(w.dst, byte(w.word))
		w.word, w.have = 0, 0
	}
	return w.dst
}

// riceCost is the length of all values' codes in bits.
func riceCost(values []uint32, k uint) (cost uint) {
	for _, v := range values {
		if q := uint(v >> k); q < riceEscape {
			cost += q + 1 + k
		} else {
			cost += riceLength
		}
	}
	return cost
}

// bestRice returns the smallest k up to most that makes the values' codes shortest. Cost: a few passes over values.
func bestRice(values []uint32, most uint) uint {
	var all uint32
	for _, v := range values {
		all |= v
	}
	best, bestCost := uint(0), ^uint(0)
	for k := uint(0); k <= min(most, uint(bits.Len32(all))); k++ {
		if cost := riceCost(values, k); cost < bestCost {
			best, bestCost = k, cost
		}
	}
	return best
}

// bitReader reads codes. The bits of word above have are those of the next bytes, or zero.
type bitReader struct {
	tag  Tag
	b    []byte
	at   int // of b that is not in word yet
	word uint64
	have uint
}

// fill makes at least refillBits bits ready, or all that are left.
func (r *bitReader) fill() {
	if len(r.b)-r.at >= 8 {
		r.word |= binary.LittleEndian.Uint64(r.b[r.at:]) << (r.have & 63)
		n := (wordBits - 1 - r.have) / 8
		r.at += int(n)
		r.have += 8 * n
		return
	}
	for r.have <= refillBits && r.at < len(r.b) {
		r.word |= uint64(r.b[r.at]) << (r.have & 63)
		r.at++
		r.have += 8
	}
}

// param reads the parameter byte that a block begins with.
func (r *bitReader) param() uint {
	if r.at >= len(r.b) {
		Fail(r.tag, "a list ends early")
	}
	v := r.b[r.at]
	r.at++
	return uint(v)
}

// rices reads len(dst) numbers.
func (r *bitReader) rices(dst []uint32, k uint) {
	mask := uint64(1)<<k - 1
	word, have := r.word, r.have
	for i := range dst {
		if have < riceLength {
			r.word, r.have = word, have
			r.fill()
			word, have = r.word, r.have
		}
		q := uint(bits.TrailingZeros64(^word))
		n := q + 1 + k
		v := uint64(q)<<(k&63) | word>>((q+1)&63)&mask
		if q >= riceEscape {
			n, v = riceLength, word>>riceEscape
		}
		if n > have {
			Fail(r.tag, "a list ends early")
		}
		dst[i] = uint32(v)
		word >>= n & 63
		have -= n
	}
	r.word, r.have = word, have
}

// positions appends a row's freq positions to dst: a first number, and the sums of it and the freq-1 after it.
func (r *bitReader) positions(dst []uint32, freq uint32, firstK, gapK uint) []uint32 {
	var at uint64
	word, have, k := r.word, r.have, firstK
	for range freq {
		if have < riceLength {
			r.word, r.have = word, have
			r.fill()
			word, have = r.word, r.have
		}
		q := uint(bits.TrailingZeros64(^word))
		n := q + 1 + k
		v := uint64(q)<<(k&63) | word>>((q+1)&63)&(1<<(k&63)-1)
		if q >= riceEscape {
			n, v = riceLength, word>>riceEscape&(1<<32-1)
		}
		if n > have {
			Fail(r.tag, "a list ends early")
		}
		at += v
		dst = append(dst, uint32(at))
		word >>= n & 63
		have -= n
		k = gapK
	}
	if at > 1<<32-1 {
		Fail(r.tag, "position %d", at)
	}
	r.word, r.have = word, have
	return dst
}
