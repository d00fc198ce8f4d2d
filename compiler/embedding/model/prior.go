package model

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"

	"kdd/compiler/distil"
	"kdd/compiler/embedding/engine"
	"kdd/compiler/parallel"
	"kdd/format/encoder"
	"kdd/format/index"
)

// Prior has a row for each wordpiece t. It begins as encoder([CLS] t [SEP]) less the mean over the vocabulary; texts of
// random pieces and lines of prose then bring it nearer to what t adds to a text (distil.LearnPrior). Of a vocabulary
// that is too large to evaluate, a linear map makes the other rows from the word embeddings (priormap.go). Values are
// int8 with a scale for each row.
type Prior struct {
	Rows, Dim int
	Scale     []float32 // [Rows]
	Values    []int8    // [Rows, Dim] row-major
}

// Row writes row i to dst.
//
// Shapes: dst [Dim].
func (p *Prior) Row(dst []float32, i int) {
	scale := p.Scale[i]
	for k, v := range p.Values[i*p.Dim : (i+1)*p.Dim] {
		dst[k] = float32(v) * scale
	}
}

// priorMagic starts prior.i8; rows u32, dim u32, scales and values follow, little-endian.
const priorMagic = "KDDPRIO1"

// priorBatch is the number of pieces that are evaluated together. It decides the last bits of the rows, so it is fixed.
const priorBatch = 64

// makePrior evaluates count pieces of a vocabulary on all cores, the most common ones, and extends them to all with the
// word embeddings that words returns; nil: rows of others are zero. Where all are evaluated, their rows learn from
// texts of random pieces and lines of prose.
//
// Cost: some 50 s for 30,522 pieces, 20,000 random texts and 10,000 lines with a model of 6 layers on two cores, 200
// MB.
func makePrior(ctx context.Context, e engine.Engine, vocab *encoder.Vocab, count int, texts textCounts, words func() ([]float32, error), progress Progress) (*Prior, error) {
	dim, size := e.Dim(), vocab.Size()
	pieces := commonPieces(vocab, count)
	rows, err := evaluate(ctx, e, vocab, pieces, progress)
	if err != nil {
		return nil, err
	}
	if count < size {
		all := make([]float32, size*dim)
		if words != nil {
			table, err := words()
			if err != nil {
				return nil, err
			}
			all = table[:size*dim]
			if err := extend(ctx, all, rows, pieces, dim); err != nil {
				return nil, err
			}
		} else {
			center(rows, dim)
			for r, id := range pieces {
				copy(all[int(id)*dim:], rows[r*dim:(r+1)*dim])
			}
			return quantizePrior(all, dim), nil
		}
		rows = all
	}
	center(rows, dim)
	if count == size {
		if err := learn(ctx, e, vocab, rows, texts, progress); err != nil {
			return nil, err
		}
	}
	return quantizePrior(rows, dim), nil
}

// evaluate returns the vectors of pieces, [len(pieces), dim].
func evaluate(ctx context.Context, e engine.Engine, vocab *encoder.Vocab, pieces []int32, progress Progress) ([]float32, error) {
	dim, n := e.Dim(), len(pieces)
	rows := make([]float32, n*dim)
	first, last := vocab.Specials()
	err := eachBatch(ctx, "word vectors", (n+priorBatch-1)/priorBatch, progress, func(b int) error {
		lo, hi := b*priorBatch, min((b+1)*priorBatch, n)
		ids := make([]int32, 0, 3*priorBatch)
		for _, t := range pieces[lo:hi] {
			ids = append(ids, first, t, last)
		}
		if err := embedEqual(e, rows[lo*dim:hi*dim], ids, hi-lo); err != nil {
			return fmt.Errorf("vectors of wordpieces %d to %d: %w", pieces[lo], pieces[hi-1], err)
		}
		return nil
	})
	return rows, err
}

// learn improves the rows of all pieces with texts of random ones and lines of prose; where the vocabulary's order
// tells nothing about how common pieces are, it does nothing.
func learn(ctx context.Context, e engine.Engine, vocab *encoder.Vocab, rows []float32, n textCounts, progress Progress) error {
	shares := distil.RankShares(vocab.Size(), vocab.Find)
	random := distil.RandomTexts(shares, n.random/priorBatch, priorBatch)
	if len(random) == 0 {
		return nil
	}
	var batches [][][]int32
	for _, ids := range random {
		if length := len(ids) / priorBatch; length <= n.longest {
			batches = append(batches, slices.Collect(slices.Chunk(ids, length)))
		}
	}
	batches = append(batches, equalLengths(proseLines(vocab, n.prose, n.longest))...)
	first, last := vocab.Specials()
	dim := e.Dim()
	vectors := make([][]float32, len(batches))
	err := eachBatch(ctx, "texts", len(batches), progress, func(b int) error {
		var ids []int32
		for _, text := range batches[b] {
			ids = append(append(append(ids, first), text...), last)
		}
		vectors[b] = make([]float32, len(batches[b])*dim)
		return embedEqual(e, vectors[b], ids, len(batches[b]))
	})
	if err != nil {
		return fmt.Errorf("vectors of texts: %w", err)
	}
	return distil.LearnPrior(ctx, rows, dim, shares, slices.Concat(batches...), slices.Concat(vectors...))
}

// equalLengths returns batches of at most priorBatch texts of one length; texts are in order of theirs.
func equalLengths(texts [][]int32) (batches [][][]int32) {
	for len(texts) > 0 {
		k := 1
		for k < min(len(texts), priorBatch) && len(texts[k]) == len(texts[0]) {
			k++
		}
		batches, texts = append(batches, texts[:k]), texts[k:]
	}
	return batches
}

// eachBatch calls do for all batches on all cores.
func eachBatch(ctx context.Context, what string, batches int, progress Progress, do func(b int) error) error {
	var mu sync.Mutex
	done := 0
	return parallel.Each(ctx, 0, batches, func(b int) error {
		if err := do(b); err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		if done++; progress != nil && (done%16 == 0 || done == batches) {
			progress(what, int64(done*priorBatch), int64(batches*priorBatch))
		}
		return nil
	})
}

// embedEqual evaluates texts of one length. Vectors are rounded as chunks are stored: last bits are not learned.
func embedEqual(e engine.Engine, dst []float32, ids []int32, texts int) error {
	n, dim := len(ids)/texts, e.Dim()
	if b, ok := e.(engine.Batcher); ok {
		if err := b.EmbedBatch(dst, ids, texts); err != nil {
			return err
		}
	} else {
		for i := range texts {
			if err := e.Embed(dst[i*dim:(i+1)*dim], ids[i*n:(i+1)*n]); err != nil {
				return err
			}
		}
	}
	rows, scales := index.QuantiseRows(dst, dim)
	copy(dst, index.DequantiseRows(rows, scales, dim))
	return nil
}

// center takes the mean row away from all rows.
func center(rows []float32, dim int) {
	mean := make([]float64, dim)
	for i, v := range rows {
		mean[i%dim] += float64(v)
	}
	n := float64(len(rows) / dim)
	for i := range rows {
		rows[i] -= float32(mean[i%dim] / n)
	}
}

// quantizePrior rounds rows to int8.
func quantizePrior(rows []float32, dim int) *Prior {
	p := &Prior{Rows: len(rows) / dim, Dim: dim, Scale: make([]float32, len(rows)/dim), Values: make([]int8, len(rows))}
	for r := range p.Rows {
		row := rows[r*dim : (r+1)*dim]
		top := float32(0)
		for _, v := range row {
			top = max(top, v, -v)
		}
		if top == 0 {
			continue
		}
		p.Scale[r] = top / 127
		for k, v := range row {
			p.Values[r*dim+k] = int8(math.RoundToEven(float64(v / p.Scale[r])))
		}
	}
	return p
}

// write writes prior.i8.
func (p *Prior) write(w io.Writer) error {
	b := append(make([]byte, 0, 16+4*len(p.Scale)+len(p.Values)), priorMagic...)
	b = binary.LittleEndian.AppendUint32(b, uint32(p.Rows))
	b = binary.LittleEndian.AppendUint32(b, uint32(p.Dim))
	for _, s := range p.Scale {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(s))
	}
	for _, v := range p.Values {
		b = append(b, byte(v))
	}
	_, err := w.Write(b)
	return err
}

// parsePrior reads prior.i8.
func parsePrior(b []byte) (*Prior, error) {
	if len(b) < 16 || string(b[:8]) != priorMagic {
		return nil, brokenError("%s: not a table of word vectors", PriorFile)
	}
	rows, dim := uint64(binary.LittleEndian.Uint32(b[8:])), uint64(binary.LittleEndian.Uint32(b[12:]))
	if want := 16 + 4*rows + rows*dim; rows > 1<<24 || dim > 1<<16 || uint64(len(b)) != want {
		return nil, brokenError("%s: %d bytes, want %d for %d rows of %d", PriorFile, len(b), want, rows, dim)
	}
	p := &Prior{Rows: int(rows), Dim: int(dim), Scale: make([]float32, rows), Values: make([]int8, rows*dim)}
	for i := range p.Scale {
		s := math.Float32frombits(binary.LittleEndian.Uint32(b[16+4*i:]))
		if !(s >= 0 && s <= 1) { // rows are differences of unit vectors
			return nil, brokenError("%s: scale of row %d is %g, want 0 to 1", PriorFile, i, s)
		}
		p.Scale[i] = s
	}
	for i, v := range b[16+4*rows:] {
		p.Values[i] = int8(v)
	}
	return p, nil
}
