package compiler

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"slices"

	"kdd/compiler/diag"
	"kdd/compiler/embedding/vectorfile"
	"kdd/compiler/source"
)

// Part is the share of the texts that one machine embeds.
type Part struct {
	Shard  int  // 0 to Shards-1
	Shards int  // 1 or more
	Resume bool // go on with what a run that was stopped has left beside the output
}

// maxShards bounds how many parts there are.
const maxShards = 1 << 20

// EmbedReport is embed_report.v1.
type EmbedReport struct {
	SchemaVersion string `json:"schema_version"`
	Path          string `json:"path"`       // of the part
	FileBytes     int64  `json:"file_bytes"` // of the part
	Shard         int    `json:"shard"`      // 0 to shards-1
	Shards        int    `json:"shards"`     // how many parts there are
	Texts         int    `json:"texts"`      // of this part
	Sentences     int    `json:"sentences"`  // of them only for the query encoder
	AllTexts      int    `json:"all_texts"`  // of all parts
	Resumed       int    `json:"resumed"`    // vectors that a run that was stopped has left
	Reused        int    `json:"reused"`     // vectors from files of vectors, the old part or the cache
	Embedded      int    `json:"embedded"`   // vectors that were made
	Model         string `json:"model"`      // name
	Engine        string `json:"engine"`     // name, version and CPU feature level, as far as vectors depend on it
	// by phase, and "total"
	Seconds map[string]float64 `json:"seconds"`
}

// Embed makes the vectors of one share of the texts of o.Sources and writes them, by the hash of each text, to o.Output,
// or to part-SHARD.kddv in it if that is a folder. The shares of all shards together are what Build embeds of the same
// options: which one has a text depends on the text alone. A run gives the same file, whatever it takes from o.Parts,
// from the cache or from a run before, and however often it was stopped.
//
// Memory: that of the sources, and 48 bytes for each text of the share.
func Embed(ctx context.Context, o Options, p Part) (*EmbedReport, error) {
	r, err := embed(ctx, &o, p)
	if err != nil && ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return r, err
}

func embed(ctx context.Context, o *Options, p Part) (*EmbedReport, error) {
	if p.Shards < 1 || p.Shards > maxShards || p.Shard < 0 || p.Shard >= p.Shards {
		return nil, &source.OptionError{Err: diag.Cure("give I from 0 to N-1 as --shard I/N",
			"shard %d of %d, want one of 0 to %d", p.Shard, p.Shards, max(p.Shards, 1)-1)}
	}
	if o.Fresh && p.Resume {
		return nil, &source.OptionError{Err: diag.Cure("give one of the two", "--fresh with --resume, which takes what a run before has left")}
	}
	o.NoVectors, o.PartsOnly = false, false
	clock := newPhases()
	if err := o.check(); err != nil {
		return nil, err
	}
	clock.begin("model")
	e, err := openEmbedder(ctx, o)
	if err != nil {
		return nil, err
	}
	defer e.close()
	e.together = 0 // a part keeps float32
	l, err := load(ctx, o, e.limit(), clock)
	if err != nil {
		return nil, err
	}
	out, err := newPartOutput(o.Output, p, l.tree)
	if err != nil {
		return nil, outputError{err}
	}
	clock.begin("sentences")
	texts := l.chunkTexts()
	all, _ := texts.wanted(e.learnsFrom(o))
	mine := p.share(all)
	r := &EmbedReport{
		SchemaVersion: "embed_report.v1", Path: out.path, Shard: p.Shard, Shards: p.Shards, Texts: len(mine), AllTexts: len(all),
		Model: e.model.Name, Engine: e.recipe.Engine,
	}
	for _, w := range mine {
		if w.text != "" {
			r.Sentences++
		}
	}
	if !o.Fresh {
		e.keepProbe(out.real+".partial", out.real)
	}
	head := &vectorfile.Head{Recipe: e.recipe, Dim: e.engine.Dim(), Shard: p.Shard, Shards: p.Shards, Texts: len(mine)}
	if !o.Fresh {
		e.old = openOldPart(out.real, head)
	}
	clock.begin("embed")
	write := func(w *vectorfile.Writer, kept int) error {
		r.Resumed = kept
		return e.fill(ctx, o, texts, mine[kept:], w)
	}
	if p.Resume {
		err = out.resume(ctx, head, keys(mine), write)
	} else {
		err = out.replace(ctx, func(f io.Writer) error {
			w, err := vectorfile.NewWriter(f, head)
			if err == nil {
				err = write(w, 0)
			}
			if err != nil {
				return err
			}
			return w.Finish()
		})
	}
	if err != nil {
		return nil, outputError{err}
	}
	r.Embedded, r.Reused = e.made, len(mine)-r.Resumed-e.made
	r.FileBytes = head.FixedBytes() + int64(len(mine))*head.RowBytes()
	r.Seconds = clock.end()
	return r, nil
}

// openOldPart opens the part that is replaced, if its vectors were made as this one's are; nil if not.
func openOldPart(path string, head *vectorfile.Head) *vectorfile.Set {
	set, err := vectorfile.OpenSet([]string{path}, false)
	if err != nil {
		return nil
	}
	if old := set.Head(); old.Dim != head.Dim || old.Recipe.Difference(&head.Recipe) != nil {
		set.Close()
		return nil
	}
	return set
}

// keys are the hashes of texts.
func keys(list []wanted) [][32]byte {
	hashes := make([][32]byte, len(list))
	for i := range list {
		hashes[i] = list[i].hash
	}
	return hashes
}

// share returns the texts of a part, by hash.
func (p Part) share(all []wanted) []wanted {
	var mine []wanted
	for _, w := range all {
		if binary.BigEndian.Uint64(w.hash[:8])%uint64(p.Shards) == uint64(p.Shard) {
			mine = append(mine, w)
		}
	}
	slices.SortFunc(mine, func(a, b wanted) int { return bytes.Compare(a.hash[:], b.hash[:]) })
	return mine
}

// fill writes the vectors of texts, some at a time, so that a process that is killed leaves those that it has made.
func (e *embedder) fill(ctx context.Context, o *Options, texts chunkTexts, mine []wanted, w *vectorfile.Writer) error {
	text := func(i int) string {
		if mine[i].text != "" {
			return mine[i].text
		}
		return texts.at(mine[i].chunk)
	}
	return e.run(ctx, o, "embed", keys(mine), text, func(i int, row []float32) error {
		if err := w.Put(mine[i].hash, row); err != nil {
			return err
		}
		if (i+1)%batch == 0 {
			return w.Flush()
		}
		return nil
	})
}
