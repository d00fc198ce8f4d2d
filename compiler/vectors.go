package compiler

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"kdd/compiler/chunk"
	"kdd/compiler/diag"
	"kdd/compiler/embedding"
	"kdd/compiler/embedding/engine"
	"kdd/compiler/embedding/model"
	"kdd/compiler/parallel"
	"kdd/format/encoder"
	"kdd/format/index"
)

// The query encoders that an artifact may carry.
const (
	EncoderNone      = index.EncoderNone
	EncoderDistilled = index.EncoderDistilled
	EncoderExact     = index.EncoderExact
)

// The precisions of the document encoder.
const (
	PrecisionFloat32 = "float32"
	PrecisionInt8    = "int8"
)

// ErrNoModel is returned by Build where vectors are wanted and no model is found; its text has both cures.
var ErrNoModel = model.ErrNoModel

// embedder makes the vectors of a build: the document encoder, its engine, and the vectors made before.
type embedder struct {
	model  *model.Model
	vocab  *encoder.Vocab
	engine engine.Engine
	recipe embedding.Recipe
	cache  *cache
	known  float64 // share of general text that the corpus taught the query encoder
}

// openEmbedder finds and opens the model and its engine.
func openEmbedder(o *Options) (*embedder, error) {
	kind, err := engine.ParseKind(cmp.Or(o.Engine, string(engine.Auto)))
	if err != nil {
		return nil, err
	}
	precision := cmp.Or(o.Precision, PrecisionFloat32)
	m, err := model.Find(o.Model, "")
	if errors.Is(err, ErrNoModel) {
		return nil, diag.Or(err, "build with --no-vectors")
	} else if err != nil {
		return nil, err
	}
	if o.Encoder == EncoderExact && !m.HasWeights() {
		return nil, diag.Cure("use --encoder distilled", "encoder exact: the model %s has no %s to put into the file", m.Name, model.WeightsFile)
	}
	e := &embedder{model: m}
	if e.vocab, err = m.Vocab(); err != nil {
		return nil, err
	}
	var notice string
	if e.engine, notice, err = m.Engine(precision, engine.Options{Kind: kind, Library: o.Library}); err != nil {
		return nil, err
	}
	if notice != "" && o.Notice != nil {
		o.Notice(notice)
	}
	e.recipe = embedding.Recipe{
		ModelSHA256: m.SHA256, Precision: precision, Engine: engine.ID(e.engine), Pooling: m.Pooling,
		Prefix: m.Prefixes.Document, Limit: m.MaxTokens, Chunker: chunk.Version,
	}
	if e.engine.Name() != "go" {
		e.recipe.ONNXSHA256 = m.ONNXSHA256
		if precision == PrecisionInt8 {
			e.recipe.ONNXSHA256 = m.ONNXInt8SHA256
		}
	}
	if o.CacheDir != "-" {
		e.cache = openCache(o.CacheDir, &e.recipe)
	}
	return e, nil
}

// close frees the model, and keeps in the cache what was embedded: also by a build that fails later.
func (e *embedder) close() {
	e.cache.close()
	e.engine.Close()
}

// limit is how chunks are measured: wordpieces, without the two special tokens and the document prefix.
func (e *embedder) limit() chunk.Limit {
	const specials = 2
	return chunk.Limit{Max: e.model.MaxTokens - specials - e.prefixPieces(), Count: e.vocab.Count}
}

// prefixPieces is how many pieces the document prefix has. The space at its end is part of the word that follows.
func (e *embedder) prefixPieces() int { return e.vocab.Count(strings.TrimRight(e.recipe.Prefix, " ")) }

// ids returns the wordpieces of n texts with the special tokens, cut at the model's limit.
func (e *embedder) ids(ctx context.Context, n int, text func(i int) string) ([][]int32, error) {
	ids := make([][]int32, n)
	return ids, parallel.Each(ctx, 0, n, func(i int) error {
		ids[i] = e.vocab.EncodeWithSpecials(nil, e.recipe.Prefix+text(i), e.recipe.Limit)
		return nil
	})
}

// plain returns a text's wordpieces without special tokens and prefix.
func (e *embedder) plain(ids []int32) []int32 {
	ids = ids[1 : len(ids)-1]
	return ids[min(e.prefixPieces(), len(ids)):]
}

// vectors are the rows of an artifact.
type vectors struct {
	dim    int
	rows   []byte    // int8 [n, dim]
	scales []float32 // [n]
	floats []float32 // [n, dim]; nil unless they are kept
	reused int
}

// copy takes row k of another set of vectors as row i.
func (v *vectors) copy(i int, from *vectors, k int) {
	copy(v.rows[i*v.dim:(i+1)*v.dim], from.rows[k*v.dim:])
	v.scales[i] = from.scales[k]
	if v.floats != nil {
		copy(v.floats[i*v.dim:(i+1)*v.dim], from.floats[k*v.dim:])
	}
}

// embed returns the vectors of the texts, by hash: from the old artifact, from the cache, else from the engine.
//
// A text has the same vector however it came: the engine takes one text per run, and what is stored is copied as it is.
func (e *embedder) embed(ctx context.Context, o *Options, ids [][]int32, hashes [][32]byte, old *oldVectors) (*vectors, error) {
	dim := e.engine.Dim()
	v := &vectors{dim: dim, rows: make([]byte, len(ids)*dim), scales: make([]float32, len(ids))}
	if o.Floats {
		v.floats = make([]float32, len(ids)*dim)
	}
	var missing []int
	first := map[[32]byte]int{} // equal texts are embedded once
	var same [][2]int
	for i, h := range hashes {
		if row, ok := old.find(h); ok {
			v.copy(i, &old.vectors, row)
			v.reused++
		} else if k, ok := first[h]; ok {
			same = append(same, [2]int{i, k})
		} else {
			first[h] = i
			missing = append(missing, i)
		}
	}
	list, keys := make([][]int32, len(missing)), make([][32]byte, len(missing))
	for k, i := range missing {
		list[k], keys[k] = ids[i], hashes[i]
	}
	made, err := e.run(ctx, o, "embed", list, keys)
	if err != nil {
		return nil, err
	}
	rows, scales := index.QuantiseRows(made, dim)
	for k, i := range missing {
		v.copy(i, &vectors{dim: dim, rows: rows, scales: scales, floats: made}, k)
	}
	for _, s := range same {
		v.copy(s[0], v, s[1])
	}
	return v, nil
}

// batch is how many texts are embedded before their vectors are handed to the cache, so that a build that is stopped
// loses little.
const batch = 2048

// run embeds texts that may be in the cache: [len(ids), dim] float32, of unit length.
func (e *embedder) run(ctx context.Context, o *Options, phase string, ids [][]int32, hashes [][32]byte) ([]float32, error) {
	dim := e.engine.Dim()
	out := make([]float32, len(ids)*dim)
	var missing []int
	for i, h := range hashes {
		if !e.cache.get(h, out[i*dim:(i+1)*dim]) {
			missing = append(missing, i)
		}
	}
	o.progress().Phase(phase, len(ids))
	steps := stepper{p: o.progress()}
	steps.step(len(ids) - len(missing))
	for part := range slices.Chunk(missing, batch) {
		texts := make([][]int32, len(part))
		for k, i := range part {
			texts[k] = ids[i]
		}
		told := 0
		made, err := embedding.EmbedAll(ctx, e.engine, texts, 0, func(done, _ int, _, _ int64) {
			steps.step(done - told)
			told = done
		})
		if err != nil {
			return nil, err
		}
		for k, i := range part {
			row := out[i*dim : (i+1)*dim]
			copy(row, made[k*dim:])
			e.cache.put(hashes[i], row)
		}
	}
	return out, nil
}

// addVectors embeds the chunks of content and puts vectors and the query encoder into it. Vectors that the artifact at
// path has are taken from there.
func addVectors(ctx context.Context, o *Options, e *embedder, l *loaded, path string, c *index.Content, clock *phases) (reused int, err error) {
	clock.begin("embed")
	texts, bodies := l.chunkTexts(), make([]string, 0, len(c.Chunks))
	hashes := make([][32]byte, 0, len(c.Chunks))
	for _, u := range l.units {
		hashes = append(hashes, u.hashes...)
		for _, k := range u.chunks {
			bodies = append(bodies, k.Text)
		}
	}
	ids, err := e.ids(ctx, len(texts), texts.at)
	if err != nil {
		return 0, err
	}
	old := openOld(path, &e.recipe, e.engine.Dim(), o.Floats)
	v, err := e.embed(ctx, o, ids, hashes, old)
	if err != nil {
		return 0, err
	}
	c.Extra = append(c.Extra, index.VectorBlocks(v.rows, v.scales, v.floats, v.dim)...)
	m := e.model
	c.Meta.Model = &index.Model{
		Name: m.Name, SHA256: m.SHA256, Graph: e.recipe.ONNXSHA256, Dim: v.dim, MaxTokens: m.MaxTokens, Pooling: m.Pooling, Normalize: true,
		Prefix: m.Prefixes.Document, Query: m.Prefixes.Query, Precision: e.recipe.Precision, Engine: e.recipe.Engine, Languages: slices.Concat([]string{}, m.Languages), Licence: m.Licence,
	}
	c.Meta.Chunker.Unit = "wordpieces"
	c.Meta.Encoder = cmp.Or(o.Encoder, EncoderDistilled)
	encoderWeights(&c.Meta.Weights, c.Meta.Encoder)
	clock.begin("encoder")
	sample := ""
	if len(texts) > 0 {
		sample = texts.at(0)
	}
	blocks, err := e.queryEncoder(ctx, o, c.Meta.Encoder, sample, bodies, ids, v, clock)
	if err != nil {
		return 0, err
	}
	c.Extra = append(c.Extra, blocks...)
	c.Meta.EncoderKnown = e.known
	if advice := c.Meta.EncoderAdvice(); advice != "" && o.Notice != nil {
		o.Notice(advice)
	}
	return v.reused, nil
}
