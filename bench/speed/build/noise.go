package build

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"runtime/debug"

	"kdd/bench/speed/peers/corpus"
	"kdd/compiler"
	"kdd/format/index"
)

// noise is a document encoder that gives each text the vector of a chunk of an artifact, with noise (corpus.Blend):
// vectors as real as that artifact's, for more texts than could be embedded. Texts with many words in common tend to have
// the same chunk's vector.
type noise struct {
	dim  int
	rows []float32 // [chunks, dim]
}

// openNoise reads the vectors of the artifact at path.
func openNoise(path string) (*noise, error) {
	x, err := index.Open(path)
	if err != nil {
		return nil, err
	}
	defer x.File.Close()
	v, err := x.Vectors()
	if err != nil {
		return nil, err
	}
	if v == nil || v.Count == 0 {
		return nil, errors.New(path + ": no vectors")
	}
	rows, scales, _ := v.Stored(false)
	return &noise{v.Dim, index.DequantiseRows(rows, scales, v.Dim)}, nil
}

// Name, Version and CPU go into the artifact.
func (*noise) Name() string    { return "noise" }
func (*noise) Version() string { return "1" }
func (*noise) CPU() string     { return "any" }

// Dim is that of the artifact.
func (e *noise) Dim() int { return e.dim }

// Close does nothing.
func (*noise) Close() error { return nil }

// Embed chooses the row by the smallest hash of the text's wordpieces (Broder 1997), and the two others by all of them.
func (e *noise) Embed(dst []float32, ids []int32) error {
	least, all := uint64(math.MaxUint64), uint64(0)
	for _, id := range ids {
		h := mix(uint64(id))
		all = mix(all ^ h)
		if id >= frequentPieces {
			least = min(least, h)
		}
	}
	row := func(hash uint64) []float32 { return e.rows[int(hash%uint64(len(e.rows)/e.dim))*e.dim:][:e.dim] }
	corpus.Blend(dst, row(least), row(mix(all+1)), row(mix(all+2)))
	return nil
}

// frequentPieces is the id below which a wordpiece of BERT's vocabulary is a mark or one of the most frequent words,
// which most texts have.
const frequentPieces = 2500

// mix is the finaliser of splitmix64 (Steele, Lea & Flood 2014).
func mix(h uint64) uint64 {
	h += 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// noiseGCPercent has the garbage of so large a build bounded as "kdd build" does.
const noiseGCPercent = 20

// buildNoise compiles a folder into the file with vectors of noise, and prints the report.
func buildNoise(ctx context.Context, stdout io.Writer, artifact, model, folder, file string) error {
	defer debug.SetGCPercent(debug.SetGCPercent(noiseGCPercent))
	e, err := openNoise(artifact)
	if err != nil {
		return err
	}
	r, err := compiler.Build(ctx, compiler.Options{Sources: []string{folder}, Output: file, Model: model, Embedder: e, CacheDir: "-", Version: "1.0.0"})
	if err != nil {
		return err
	}
	return json.NewEncoder(stdout).Encode(r)
}
