// Package rice encodes small numbers as Rice codes of limited length, FORMAT.md §9.2.
package rice

import (
	"encoding/binary"
	"math/bits"

	"kdd/format"
)

// Rows, frequencies and positions are mostly small numbers. They are written as limited Rice codes (Rice & Plaunt 1971;
// the limit as in JPEG-LS), FORMAT.md §9.2. With a parameter k, a number v with v>>k < 16 is written as v>>k one bits,
// a zero bit and the low k bits of v. A larger number is 16 one bits and then its 32 bits. Bits fill bytes from the
// lowest.
const (
	escape = 16 // one bits that announce 32 plain bits
	// Max is the largest k: 15<<28 and 28 bits fill 32 bits.
	Max        = 28
	longest    = escape + 32 // bits of the longest code; a refill holds it
	wordBits   = 64
	refillBits = wordBits - 8 // a refill leaves at least as many bits, or all that are left
)

// Writer appends codes to a slice of bytes.
type Writer struct {
	Dst  []byte
	word uint64
	have uint
}

// bits appends the low n bits of v.
func (w *Writer) bits(v uint64, n uint) {
	w.word |= v << w.have
	w.have += n
	for w.have >= 8 {
		w.Dst = append(w.Dst, byte(w.word))
		w.word >>= 8
		w.have -= 8
	}
}

// Put appends the code of v with parameter k.
func (w *Writer) Put(v uint32, k uint) {
	q := uint(v >> k)
	if q >= escape {
		w.bits(1<<escape-1, escape)
		w.bits(uint64(v), 32)
		return
	}
	w.bits(1<<q-1, q+1)
	w.bits(uint64(v)&(1<<k-1), k)
}

// End fills the last byte with zero bits and returns all bytes.
func (w *Writer) End() []byte {
	if w.have > 0 {
		w.Dst = append(w.Dst, byte(w.word))
		w.word, w.have = 0, 0
	}
	return w.Dst
}

// Cost returns the length of the codes of values in bits.
func Cost(values []uint32, k uint) (cost uint) {
	for _, v := range values {
		if q := uint(v >> k); q < escape {
			cost += q + 1 + k
		} else {
			cost += longest
		}
	}
	return cost
}

// Best returns the k up to most that makes the codes of values shortest, the smallest of several. Cost: a few passes
// over values.
func Best(values []uint32, most uint) uint {
	var all uint32
	for _, v := range values {
		all |= v
	}
	best, bestCost := uint(0), ^uint(0)
	for k := uint(0); k <= min(most, uint(bits.Len32(all))); k++ {
		if cost := Cost(values, k); cost < bestCost {
			best, bestCost = k, cost
		}
	}
	return best
}

// Reader reads codes. The bits of word above have are those of the next bytes, or zero.
type Reader struct {
	Tag  format.Tag
	Data []byte
	at   int // of b that is not in word yet
	word uint64
	have uint
}

// fill makes at least refillBits bits ready, or all that are left.
func (r *Reader) fill() {
	if len(r.Data)-r.at >= 8 {
		r.word |= binary.LittleEndian.Uint64(r.Data[r.at:]) << (r.have & 63)
		n := (wordBits - 1 - r.have) / 8
		r.at += int(n)
		r.have += 8 * n
		return
	}
	for r.have <= refillBits && r.at < len(r.Data) {
		r.word |= uint64(r.Data[r.at]) << (r.have & 63)
		r.at++
		r.have += 8
	}
}

// Param reads the parameter byte that a block begins with.
func (r *Reader) Param() uint {
	if r.at >= len(r.Data) {
		format.Fail(r.Tag, "a list ends early")
	}
	v := r.Data[r.at]
	r.at++
	return uint(v)
}

// Read reads len(dst) numbers with parameter k.
func (r *Reader) Read(dst []uint32, k uint) {
	mask := uint64(1)<<k - 1
	word, have := r.word, r.have
	for i := range dst {
		q := uint(bits.TrailingZeros64(^word))
		n := q + 1 + k
		if n > have || q >= escape { // seldom: a word has several codes
			r.word, r.have = word, have
			dst[i] = r.next(k)
			word, have = r.word, r.have
			continue
		}
		dst[i] = uint32(uint64(q)<<(k&63) | word>>((q+1)&63)&mask)
		word >>= n & 63
		have -= n
	}
	r.word, r.have = word, have
}

// next reads one number with parameter k, the bits of which may not be ready.
func (r *Reader) next(k uint) uint32 {
	r.fill()
	q := uint(bits.TrailingZeros64(^r.word))
	n, v := q+1+k, uint64(q)<<(k&63)|r.word>>((q+1)&63)&(1<<(k&63)-1)
	if q >= escape {
		n, v = longest, r.word>>escape
	}
	if n > r.have {
		format.Fail(r.Tag, "a list ends early")
	}
	r.word >>= n & 63
	r.have -= n
	return uint32(v)
}

// Positions appends freq ascending positions to dst: the first is coded with firstK, the distances after it with gapK.
func (r *Reader) Positions(dst []uint32, freq uint32, firstK, gapK uint) []uint32 {
	var at uint64
	word, have, k := r.word, r.have, firstK
	for range freq {
		q := uint(bits.TrailingZeros64(^word))
		n := q + 1 + k
		if n > have || q >= escape {
			r.word, r.have = word, have
			at += uint64(r.next(k))
			word, have = r.word, r.have
		} else {
			at += uint64(q)<<(k&63) | word>>((q+1)&63)&(1<<(k&63)-1)
			word >>= n & 63
			have -= n
		}
		dst = append(dst, uint32(at))
		k = gapK
	}
	if at > 1<<32-1 {
		format.Fail(r.Tag, "position %d", at)
	}
	r.word, r.have = word, have
	return dst
}
