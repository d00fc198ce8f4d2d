package compiler

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kdd/compiler/embedding"
	"kdd/compiler/embedding/vectorfile"
)

// cache keeps vectors of texts between builds on this machine, one file per recipe. It only saves time: a build with
// it, without it or with a damaged one gives the same bytes. A nil cache keeps nothing.
//
// Builds at the same time each write a whole file, and the last one's stays.
type cache struct {
	path   string
	recipe *embedding.Recipe
	max    int64 // bytes of the file

	file   *vectorfile.File             // nil: there was none, or it was damaged
	unread bool                         // no vector is taken from the file; those that are made replace its rows
	used   []bool                       // by this build, of the file's rows
	fresh  map[vectorfile.Key][]float32 // what this build made
}

// maxCacheBytes bounds the file; rows that were not used for longest go first.
const maxCacheBytes = 256 << 20

// openCache opens the recipe's file in dir; a file that is missing or damaged is an empty one.
func openCache(dir string, recipe *embedding.Recipe) *cache {
	if dir == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			return nil // no home: no cache
		}
		dir = filepath.Join(base, "kdd", "vectors")
	}
	name := recipe.Key()
	c := &cache{path: filepath.Join(dir, hex.EncodeToString(name[:8])+".vec"), recipe: recipe, max: maxCacheBytes,
		fresh: map[vectorfile.Key][]float32{}}
	f, err := vectorfile.Open(c.path)
	if err != nil {
		return c
	}
	if recipe.Difference(&f.Head.Recipe) != nil {
		f.Close()
		return c
	}
	c.file, c.used = f, make([]bool, f.Len())
	return c
}

// probe is that of the cache's vectors, so that what a build records does not depend on a server's last bits; else the
// given one.
func (c *cache) probe(given embedding.Probe) embedding.Probe {
	if c == nil || c.file == nil {
		return given
	}
	return c.file.Head.Recipe.Probe
}

// blind makes get find nothing.
func (c *cache) blind() {
	if c != nil {
		c.unread = true
	}
}

// get copies the vector of a text to dst.
func (c *cache) get(hash [32]byte, dst []float32) bool {
	if c == nil || c.file == nil || c.unread || c.file.Head.Dim != len(dst) {
		return false
	}
	i, ok, err := c.file.Find(hash)
	if err != nil || !ok || c.file.Row(dst, i) != nil {
		return false
	}
	c.used[i] = true
	return true
}

// put remembers the vector of a text, while there is room for it in the file. It keeps v, which may not change.
func (c *cache) put(hash [32]byte, v []float32) {
	if c != nil && int64(len(c.fresh))*int64(4*len(v)) <= c.max {
		c.fresh[hash] = v
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
	c.closeFile()
}

func (c *cache) closeFile() {
	if c.file != nil {
		c.file.Close()
		c.file = nil
	}
}

// cacheRow is a row of the file that is to be written: fresh, or row old of the file that is there.
type cacheRow struct {
	vectorfile.Entry
	fresh []float32
	old   int
}

func (c *cache) save() {
	head := vectorfile.Head{Recipe: *c.recipe}
	var list []cacheRow
	for key, v := range c.fresh {
		head.Dim = len(v)
		list = append(list, cacheRow{Entry: vectorfile.Entry{Key: key}, fresh: v})
	}
	list = append(list, c.kept(head.Dim)...)
	slices.SortFunc(list, func(a, b cacheRow) int {
		return cmp.Or(cmp.Compare(a.Age, b.Age), bytes.Compare(a.Key[:], b.Key[:]))
	})
	room := max(c.max-head.FixedBytes(), 0) / head.RowBytes()
	list = list[:min(int64(len(list)), room)]
	slices.SortFunc(list, func(a, b cacheRow) int { return bytes.Compare(a.Key[:], b.Key[:]) })

	dir := filepath.Dir(c.path)
	if os.MkdirAll(dir, 0o755) != nil {
		return
	}
	removeOld(dir, tempVectors)
	f, err := os.CreateTemp(dir, tempVectors+"*")
	if err != nil {
		return
	}
	err = c.write(f, &head, list)
	c.closeFile() // an open file cannot be replaced everywhere
	if f.Close() != nil || err != nil || os.Rename(f.Name(), c.path) != nil {
		os.Remove(f.Name())
	}
}

// tempVectors begins the names of caches that are being written.
const tempVectors = ".vec-"

// removeOld removes files that begin with a prefix and were not written to for an hour: of builds that were killed.
func removeOld(dir, prefix string) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range list {
		if !strings.HasPrefix(e.Name(), prefix) {
			continue
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > time.Hour {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// kept returns the rows of the file that is there and that were not made anew.
func (c *cache) kept(dim int) []cacheRow {
	if c.file == nil || c.file.Head.Dim != dim {
		return nil
	}
	var list []cacheRow
	for i := range c.used {
		e, err := c.file.Entry(i)
		if _, again := c.fresh[e.Key]; again || err != nil {
			continue
		}
		if c.used[i] {
			e.Age = 0
		} else if e.Age < math.MaxUint32 {
			e.Age++
		}
		list = append(list, cacheRow{Entry: e, old: i})
	}
	return list
}

// write writes a file of those rows; one that is damaged is left out.
func (c *cache) write(f *os.File, head *vectorfile.Head, list []cacheRow) error {
	w, err := vectorfile.NewWriter(f, head)
	if err != nil {
		return err
	}
	row := make([]float32, head.Dim)
	for i := range list {
		v := list[i].fresh
		if v == nil {
			if c.file.Row(row, list[i].old) != nil {
				continue
			}
			v = row
		}
		if err := w.PutAged(list[i].Entry, v); err != nil {
			return err
		}
	}
	return w.Finish()
}
