package compiler

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"kdd/compiler/diag"
	"kdd/compiler/distil"
	"kdd/format"
	"kdd/format/encoder"
	"kdd/format/index"
)

// queryEncoder makes the blocks of the query encoder: vocabulary, table or weights, and a self-test on the sample's
// start.
func (e *embedder) queryEncoder(ctx context.Context, o *Options, kind, sample string, bodies []string, ids [][]int32, v *vectors, clock *phases) ([]format.RawBlock, error) {
	if kind == EncoderNone {
		return nil, nil
	}
	vocab, err := e.vocab.AppendBinary(nil)
	if err != nil {
		return nil, err
	}
	blocks := []format.RawBlock{{Tag: index.TagVocab, Rows: uint64(e.vocab.Size()), Data: vocab}}
	var query func(dst []float32, text string) error
	switch kind {
	case EncoderDistilled:
		data, err := e.distil(ctx, o, bodies, ids, v, clock)
		if err != nil {
			return nil, err
		}
		table, err := encoder.OpenTable(encoder.Memory(data))
		if err != nil {
			return nil, err
		}
		query = func(dst []float32, text string) error {
			table.Embed(dst, e.vocab.Encode(nil, text))
			return nil
		}
		blocks = append(blocks, format.RawBlock{Tag: index.TagTable, Rows: uint64(table.Pieces()), Data: data})
	case EncoderExact:
		data, err := e.exact()
		if err != nil {
			return nil, err
		}
		transformer, err := encoder.OpenQuantized(data)
		if err != nil {
			return nil, err
		}
		query = func(dst []float32, text string) error {
			return transformer.Embed(dst, e.vocab.EncodeWithSpecials(nil, e.model.Prefixes.Query+text, e.recipe.Limit))
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
	tensors, err := e.model.Tensors()
	if err != nil {
		return nil, err
	}
	config, err := e.model.Config()
	if err != nil {
		return nil, err
	}
	t, err := encoder.LoadTransformer(tensors, config, e.model.PoolingKind())
	if err != nil {
		return nil, err
	}
	return encoder.AppendQuantized(nil, t), nil
}

// distil learns the table from the stored vectors of the chunks, and sentences cut from them. To embed those is a phase
// of its own, sentences; the rest is of the phase that runs, encoder.
func (e *embedder) distil(ctx context.Context, o *Options, bodies []string, ids [][]int32, v *vectors, clock *phases) ([]byte, error) {
	prior, err := e.model.Prior()
	if err != nil {
		return nil, err
	}
	chunks := make([][]int32, len(ids))
	for i := range ids {
		chunks[i] = e.plain(ids[i])
	}
	in := &distil.Input{
		Pieces: e.vocab.Size(), Dim: v.dim, Chunks: chunks, Bodies: bodies, Vectors: index.DequantiseRows(v.rows, v.scales, v.dim),
		Encode: func(text string) []int32 { return e.vocab.Encode(nil, text) },
		Prior:  &distil.Prior{Rows: prior.Rows, Row: prior.Row},
		Shares: e.shares(),
		Teacher: func(ctx context.Context, sentences []distil.Sentence) ([]float32, error) {
			texts, hashes := make([]string, len(sentences)), make([][32]byte, len(sentences))
			for i, s := range sentences {
				texts[i], hashes[i] = s.Text, sha256.Sum256([]byte(s.Text))
			}
			clock.begin("sentences")
			defer clock.begin("encoder")
			ids, err := e.ids(ctx, len(texts), func(i int) string { return texts[i] })
			if err != nil {
				return nil, err
			}
			return e.run(ctx, o, "sentences", ids, hashes)
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
