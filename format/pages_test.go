package format

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// remoteFile is a file of several trees: fine and coarse pages, several levels, an empty block and one page.
func remoteFile(t testing.TB) []byte {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 1))
	noise := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	data := laid(t, []RawBlock{
		{Tag: Tag{'M', 'E', 'T', 'A'}, Data: noise(3000)},
		{Tag: Tag{'H', 'O', 'T', ' '}, Data: noise(5 << 16)},
		{Tag: Tag{'N', 'O', 'N', 'E'}},
		{Tag: Tag{'L', 'O', 'N', 'G'}, Pages: FinePages, Data: noise(300*4096 + 100)},
		{Tag: Tag{'R', 'O', 'W', 'S'}, Pages: FinePages, Data: noise(200 * 4096)},
	})
	return AppendTrailer(data, TagProvenance, []byte(`{"source_commit":"1"}`))
}

// host serves the bytes of a file and counts.
type host struct {
	data  []byte
	reads atomic.Int64
	bytes atomic.Int64
	err   atomic.Pointer[error]
}

func (h *host) read(at, n int64) ([]byte, error) {
	h.reads.Add(1)
	h.bytes.Add(n)
	if err := h.err.Load(); err != nil {
		return nil, *err
	}
	return bytes.Clone(h.data[at : at+n]), nil
}

func (h *host) remote() Remote {
	return Remote{Name: "https://host/a.kddx", Size: int64(len(h.data)), Read: h.read}
}

// cacheFile returns a Remote.Cache that opens one file again and again.
func cacheFile(t *testing.T, mode int) (string, func([32]byte, int64) *os.File) {
	path := filepath.Join(t.TempDir(), "cache")
	return path, func(_ [32]byte, length int64) *os.File {
		f, err := os.OpenFile(path, mode|os.O_CREATE, 0o600)
		if err != nil {
			t.Error(err)
			return nil
		}
		if info, err := f.Stat(); err == nil && info.Size() != length {
			os.Truncate(path, length)
		}
		return f
	}
}

func openedRemote(t *testing.T, r Remote) *File {
	t.Helper()
	f, err := OpenRemote(r)
	if err != nil {
		t.Fatalf("OpenRemote = %v", err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// TestRemoteEqualsLocal reads random ranges of every block from a file that lies elsewhere, many at a time.
func TestRemoteEqualsLocal(t *testing.T) {
	data := remoteFile(t)
	local, err := OpenBytes(data)
	if err != nil {
		t.Fatal(err)
	}
	_, cache := cacheFile(t, os.O_RDWR)
	_, readOnly := cacheFile(t, os.O_RDONLY)
	for name, cache := range map[string]func([32]byte, int64) *os.File{"no cache": nil, "a cache": cache, "the same again": cache,
		"a cache that cannot be written": readOnly, "no file": func([32]byte, int64) *os.File { return nil }} {
		h := &host{data: data}
		r := h.remote()
		r.Cache = cache
		f := openedRemote(t, r)
		if f.ID() != local.ID() || f.Bytes() != int64(len(data)) || f.RootHash() != local.RootHash() {
			t.Errorf("%s: id %s, %d bytes; want %s, %d", name, f.ID(), f.Bytes(), local.ID(), len(data))
		}
		var group sync.WaitGroup
		for worker := range 8 {
			group.Go(func() {
				rng := rand.New(rand.NewPCG(uint64(worker), 2))
				for range 60 {
					e := local.Entries()[rng.IntN(len(local.Entries()))]
					if e.Length == 0 {
						continue
					}
					at := rng.Uint64N(e.Length)
					n := min(rng.Uint64N(20000), e.Length-at)
					err := Guard(func() error {
						if got := f.Block(e.Tag).Range(at, n); !bytes.Equal(got, local.Block(e.Tag).Range(at, n)) {
							return fmt.Errorf("%s [%d, +%d) differs", e.Tag, at, n)
						}
						if at+8 <= e.Length && f.Block(e.Tag).Word(at) != local.Block(e.Tag).Word(at) {
							return fmt.Errorf("%s: word at %d differs", e.Tag, at)
						}
						return nil
					})
					if err != nil {
						t.Errorf("%s: %v", name, err)
					}
				}
			})
		}
		group.Wait()
		if err := Guard(func() error {
			if list := f.Trailers(); len(list) != 1 || list[0].Tag != TagProvenance {
				return fmt.Errorf("trailers %v", list)
			}
			return nil
		}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestRemoteRounds checks what is asked for: one read for what lies together, nothing twice, nothing that is cached.
func TestRemoteRounds(t *testing.T) {
	h := &host{data: remoteFile(t)}
	r := h.remote()
	_, r.Cache = cacheFile(t, os.O_RDWR)
	f := openedRemote(t, r)
	reads := func(want int64, what string, do func()) {
		t.Helper()
		before := h.reads.Load()
		if err := Guard(func() error { do(); return nil }); err != nil {
			t.Fatal(err)
		}
		if got := h.reads.Load() - before; got != want {
			t.Errorf("%s took %d reads, want %d", what, got, want)
		}
	}
	rows, long := f.Block(Tag{'R', 'O', 'W', 'S'}), f.Block(Tag{'L', 'O', 'N', 'G'})
	reads(0, "metadata", func() { f.Block(Tag{'M', 'E', 'T', 'A'}).All() })
	reads(1, "a row: its hashes came first", func() { rows.Range(9000, 100) })
	reads(0, "the same page", func() { rows.Range(8192, 4096) })
	reads(1, "a page whose hashes are known", func() { rows.Range(20000, 10) })
	reads(1, "three pages side by side", func() { rows.Range(40000, 10000) })
	reads(2, "two pages of a large block far apart", func() {
		if err := f.Fetch(Span{long, 0, 10}, Span{long, 4096 * 100, 10}); err != nil {
			t.Error(err)
		}
	})
	reads(0, "what was fetched", func() { long.Range(4096*100, 10) })
	bytesBefore := h.bytes.Load()
	reads(0, "spans that are no bytes", func() { f.Fetch(Span{}, Span{rows, 1 << 60, 1}, Span{rows, 5, 0}) })
	again := openedRemote(t, r)
	reads(0, "what another reader left in the cache", func() {
		again.Block(rows.Tag).Range(9000, 100)
		again.Block(long.Tag).Range(4096*100, 10)
	})
	if got := h.bytes.Load() - bytesBefore; got != bootBytes {
		t.Errorf("the second reader took %d bytes, want the first %d only", got, bootBytes)
	}
}

// TestRemoteForged changes a byte of each part of the file: no read returns it.
func TestRemoteForged(t *testing.T) {
	good := remoteFile(t)
	local, err := OpenBytes(good)
	if err != nil {
		t.Fatal(err)
	}
	tree := local.Block(TagTree)
	for _, e := range local.Entries() {
		if e.Length == 0 || e.Tag == TagSums || e.Tag == TagTree {
			continue
		}
		for _, at := range []uint64{0, e.Length / 2, e.Length - 1} {
			data := bytes.Clone(good)
			data[e.Offset+at] ^= 0x40
			f := openedRemote(t, (&host{data: data}).remote())
			err := Guard(func() error { f.Block(e.Tag).Range(at, 1); return nil })
			var corrupt *CorruptError
			if !errors.As(err, &corrupt) || corrupt.Block != e.Tag {
				t.Errorf("%s with byte %d changed = %v, want a CorruptError about it", e.Tag, at, err)
			}
		}
	}
	for at := uint64(7); at < tree.Length; at += 4096 * 7 {
		data := bytes.Clone(good)
		data[tree.Offset+at] ^= 0x40
		f := openedRemote(t, (&host{data: data}).remote())
		var wrong int
		for _, e := range local.Entries() {
			for page := uint64(0); page < e.Length; page += 4096 {
				err := Guard(func() error {
					if e.Tag != TagTree && !bytes.Equal(f.Block(e.Tag).Range(page, 1), local.Block(e.Tag).Range(page, 1)) {
						t.Errorf("%s at %d differs", e.Tag, page)
					}
					return nil
				})
				if errors.Is(err, ErrCorrupt) {
					wrong++
				} else if err != nil {
					t.Error(err)
				}
			}
		}
		if wrong == 0 {
			t.Errorf("a changed hash at byte %d of TREE was used", at)
		}
	}
}

// TestRemoteCacheDamaged changes what the cache holds, and cuts it: answers stay right.
func TestRemoteCacheDamaged(t *testing.T) {
	h := &host{data: remoteFile(t)}
	r := h.remote()
	path, cache := cacheFile(t, os.O_RDWR)
	r.Cache = cache
	f := openedRemote(t, r)
	rows := Tag{'R', 'O', 'W', 'S'}
	want := bytes.Clone(f.Block(rows).All())
	for name, damage := range map[string]func(b []byte) []byte{
		"flipped": func(b []byte) []byte {
			for i := 100; i < len(b); i += 4096 {
				b[i] ^= 1
			}
			return b
		},
		"cut":     func(b []byte) []byte { return b[:len(b)/2] },
		"foreign": func([]byte) []byte { return []byte("something else") },
	} {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		os.Remove(path) // f still maps the old one
		if err := os.WriteFile(path, damage(b), 0o600); err != nil {
			t.Fatal(err)
		}
		again := openedRemote(t, r)
		if err := Guard(func() error {
			if !bytes.Equal(again.Block(rows).All(), want) {
				t.Errorf("%s: the block differs", name)
			}
			return nil
		}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestRemoteErrors checks that what the host says is told, and that a read may be tried again.
func TestRemoteErrors(t *testing.T) {
	h := &host{data: remoteFile(t)}
	gone := errors.New("no route to host")
	h.err.Store(&gone)
	if _, err := OpenRemote(h.remote()); !errors.Is(err, gone) || !strings.Contains(err.Error(), "https://host/a.kddx: no route") {
		t.Errorf("OpenRemote = %v, want what the host said", err)
	}
	h.err.Store(nil)
	f := openedRemote(t, h.remote())
	h.err.Store(&gone)
	rows := f.Block(Tag{'R', 'O', 'W', 'S'})
	var remote *RemoteError
	if err := Guard(func() error { rows.All(); return nil }); !errors.As(err, &remote) || !errors.Is(err, gone) {
		t.Errorf("All = %v, want a RemoteError", err)
	}
	h.err.Store(nil)
	if err := Guard(func() error { rows.All(); return nil }); err != nil {
		t.Errorf("All after the host is back = %v", err)
	}
	short := h.remote()
	short.Read = func(at, n int64) ([]byte, error) { b, err := h.read(at, n); return b[:min(len(b), 5000)], err }
	f, err := OpenRemote(short)
	if err == nil {
		err = Guard(func() error { f.Block(Tag{'H', 'O', 'T', ' '}).All(); return nil })
	}
	if !errors.As(err, &remote) {
		t.Errorf("a source that gives less than was asked = %v, want a RemoteError", err)
	}
	for name, size := range map[string]int64{"cut": int64(len(h.data)) / 2, "empty": 0, "five bytes": 5} {
		r := h.remote()
		r.Size = size
		if _, err := OpenRemote(r); err == nil || !isSentinel(err) {
			t.Errorf("%s: OpenRemote = %v, want a sentinel", name, err)
		}
	}
	r := h.remote()
	changed := false
	r.Changed = func() bool { return changed }
	f = openedRemote(t, r)
	before := f.Changed()
	if changed = true; before != Same || f.Changed() != Replaced {
		t.Errorf("Changed = %v, then %v; want Same, then Replaced", before, f.Changed())
	}
}
