package format

import (
	"encoding/binary"
	"fmt"

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
	bad := func(reason string, args ...any) error {
		return &CorruptError{Block: tagBitmaps, Offset: -1, Reason: "bitmap: " + fmt.Sprintf(reason, args...)}
	}
	le := binary.LittleEndian
	if len(b) < 4 {
		return bad("%d bytes", len(b))
	}
	cookie := le.Uint32(b)
	var n int
	var runs []byte
	at := 4
	switch {
	case cookie == roaringCookieNoRuns:
		if len(b) < 8 {
			return bad("%d bytes", len(b))
		}
		count := le.Uint32(b[4:])
		if count > 1<<16 {
			return bad("%d containers", count)
		}
		n, at = int(count), 8
	case cookie&0xffff == roaringCookie:
		n = int(cookie>>16) + 1
		size := (n + 7) / 8
		if len(b) < at+size {
			return bad("it ends in its run flags")
		}
		runs, at = b[at:at+size], at+size
	default:
		return bad("cookie %d", cookie)
	}
	if len(b) < at+4*n {
		return bad("it ends in its keys")
	}
	keys := b[at : at+4*n]
	at += 4 * n
	offsets := []byte(nil)
	if runs == nil || n >= roaringOffsetsFrom {
		if len(b) < at+4*n {
			return bad("it ends in its offsets")
		}
		offsets, at = b[at:at+4*n], at+4*n
	}
	for i := range n {
		key, card := le.Uint16(keys[4*i:]), int(le.Uint16(keys[4*i+2:]))+1
		if i > 0 && le.Uint16(keys[4*(i-1):]) >= key {
			return bad("container %d is out of order", i)
		}
		if offsets != nil && le.Uint32(offsets[4*i:]) != uint32(at) {
			return bad("container %d lies at %d, its offset says %d", i, at, le.Uint32(offsets[4*i:]))
		}
		high := uint32(key) << 16
		top := uint32(0)
		switch {
		case runs != nil && runs[i/8]>>(i%8)&1 == 1:
			if len(b) < at+2 {
				return bad("it ends in container %d", i)
			}
			count := int(le.Uint16(b[at:]))
			at += 2
			if count == 0 || len(b) < at+4*count {
				return bad("container %d has %d runs", i, count)
			}
			sum, next := 0, 0
			for k := range count {
				start, length := int(le.Uint16(b[at+4*k:])), int(le.Uint16(b[at+4*k+2:]))
				if start < next || start+length > 0xffff {
					return bad("container %d: run %d", i, k)
				}
				sum, next, top = sum+length+1, start+length+2, uint32(start+length)
			}
			if sum != card {
				return bad("container %d has %d ids, its key says %d", i, sum, card)
			}
			at += 4 * count
		case card <= roaringArrayMax:
			if len(b) < at+2*card {
				return bad("it ends in container %d", i)
			}
			for k := 1; k < card; k++ {
				if le.Uint16(b[at+2*k-2:]) >= le.Uint16(b[at+2*k:]) {
					return bad("container %d is out of order", i)
				}
			}
			top = uint32(le.Uint16(b[at+2*card-2:]))
			at += 2 * card
		default:
			if len(b) < at+roaringBitmapBytes {
				return bad("it ends in container %d", i)
			}
			sum := 0
			for k := range roaringBitmapBytes {
				for w := b[at+k]; w != 0; w &= w - 1 {
					sum++
				}
				if w := b[at+k]; w != 0 {
					for bit := range 8 {
						if w>>bit&1 == 1 {
							top = uint32(k*8 + bit)
						}
					}
				}
			}
			if sum != card {
				return bad("container %d has %d ids, its key says %d", i, sum, card)
			}
			at += roaringBitmapBytes
		}
		if high|top >= limit {
			return bad("id %d of %d", high|top, limit)
		}
	}
	if at != len(b) {
		return bad("%d bytes after the last container", len(b)-at)
	}
	return nil
}

// openBitmap checks b and decodes it into memory of its own.
func openBitmap(b []byte, limit uint32) *roaring.Bitmap {
	if err := checkBitmap(b, limit); err != nil {
		panic(err)
	}
	bm := roaring.New()
	if _, err := bm.FromBuffer(append([]byte(nil), b...)); err != nil {
		fail(tagBitmaps, "%v", err)
	}
	if err := bm.Validate(); err != nil {
		fail(tagBitmaps, "%v", err)
	}
	return bm
}
