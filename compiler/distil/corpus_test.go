package distil

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"kdd/format/encoder"
)

// sample is a small corpus of made-up words: word t is "w<t>" and wordpiece t. The document encoder gives a text the
// unit sum of hidden vectors of its words.
type sample struct {
	pieces, dim int
	hidden      []float32 // [pieces, dim]
	input       Input
}

func (s *sample) encode(text string) []int32 {
	var ids []int32
	for _, word := range strings.Fields(text) {
		var id int32
		if _, err := fmt.Sscanf(strings.TrimRight(word, "."), "w%d", &id); err == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

func (s *sample) vector(ids []int32) []float32 {
	v := make([]float32, s.dim)
	for _, id := range ids {
		for k := range v {
			v[k] += s.hidden[int(id)*s.dim+k]
		}
	}
	encoder.Unit(v)
	return v
}

func (s *sample) teach(_ context.Context, sentences []Sentence) ([]float32, error) {
	var out []float32
	for _, x := range sentences {
		out = append(out, s.vector(s.encode(x.Text))...)
	}
	return out, nil
}

// newSample makes a corpus. Low wordpieces are frequent; the last quarter of the vocabulary occurs in no text.
func newSample(seed uint64, pieces, dim, chunks int) *sample {
	r := rand.New(rand.NewPCG(seed, 1))
	s := &sample{pieces: pieces, dim: dim, hidden: make([]float32, pieces*dim)}
	for i := range s.hidden {
		s.hidden[i] = float32(r.NormFloat64())
	}
	s.input = Input{Pieces: pieces, Dim: dim, Encode: s.encode, Teacher: s.teach, Bodies: []string{}}
	for range chunks {
		var body strings.Builder
		for range 1 + r.IntN(4) {
			for range 5 + r.IntN(8) {
				fmt.Fprintf(&body, "w%d ", int(float64(pieces*3/4)*math.Pow(r.Float64(), 3)))
			}
			body.WriteString(".\n")
		}
		ids := s.encode(body.String())
		s.input.Bodies = append(s.input.Bodies, body.String())
		s.input.Chunks = append(s.input.Chunks, ids)
		s.input.Vectors = append(s.input.Vectors, s.vector(ids)...)
	}
	prior := make([]float32, pieces*dim)
	for i := range prior {
		prior[i] = .05 * float32(r.NormFloat64())
	}
	s.input.Prior = &Prior{Rows: pieces, Row: func(dst []float32, i int) { copy(dst, prior[i*dim:]) }}
	return s
}
