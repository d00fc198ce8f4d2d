package index

import (
	"encoding/binary"
	"math/bits"

	"kdd/format"

	"github.com/RoaringBitmap/roaring/v2"
)

// appendBitmap encodes a set of ascending ids as a roaring bitmap in its portable serialisation.
func appendBitmap(dst []byte, ids []uint32) ([]byte, error) {
	bm := roaring.BitmapOf(ids...)
	bm.RunOptimize()
	b, err := bm.ToBytes()
	return append(dst, b...), err
}

// The constants of roaring's portable serialisation (RoaringFormatSpec, cookies and containers).
const (
	roaringCookieNoRuns = 12346
	roaringCookie       = 12347
	roaringOffsetsFrom  = 4
	roaringArrayMax     = 4096
	roaringBitmapBytes  = 8192
)

// checkBitmap walks a serialised bitmap in full before the library sees it: sizes, sorted keys and values, declared
// cardinalities, and that all ids are below limit.
func checkBitmap(b []byte, limit uint32) error {
	le := binary.LittleEndian
	n, runs, at, err := bitmapHeader(b)
	if err != nil {
		return err
	}
	if len(b) < at+4*n {
		return badBitmap("it ends in its keys")
	}
	keys := b[at : at+4*n]
	at += 4 * n
	offsets := []byte(nil)
	if runs == nil || n >= roaringOffsetsFrom {
		if len(b) < at+4*n {
			return badBitmap("it ends in its offsets")
		}
		offsets, at = b[at:at+4*n], at+4*n
	}
	for i := range n {
		key, card := le.Uint16(keys[4*i:]), int(le.Uint16(keys[4*i+2:]))+1
		if i > 0 && le.Uint16(keys[4*(i-1):]) >= key {
			return badBitmap("container %d is out of order", i)
		}
		if offsets != nil && le.Uint32(offsets[4*i:]) != uint32(at) {
			return badBitmap("container %d lies at %d, its offset says %d", i, at, le.Uint32(offsets[4*i:]))
		}
		check := checkBits
		switch {
		case runs != nil && runs[i/8]>>(i%8)&1 == 1:
			check = checkRuns
		case card <= roaringArrayMax:
			check = checkArray
		}
		size, top, err := check(b[at:], i, card)
		if err != nil {
			return err
		}
		if id := uint32(key)<<16 | uint32(top); id >= limit {
			return badBitmap("id %d of %d", id, limit)
		}
		at += size
	}
	if at != len(b) {
		return badBitmap("%d bytes after the last container", len(b)-at)
	}
	return nil
}

func badBitmap(reason string, args ...any) error {
	return format.Corrupt(tagBitmaps, "bitmap: "+reason, args...)
}

// bitmapHeader returns the number of containers, the flags of those that hold runs (nil if none does), and where the
// keys are.
func bitmapHeader(b []byte) (n int, runs []byte, keys int, err error) {
	if len(b) < 4 {
		return 0, nil, 0, badBitmap("%d bytes", len(b))
	}
	switch cookie := binary.LittleEndian.Uint32(b); {
	case cookie == roaringCookieNoRuns:
		if len(b) < 8 {
			return 0, nil, 0, badBitmap("%d bytes", len(b))
		}
		count := binary.LittleEndian.Uint32(b[4:])
		if count > 1<<16 {
			return 0, nil, 0, badBitmap("%d containers", count)
		}
		return int(count), nil, 8, nil
	case cookie&0xffff == roaringCookie:
		n = int(cookie>>16) + 1
		keys = 4 + (n+7)/8
		if len(b) < keys {
			return 0, nil, 0, badBitmap("it ends in its run flags")
		}
		return n, b[4:keys], keys, nil
	default:
		return 0, nil, 0, badBitmap("cookie %d", cookie)
	}
}

// checkRuns checks container i, which b begins with and which has card ids. It returns its size and its largest value.
func checkRuns(b []byte, i, card int) (size, top int, err error) {
	le := binary.LittleEndian
	if len(b) < 2 {
		return 0, 0, badBitmap("it ends in container %d", i)
	}
	count := int(le.Uint16(b))
	if size = 2 + 4*count; count == 0 || len(b) < size {
		return 0, 0, badBitmap("container %d has %d runs", i, count)
	}
	sum, next := 0, 0
	for k := range count {
		start, length := int(le.Uint16(b[2+4*k:])), int(le.Uint16(b[2+4*k+2:]))
		if start < next || start+length > 0xffff {
			return 0, 0, badBitmap("container %d: run %d", i, k)
		}
		sum, next, top = sum+length+1, start+length+2, start+length
	}
	if sum != card {
		return 0, 0, badBitmap("container %d has %d ids, its key says %d", i, sum, card)
	}
	return size, top, nil
}

// checkArray does the same for a container of sorted values.
func checkArray(b []byte, i, card int) (size, top int, err error) {
	le := binary.LittleEndian
	if size = 2 * card; len(b) < size {
		return 0, 0, badBitmap("it ends in container %d", i)
	}
	for k := 1; k < card; k++ {
		if le.Uint16(b[2*k-2:]) >= le.Uint16(b[2*k:]) {
			return 0, 0, badBitmap("container %d is out of order", i)
		}
	}
	return size, int(le.Uint16(b[size-2:])), nil
}

// checkBits does the same for a container of a bit for each value.
func checkBits(b []byte, i, card int) (size, top int, err error) {
	if len(b) < roaringBitmapBytes {
		return 0, 0, badBitmap("it ends in container %d", i)
	}
	sum := 0
	for k, w := range b[:roaringBitmapBytes] {
		if w != 0 {
			sum, top = sum+bits.OnesCount8(w), k*8+bits.Len8(w)-1
		}
	}
	if sum != card {
		return 0, 0, badBitmap("container %d has %d ids, its key says %d", i, sum, card)
	}
	return roaringBitmapBytes, top, nil
}

// openBitmap checks b and decodes it into memory of its own.
func openBitmap(b []byte, limit uint32) *roaring.Bitmap {
	if err := checkBitmap(b, limit); err != nil {
		panic(err)
	}
	bm := roaring.New()
	if _, err := bm.FromBuffer(append([]byte(nil), b...)); err != nil {
		format.Fail(tagBitmaps, "%v", err)
	}
	if err := bm.Validate(); err != nil {
		format.Fail(tagBitmaps, "%v", err)
	}
	return bm
}
