package compiler

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"kdd/compiler/diag"
	"kdd/compiler/distil"
	"kdd/format"
	"kdd/format/encoder"
	"kdd/format/index"
)

// learnedChunks is how many chunks the query encoder is learned from at most. Its cost grows with them, and what more
// than these many teach of a vocabulary of some ten thousand wordpieces is little.
const learnedChunks = 1 << 17

// learned is what the query encoder is learned from.
type learned struct {
	bodies  []string  // of chunks
	chunks  [][]int32 // their wordpieces
	vectors []float32
}

// learned returns the chunks that the query encoder is learned from: all, or the learnedChunks with the smallest hashes,
// so that an edit changes few of them.
func (t chunkTexts) learned() []int {
	chosen := make([]int, len(t))
	for i := range chosen {
		chosen[i] = i
	}
	if len(chosen) > learnedChunks {
		slices.SortStableFunc(chosen, func(a, b int) int { return bytes.Compare(t.hash(a), t.hash(b)) })
		chosen = chosen[:learnedChunks]
		slices.Sort(chosen)
	}
	return chosen
}

// body is the text of a chunk without what is put before it to be embedded.
func (t chunkTexts) body(i int) string { return t[i].unit.chunks[t[i].chunk].Text }

// sentences returns what the query encoder asks the document encoder for. They depend on the texts only, so that every
// machine finds the same.
func (t chunkTexts) sentences() []distil.Sentence {
	chosen := t.learned()
	bodies := make([]string, len(chosen))
	for k, i := range chosen {
		bodies[k] = t.body(i)
	}
	return distil.Sentences(bodies, distil.Defaults().SentenceCount)
}

// sentenceHash names a sentence's vector, as unit.hashes do those of chunks.
func sentenceHash(s distil.Sentence) [32]byte { return sha256.Sum256([]byte(s.Text)) }

// learnFrom takes the chunks that are learned from, with their vectors.
func (e *embedder) learnFrom(ctx context.Context, texts chunkTexts, v *vectors) (*learned, error) {
	in := &learned{}
	chosen := texts.learned()
	rows, scales := make([]byte, 0, len(chosen)*v.dim), make([]float32, 0, len(chosen))
	for _, i := range chosen {
		in.bodies = append(in.bodies, texts.body(i))
		rows, scales = append(rows, v.rows[i*v.dim:(i+1)*v.dim]...), append(scales, v.scales[i])
	}
	in.vectors = index.DequantiseRows(rows, scales, v.dim)
	var err error
	in.chunks, err = e.queries.pieces(ctx, len(chosen), e.recipe.Limit, func(i int) string { return texts.at(chosen[i]) })
	for i, ids := range in.chunks {
		in.chunks[i] = e.queries.plain(ids)
	}
	return in, err
}

// queryEncoder makes the blocks of the query encoder: vocabulary, table or weights, and a self-test on the sample's
// start.
func (e *embedder) queryEncoder(ctx context.Context, o *Options, kind string, l *loaded, v *vectors,
	clock *phases) ([]format.RawBlock, error) {
	if kind == EncoderNone {
		return nil, nil
	}
	asks := e.queries
	vocab, err := asks.vocab.AppendBinary(nil)
	if err != nil {
		return nil, err
	}
	blocks := []format.RawBlock{{Tag: index.TagVocab, Rows: uint64(asks.vocab.Size()), Data: vocab}}
	texts, sample := l.chunkTexts(), ""
	if len(texts) > 0 {
		sample = texts.at(0)
	}
	var query func(dst []float32, text string) error
	switch kind {
	case EncoderDistilled:
		data, err := e.table(ctx, o, l, v, vocab, clock)
		if err != nil {
			return nil, err
		}
		table, err := encoder.OpenTable(encoder.Memory(data))
		if err != nil {
			return nil, err
		}
		query = func(dst []float32, text string) error {
			table.Embed(dst, asks.vocab.Encode(nil, text))
			return nil
		}
		blocks = append(blocks, format.RawBlock{Tag: index.TagTable, Rows: uint64(table.Pieces()), Data: data})
		blocks = append(blocks, pieceBlocks(asks.vocab, table, len(vocab))...)
	case EncoderExact:
		data, err := asks.exact()
		if err != nil {
			return nil, err
		}
		transformer, err := encoder.OpenQuantized(data)
		if err != nil {
			return nil, err
		}
		query = func(dst []float32, text string) error {
			return transformer.Embed(dst, asks.vocab.EncodeWithSpecials(nil, e.model.Prefixes.Query+text, asks.recipe.Limit))
		}
		blocks = append(blocks, format.RawBlock{Tag: index.TagExact, Rows: 1, Data: data})
	default:
		return nil, diag.Cure("it takes distilled, exact or none", "encoder: %q is none", kind)
	}
	test, err := selfTest(v.dim, sample, query)
	if err != nil {
		return nil, err
	}
	return append(blocks, format.RawBlock{Tag: index.TagSelfTest, Rows: 1, Data: test}), nil
}

// listedBytes is how many bytes a vocabulary has at most of which a reader of a file that lies elsewhere reads all.
const listedBytes = 1 << 17

// pieceBlocks returns the blocks of wordpieces by text, of a vocabulary of so many bytes; none if it is small, or if it
// is one of Unigram.
func pieceBlocks(v *encoder.Vocab, t *encoder.Table, size int) []format.RawBlock {
	if size <= listedBytes {
		return nil
	}
	keys, ok := encoder.PieceKeys(v, t)
	if !ok {
		return nil
	}
	added, n := encoder.AddedTokens(v, t)
	return index.PieceBlocks(keys, added, n)
}

// table learns the table of the distilled encoder, or takes that of another artifact.
func (e *embedder) table(ctx context.Context, o *Options, l *loaded, v *vectors, vocab []byte, clock *phases) (data []byte, err error) {
	if e.queries.model.Static != nil {
		return e.queries.model.Table()
	}
	if o.EncoderFrom != "" {
		data, e.from, err = e.takeEncoder(o.EncoderFrom, vocab, v.dim)
		return data, err
	}
	in, err := e.learnFrom(ctx, l.chunkTexts(), v)
	if err != nil {
		return nil, err
	}
	l.releaseTexts()
	return e.distil(ctx, o, in, clock)
}

// selfTest records what the query encoder makes of one text, so that a reader can tell whether its arithmetic agrees.
func selfTest(dim int, sample string, query func(dst []float32, text string) error) ([]byte, error) {
	test := encoder.SelfTest{Text: "how does it work", Vector: make([]float32, dim)}
	if sample != "" {
		test.Text = sample[:min(len(sample), 80)]
	}
	test.Text = strings.ToValidUTF8(test.Text, "")
	if err := query(test.Vector, test.Text); err != nil {
		return nil, err
	}
	return json.Marshal(&test)
}

// exact returns the model's weights as int8.
func (e *embedder) exact() ([]byte, error) {
	t, err := e.model.Transformer()
	if err != nil {
		return nil, err
	}
	return encoder.AppendQuantized(nil, t), nil
}

// distil learns the table from the stored vectors of the chunks, and sentences cut from them. To embed those is a phase
// of its own, sentences; the rest is of the phase that runs, encoder.
func (e *embedder) distil(ctx context.Context, o *Options, from *learned, clock *phases) ([]byte, error) {
	var start *distil.Prior // of a server's model there is none
	if e.recipe.Probe == "" {
		prior, err := e.queries.model.Prior()
		if err != nil {
			return nil, err
		}
		start = &distil.Prior{Rows: prior.Rows, Row: prior.Row}
	}
	dim, asks := e.engine.Dim(), e.queries
	in := &distil.Input{
		Pieces: asks.vocab.Size(), Dim: dim, Chunks: from.chunks, Bodies: from.bodies, Vectors: from.vectors,
		Encode: func(text string) []int32 { return asks.vocab.Encode(nil, text) },
		Prior:  start,
		Shares: asks.shares(),
		Teacher: func(ctx context.Context, sentences []distil.Sentence) ([]float32, error) {
			hashes := make([][32]byte, len(sentences))
			for i, s := range sentences {
				hashes[i] = sentenceHash(s)
			}
			clock.begin("sentences")
			defer clock.begin("encoder")
			out := make([]float32, len(sentences)*dim)
			teacher, err := e.teacher(ctx, o)
			if err != nil {
				return nil, err
			}
			defer e.dismiss(teacher)
			err = teacher.run(ctx, o, "sentences", hashes, func(i int) string { return sentences[i].Text },
				func(i int, row []float32) error {
					rows, scales := index.QuantiseRows(row, dim) // as chunks are stored: last bits are not learned
					copy(out[i*dim:], index.DequantiseRows(rows, scales, dim))
					return nil
				})
			return out, err
		},
	}
	data, report, err := distil.Train(ctx, in, nil)
	if err != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("learning the query encoder: %w", err)
	}
	if err == nil {
		e.known = math.Round(report.Known*100) / 100
	}
	return data, err
}
