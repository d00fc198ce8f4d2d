package engine

import (
	"fmt"
	"strings"
	"sync"

	"kdd/format/encoder"
	"kdd/format/index"
)

// How far an engine's float32 vectors may be from exact ones, in units of what index.QuantiseRows rounds to: what 99.99 %
// of their numbers are below (bench/runs/2026-11-26-epyc/same-bytes). For another row to come out, one of the few that are
// above must also lie at a boundary by no more than it is above, which is one number in 10^9.
const (
	onnxBand = 1e-4
	goBand   = 1.6e-4
)

// agreed is an engine whose vectors, rounded by index.QuantiseRows, are those of every engine on a processor.
type agreed struct {
	Engine
	exact func() (*encoder.Transformer, error)
	band  float64
}

// Agreed returns an engine that evaluates by e and then once more, in float64, what noise could round to other int8
// rows or scales: some texts in a hundred. Whatever e is, and whatever processor it runs on, the rounded rows are then
// the same; last bits of the float32 vectors are not. Closing it closes e.
//
// It needs the weights: src is what Open was given, of float32.
func Agreed(e Engine, src Source) Engine {
	load := func() (*encoder.Transformer, error) { return LoadTransformer(&src) }
	a := &agreed{Engine: e, band: onnxBand, exact: sync.OnceValues(load)}
	if g, ok := e.(*goEngine); ok {
		a.exact, a.band = func() (*encoder.Transformer, error) { return g.t, nil }, goBand
	}
	return a
}

// agreedName begins the ID of what Agreed returns.
const agreedName = "any"

// Name returns "any": it does not matter which engine it is.
func (a *agreed) Name() string { return agreedName }

// Agrees says whether an ID is that of an engine whose vectors are the same everywhere once they are rounded, though not
// their last bits.
func Agrees(id string) bool { return strings.HasPrefix(id, agreedName+" ") }

// Version returns the number of the rounding.
func (a *agreed) Version() string { return "1" }

// CPU returns "cpu", whatever its level.
func (a *agreed) CPU() string { return string(CPU) }

// Embed evaluates one text.
func (a *agreed) Embed(dst []float32, ids []int32) error {
	if err := a.Engine.Embed(dst, ids); err != nil {
		return err
	}
	return a.settle(dst, ids)
}

// EmbedBatch evaluates texts of one length, see Batcher.
func (a *agreed) EmbedBatch(dst []float32, ids []int32, texts int) error {
	n, dim := len(ids)/texts, a.Dim()
	embed := a.settle
	if b, ok := a.Engine.(Batcher); !ok {
		embed = a.Embed
	} else if err := b.EmbedBatch(dst, ids, texts); err != nil {
		return err
	}
	for i := range texts {
		if err := embed(dst[i*dim:(i+1)*dim], ids[i*n:(i+1)*n]); err != nil {
			return err
		}
	}
	return nil
}

// settle makes the vector of ids again in float64 if it lies where noise could decide.
func (a *agreed) settle(v []float32, ids []int32) error {
	if !index.NearTie(v, a.band) {
		return nil
	}
	t, err := a.exact()
	if err != nil {
		return fmt.Errorf("evaluating in float64: %w", err)
	}
	exact := make([]float64, len(v))
	if err := t.EmbedFloat64(exact, ids); err != nil {
		return err
	}
	for k, x := range exact {
		v[k] = float32(x)
	}
	return nil
}
