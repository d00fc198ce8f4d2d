package onnx

import (
	"fmt"
	"strconv"
)

// Form says with which operators a graph is written.
type Form uint8

// The forms of a graph.
const (
	Fused Form = iota // float32, ONNX Runtime's contributed operators
	Plain             // float32, standard operators (opset 17) only
)

// String returns "fused" or "plain".
func (f Form) String() string {
	switch f {
	case Fused:
		return "fused"
	case Plain:
		return "plain"
	}
	return "form " + strconv.Itoa(int(f))
}

// Pooling says how the vectors of a text's tokens become one.
type Pooling uint8

// The poolings.
const (
	Mean Pooling = iota // their mean, special tokens included
	CLS                 // the first token's
	Max                 // the largest value of each dimension
)

// Activation is the function between the two halves of a feed-forward layer.
type Activation uint8

// The activations.
const (
	GELU     Activation = iota // by erf
	GELUTanh                   // its approximation by tanh
	ReLU
)

// Config is the shape of a BERT or RoBERTa encoder.
type Config struct {
	Vocab     int // rows of the word embeddings
	Positions int // the longest text in tokens
	Offset    int // rows of the position embeddings before that of the first token
	Types     int // rows of the token type embeddings; row 0 is used
	Hidden    int
	Layers    int
	Heads     int
	Inner     int // width of the feed-forward layer
	Epsilon   float32
	Pooling   Pooling
	Dense     []Dense // modules after the pooling
	Normalize bool    // scale the vector to unit length

	Activation Activation
}

// Dense is a module after the pooling: W·x, plus a bias, and the tanh of it.
type Dense struct {
	Out        int // numbers that it gives
	Bias, Tanh bool
}

// DenseName begins the names of the weights of dense module i: ".weight" [out, in] and ".bias" [out] follow.
func DenseName(i int) string { return "dense." + strconv.Itoa(i) }

// Dim returns the length of a vector.
func (c Config) Dim() int {
	if n := len(c.Dense); n > 0 {
		return c.Dense[n-1].Out
	}
	return c.Hidden
}

// Weights gives a model's tensors by the names that Hugging Face's BertModel has for them.
type Weights interface {
	// Tensor returns the values of a tensor, row-major, or an error if it is missing or has another shape.
	// The values are read only and not used after the next call.
	Tensor(name string, shape ...int) ([]float32, error)
}

// check says what a graph cannot be written for.
func (c Config) check() error {
	for _, v := range []struct {
		name string
		n    int
	}{{"vocabulary size", c.Vocab}, {"positions", c.Positions}, {"token types", c.Types}, {"hidden size", c.Hidden},
		{"layers", c.Layers}, {"heads", c.Heads}, {"feed-forward width", c.Inner}} {
		if v.n < 1 || v.n > 1<<24 {
			return fmt.Errorf("%s %d, want 1 to %d", v.name, v.n, 1<<24)
		}
	}
	for i, d := range c.Dense {
		if d.Out < 1 || d.Out > 1<<24 {
			return fmt.Errorf("dense module %d: %d numbers, want 1 to %d", i, d.Out, 1<<24)
		}
	}
	if c.Hidden%c.Heads != 0 {
		return fmt.Errorf("hidden size %d is not a multiple of %d heads", c.Hidden, c.Heads)
	}
	if c.Offset < 0 || c.Offset > 1<<24 || c.Activation > ReLU || c.Pooling > Max {
		return fmt.Errorf("position offset %d, activation %d, pooling %d, want 0 to %d, %d, %d", c.Offset, c.Activation, c.Pooling, 1<<24, ReLU, Max)
	}
	if !(c.Epsilon >= 0 && c.Epsilon < 1) {
		return fmt.Errorf("layer norm epsilon %g, want 0 to 1", c.Epsilon)
	}
	return nil
}
