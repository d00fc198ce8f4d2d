package encoder

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Config is the shape of a BERT or RoBERTa encoder, from the config.json of its model folder.
type Config struct {
	Hidden       int // width of a token's vector, and of the result
	Layers       int
	Heads        int // divides Hidden
	Intermediate int // width of the feed-forward part
	Vocab        int // rows of word embeddings
	Positions    int // longest input in ids, specials included
	Offset       int // rows of position embeddings before that of the first id: 0 in BERT, 2 in RoBERTa
	Types        int // rows of token type embeddings; only the first is used
	Epsilon      float32
	Activation   Activation
}

// Activation is the function between the two halves of a feed-forward part.
type Activation uint32

const (
	GELU     Activation = iota // x·Φ(x), exact, by erf
	GELUTanh                   // its approximation by tanh
	ReLU                       // max(x, 0)
)

// activations gives the activation of each name that config.json may have.
var activations = map[string]Activation{
	"gelu": GELU, "gelu_python": GELU,
	"gelu_new": GELUTanh, "gelu_pytorch_tanh": GELUTanh, "gelu_fast": GELUTanh, "gelu_accurate": GELUTanh,
	"relu": ReLU,
}

// Pooling says how the vectors of a text's tokens become one.
type Pooling uint32

const (
	PoolMean Pooling = iota // mean over all tokens, specials included
	PoolCLS                 // the first token's
	PoolMax                 // the largest value of each dimension

	poolings = 3
)

// name returns "mean", "cls" or "max".
func (p Pooling) name() string {
	if p >= poolings {
		return fmt.Sprintf("pooling %d", uint32(p))
	}
	return [poolings]string{"mean", "cls", "max"}[p]
}

// ParsePooling returns the pooling of a name.
func ParsePooling(name string) (Pooling, bool) {
	for p := range Pooling(poolings) {
		if p.name() == name {
			return p, true
		}
	}
	return 0, false
}

// maxHidden bounds the width of vectors.
const maxHidden = 8192

// maxBodyWeights bounds a model: BERT-large has 300 million outside its embeddings.
const maxBodyWeights = 1 << 30

// families are the model types that are one architecture: layers, heads and tensor names are BERT's. The prefix starts
// the names of architectures. RoBERTa (Liu et al. 2019) counts positions from the row after that of its padding token.
var families = map[string]struct {
	prefix string
	padded bool
}{
	"bert": {"Bert", false}, "roberta": {"Roberta", true}, "xlm-roberta": {"XLMRoberta", true},
	"camembert": {"Camembert", true},
}

// ParseConfig reads a config.json and checks that it describes an encoder that [Transformer] evaluates: BERT, RoBERTa,
// XLM-RoBERTa or CamemBERT. For other architectures, activations and position schemes the error is an [ErrModel] that
// names what was found.
func ParseConfig(data []byte) (Config, error) {
	c, err := parseConfig(data)
	if err != nil {
		return Config{}, fmt.Errorf("config.json: %w", err)
	}
	return c, nil
}

func parseConfig(data []byte) (Config, error) {
	var f struct {
		Architectures []string `json:"architectures"`
		ModelType     string   `json:"model_type"`
		Activation    string   `json:"hidden_act"`
		PositionKind  string   `json:"position_embedding_type"`
		Hidden        int      `json:"hidden_size"`
		Layers        int      `json:"num_hidden_layers"`
		Heads         int      `json:"num_attention_heads"`
		Intermediate  int      `json:"intermediate_size"`
		Vocab         int      `json:"vocab_size"`
		Positions     int      `json:"max_position_embeddings"`
		Types         int      `json:"type_vocab_size"`
		Epsilon       *float32 `json:"layer_norm_eps"`
		Decoder       bool     `json:"is_decoder"`
		Padding       *int     `json:"pad_token_id"`
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return Config{}, corrupt("content", "%v", err)
	}
	family, ok := families[f.ModelType]
	if !ok {
		return Config{}, unsupported("model_type",
			"%q, want one of bert, roberta, xlm-roberta and camembert; "+
				"other encoders cannot be evaluated: choose a model of these", f.ModelType)
	}
	for _, a := range f.Architectures {
		if !strings.HasPrefix(a, family.prefix) {
			return Config{}, unsupported("architectures", "%q, want %sModel", a, family.prefix)
		}
	}
	activation, ok := activations[f.Activation]
	if !ok {
		return Config{}, unsupported("hidden_act", "%q, want gelu, gelu_new, gelu_pytorch_tanh, gelu_fast or relu",
			f.Activation)
	}
	if f.PositionKind != "" && f.PositionKind != "absolute" {
		return Config{}, unsupported("position_embedding_type", "%q, want \"absolute\"", f.PositionKind)
	}
	if f.Decoder {
		return Config{}, unsupported("is_decoder", "true, want an encoder")
	}
	c := Config{
		Hidden: f.Hidden, Layers: f.Layers, Heads: f.Heads, Intermediate: f.Intermediate,
		Vocab: f.Vocab, Positions: f.Positions, Types: f.Types, Epsilon: 1e-12, Activation: activation,
	}
	if family.padded {
		padding := 1
		if f.Padding != nil {
			padding = *f.Padding
		}
		if padding < 0 || padding >= f.Positions {
			return Config{}, unsupported("pad_token_id", "%d with %d positions", padding, f.Positions)
		}
		c.Offset = padding + 1
		c.Positions -= c.Offset
	}
	if f.Epsilon != nil {
		c.Epsilon = *f.Epsilon
	}
	return c, c.check(unsupported)
}

// check bounds every dimension, so that sizes computed from them cannot overflow.
func (c *Config) check(fail func(what, format string, args ...any) error) error {
	for _, d := range []struct {
		name     string
		got, max int
	}{
		{"hidden_size", c.Hidden, maxHidden}, {"num_hidden_layers", c.Layers, 128},
		{"num_attention_heads", c.Heads, c.Hidden},
		{"intermediate_size", c.Intermediate, 32768}, {"vocab_size", c.Vocab, maxPieces},
		{"max_position_embeddings", c.Positions, 8192}, {"type_vocab_size", c.Types, 1024},
	} {
		if d.got < 1 || d.got > d.max {
			return fail(d.name, "%d, want 1 to %d", d.got, d.max)
		}
	}
	if c.Activation > ReLU {
		return fail("activation", "%d, want 0 to %d", c.Activation, ReLU)
	}
	if c.Hidden%c.Heads != 0 {
		return fail("num_attention_heads", "%d, want a divisor of hidden_size %d", c.Heads, c.Hidden)
	}
	h := int64(c.Hidden)
	if n := int64(c.Layers) * (4*h*h + 2*h*int64(c.Intermediate)); n > maxBodyWeights {
		return fail("size", "%d weights in the layers, want at most %d", n, maxBodyWeights)
	}
	if !(c.Epsilon >= 0 && c.Epsilon < 1) {
		return fail("layer_norm_eps", "%g, want 0 to 1", c.Epsilon)
	}
	return nil
}
