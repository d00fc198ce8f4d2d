package oci

import (
	"context"
	"crypto/sha256"
	"io"
	"os"
	"sync/atomic"
	"time"

	"kdd/format"
	"kdd/runtime/source/oci"
)

// rangeTime bounds the wait for one range of the layer.
const rangeTime = 5 * time.Minute

// SearchTries bounds the search for pages that have moved: a second or so.
const SearchTries = 1 << 18

// adopt makes the layer of the file that is at path, an older version of it mostly, and of what that lacks, which is read
// by range. It says whether the layer is whole then, and has its digest. A registry without ranges, an old file of which
// nothing can be taken, and whatever else goes wrong are no errors: the layer is fetched as it is, and what a download
// before has left of it stays. A run that is stopped leaves what it has fetched to the next one.
func (d *download) adopt(ctx context.Context, found *oci.Artifact, path string) bool {
	old, err := os.Open(path)
	if err != nil {
		return false
	}
	defer old.Close()
	info, err := old.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	left, err := d.file.Stat()
	if err != nil {
		return false
	}
	blob, err := d.repo.ByRange(ctx, found)
	if err != nil {
		return false
	}
	defer blob.Close()
	whole := d.merge(ctx, blob, old, info.Size())
	if !whole && ctx.Err() == nil {
		d.file.Truncate(left.Size())
	}
	return whole
}

// merge is adopt for an old file and a layer that are open.
func (d *download) merge(ctx context.Context, blob *oci.Blob, old *os.File, size int64) bool {
	var asked atomic.Int64
	f, err := format.OpenRemote(format.Remote{
		Name: d.repo.Reference.String(),
		Size: d.layer.Size,
		Read: func(at, n int64) ([]byte, error) {
			ctx, cancel := context.WithTimeout(ctx, rangeTime)
			defer cancel()
			b, err := blob.ReadRange(ctx, at, n)
			asked.Add(int64(len(b)))
			return b, err
		},
		Cache: d.pages,
	})
	if err != nil {
		return false
	}
	defer func() { d.fetched = asked.Load() }()
	taken, err := f.Adopt(old, size, SearchTries)
	if err == nil && taken > 0 {
		err = f.FetchAll()
	}
	var at int64
	var trailing []byte
	if err == nil {
		at, trailing, err = f.Trailing()
	}
	f.Close()
	if err != nil || taken == 0 {
		return false
	}
	if _, err := d.file.WriteAt(trailing, at); err != nil {
		return false
	}
	d.reused = taken
	d.sum.Reset()
	if _, err := io.Copy(d.sum, io.NewSectionReader(d.file, 0, d.layer.Size)); err == nil && digestOf(d.sum) == d.layer.Digest {
		return true
	}
	d.sum.Reset()
	d.reused = 0
	return false
}

// pages opens the file of the download for the pages of the layer.
func (d *download) pages([sha256.Size]byte, int64) *os.File {
	if err := d.file.Truncate(d.layer.Size); err != nil {
		return nil
	}
	f, err := os.OpenFile(d.file.Name(), os.O_RDWR, 0)
	if err != nil {
		return nil
	}
	return f
}
