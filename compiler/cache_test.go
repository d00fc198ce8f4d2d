package compiler

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"kdd/compiler/embedding"
	"kdd/compiler/embedding/vectorfile"
	"kdd/compiler/filetest"
)

func hashOf(s string) [32]byte { return sha256.Sum256([]byte(s)) }

// rowOf returns a vector that tells its text.
func rowOf(s string) []float32 {
	h := hashOf(s)
	angle := float64(binary.LittleEndian.Uint16(h[:])) / 1e4
	return []float32{float32(math.Sin(angle)), 0, float32(-math.Cos(angle)), 0}
}

// fill opens the cache in dir, puts and asks for texts, and closes it.
func fill(t *testing.T, dir string, max int64, put, get []string) {
	t.Helper()
	c := openCache(dir, &embedding.Recipe{})
	c.max = max
	for _, s := range get {
		if !c.get(hashOf(s), make([]float32, 4)) {
			t.Errorf("get(%q) finds nothing", s)
		}
	}
	for _, s := range put {
		c.put(hashOf(s), rowOf(s))
	}
	c.close()
}

// held returns which of texts a cache has, and checks their vectors.
func held(t *testing.T, dir string, texts ...string) string {
	t.Helper()
	c := openCache(dir, &embedding.Recipe{})
	defer c.close()
	var found string
	for _, s := range texts {
		v := make([]float32, 4)
		if c.get(hashOf(s), v) {
			found += s
			if !slices.Equal(v, rowOf(s)) {
				t.Errorf("get(%q) = %v, want %v", s, v, rowOf(s))
			}
		}
	}
	return found
}

// TestRemoveOld leaves what is being written, and what has another name or is no file.
func TestRemoveOld(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "[a]")
	filetest.Write(t, dir, map[string]string{".vec-1": "killed", ".vec-2": "being written", "vec-3": "a user's"})
	if err := os.Mkdir(filepath.Join(dir, ".vec-4"), 0o755); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-2 * time.Hour)
	for _, name := range []string{".vec-1", "vec-3", ".vec-4"} {
		if err := os.Chtimes(filepath.Join(dir, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	removeOld(dir, tempVectors)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if want := []string{".vec-2", ".vec-4", "vec-3"}; !slices.Equal(names, want) {
		t.Errorf("there are %q, want %q", names, want)
	}
}

func TestCache(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "there", "yet")
	fill(t, dir, maxCacheBytes, []string{"a", "b", "c"}, nil)
	if got := held(t, dir, "a", "b", "c", "d"); got != "abc" {
		t.Errorf("the cache holds %q, want abc", got)
	}
	fill(t, dir, maxCacheBytes, []string{"d"}, []string{"a"})
	if got := held(t, dir, "a", "b", "c", "d"); got != "abcd" {
		t.Errorf("after another build the cache holds %q, want abcd", got)
	}
	// Room for three rows: the one that was not used for longest goes.
	head := vectorfile.Head{Dim: 4}
	fill(t, dir, head.FixedBytes()+3*head.RowBytes(), []string{"e"}, []string{"a", "b"})
	if got := held(t, dir, "a", "b", "c", "d", "e"); got != "abe" {
		t.Errorf("with room for three rows the cache holds %q, want abe", got)
	}
	fill(t, dir, 0, []string{"f"}, nil)
	if got := held(t, dir, "a", "b", "e", "f"); got != "" {
		t.Errorf("without room the cache holds %q, want nothing", got)
	}
	if extra := leftovers(t, dir, filepath.Base(openCache(dir, &embedding.Recipe{}).path)); extra != nil {
		t.Errorf("left behind: %q", extra)
	}
}

// TestCacheDamaged changes every byte of a file: what comes out of it is right or nothing.
func TestCacheDamaged(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, maxCacheBytes, []string{"a", "b"}, nil)
	path, hashed := openCache(dir, &embedding.Recipe{}).path, hashOf("a")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range len(whole) {
		for _, damaged := range [][]byte{append(append(bytes.Clone(whole[:i]), whole[i]^0x10), whole[i+1:]...), whole[:i]} {
			if err := os.WriteFile(path, damaged, 0o644); err != nil {
				t.Fatal(err)
			}
			if got := held(t, dir, "a", "b"); got == "ab" {
				t.Errorf("byte %d changed or cut off, and the cache holds %q", i, got)
			}
		}
	}
	// A row that is damaged is made again.
	whole[bytes.Index(whole, hashed[:])+50] ^= 1
	if err := os.WriteFile(path, whole, 0o644); err != nil {
		t.Fatal(err)
	}
	fill(t, dir, maxCacheBytes, []string{"a", "b"}, nil)
	if got := held(t, dir, "a", "b"); got != "ab" {
		t.Errorf("after a repair the cache holds %q, want ab", got)
	}
}

// TestCacheRecipes checks that no recipe reads another's rows, and that vectors of another length are not taken.
func TestCacheRecipes(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, maxCacheBytes, []string{"a"}, nil)
	other := openCache(dir, &embedding.Recipe{Prefix: "x"})
	if other.get(hashOf("a"), make([]float32, 4)) {
		t.Error("another recipe's row was found")
	}
	c := openCache(dir, &embedding.Recipe{})
	defer c.close()
	if c.get(hashOf("a"), make([]float32, 8)) {
		t.Error("a row of 4 values was taken for 8")
	}
}

// TestCacheConcurrent lets builds write at the same time: one of their files stays, whole.
func TestCacheConcurrent(t *testing.T) {
	dir := t.TempDir()
	var builds sync.WaitGroup
	for i := range 8 {
		builds.Go(func() { fill(t, dir, maxCacheBytes, []string{"a", string(rune('b' + i))}, nil) })
	}
	builds.Wait()
	if got := held(t, dir, "a", "b", "c", "d", "e", "f", "g", "h", "i"); len(got) < 2 || got[0] != 'a' {
		t.Errorf("the cache holds %q, want a and another", got)
	}
}

// TestCacheUnusable checks that a cache that can be neither read nor written is no error.
func TestCacheUnusable(t *testing.T) {
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{"file": "x"})
	fill(t, filepath.Join(dir, "file"), maxCacheBytes, []string{"a"}, nil)
	c := openCache(dir, &embedding.Recipe{})
	if err := os.Mkdir(c.path, 0o755); err != nil {
		t.Fatal(err)
	}
	fill(t, dir, maxCacheBytes, []string{"a"}, nil)
	if got := held(t, dir, "a"); got != "" {
		t.Errorf("a folder in the cache's place holds %q", got)
	}
	var none *cache
	if none.put(hashOf("a"), rowOf("a")); none.get(hashOf("a"), rowOf("a")) {
		t.Error("no cache holds a row")
	}
	none.close()
}
