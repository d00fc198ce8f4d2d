package encoder

import (
	"fmt"
)

// LoadTransformer makes a float32 encoder from the weights of a model folder. Tensors may be named with or without the
// prefix "bert." or "roberta.". Each is checked against the config; the error names the tensor that is missing or has
// another shape. Tensors that are not needed (the pooler, position ids) are ignored.
func LoadTransformer(tensors *Tensors, config Config, pooling Pooling) (*Transformer, error) {
	if err := config.check(unsupported); err != nil {
		return nil, fmt.Errorf("config: %w", err)
	}
	if pooling >= poolings {
		return nil, unsupported("pooling", "%d, want mean (%d), CLS (%d) or max (%d)",
			pooling, PoolMean, PoolCLS, PoolMax)
	}
	l := loader{tensors: tensors, prefix: tensors.EncoderPrefix()}
	h := config.Hidden
	t := &Transformer{config: config, pooling: pooling}
	t.words = rows{width: h, f32: l.get("embeddings.word_embeddings.weight", config.Vocab, h)}
	if p := l.get("embeddings.position_embeddings.weight", config.Offset+config.Positions, h); p != nil {
		t.positions = rows{width: h, f32: p[config.Offset*h:]}
	}
	if types := l.get("embeddings.token_type_embeddings.weight", config.Types, h); types != nil {
		t.types = types[:h:h]
	}
	t.norm = l.norm("embeddings.LayerNorm", h)
	for i := 0; i < config.Layers && l.err == nil; i++ {
		p := fmt.Sprintf("encoder.layer.%d.", i)
		t.layers = append(t.layers, layer{
			attention: l.linear(h, h, p+"attention.self.query", p+"attention.self.key", p+"attention.self.value"),

			attentionOut:  l.linear(h, h, p+"attention.output.dense"),
			attentionNorm: l.norm(p+"attention.output.LayerNorm", h),
			up:            l.linear(config.Intermediate, h, p+"intermediate.dense"),
			down:          l.linear(h, config.Intermediate, p+"output.dense"),
			outputNorm:    l.norm(p+"output.LayerNorm", h),
		})
	}
	if l.err != nil {
		return nil, l.err
	}
	return t, nil
}

// loader reads tensors until the first error.
type loader struct {
	tensors *Tensors
	prefix  string
	err     error
}

func (l *loader) get(name string, shape ...int) []float32 {
	if l.err != nil {
		return nil
	}
	var values []float32
	values, l.err = l.tensors.Float32(l.prefix+name, shape...)
	return values
}

// norm reads a layer norm. Files that were converted from TensorFlow have other names for it.
func (l *loader) norm(name string, h int) layerNorm {
	weight, bias := name+".weight", name+".bias"
	if _, ok := l.tensors.Shape(l.prefix + name + ".gamma"); ok {
		weight, bias = name+".gamma", name+".beta"
	}
	return layerNorm{weight: l.get(weight, h), bias: l.get(bias, h)}
}

// linear reads layers of one input as one matrix, their outputs one after the other.
func (l *loader) linear(out, in int, names ...string) *matrix {
	var w, bias []float32
	for _, name := range names {
		w = append(w, l.get(name+".weight", out, in)...)
		bias = append(bias, l.get(name+".bias", out)...)
	}
	if l.err != nil {
		return nil
	}
	return newMatrix(w, bias, out*len(names), in)
}
