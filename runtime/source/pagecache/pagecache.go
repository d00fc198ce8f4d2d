// Package pagecache keeps what was read of artifacts that lie elsewhere in a folder, for the next command and for other
// processes at the same time.
//
// An artifact has one file, named by its root hash: a copy of the artifact with holes where nothing was read. Nothing
// in it is trusted: package format compares each page with its hash before it is used. So there are no locks, a
// damaged file costs only time, and a file that is removed goes on to serve those who have it open.
package pagecache

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Limit is how many bytes the folder may hold unless it is said otherwise.
const Limit = 1 << 30

// Cache is a folder. The zero value keeps nothing.
type Cache struct {
	Dir   string // "" = none
	Limit int64  // bytes on disk that it may hold when an artifact is opened; the oldest go first. 0 = keep nothing
}

const (
	pagesSuffix   = ".pages"
	versionSuffix = ".version"
)

// File opens the file of an artifact of length bytes, or returns nil: then its pages are kept in memory. What is older
// than the limit permits is removed first.
func (c *Cache) File(root [32]byte, length int64) *os.File {
	if c.Dir == "" || c.Limit <= 0 || os.MkdirAll(c.Dir, 0o700) != nil && !exists(c.Dir) {
		return nil
	}
	path := filepath.Join(c.Dir, hex.EncodeToString(root[:])+pagesSuffix)
	c.shrink(path)
	f, err := openSparse(path, length)
	if err != nil {
		f, err = os.Open(path) // a folder that cannot be written, such as one of an image
		if err != nil {
			return nil
		}
		return f
	}
	now := time.Now()
	os.Chtimes(path, now, now)
	return f
}

// openSparse opens a file of length bytes, all of them a hole at first. One of another length is not ours.
func openSparse(path string, length int64) (*os.File, error) {
	for range 2 {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, err
		}
		info, err := f.Stat()
		if err == nil && info.Size() == 0 {
			if err = f.Truncate(length); err == nil {
				return f, nil
			}
		}
		if err == nil && info.Size() == length && info.Mode().IsRegular() {
			return f, nil
		}
		f.Close()
		if err != nil {
			return nil, err
		}
		os.Remove(path)
	}
	return nil, fs.ErrInvalid
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// shrink removes the files that were opened longest ago until the others fit, all but the one at keep.
func (c *Cache) shrink(keep string) {
	entries, err := os.ReadDir(c.Dir)
	if err != nil {
		return
	}
	var list []fs.FileInfo
	var sum int64
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && strings.HasSuffix(e.Name(), pagesSuffix) {
			list = append(list, info)
			sum += onDisk(info)
		}
	}
	slices.SortFunc(list, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, info := range list {
		path := filepath.Join(c.Dir, info.Name())
		if sum <= c.Limit {
			return
		}
		if path != keep && os.Remove(path) == nil {
			sum -= onDisk(info)
		}
	}
}

// Version is the artifact that a URL stood for when it was last read, so that it can be answered from without a
// network.
type Version struct {
	Name string `json:"name"` // for messages: without what may be secret
	Root string `json:"root"` // hex
	Size int64  `json:"size"` // of the file, trailers included
	Seen string `json:"seen"` // when, RFC 3339
	// Trailers are the file's last bytes, behind its content: its signatures. Empty if nobody asked for them.
	Trailers []byte `json:"trailers,omitempty"`
}

// Remember notes which artifact a URL stands for; the URL itself is not kept. What cannot be written is not remembered.
func (c *Cache) Remember(url string, v Version) {
	if c.Dir == "" || c.Limit <= 0 {
		return
	}
	data, err := json.Marshal(v)
	if err != nil {
		return
	}
	f, err := os.CreateTemp(c.Dir, ".version-*")
	if err != nil {
		return
	}
	_, err = f.Write(data)
	if f.Close() != nil || err != nil || os.Rename(f.Name(), c.versionPath(url)) != nil {
		os.Remove(f.Name())
	}
}

// Recall returns the artifact that a URL stood for, and its file.
func (c *Cache) Recall(url string) (Version, *os.File, bool) {
	var v Version
	if c.Dir == "" {
		return v, nil, false
	}
	data, err := os.ReadFile(c.versionPath(url))
	if err != nil || len(data) > 1<<16 || json.Unmarshal(data, &v) != nil {
		return v, nil, false
	}
	root, err := hex.DecodeString(v.Root)
	if err != nil || len(root) != 32 || v.Size <= 0 {
		return v, nil, false
	}
	f, err := os.Open(filepath.Join(c.Dir, v.Root+pagesSuffix))
	return v, f, err == nil
}

func (c *Cache) versionPath(url string) string {
	sum := sha256.Sum256([]byte(url))
	return filepath.Join(c.Dir, hex.EncodeToString(sum[:16])+versionSuffix)
}
