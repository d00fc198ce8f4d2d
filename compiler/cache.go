package compiler

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"os"
	"path/filepath"
	"slices"

	"kdd/compiler/embedding"
)

// cache keeps vectors of texts between builds on this machine: float32 rows by key, one file per recipe. It only saves
// time: a build with it, without it or with a damaged one gives the same bytes. A nil cache keeps nothing.
//
//	"KDDV" · u32 dim · records {key [32], dim × float32} · SHA-256 over all before
type cache struct {
	path   string
	recipe *embedding.Recipe
	old    map[embedding.Key][]byte // the rows of the file
	used   map[embedding.Key][]byte // those that this build asked for or made
	added  bool
}

// maxCacheBytes bounds the file; rows that the last builds did not use go first.
const maxCacheBytes = 256 << 20

const cacheMagic = "KDDV"

// openCache reads the recipe's file in dir; a file that is missing or damaged is an empty one.
func openCache(dir string, recipe *embedding.Recipe) *cache {
	if dir == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			return nil // no home: no cache
		}
		dir = filepath.Join(base, "kdd", "vectors")
	}
	name := embedding.ReuseKey(recipe, [32]byte{})
	c := &cache{path: filepath.Join(dir, hex.EncodeToString(name[:8])+".vec"), recipe: recipe, used: map[embedding.Key][]byte{}}
	c.old = readCache(c.path)
	return c
}

func readCache(path string) map[embedding.Key][]byte {
	rows := map[embedding.Key][]byte{}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > 2*maxCacheBytes {
		return rows
	}
	b, err := os.ReadFile(path)
	if err != nil || len(b) < 8+sha256.Size || string(b[:4]) != cacheMagic {
		return rows
	}
	body, sum := b[:len(b)-sha256.Size], b[len(b)-sha256.Size:]
	if got := sha256.Sum256(body); !bytes.Equal(got[:], sum) {
		return rows
	}
	size := len(embedding.Key{}) + int(binary.LittleEndian.Uint32(body[4:]))*4
	for rest := body[8:]; len(rest) >= size; rest = rest[size:] {
		rows[embedding.Key(rest[:len(embedding.Key{})])] = rest[len(embedding.Key{}):size]
	}
	return rows
}

// get copies the vector of a text to dst.
func (c *cache) get(hash [32]byte, dst []float32) bool {
	if c == nil {
		return false
	}
	key := embedding.ReuseKey(c.recipe, hash)
	row, ok := c.old[key]
	if !ok || len(row) != 4*len(dst) {
		return false
	}
	for i := range dst {
		dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(row[4*i:]))
	}
	c.used[key] = row
	return true
}

// put remembers the vector of a text.
func (c *cache) put(hash [32]byte, v []float32) {
	if c == nil {
		return
	}
	row := make([]byte, 0, 4*len(v))
	for _, x := range v {
		row = binary.LittleEndian.AppendUint32(row, math.Float32bits(x))
	}
	c.used[embedding.ReuseKey(c.recipe, hash)] = row
	c.added = true
}

// save writes the cache if anything was added. Failing to is no error: the cache only saves time.
func (c *cache) save() {
	if c == nil || !c.added {
		return
	}
	type record struct {
		key embedding.Key
		row []byte
	}
	byKey := func(a, b record) int { return cmp.Compare(string(a.key[:]), string(b.key[:])) }
	var list, rest []record
	for k, row := range c.used {
		list = append(list, record{k, row})
	}
	for k, row := range c.old {
		if _, ok := c.used[k]; !ok {
			rest = append(rest, record{k, row})
		}
	}
	slices.SortFunc(list, byKey)
	slices.SortFunc(rest, byKey)
	if len(list) == 0 {
		return
	}
	dim := len(list[0].row) / 4
	b := binary.LittleEndian.AppendUint32([]byte(cacheMagic), uint32(dim))
	for _, r := range append(list, rest...) {
		if len(r.row) == 4*dim && len(b) < maxCacheBytes {
			b = append(append(b, r.key[:]...), r.row...)
		}
	}
	sum := sha256.Sum256(b)
	if os.MkdirAll(filepath.Dir(c.path), 0o755) != nil {
		return
	}
	f, err := os.CreateTemp(filepath.Dir(c.path), ".vec-*")
	if err != nil {
		return
	}
	_, err = f.Write(append(b, sum[:]...))
	if f.Close() != nil || err != nil || os.Rename(f.Name(), c.path) != nil {
		os.Remove(f.Name())
	}
}
