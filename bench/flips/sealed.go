package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"regexp"
	goruntime "runtime"
	"strings"
	"time"

	"kdd/format"
	"kdd/runtime/wire"
)

// Bounds of an answer about a file whose blocks are damaged and whose hashes are right.
const (
	maxMemory = 256 << 20 // bytes that one question allocates
	maxTime   = 10 * time.Second
)

var cursor = regexp.MustCompile(`"cursor":"[^"]*"`)

// sealed tries a damage within a block, with all hashes made anew: the checks of structure are what stands between it
// and the reader. An answer may then be another one, or an error of the request, but never an internal error, and none
// may take more than maxMemory or maxTime.
func (t *trial) sealed(path string, number int, seed uint64) error {
	r := rand.New(rand.NewPCG(seed, uint64(number)))
	blocks := t.file.Raw()
	var said []string
	for range 1 + r.IntN(4)/2*(1+r.IntN(3)) {
		if list := t.choose(blocks); len(list) > 0 {
			said = append(said, deform(r, list))
		}
	}
	im, err := format.Lay(blocks)
	if err != nil {
		return nil // no such file can be written
	}
	var file bytes.Buffer
	if _, err := im.WriteTo(&file); err != nil {
		return err
	}
	data := file.Bytes()
	if t.block == "" && r.IntN(8) == 0 {
		said = append(said, redirect(r, data))
	}
	if t.block == "" && r.IntN(16) == 0 {
		said, data = append(said, "trailers"), trail(r, data)
	}
	what := strings.Join(said, ", ")
	if err := put(path, data); err != nil {
		return err
	}
	named, err := t.verify(path)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	id := t.file.ID()
	if f, err := format.OpenBytes(data); err == nil {
		id = f.ID()
	}
	same := func(json, intact string) bool { // but for the name of the file's content
		return cursor.ReplaceAllString(strings.ReplaceAll(json, id, t.file.ID()), "") == cursor.ReplaceAllString(intact, "")
	}
	refused, other := 0, 0
	var before, after goruntime.MemStats
	for i, a := range t.asks {
		goruntime.ReadMemStats(&before)
		start := time.Now()
		got := answers(path, []ask{a})[0]
		took := time.Since(start)
		goruntime.ReadMemStats(&after)
		var known *wire.Error
		switch used := after.TotalAlloc - before.TotalAlloc; {
		case used > maxMemory:
			return fmt.Errorf("%s: %s takes %d MB", what, a.name(), used>>20)
		case took > maxTime:
			return fmt.Errorf("%s: %s takes %s", what, a.name(), took)
		case got.err != nil && (!errors.As(got.err, &known) || known.Code == wire.CodeInternal || known.Code == wire.CodeTimeout):
			return fmt.Errorf("%s: %s: %w, want an error of the file or the request", what, a.name(), got.err)
		case got.err != nil && corrupt(got.err):
			refused++
		case got.err != nil || !same(got.json, t.intact[i]):
			other++
		}
	}
	if err := dumped(path); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if !named && refused > 0 {
		return fmt.Errorf("%s: %d questions call the file corrupt, and verify does not", what, refused)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.runs++
	switch {
	case refused == len(t.asks):
		t.refused++
	case refused > 0:
		t.partly++
	default:
		t.silent++
	}
	if !named && other > 0 {
		t.lied++
		if t.verbose {
			log.Printf("run %d: %s: verify names nothing, %d other answers", number, what, other)
		}
	}
	return nil
}

// hostile are the numbers that break arithmetic.
var hostile = []uint64{0, 1, 2, 0x7f, 0x80, 0xff, 0xffff, 0x10000, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1 << 40, 1<<63 - 1, 1 << 63, 1<<64 - 1, 1<<64 - 4096}

// choose returns the blocks that may be damaged: those that have bytes.
func (t *trial) choose(blocks []format.RawBlock) (list []*format.RawBlock) {
	for i := range blocks {
		if b := &blocks[i]; len(b.Data) > 0 && (t.block == "" || t.block == b.Tag.String()) {
			list = append(list, b)
		}
	}
	return list
}

// deform damages one of the blocks, and says how.
func deform(r *rand.Rand, blocks []*format.RawBlock) string {
	b := blocks[r.IntN(len(blocks))]
	n := len(b.Data)
	if b.Tag == (format.Tag{'T', 'E', 'X', 'T'}) && r.IntN(4) > 0 {
		if said := retext(r, b); said != "" {
			return said
		}
	}
	at := r.IntN(n)
	if r.IntN(2) == 0 {
		at = r.IntN(min(n, 128)) // headers and the first columns
	}
	size := 1 << r.IntN(4)
	switch kind := r.IntN(12); kind {
	case 0, 1, 2, 3: // a number
		v := hostile[r.IntN(len(hostile))]
		if r.IntN(4) == 0 {
			v = uint64(n) + uint64(r.IntN(3)) - 1
		}
		if r.IntN(2) == 0 {
			at &^= size - 1
		}
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], v)
		copy(b.Data[at:], word[:size])
		return fmt.Sprintf("%s: %d bytes at %d are %#x", b.Tag, size, at, v)
	case 4: // a number that is a little more or less
		at &^= 3
		if at+4 > n {
			at = 0
		}
		d := r.IntN(7) - 3
		if n >= 4 {
			binary.LittleEndian.PutUint32(b.Data[at:], binary.LittleEndian.Uint32(b.Data[at:])+uint32(d))
		}
		return fmt.Sprintf("%s: the number at %d plus %d", b.Tag, at, d)
	case 5: // a float
		v := []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat32, math.Copysign(0, -1), math.SmallestNonzeroFloat32, -1, 1e30}[r.IntN(8)]
		at &^= 3
		if at+4 <= n {
			binary.LittleEndian.PutUint32(b.Data[at:], math.Float32bits(float32(v)))
		}
		return fmt.Sprintf("%s: the float at %d is %g", b.Tag, at, v)
	case 6: // two ranges change places
		k := min(1+r.IntN(64), n)
		i, j := r.IntN(n-k+1), r.IntN(n-k+1)
		was := bytes.Clone(b.Data[i : i+k])
		copy(b.Data[i:], b.Data[j:j+k])
		copy(b.Data[j:], was)
		return fmt.Sprintf("%s: %d bytes at %d and %d exchanged", b.Tag, k, i, j)
	case 7: // a range twice
		k := min(1+r.IntN(64), n)
		i, j := r.IntN(n-k+1), r.IntN(n-k+1)
		copy(b.Data[i:i+k], b.Data[j:j+k])
		return fmt.Sprintf("%s: %d bytes at %d are those at %d", b.Tag, k, i, j)
	case 8: // longer or shorter
		if r.IntN(2) == 0 {
			b.Data = b.Data[:at]
			return fmt.Sprintf("%s: cut to %d bytes", b.Tag, at)
		}
		k := 1 + r.IntN(64)
		b.Data = append(b.Data[:at:at], append(make([]byte, k), b.Data[at:]...)...)
		return fmt.Sprintf("%s: %d zero bytes put in at %d", b.Tag, k, at)
	case 9: // rows of the directory
		b.Rows = hostile[r.IntN(len(hostile))]
		if r.IntN(2) == 0 {
			b.Rows += uint64(r.IntN(3))
		}
		return fmt.Sprintf("%s: %d rows", b.Tag, b.Rows)
	case 10: // bytes that are not UTF-8, or a digit more
		for range 1 + r.IntN(4) {
			b.Data[r.IntN(n)] = []byte{0xff, 0xc0, 0x80, 0xed, '9', '-', 0, '"'}[r.IntN(8)]
		}
		return fmt.Sprintf("%s: bytes that are not UTF-8", b.Tag)
	default: // a range of one value
		k := min(1+r.IntN(1024), n-at)
		v := []byte{0, 0xff, 0x80, 0x7f, 1}[r.IntN(5)]
		copy(b.Data[at:], bytes.Repeat([]byte{v}, k))
		return fmt.Sprintf("%s: %d bytes at %d are %#x", b.Tag, k, at, v)
	}
}
