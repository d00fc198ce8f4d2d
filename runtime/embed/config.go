package embed

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Config is the shape of a BERT encoder, from the config.json of its model folder.
type Config struct {
	Hidden       int // width of a token's vector, and of the result
	Layers       int
	Heads        int // divides Hidden
	Intermediate int // width of the feed-forward part
	Vocab        int // rows of word embeddings
	Positions    int // longest input in ids, specials included
	Types        int // rows of token type embeddings; only the first is used
	Epsilon      float32
}

// Pooling says how the vectors of a text's tokens become one.
type Pooling uint32

const (
	PoolMean Pooling = iota // mean over all tokens, specials included
	PoolCLS                 // the first token's
)

// maxBodyWeights bounds a model: BERT-large has 300 million outside its embeddings.
const maxBodyWeights = 1 << 30

// ParseConfig reads a config.json and checks that it describes a BERT encoder that [Transformer] evaluates. Other
// architectures, activations and position schemes are an [ErrModel] that names what was found.
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
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return Config{}, corrupt("content", "%v", err)
	}
	if f.ModelType != "bert" {
		return Config{}, unsupported("model_type", "%q, want \"bert\"", f.ModelType)
	}
	for _, a := range f.Architectures {
		if !strings.HasPrefix(a, "Bert") {
			return Config{}, unsupported("architectures", "%q, want BertModel", a)
		}
	}
	if f.Activation != "gelu" {
		return Config{}, unsupported("hidden_act", "%q, want \"gelu\" (the exact one, by erf)", f.Activation)
	}
	if f.PositionKind != "" && f.PositionKind != "absolute" {
		return Config{}, unsupported("position_embedding_type", "%q, want \"absolute\"", f.PositionKind)
	}
	if f.Decoder {
		return Config{}, unsupported("is_decoder", "true, want an encoder")
	}
	c := Config{
		Hidden: f.Hidden, Layers: f.Layers, Heads: f.Heads, Intermediate: f.Intermediate,
		Vocab: f.Vocab, Positions: f.Positions, Types: f.Types, Epsilon: 1e-12,
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
		{"hidden_size", c.Hidden, 8192}, {"num_hidden_layers", c.Layers, 128}, {"num_attention_heads", c.Heads, c.Hidden},
		{"intermediate_size", c.Intermediate, 32768}, {"vocab_size", c.Vocab, maxPieces},
		{"max_position_embeddings", c.Positions, 8192}, {"type_vocab_size", c.Types, 1024},
	} {
		if d.got < 1 || d.got > d.max {
			return fail(d.name, "%d, want 1 to %d", d.got, d.max)
		}
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
