package compiler

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"

	"kdd/compiler/embedding"
	"kdd/compiler/embedding/vectorfile"
	"kdd/format/index"
)

// sampleRows is how many vectors of an old artifact are compared with those of their texts before any is reused.
const sampleRows = 8

// trusted returns old, or nil and a notice where a sample of its vectors is not what their texts have: whoever put the
// file there may have written any vectors, and its checksums are right all the same. The texts of the sample are looked
// up in the parts and in the cache, else embedded.
//
// The sample finds a file whose vectors are wrong throughout, not a few rows among many: --fresh does.
func (e *embedder) trusted(ctx context.Context, o *Options, texts chunkTexts, hashes [][32]byte, old *oldVectors) (*oldVectors, error) {
	if old == nil {
		return nil, nil
	}
	sample, err := e.sample(o, hashes, old)
	if err != nil {
		return nil, err
	}
	keys := make([]vectorfile.Key, len(sample))
	for k, i := range sample {
		keys[k] = hashes[i]
	}
	made, given := e.made, e.given
	defer func() { e.made, e.given = made, given }()
	wrong := -1
	err = e.run(ctx, o, "compare", keys, func(k int) string { return texts.at(sample[k]) }, func(k int, row []float32) error {
		if at, _ := old.find(hashes[sample[k]]); wrong < 0 && !old.equals(at, row, e.remote != nil || o.MixedEngines || o.Floats && e.parts != nil) {
			wrong = sample[k]
		}
		return nil
	})
	if err != nil || wrong < 0 {
		return old, err
	}
	if o.Notice != nil {
		o.Notice(fmt.Sprintf("the vectors of the file that is replaced are not those of its texts (%s): none is reused", texts.place(wrong)))
	}
	return nil, nil
}

// sample chooses sampleRows of the texts that old has, each once, by a hash of old's root hash and theirs: another file
// has another sample. Where nothing can be embedded only texts of the parts are chosen. Cost: a hash for each text.
func (e *embedder) sample(o *Options, hashes [][32]byte, old *oldVectors) ([]int, error) {
	type ranked struct {
		rank [32]byte
		i    int
	}
	list := make([]ranked, 0, len(hashes))
	for i, h := range hashes {
		if _, ok := old.find(h); ok {
			list = append(list, ranked{sha256.Sum256(append(old.root[:], h[:]...)), i})
		}
	}
	slices.SortFunc(list, func(a, b ranked) int { return bytes.Compare(a.rank[:], b.rank[:]) })
	list = slices.CompactFunc(list, func(a, b ranked) bool { return a.rank == b.rank })
	var chosen []int
	for _, r := range list {
		if len(chosen) == sampleRows {
			break
		}
		if o.PartsOnly {
			if ok, err := e.parts.Has(hashes[r.i]); err != nil {
				return nil, err
			} else if !ok {
				continue
			}
		}
		chosen = append(chosen, r.i)
	}
	return chosen, nil
}

// equals says whether row k is what row [dim] is stored as: to the byte, or nearly, where last bits differ from one run
// to the next.
func (o *oldVectors) equals(k int, row []float32, nearly bool) bool {
	rows, scales := index.QuantiseRows(row, o.dim)
	stored, scale := o.rows[k*o.dim:(k+1)*o.dim], o.scales[k]
	if !nearly {
		return bytes.Equal(stored, rows) && scale == scales[0] && (o.floats == nil || slices.Equal(o.floats[k*o.dim:(k+1)*o.dim], row))
	}
	const scaleError = 0.05 // of a unit vector with the cosine SameProbe
	if d := scale - scales[0]; d != d || max(d, -d) > scaleError*scales[0] {
		return false
	}
	if o.floats != nil && !alike(o.floats[k*o.dim:(k+1)*o.dim], row) {
		return false
	}
	return alike(index.DequantiseRows(stored, []float32{scale}, o.dim), row)
}

// alike says whether two rows are of one text and model. The norms of both are near 1.
func alike(a, b []float32) bool {
	var dot, square float64
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
		square += float64(a[i]) * float64(a[i])
	}
	const normError = 0.05
	return dot >= embedding.SameProbe*(1-normError) && square < (1+normError)*(1+normError) && dot*dot >= embedding.SameProbe*embedding.SameProbe*square
}
