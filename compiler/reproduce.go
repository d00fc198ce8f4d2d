package compiler

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"

	"kdd/format"
	"kdd/format/index"
)

// Reproduction is reproduction.v1: an artifact beside one that was built of the same sources.
type Reproduction struct {
	SchemaVersion string            `json:"schema_version"`
	Path          string            `json:"path"`                     // of the artifact
	Same          bool              `json:"same"`                     // every block is, byte for byte
	IndexID       string            `json:"index_id"`                 // of the artifact
	Rebuilt       string            `json:"rebuilt"`                  // index id of what the sources give here
	MadeBy        string            `json:"made_by"`                  // kdd and its version, of the artifact
	RebuiltBy     string            `json:"rebuilt_by"`               // kdd and its version, here
	Engine        string            `json:"engine,omitempty"`         // that made the artifact's vectors
	RebuiltEngine string            `json:"rebuilt_engine,omitempty"` // that made them here
	Blocks        []ReproducedBlock `json:"blocks,omitempty"`         // those that differ
}

// ReproducedBlock is a block that differs.
type ReproducedBlock struct {
	Tag       string `json:"tag"`       // of the format
	Name      string `json:"name"`      // in words
	Bytes     int    `json:"bytes"`     // in the artifact; 0 = it lacks the block
	Rebuilt   int    `json:"rebuilt"`   // in what the sources give; 0 = the block is not there
	Different int    `json:"different"` // bytes that differ, of those that both have
}

// Reproduce builds the sources of o, whose options are like those of the artifact at path, and compares the two block by
// block. Vectors are made anew, whatever caches have. Trailers are not compared. It writes nothing but a file in the
// folder for temporary files, which is gone when it ends.
func Reproduce(ctx context.Context, o Options, path string) (r *Reproduction, err error) {
	dir, err := os.MkdirTemp("", "kdd-reproduce-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	o.Output, o.CacheDir, o.Commit = filepath.Join(dir, "rebuilt.kddx"), "-", ""
	if _, err := Build(ctx, o); err != nil && !errors.Is(err, ErrFindings) {
		return nil, err
	}
	old, err := index.Open(path)
	if err != nil {
		return nil, err
	}
	defer old.File.Close()
	rebuilt, err := index.Open(o.Output)
	if err != nil {
		return nil, err
	}
	defer rebuilt.File.Close()
	r = &Reproduction{SchemaVersion: "reproduction.v1", Path: path, IndexID: old.File.ID(), Rebuilt: rebuilt.File.ID(),
		MadeBy: old.Meta.MadeBy, RebuiltBy: rebuilt.Meta.MadeBy}
	if old.Meta.Model != nil && rebuilt.Meta.Model != nil {
		r.Engine, r.RebuiltEngine = old.Meta.Model.Engine, rebuilt.Meta.Model.Engine
	}
	err = format.Guard(func() error { r.compare(old.File, rebuilt.File); return nil })
	return r, err
}

// compare lists the blocks that differ, hashes and checksums aside, which follow from the others.
func (r *Reproduction) compare(a, b *format.File) {
	r.Same = a.RootHash() == b.RootHash()
	for _, e := range a.Entries() {
		r.compareBlock(e.Tag, a.Block(e.Tag), b.Block(e.Tag))
	}
	for _, e := range b.Entries() {
		if a.Block(e.Tag) == nil {
			r.compareBlock(e.Tag, nil, b.Block(e.Tag))
		}
	}
}

func (r *Reproduction) compareBlock(tag format.Tag, a, b *format.Block) {
	if tag == format.TagSums || tag == format.TagTree {
		return
	}
	var old, rebuilt []byte
	if a != nil {
		old = a.All()
	}
	if b != nil {
		rebuilt = b.All()
	}
	if bytes.Equal(old, rebuilt) && (a == nil) == (b == nil) {
		return
	}
	d := ReproducedBlock{Tag: tag.String(), Name: index.BlockName(tag), Bytes: len(old), Rebuilt: len(rebuilt)}
	for i := range min(len(old), len(rebuilt)) {
		if old[i] != rebuilt[i] {
			d.Different++
		}
	}
	r.Blocks = append(r.Blocks, d)
}
