package index

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"hash/crc32"
	"iter"
	"runtime"
	"slices"
	"sync"

	"kdd/format"

	"github.com/klauspost/compress/zstd"
)

// The text block holds the sources of all documents, end to end, in independent zstd frames that begin and end where
// documents do. FORMAT.md §8.
//
//	u64 raw bytes · u32 most raw bytes of a frame · u32 frames ·
//	frames × {u32 raw bytes, u32 packed bytes, u32 CRC-32C of them} · frames
const (
	textHeader   = 16
	textEntry    = 12
	textFrame    = 1 << 16
	minTextFrame = 1 << 15
	maxTextFrame = 1 << 22

	// MaxDocumentBytes is the longest text of a document.
	MaxDocumentBytes = 1 << 26
)

// frameSums is the table of the frames' checksums.
var frameSums = crc32.MakeTable(crc32.Castagnoli)

// Texts are the sources of all documents, packed: less than half of the bytes.
type Texts struct {
	starts []uint64 // of each text, and the end of all
	block  []byte
}

// PackTexts packs the documents' sources, which it does not keep. Cost: zstd over all bytes, spread over goroutines.
func PackTexts(texts [][]byte) *Texts {
	t := &Texts{starts: make([]uint64, len(texts)+1)}
	for i, raw := range texts {
		t.starts[i+1] = t.starts[i] + uint64(len(raw))
	}
	t.pack(texts, frameEnds(texts))
	return t
}

// count is the number of texts.
func (t *Texts) count() int { return max(0, len(t.starts)-1) }

// Bytes is the length of all texts.
func (t *Texts) Bytes() uint64 { return t.starts[len(t.starts)-1] }

// pack makes the text block, with frames that end at ends.
func (t *Texts) pack(texts [][]byte, ends []uint64) {
	starts := t.starts[:len(texts)]
	frames := make([][]byte, len(ends))
	from := func(i int) uint64 {
		if i == 0 {
			return 0
		}
		return ends[i-1]
	}
	var wg sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), max(1, len(frames)))
	for w := range workers {
		wg.Go(func() {
			enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1),
				zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderCRC(false),
				zstd.WithWindowSize(textFrame))
			if err != nil {
				panic(err) // the options are constants
			}
			defer enc.Close()
			raw, packed := make([]byte, 0, textFrame), []byte(nil)
			for i := w; i < len(frames); i += workers {
				raw = appendRange(raw[:0], texts, starts, from(i), ends[i])
				packed = enc.EncodeAll(raw, packed[:0])
				frames[i] = slices.Clone(packed)
			}
		})
	}
	wg.Wait()
	size := textHeader
	for _, f := range frames {
		size += textEntry + len(f)
	}
	le := binary.LittleEndian
	dst := le.AppendUint64(make([]byte, 0, size), t.Bytes())
	dst = le.AppendUint32(dst, textFrame)
	dst = le.AppendUint32(dst, uint32(len(frames)))
	for i, f := range frames {
		dst = le.AppendUint32(dst, uint32(ends[i]-from(i)))
		dst = le.AppendUint32(dst, uint32(len(f)))
		dst = le.AppendUint32(dst, crc32.Checksum(f, frameSums))
	}
	for _, f := range frames {
		dst = append(dst, f...)
	}
	t.block = dst
}

// appendRange adds the bytes [from, to) of all texts end to end; starts says where each begins.
func appendRange(dst []byte, texts [][]byte, starts []uint64, from, to uint64) []byte {
	// The last text that begins at or before from; texts that are empty begin where the next one does.
	i, found := slices.BinarySearch(starts, from)
	if !found {
		i--
	}
	for ; from < to; i++ {
		part := texts[i][from-starts[i]:]
		part = part[:min(uint64(len(part)), to-from)]
		dst = append(dst, part...)
		from += uint64(len(part))
	}
	return dst
}

// Text is a view of the text block.
type Text struct {
	block  *format.Block
	total  uint64
	frame  uint32
	frames []textPlace
	kept   *textFrames
}

type textPlace struct {
	start uint64 // of all text
	raw   uint32
	at    uint64 // in the block
	size  uint32
	sum   uint32
}

// parseText reads the frame index: O(frames).
func parseText(b *format.Block) (Text, error) {
	bad := func(reason string, args ...any) (Text, error) {
		return Text{}, format.Corrupt(tagText, reason, args...)
	}
	if b.Len() < textHeader {
		return bad("text of %d bytes, its header has %d", b.Len(), textHeader)
	}
	le := binary.LittleEndian
	h := b.Range(0, textHeader)
	t := Text{block: b, total: le.Uint64(h), frame: le.Uint32(h[8:]), kept: &textFrames{}}
	n := uint64(le.Uint32(h[12:]))
	if t.frame == 0 || t.frame > maxTextFrame {
		return bad("frames of %d bytes, at most %d", t.frame, maxTextFrame)
	}
	if n > (b.Len()-textHeader)/textEntry {
		return bad("text ends in its index")
	}
	index := b.Range(textHeader, n*textEntry)
	t.frames = make([]textPlace, n)
	start, at := uint64(0), textHeader+n*textEntry
	for i := range t.frames {
		p, e := &t.frames[i], index[i*textEntry:]
		p.start, p.raw, p.at, p.size, p.sum = start, le.Uint32(e), at, le.Uint32(e[4:]), le.Uint32(e[8:])
		if p.raw == 0 || p.raw > t.frame {
			return bad("frame %d has %d bytes of text, want 1 to %d", i, p.raw, t.frame)
		}
		start += uint64(p.raw)
		if at += uint64(p.size); at > b.Len() {
			return bad("frame %d ends at %d of %d", i, at, b.Len())
		}
	}
	if start != t.total {
		return bad("frames of %d bytes of text, want %d", start, t.total)
	}
	if at != b.Len() {
		return bad("%d bytes after the last frame", b.Len()-at)
	}
	return t, nil
}

// size returns the bytes of all sources.
func (t *Text) size() uint64 { return t.total }

// decoder unpacks frames, as many at once as there are processors. It keeps the memory of each of them, a quarter of a
// megabyte, for the next frame; a sync.Pool loses it at any time, to every garbage collection.
var decoder = sync.OnceValue(func() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxMemory(maxTextFrame), zstd.IgnoreChecksum(true))
	if err != nil {
		panic(err) // the options are constants
	}
	return d
})

// decode unpacks frame i into dst, over what is there; its packed bytes are checked before the decoder sees them.
func (t *Text) decode(dst []byte, i int) []byte {
	p := t.frames[i]
	packed := t.block.Range(p.at, uint64(p.size))
	if got := crc32.Checksum(packed, frameSums); got != p.sum {
		format.Fail(tagText, "frame %d has checksum %08x, want %08x", i, got, p.sum)
	}
	out, err := decoder().DecodeAll(packed, dst[:0])
	if err != nil {
		format.Fail(tagText, "frame %d: %v", i, err)
	}
	if len(out) != int(p.raw) {
		format.Fail(tagText, "frame %d unpacks to %d bytes, want %d", i, len(out), p.raw)
	}
	return out
}

// How many bytes of unpacked frames a Text keeps, but two frames at least: all of a text of at most maxKeptText, of a
// larger one, most of whose frames have to be unpacked anyway, keptOfLarge.
const (
	maxKeptText = 4 << 20
	keptOfLarge = 1 << 20
)

// textFrames are the frames that were unpacked last. The zero value is ready, for any number of goroutines.
type textFrames struct {
	mu    sync.Mutex
	clock uint64
	list  []*keptFrame
}

// keptFrame is an unpacked frame. Another one is unpacked over it only when nobody reads it.
type keptFrame struct {
	number  int
	used    uint64
	readers int
	data    []byte
}

// take returns frame i, unpacked, for its reader to give back. If several goroutines miss it at once, each of them
// unpacks it.
func (k *textFrames) take(t *Text, i int) *keptFrame {
	most := max(2, maxKeptText/int(t.frame))
	if t.total > maxKeptText {
		most = max(2, keptOfLarge/int(t.frame))
	}
	f, found := k.find(i, most)
	if !found {
		f.data = t.decode(f.data, i)
		k.keep(f, i, most)
	}
	return f
}

// find returns frame i with a reader more. If it is not there, find returns the memory for it: with most frames that of
// the one that was used longest ago, which leaves the list.
func (k *textFrames) find(i int, most int) (f *keptFrame, found bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	oldest := -1
	for n, f := range k.list {
		if f.number == i {
			k.clock++
			f.used, f.readers = k.clock, f.readers+1
			return f, true
		}
		if f.readers == 0 && (oldest < 0 || f.used < k.list[oldest].used) {
			oldest = n
		}
	}
	if len(k.list) < most || oldest < 0 {
		return new(keptFrame), false
	}
	f = k.list[oldest]
	k.list = slices.Delete(k.list, oldest, oldest+1)
	return f, false
}

// keep makes f, which has a reader, frame i, and adds it to the list unless that has i or most frames.
func (k *textFrames) keep(f *keptFrame, i int, most int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.clock++
	f.number, f.used, f.readers = i, k.clock, 1
	if len(k.list) < most && !slices.ContainsFunc(k.list, func(f *keptFrame) bool { return f.number == i }) {
		k.list = append(k.list, f)
	}
}

// give takes a reader from f.
func (k *textFrames) give(f *keptFrame) {
	k.mu.Lock()
	defer k.mu.Unlock()
	f.readers--
}

// Reader reads ranges of the text.
type Reader struct {
	text *Text
	ctx  context.Context
}

// Reader returns a reader over t.
func (t *Text) Reader() *Reader { return t.ReaderWithin(context.Background()) }

// ReaderWithin returns a reader over t that unpacks nothing more once ctx has ended: its reads fail (see Guard) with a
// format.EndedError then.
func (t *Text) ReaderWithin(ctx context.Context) *Reader { return &Reader{t, ctx} }

// read adds the text [at, at+n) to dst. Cost: unpacking each frame that it touches (64 KiB at most), unless it is among
// those that are kept.
func (r *Reader) read(dst []byte, at, n uint64) []byte {
	t := r.text
	if at > t.total || n > t.total-at {
		format.Fail(tagText, "range [%d, +%d) does not fit %d bytes", at, n, t.total)
	}
	for i := t.frameOf(at); n > 0; i++ {
		if r.ctx.Err() != nil {
			panic(&format.EndedError{Cause: context.Cause(r.ctx)})
		}
		f := t.kept.take(t, i)
		from := at - t.frames[i].start
		part := f.data[from:min(uint64(len(f.data)), from+n)]
		dst = append(dst, part...)
		t.kept.give(f)
		at, n = at+uint64(len(part)), n-uint64(len(part))
	}
	return dst
}

// parts yields the text [from, to) in parts of a frame at most, none of them empty. A part is good until the next one.
func (r *Reader) parts(from, to uint64) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		var part []byte
		for from < to {
			part = r.read(part[:0], from, min(to-from, textFrame))
			if !yield(part) {
				return
			}
			from += uint64(len(part))
		}
	}
}

// frameOf returns the frame that holds byte at, of which there is one unless at is the end.
func (t *Text) frameOf(at uint64) int {
	i, found := slices.BinarySearchFunc(t.frames, at, func(p textPlace, at uint64) int { return cmp.Compare(p.start, at) })
	if !found {
		i--
	}
	return i
}

// framed says whether a text of up to textFrame bytes lies in one frame, and a longer one in frames of its own.
func (t *Text) framed(from, to uint64) bool {
	if from >= to || to > t.total {
		return true
	}
	first, last := t.frames[t.frameOf(from)], t.frames[t.frameOf(to-1)]
	if to-from <= textFrame {
		return first == last
	}
	return first.start == from && last.start+uint64(last.raw) == to
}

// texts unpacks all sources and compares them with what the documents say of them.
func (v *verifier) texts() {
	x := v.x
	if x.Text.frame != textFrame {
		v.Add(tagText, "frames of up to %d bytes, want %d", x.Text.frame, textFrame)
	}
	r := x.Text.ReaderWithin(v.ctx)
	for d := range DocID(x.docN) {
		if v.ctx.Err() != nil {
			return
		}
		if err := format.Guard(func() error { v.text(r, d); return nil }); err != nil {
			v.AddError(tagText, err)
		}
	}
}

// text unpacks the text of a document, a part at a time, and compares it with what the document says of it.
func (v *verifier) text(r *Reader, d DocID) {
	x := v.x
	from, to := x.DocText(d)
	if !x.Text.framed(from, to) {
		v.Add(tagText, "document %d, %q: its %d bytes are not in one frame, or in frames of their own",
			d, x.DocPath(d), to-from)
	}
	var lines uint32
	last := byte('\n')
	hash := sha256.New()
	for part := range r.parts(from, to) {
		lines += uint32(bytes.Count(part, []byte("\n")))
		last = part[len(part)-1]
		hash.Write(part)
	}
	if last != '\n' {
		lines++
	}
	if want := x.docLines(d); lines != want {
		v.Add(tagDocs, "document %d, %q: %d lines, its text has %d", d, x.DocPath(d), want, lines)
	}
	// The hash is that of the file; a source that was not UTF-8 was transcoded, and a text with lines of other files is
	// longer, so its text has another.
	first, end := x.originRows(d)
	if first == end && to-from == x.DocSize(d) && [sha256.Size]byte(hash.Sum(nil)) != x.DocSHA256(d) {
		v.Add(tagText, "document %d, %q: its text does not have the stored SHA-256", d, x.DocPath(d))
	}
}
