package engine

import (
	"fmt"
	"os"

	"kdd/compiler/diag"
	"kdd/format/encoder"
)

// goVersion is the version of the Go transformer's arithmetic. It goes up whenever vectors change in any bit.
const goVersion = "1"

// goEngine is the Go transformer of format/encoder.
type goEngine struct {
	src Source
	t   *encoder.Transformer
}

// openGo loads the weights into memory.
func openGo(src Source) (Engine, error) {
	if src.Weights == "" {
		return nil, diag.Cure("use ONNX Runtime", "%w: the Go transformer needs model.safetensors, and this model has an ONNX file only", ErrModel)
	}
	t, err := LoadTransformer(&src)
	if err != nil {
		return nil, err
	}
	return &goEngine{src: src, t: t}, nil
}

// LoadTransformer reads the weights of a model.
func LoadTransformer(src *Source) (*encoder.Transformer, error) {
	data, err := os.ReadFile(src.Config)
	if err != nil {
		return nil, err
	}
	config, err := encoder.ParseConfig(data)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrModel, src.Config, err)
	}
	if data, err = os.ReadFile(src.Weights); err != nil {
		return nil, err
	}
	tensors, err := encoder.OpenTensors(data)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrModel, src.Weights, err)
	}
	t, err := encoder.LoadTransformer(tensors, config, src.Pooling)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrModel, src.Weights, err)
	}
	dense := make([]encoder.Dense, len(src.Dense))
	for i, d := range src.Dense {
		if data, err = os.ReadFile(d.Weights); err != nil {
			return nil, err
		}
		if tensors, err = encoder.OpenTensors(data); err == nil {
			dense[i], err = encoder.LoadDense(tensors, d.In, d.Out, d.Bias, d.Tanh)
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrModel, d.Weights, err)
		}
	}
	keep := 0
	if src.Whole > 0 {
		keep = src.Dim
	}
	if err := t.SetHead(dense, keep); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrModel, err)
	}
	if t.Dim() != src.Dim || config.Vocab != src.Vocab || config.Positions < src.MaxIDs {
		return nil, fmt.Errorf("%w: %s: %d wide, %d wordpieces, %d positions, want %d, %d and %d", ErrModel, src.Config,
			t.Dim(), config.Vocab, config.Positions, src.Dim, src.Vocab, src.MaxIDs)
	}
	return t, nil
}

// Name returns "go".
func (e *goEngine) Name() string { return "go" }

// Version returns the version of the arithmetic.
func (e *goEngine) Version() string { return goVersion }

// CPU returns the feature level of this machine.
func (e *goEngine) CPU() string { return goLevel() }

// Dim returns the length of a vector.
func (e *goEngine) Dim() int { return e.src.Dim }

// Close does nothing: the collector frees the weights.
func (e *goEngine) Close() error { return nil }

// Embed evaluates one text.
func (e *goEngine) Embed(dst []float32, ids []int32) error {
	if err := e.src.check(dst, ids); err != nil {
		return err
	}
	return e.t.Embed(dst, ids)
}
