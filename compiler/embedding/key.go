package embedding

import (
	"crypto/sha256"
	"encoding/binary"
)

// Recipe is everything but the text that a vector depends on. Two builds with one recipe give a text one vector.
type Recipe struct {
	ModelSHA256 string // of the weights
	ONNXSHA256  string // of the graph; "" for the Go engine
	Precision   string // "float32" or "int8"
	Engine      string // name, version and CPU feature level, as engine.ID gives them
	Pooling     string
	Prefix      string // put before the text
	Limit       int    // of wordpieces, special tokens included
	Chunker     int    // version of the chunker, which decides what a text is
}

// Key names a vector.
type Key [sha256.Size]byte

// keyVersion changes when the meaning of a key does.
const keyVersion = "kdd vector 1"

// ReuseKey returns the name of the vector that a recipe gives a text: SHA-256 over the recipe's fields and the text's
// SHA-256, each with its length before it, so that no two recipes run into each other.
func ReuseKey(r *Recipe, textSHA256 [sha256.Size]byte) Key {
	var b []byte
	for _, s := range []string{keyVersion, r.ModelSHA256, r.ONNXSHA256, r.Precision, r.Engine, r.Pooling, r.Prefix} {
		b = binary.LittleEndian.AppendUint64(b, uint64(len(s)))
		b = append(b, s...)
	}
	b = binary.LittleEndian.AppendUint64(b, uint64(r.Limit))
	b = binary.LittleEndian.AppendUint64(b, uint64(r.Chunker))
	b = append(b, textSHA256[:]...)
	return sha256.Sum256(b)
}
