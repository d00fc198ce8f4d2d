package compiler

import (
	"crypto/sha256"
	"encoding/hex"

	"kdd/compiler/embedding"
	"kdd/format"
	"kdd/format/index"
)

// oldVectors are the vectors of the artifact that a build replaces, by the hash of the embedded text.
type oldVectors struct {
	vectors
	byHash map[[32]byte]int
	probe  embedding.Probe
	root   [32]byte // hash of the artifact
}

// openOld reads the vectors of the artifact at path if they were made by the same recipe. Whatever is wrong with the
// file means that there is nothing to reuse: the hashes of the blocks are checked first, since what is copied is not
// computed.
func openOld(path string, recipe *embedding.Recipe, dim int, floats bool) *oldVectors {
	var old *oldVectors
	x, err := index.Open(path)
	if err != nil {
		return nil
	}
	defer x.File.Close()
	err = format.Guard(func() error {
		if !sameRecipe(x, recipe) {
			return nil
		}
		for _, e := range x.File.Entries() {
			switch e.Tag.String() {
			case "META", "CSHA", index.TagVectors.String(), index.TagFloats.String():
				if !x.File.Block(e.Tag).Intact() {
					return nil
				}
			}
		}
		v, err := x.Vectors()
		if err != nil || v == nil || v.Dim != dim || floats && !v.HasFloats() {
			return err
		}
		found := &oldVectors{vectors{dim: v.Dim}, make(map[[32]byte]int, v.Count), embedding.Probe(x.Meta.Model.Probe), x.File.RootHash()}
		found.rows, found.scales, found.floats = v.Stored(floats)
		for c := range index.ChunkID(x.Chunks()) {
			found.byHash[x.ChunkSHA256(c)] = int(c)
		}
		old = found
		return nil
	})
	if err != nil {
		return nil
	}
	return old
}

// sameRecipe says whether an artifact's vectors were made as this build would make them. One without a query encoder
// does not tell its tokenizer.
func sameRecipe(x *index.Index, r *embedding.Recipe) bool {
	m := x.Meta
	if m.Model == nil {
		return false
	}
	tokenizer := r.Tokenizer
	if m.Model.QueryModel != nil {
		tokenizer = m.Model.QueryModel.Documents
	} else if b := x.File.Block(index.TagVocab); b != nil {
		sum := sha256.Sum256(b.All())
		tokenizer = hex.EncodeToString(sum[:])
	}
	weights := m.Model.SHA256
	if m.Model.Probe != "" {
		weights = embedding.ServerModel + m.Model.Name
	}
	return (&embedding.Recipe{
		ModelSHA256: weights, ONNXSHA256: m.Model.Graph, Precision: m.Model.Precision, Engine: m.Model.Engine, Tokenizer: tokenizer,
		Pooling: m.Model.Pooling, Prefix: m.Model.Prefix, Limit: m.Model.MaxTokens, Chunker: m.Chunker.Version,
		Dimensions: m.Model.Cut(), Whole: m.Model.Whole,
		Probe: embedding.Probe(m.Model.Probe),
	}).Difference(r) == nil
}

func (o *oldVectors) find(hash [32]byte) (int, bool) {
	if o == nil {
		return 0, false
	}
	row, ok := o.byHash[hash]
	return row, ok
}
