package model

import (
	"fmt"
	"math"
	"strings"

	"kdd/compiler/embedding/onnx"
	"kdd/format/encoder"
)

// weights gives the tensors of a safetensors file by BertModel's names.
type weights struct {
	tensors *encoder.Tensors
	prefix  string            // "bert." or "roberta." in files of models with a head
	other   map[string]string // names that files converted from TensorFlow have otherwise
	dense   []*encoder.Tensors
}

// newWeights finds out how the file names its tensors.
func newWeights(t *encoder.Tensors) *weights {
	w := &weights{tensors: t, prefix: t.EncoderPrefix(), other: map[string]string{}}
	for _, name := range t.Names() {
		short := strings.TrimPrefix(name, w.prefix)
		if s, ok := strings.CutSuffix(short, ".LayerNorm.gamma"); ok {
			w.other[s+".LayerNorm.weight"] = name
		}
		if s, ok := strings.CutSuffix(short, ".LayerNorm.beta"); ok {
			w.other[s+".LayerNorm.bias"] = name
		}
	}
	return w
}

// Tensor returns a tensor, and an error if it has a value that is not a finite number.
func (w *weights) Tensor(name string, shape ...int) ([]float32, error) {
	tensors, full := w.tensors, w.prefix+name
	for i, t := range w.dense {
		if part, ok := strings.CutPrefix(name, onnx.DenseName(i)); ok {
			tensors, full = t, "linear"+part
		}
	}
	if o, ok := w.other[name]; ok {
		full = o
	}
	v, err := tensors.Float32(full, shape...)
	if err != nil {
		if tensors != w.tensors {
			return nil, fmt.Errorf("of %s: %w", name, err)
		}
		return nil, err
	}
	for i, f := range v {
		if math.IsNaN(float64(f)) || math.IsInf(float64(f), 0) {
			return nil, fmt.Errorf("%w: tensor %s: number %d is %g, want finite numbers", encoder.ErrModel, full, i, f)
		}
	}
	return v, nil
}

// graphConfig translates the shape of an encoder for the ONNX writer.
func graphConfig(c encoder.Config, info *Info) onnx.Config {
	g := onnx.Config{Vocab: c.Vocab, Positions: c.Positions, Offset: c.Offset, Types: c.Types, Hidden: c.Hidden, Layers: c.Layers,
		Heads: c.Heads, Inner: c.Intermediate, Epsilon: c.Epsilon, Normalize: true}
	for _, d := range info.Dense {
		g.Dense = append(g.Dense, onnx.Dense{Out: d.Out, Bias: d.Bias, Tanh: d.Activation == "tanh"})
	}
	switch info.PoolingKind() {
	case encoder.PoolCLS:
		g.Pooling = onnx.CLS
	case encoder.PoolMax:
		g.Pooling = onnx.Max
	}
	switch c.Activation {
	case encoder.GELUTanh:
		g.Activation = onnx.GELUTanh
	case encoder.ReLU:
		g.Activation = onnx.ReLU
	}
	return g
}
