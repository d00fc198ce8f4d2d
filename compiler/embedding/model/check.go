package model

import (
	"context"
	"errors"
	"fmt"
	"math"

	"kdd/compiler/embedding/engine"
)

// minCosine is how well ONNX Runtime's vector of a graph and the Go transformer's of the weights must agree.
const minCosine = 0.9999

// compare evaluates the graph that was written and the weights that it was written from, and reports a difference.
// Without ONNX Runtime there is nothing to compare.
func (im *importer) compare(ctx context.Context) error {
	if err := im.step(ctx, "check"); err != nil {
		return err
	}
	m := &Model{Info: *im.info, Path: im.dir}
	o := im.o.Engine
	o.Kind = engine.ONNX
	graph, _, err := m.Engine(o)
	if errors.Is(err, engine.ErrNoLibrary) {
		im.notice(fmt.Sprintf("the graph was written but not compared with the weights: %v", err))
		return nil
	}
	if err != nil {
		return err
	}
	defer graph.Close()
	o.Kind = engine.Go
	reference, _, err := m.Engine(o)
	if err != nil {
		return err
	}
	defer reference.Close()
	a, b := make([]float32, graph.Dim()), make([]float32, graph.Dim())
	for _, n := range []int{1, 14, im.info.MaxTokens - 2} {
		ids := im.sample(n)
		if err := graph.Embed(a, ids); err != nil {
			return err
		}
		if err := reference.Embed(b, ids); err != nil {
			return err
		}
		if c := cosine(a, b); !(c >= minCosine) {
			return fmt.Errorf("%w: the graph's vector of %d wordpieces has cosine %.6f with that of the weights, want at least %g", engine.ErrModel, len(ids), c, minCosine)
		}
	}
	return nil
}

// sample returns a text of up to n pieces, spread over the vocabulary.
func (im *importer) sample(n int) []int32 {
	first, last := im.vocab.Specials()
	size := im.vocab.Size()
	ids := []int32{first}
	for i := range min(n, im.config.Positions-2) {
		ids = append(ids, int32((i*7919+1)%size))
	}
	return append(ids, last)
}

// word makes the word vectors.
func (im *importer) word(ctx context.Context) error {
	m := &Model{Info: *im.info, Path: im.dir}
	e, notice, err := m.Engine(im.o.Engine)
	if err != nil {
		return err
	}
	defer e.Close()
	if notice != "" {
		im.notice(notice)
	}
	count := priorCount(&im.config, im.vocab.Size())
	var words func() ([]float32, error)
	if count < im.vocab.Size() {
		im.info.PriorPieces = count
		if m.HasWeights() {
			words = func() ([]float32, error) {
				t, err := m.Tensors()
				if err != nil {
					return nil, err
				}
				table, err := newWeights(t).Tensor("embeddings.word_embeddings.weight", im.config.Vocab, im.config.Hidden)
				if err != nil {
					return nil, err
				}
				return m.project(table)
			}
		} else {
			im.notice(fmt.Sprintf("word vectors of the %d most common of %d pieces only: the others need %s, and the model came as an ONNX file",
				count, im.vocab.Size(), WeightsFile))
		}
	}
	e = m.Agreed(e)
	prior, err := makePrior(ctx, e, im.vocab, count, countTexts(&im.config, im.vocab.Size()), words, im.o.Progress)
	if err != nil {
		return err
	}
	im.info.PriorEngine = engine.ID(e)
	im.info.PriorSHA256, err = im.create(PriorFile, prior.write)
	return err
}

// notice tells the user something.
func (im *importer) notice(text string) {
	if im.o.Notice != nil {
		im.o.Notice(text)
	}
}

// cosine returns the cosine of two vectors, NaN if one is zero.
func cosine(a, b []float32) float64 {
	var dot, x, y float64
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
		x += float64(a[i]) * float64(a[i])
		y += float64(b[i]) * float64(b[i])
	}
	return dot / math.Sqrt(x*y)
}
