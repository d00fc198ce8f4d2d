package embedding

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"
)

// Recipe is everything but the text that a vector depends on. Two builds with one recipe give a text one vector.
type Recipe struct {
	ModelSHA256 string `json:"model"`           // of the weights, or ServerModel and a name
	ONNXSHA256  string `json:"graph,omitempty"` // "" for the Go engine, and where engines agree
	Precision   string `json:"precision"`       // of the weights: "float32"
	Engine      string `json:"engine"`          // as engine.ID gives it
	Tokenizer   string `json:"tokenizer"`       // SHA-256 of the vocabulary as artifacts have it
	Pooling     string `json:"pooling"`
	Prefix      string `json:"prefix,omitempty"`     // put before the text
	Limit       int    `json:"limit"`                // of wordpieces, special tokens included
	Chunker     int    `json:"chunker"`              // version of the chunker, which decides what a text is
	Dimensions  int    `json:"dimensions,omitempty"` // that are kept of the model's vectors; 0: all
	Whole       int    `json:"whole,omitempty"`      // dimensions of the model, where fewer are kept
	Probe       Probe  `json:"probe,omitempty"`      // of a server's model, which has no weights to be told by
}

// ServerModel begins what a recipe says of a model that a server runs; its name follows.
const ServerModel = "server:"

// Difference is a field in which two recipes differ.
type Difference struct {
	Field       string
	Mine, Other string
}

// Difference returns the first field in which o differs, nil if there is none.
func (r *Recipe) Difference(o *Recipe) *Difference {
	for _, d := range []Difference{
		{"model", r.ModelSHA256, o.ModelSHA256},
		{"precision", r.Precision, o.Precision},
		{"engine", r.Engine, o.Engine},
		{"model graph", r.ONNXSHA256, o.ONNXSHA256},
		{"tokenizer", r.Tokenizer, o.Tokenizer},
		{"pooling", r.Pooling, o.Pooling},
		{"document prefix", r.Prefix, o.Prefix},
		{"text limit", strconv.Itoa(r.Limit), strconv.Itoa(o.Limit)},
		{"dimensions", kept(r.Dimensions), kept(o.Dimensions)},
		{"dimensions of the model", kept(r.Whole), kept(o.Whole)},
		{"chunker", strconv.Itoa(r.Chunker), strconv.Itoa(o.Chunker)},
	} {
		if d.Mine != d.Other {
			return &d
		}
	}
	if !r.Probe.Same(o.Probe) {
		return &Difference{"probe", "the same vectors of its texts", fmt.Sprintf("a cosine of %.3f", r.Probe.Cosine(o.Probe))}
	}
	return nil
}

// kept says how many dimensions are kept.
func kept(n int) string {
	if n == 0 {
		return "all"
	}
	return strconv.Itoa(n)
}

// Key names a recipe.
type Key [sha256.Size]byte

// keyVersion changes when the meaning of a key does.
const keyVersion = "kdd vectors 2"

// Key returns the SHA-256 over the recipe's fields but the probe, whose last bits differ from time to time, each with its length before it, so that no two recipes run into
// each other.
func (r *Recipe) Key() Key {
	var b []byte
	for _, s := range []string{keyVersion, r.ModelSHA256, r.ONNXSHA256, r.Precision, r.Engine, r.Tokenizer, r.Pooling, r.Prefix} {
		b = binary.LittleEndian.AppendUint64(b, uint64(len(s)))
		b = append(b, s...)
	}
	b = binary.LittleEndian.AppendUint64(b, uint64(r.Limit))
	b = binary.LittleEndian.AppendUint64(b, uint64(r.Chunker))
	if r.Dimensions > 0 || r.Whole > 0 {
		b = binary.LittleEndian.AppendUint64(b, uint64(r.Dimensions))
		b = binary.LittleEndian.AppendUint64(b, uint64(r.Whole))
	}
	return sha256.Sum256(b)
}
