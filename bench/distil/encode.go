package main

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"kdd/compiler/distil"
	"kdd/compiler/embedding"
	"kdd/compiler/embedding/engine"
	"kdd/compiler/embedding/model"
	"kdd/format/encoder"
)

// encoder is the document encoder with a cache.
type embedder struct {
	model  *model.Model
	vocab  *encoder.Vocab
	engine engine.Engine
	prior  *model.Prior
	cache  string
	memory map[string][]float32 // by key
	texts  map[string][]float32 // by sentence
}

// remember embeds all sentences of bodies.
func (t *embedder) remember(ctx context.Context, bodies []string) error {
	all := distil.Sentences(bodies, math.MaxInt)
	v, err := t.teach(ctx, all)
	t.texts = map[string][]float32{}
	for i := 0; i < len(all) && err == nil; i++ {
		t.texts[all[i].Text] = v[i*t.model.Dim : (i+1)*t.model.Dim]
	}
	return err
}

// teach returns the vectors of sentences.
func (t *embedder) teach(ctx context.Context, sentences []distil.Sentence) ([]float32, error) {
	texts := make([]string, len(sentences))
	var known []float32
	for i, s := range sentences {
		texts[i] = t.model.Prefixes.Document + s.Text
		known = append(known, t.texts[s.Text]...)
	}
	if len(known) == len(texts)*t.model.Dim {
		return known, nil
	}
	return t.embed(ctx, texts)
}

// embed returns the vectors of texts.
func (t *embedder) embed(ctx context.Context, texts []string) ([]float32, error) {
	ids := make([][]int32, len(texts))
	h := sha256.New()
	fmt.Fprintln(h, t.model.SHA256, engine.ID(t.engine))
	for i, text := range texts {
		ids[i] = t.vocab.EncodeWithSpecials(nil, text, t.model.MaxTokens)
		fmt.Fprintln(h, ids[i])
	}
	key := hex.EncodeToString(h.Sum(nil))
	if v, ok := t.memory[key]; ok {
		return v, nil
	}
	path := filepath.Join(t.cache, key)
	var v []float32
	if b, err := os.ReadFile(path); t.cache != "" && err == nil {
		for ; len(b) >= 4; b = b[4:] {
			v = append(v, math.Float32frombits(binary.LittleEndian.Uint32(b)))
		}
	} else {
		if v, err = embedding.EmbedAll(ctx, t.engine, ids, 0, nil); err != nil {
			return nil, err
		}
		if t.cache != "" {
			b := make([]byte, 0, 4*len(v))
			for _, x := range v {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
			}
			if err := os.WriteFile(path, b, 0o666); err != nil {
				return nil, err
			}
		}
	}
	if len(v) != len(texts)*t.model.Dim {
		return nil, fmt.Errorf("%d numbers for %d texts: %w", len(v), len(texts), io.ErrUnexpectedEOF)
	}
	if t.memory == nil {
		t.memory = map[string][]float32{}
	}
	t.memory[key] = v
	return v, nil
}

// input is what Train gets for a set.
func (t *embedder) input(c *collection) *distil.Input {
	return &distil.Input{
		Pieces: t.model.Info.Vocab, Dim: t.model.Dim, Chunks: c.ids, Bodies: c.bodies, Vectors: c.vectors,
		Encode: func(text string) []int32 {
			ids := t.vocab.Encode(nil, text)
			return ids[:min(len(ids), t.model.MaxTokens-2)]
		},
		Teacher: t.teach,
		Shares:  distil.RankShares(t.model.Info.Vocab, t.vocab.Find),
		Prior:   &distil.Prior{Rows: t.prior.Rows, Row: t.prior.Row},
	}
}
