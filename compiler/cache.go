package compiler

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"kdd/compiler/embedding"
)

// cache keeps vectors of texts between builds on this machine: float32 rows by key, one file per recipe. It only saves
// time: a build with it, without it or with a damaged one gives the same bytes. A nil cache keeps nothing.
//
//	"KDDVEC2\n" · u32 dim · u32 rows · rows × {key [32], check [8], u32 age, u32 0} · SHA-256 over all before ·
//	rows × dim × float32
//
// check is the beginning of SHA-256(key ‖ row); age counts the saves since the row was last used. Rows stay on the disk
// until they are asked for. Builds at the same time each write a whole file, and the last one's stays.
type cache struct {
	path   string
	recipe *embedding.Recipe
	max    int64 // bytes of the file

	file *os.File // nil: there was none, or it was damaged
	dim  int
	rows []cacheRow
	at   map[embedding.Key]int // index of rows

	fresh map[embedding.Key][]float32 // what this build made
}

// cacheRow is one entry of the file.
type cacheRow struct {
	key   embedding.Key
	check [8]byte
	age   uint32
	used  bool // by this build
}

// maxCacheBytes bounds the file; rows that were not used for longest go first.
const maxCacheBytes = 256 << 20

const (
	cacheMagic    = "KDDVEC2\n"
	cacheHead     = len(cacheMagic) + 8
	cacheRowBytes = 48
)

// openCache opens the recipe's file in dir; a file that is missing or damaged is an empty one.
func openCache(dir string, recipe *embedding.Recipe) *cache {
	if dir == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			return nil // no home: no cache
		}
		dir = filepath.Join(base, "kdd", "vectors")
	}
	name := embedding.ReuseKey(recipe, [32]byte{})
	c := &cache{path: filepath.Join(dir, hex.EncodeToString(name[:8])+".vec"), recipe: recipe, max: maxCacheBytes, fresh: map[embedding.Key][]float32{}}
	if info, err := os.Stat(c.path); err != nil || !info.Mode().IsRegular() {
		return c
	}
	f, err := os.Open(c.path)
	if err != nil {
		return c
	}
	if c.read(f) {
		c.file = f
	} else {
		f.Close()
		c.rows, c.at = nil, nil
	}
	return c
}

// read takes the entries of a file. It reports whether all of them are as they were written.
func (c *cache) read(f *os.File) bool {
	info, err := f.Stat()
	if err != nil {
		return false
	}
	head := make([]byte, cacheHead)
	if _, err := io.ReadFull(f, head); err != nil || string(head[:len(cacheMagic)]) != cacheMagic {
		return false
	}
	dim, n := int64(binary.LittleEndian.Uint32(head[8:])), int64(binary.LittleEndian.Uint32(head[12:]))
	if dim == 0 || dim > 1<<20 || info.Size() != int64(cacheHead+sha256.Size)+n*(cacheRowBytes+4*dim) {
		return false
	}
	table := make([]byte, n*cacheRowBytes+sha256.Size)
	if _, err := io.ReadFull(f, table); err != nil {
		return false
	}
	table, sum := table[:n*cacheRowBytes], table[n*cacheRowBytes:]
	h := sha256.New()
	h.Write(head)
	h.Write(table)
	if !bytes.Equal(h.Sum(nil), sum) {
		return false
	}
	c.dim, c.rows, c.at = int(dim), make([]cacheRow, n), make(map[embedding.Key]int, n)
	for i := range c.rows {
		b, r := table[i*cacheRowBytes:], &c.rows[i]
		copy(r.key[:], b)
		copy(r.check[:], b[32:])
		r.age = binary.LittleEndian.Uint32(b[40:])
		c.at[r.key] = i
	}
	return true
}

// get copies the vector of a text to dst.
func (c *cache) get(hash [32]byte, dst []float32) bool {
	if c == nil {
		return false
	}
	key := embedding.ReuseKey(c.recipe, hash)
	i, ok := c.at[key]
	if !ok || c.dim != len(dst) {
		return false
	}
	row := make([]byte, 4*c.dim)
	if !c.load(row, i) {
		return false
	}
	for k := range dst {
		dst[k] = math.Float32frombits(binary.LittleEndian.Uint32(row[4*k:]))
	}
	c.rows[i].used = true
	return true
}

// load reads row i of the file, and reports whether it is as it was written.
func (c *cache) load(row []byte, i int) bool {
	at := int64(cacheHead+len(c.rows)*cacheRowBytes+sha256.Size) + int64(i)*int64(len(row))
	if _, err := c.file.ReadAt(row, at); err != nil {
		return false
	}
	return checkOf(c.rows[i].key, row) == c.rows[i].check
}

func checkOf(key embedding.Key, row []byte) [8]byte {
	h := sha256.New()
	h.Write(key[:])
	h.Write(row)
	return [8]byte(h.Sum(nil)[:8])
}

// put remembers the vector of a text, while there is room for it in the file. It keeps v, which may not change.
func (c *cache) put(hash [32]byte, v []float32) {
	if c != nil && int64(len(c.fresh))*int64(4*len(v)) <= c.max {
		c.fresh[embedding.ReuseKey(c.recipe, hash)] = v
	}
}

// close writes the file if anything was added, and closes the old one. Failing to write is no error: the cache only
// saves time.
func (c *cache) close() {
	if c == nil {
		return
	}
	if len(c.fresh) > 0 {
		c.save()
	}
	if c.file != nil {
		c.file.Close()
		c.file = nil
	}
}

// cacheRecord is a row of the file that is to be written: fresh, or row old of the file that is there.
type cacheRecord struct {
	cacheRow
	fresh []byte
	old   int
}

func (c *cache) save() {
	dim := c.dim
	var list []cacheRecord
	for key, v := range c.fresh {
		row := make([]byte, 0, 4*len(v))
		for _, x := range v {
			row = binary.LittleEndian.AppendUint32(row, math.Float32bits(x))
		}
		dim = len(v)
		list = append(list, cacheRecord{cacheRow: cacheRow{key: key, check: checkOf(key, row)}, fresh: row})
	}
	for i, r := range c.rows {
		if _, again := c.fresh[r.key]; again || c.dim != dim {
			continue
		}
		if r.used {
			r.age = 0
		} else if r.age < math.MaxUint32 {
			r.age++
		}
		list = append(list, cacheRecord{cacheRow: r, old: i})
	}
	slices.SortFunc(list, func(a, b cacheRecord) int {
		return cmp.Or(cmp.Compare(a.age, b.age), bytes.Compare(a.key[:], b.key[:]))
	})
	room := max(c.max-int64(cacheHead+sha256.Size), 0) / int64(cacheRowBytes+4*dim)
	list = list[:min(int64(len(list)), room)]

	dir := filepath.Dir(c.path)
	if os.MkdirAll(dir, 0o755) != nil {
		return
	}
	f, err := os.CreateTemp(dir, ".vec-*")
	if err != nil {
		return
	}
	w := bufio.NewWriterSize(f, 1<<20)
	c.write(w, list, dim)
	err = w.Flush()
	if c.file != nil {
		c.file.Close() // an open file cannot be replaced everywhere
		c.file = nil
	}
	if f.Close() != nil || err != nil || os.Rename(f.Name(), c.path) != nil {
		os.Remove(f.Name())
	}
}

// write writes a file of those rows; w keeps the error.
func (c *cache) write(w *bufio.Writer, list []cacheRecord, dim int) {
	head := binary.LittleEndian.AppendUint32([]byte(cacheMagic), uint32(dim))
	head = binary.LittleEndian.AppendUint32(head, uint32(len(list)))
	for i := range list {
		r := &list[i]
		head = append(append(head, r.key[:]...), r.check[:]...)
		head = binary.LittleEndian.AppendUint32(head, r.age)
		head = binary.LittleEndian.AppendUint32(head, 0)
	}
	sum := sha256.Sum256(head)
	w.Write(head)
	w.Write(sum[:])
	row := make([]byte, 4*dim)
	for i := range list {
		if r := &list[i]; r.fresh != nil {
			w.Write(r.fresh)
		} else {
			c.load(row, r.old) // a damaged row stays one: its check tells
			w.Write(row)
		}
	}
}
