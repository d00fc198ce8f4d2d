package compiler

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"

	"kdd/compiler/chunk"
	"kdd/compiler/diag"
	"kdd/compiler/embedding"
	"kdd/compiler/embedding/engine"
	"kdd/compiler/embedding/model"
	"kdd/compiler/embedding/remote"
	"kdd/compiler/embedding/vectorfile"
	"kdd/compiler/parallel"
	"kdd/compiler/source"
	"kdd/format/encoder"
	"kdd/format/index"
)

// The query encoders that an artifact may carry.
const (
	EncoderNone      = index.EncoderNone
	EncoderDistilled = index.EncoderDistilled
	EncoderExact     = index.EncoderExact
)

// precision is that of the document encoder's weights.
const precision = "float32"

// ErrNoModel is returned by Build where vectors are wanted and no model is found; its text has both cures.
var ErrNoModel = model.ErrNoModel

// embedder makes the vectors of a build: the document encoder, its engine, and the vectors made before.
type embedder struct {
	model  *model.Model
	vocab  *encoder.Vocab
	engine engine.Engine
	kept   *keptEncoder   // has the engine from one build to the next
	remote *remote.Client // makes the vectors in place of the engine
	recipe embedding.Recipe
	// what the artifact says of engines: the recipe's, or all that vectors were taken from
	engines string
	queries *embedder       // embeds queries; the embedder itself unless the model has another for them
	parts   *vectorfile.Set // made before, on other machines
	old     *vectorfile.Set // the part that is replaced
	cache   *cache
	// wordpieces of texts that are evaluated together at most; 0 where last bits of vectors are kept
	together int
	given    int     // vectors that came from parts
	made     int     // vectors that the engine made
	from     string  // root hash of the artifact that learned the query encoder, in hex; "" = this one
	known    float64 // share of general text that the corpus taught the query encoder
}

// openEmbedder finds and opens the model and its engine.
func openEmbedder(ctx context.Context, o *Options) (*embedder, error) {
	kind, err := engine.ParseKind(cmp.Or(o.Engine, string(engine.Auto)))
	if err != nil {
		return nil, err
	}
	m, err := model.Find(o.Model)
	if errors.Is(err, ErrNoModel) {
		return nil, diag.Or(err, "build with --no-vectors")
	} else if err != nil {
		return nil, err
	}
	if err := exactPossible(o, m); err != nil {
		return nil, err
	}
	e := &embedder{model: m, kept: o.Memory.encoder(o, m)}
	if e.vocab, err = e.kept.vocab(m); err != nil {
		return nil, err
	}
	if e.parts, err = openParts(o.Parts, o.MixedEngines); err != nil {
		return nil, err
	}
	opened := false
	defer func() {
		if !opened {
			e.parts.Close()
		}
	}()
	if err := e.cut(o); err != nil {
		return nil, &source.OptionError{Err: err}
	}
	if err := e.openQueries(o); err != nil {
		return nil, err
	}
	if err := e.openEngine(ctx, o, kind); err != nil {
		return nil, err
	}
	if o.CacheDir != "-" {
		e.cache = openCache(o.CacheDir, &e.recipe)
		if o.Fresh {
			e.cache.blind()
		}
		if e.parts == nil && !o.Fresh {
			e.recipe.Probe = e.cache.probe(e.recipe.Probe)
		}
	}
	opened = true
	return e, nil
}

// openEngine makes the engine and the recipe of its vectors, which those of the parts must have.
func (e *embedder) openEngine(ctx context.Context, o *Options, kind engine.Kind) (err error) {
	m := e.model
	vocab, err := e.vocab.AppendBinary(nil)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(vocab)
	e.recipe = embedding.Recipe{
		ModelSHA256: m.SHA256, Precision: precision, Tokenizer: hex.EncodeToString(sum[:]),
		Pooling: m.Pooling, Prefix: m.Prefixes.Document, Limit: m.MaxTokens, Chunker: chunk.Version,
	}
	if m.Whole > 0 {
		e.recipe.Dimensions, e.recipe.Whole = m.Dim, m.Whole
	}
	if o.Remote.URL != "" {
		return e.openRemote(ctx, o)
	}
	if o.PartsOnly {
		return e.adopt(o)
	}
	device, err := engine.ParseDevice(o.Device)
	if err != nil {
		return err
	}
	var notice string
	if e.engine = cmp.Or(o.Embedder, e.kept.engine); e.engine == nil {
		if e.engine, notice, err = m.Engine(engine.Options{Kind: kind, Library: o.Library, Device: device}); err != nil {
			return err
		}
		// Rows of float32 are as the engine gives them, unless they are those of parts.
		if device == engine.CPU && (!o.Floats || e.parts != nil) {
			e.engine = m.Agreed(e.engine)
			if m.HasWeights() && !o.Floats { // only rounded rows are kept, which do not depend on what is together
				e.together = embedding.Together
			}
		}
	}
	if notice != "" && o.Notice != nil {
		o.Notice(notice)
	}
	e.recipe.Engine = engine.ID(e.engine)
	if e.engine.Name() == "onnxruntime" {
		e.recipe.ONNXSHA256 = m.ONNXSHA256
	}
	if err := e.fits(o.MixedEngines); err != nil {
		e.kept.release(e.engine)
		return err
	}
	return nil
}

// close frees the model, and keeps in the cache what was embedded: also by a build that fails later.
func (e *embedder) close() {
	e.cache.close()
	e.parts.Close()
	e.old.Close()
	e.kept.release(e.engine)
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
	return e.pieces(ctx, n, e.recipe.Limit, text)
}

// pieces is ids with a limit that is not the model's.
func (e *embedder) pieces(ctx context.Context, n, limit int, text func(i int) string) ([][]int32, error) {
	ids := make([][]int32, n)
	return ids, parallel.Each(ctx, 0, n, func(i int) error {
		ids[i] = e.vocab.EncodeWithSpecials(nil, e.recipe.Prefix+text(i), limit)
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
// A text has the same row however it came: where the engine takes several texts in a run, last bits that differ are
// rounded away. What is stored is copied as it is.
func (e *embedder) embed(ctx context.Context, o *Options, texts chunkTexts, hashes [][32]byte, old *oldVectors) (*vectors, error) {
	dim, n := e.engine.Dim(), len(hashes)
	v := &vectors{dim: dim, rows: make([]byte, n*dim), scales: make([]float32, n)}
	if o.Floats {
		v.floats = make([]float32, n*dim)
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
	keys := make([][32]byte, len(missing))
	for k, i := range missing {
		keys[k] = hashes[i]
	}
	err := e.run(ctx, o, "embed", keys, func(k int) string { return texts.at(missing[k]) }, func(k int, row []float32) error {
		rows, scales := index.QuantiseRows(row, dim)
		v.copy(missing[k], &vectors{dim: dim, rows: rows, scales: scales, floats: row}, 0)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, s := range same {
		v.copy(s[0], v, s[1])
	}
	return v, nil
}

// batch is how many texts are embedded before their vectors are handed on, so that a build that is stopped loses
// little.
const batch = 512

// run embeds texts, whose hashes are given, unless there is a vector of them. It hands each vector, of unit length, to
// keep in the order of the texts; that may not change it. A damaged part is an error; a damaged cache is not.
func (e *embedder) run(ctx context.Context, o *Options, phase string, hashes [][32]byte, text func(i int) string,
	keep func(i int, row []float32) error) error {
	dim := e.engine.Dim()
	o.progress().Phase(phase, len(hashes))
	steps := stepper{p: o.progress()}
	for from := 0; from < len(hashes); from += batch {
		part := hashes[from:min(len(hashes), from+batch)]
		out := make([]float32, len(part)*dim)
		row := func(i int) []float32 { return out[i*dim : (i+1)*dim : (i+1)*dim] }
		var missing []int
		for i, h := range part {
			found, err := e.find(h, row(i))
			if err != nil {
				return err
			}
			if !found {
				missing = append(missing, i)
			}
		}
		steps.step(len(part) - len(missing))
		made, err := e.make(ctx, len(missing), func(k int) string { return text(from + missing[k]) }, steps.step)
		if err != nil {
			return err
		}
		e.made += len(missing)
		for k, i := range missing {
			copy(row(i), made[k*dim:])
			e.cache.put(part[i], row(i))
		}
		for i := range part {
			if err := keep(from+i, row(i)); err != nil {
				return err
			}
		}
	}
	return nil
}

// make has the engine or the server embed n texts; done is told how many more there are.
func (e *embedder) make(ctx context.Context, n int, text func(k int) string, done func(texts int)) ([]float32, error) {
	if e.remote != nil {
		texts := make([]string, n)
		for k := range texts {
			texts[k] = e.recipe.Prefix + text(k)
		}
		all, err := e.remote.Embed(ctx, texts, done)
		return firstDimensions(all, e.remote.Dim(), e.engine.Dim()), err
	}
	ids, err := e.ids(ctx, n, text)
	if err != nil {
		return nil, err
	}
	told := 0
	return embedding.EmbedAll(ctx, e.engine, ids, e.together, 0, func(texts, _ int, _, _ int64) {
		done(texts - told)
		told = texts
	})
}

// find copies the vector of a text that was made before: from the parts, from the part that is replaced, or from the
// cache.
func (e *embedder) find(hash [32]byte, row []float32) (bool, error) {
	if found, err := e.parts.Get(row, hash); found || err != nil {
		e.given++
		return found, err
	}
	if found, err := e.old.Get(row, hash); found && err == nil {
		return true, nil
	}
	return e.cache.get(hash, row), nil
}

// addVectors embeds the chunks of content and puts vectors and the query encoder into it. Vectors that the artifact at
// path has are taken from there.
func addVectors(ctx context.Context, o *Options, e *embedder, l *loaded, path string, c *index.Content, clock *phases) (reused int, err error) {
	clock.begin("embed")
	hashes := make([][32]byte, 0, len(c.Chunks))
	for _, u := range l.units {
		hashes = append(hashes, u.hashes...)
	}
	recipe := e.recipe
	recipe.Engine = e.engines
	texts := l.chunkTexts()
	var old *oldVectors
	if !o.Fresh {
		if old, err = e.trusted(ctx, o, texts, hashes, openOld(path, &recipe, e.engine.Dim(), o.Floats)); err != nil {
			return 0, err
		}
	}
	if old != nil && e.parts == nil {
		e.recipe.Probe = old.probe
	}
	if o.PartsOnly {
		kind := e.learnsFrom(o)
		if o.EncoderFrom != "" {
			kind = EncoderNone // no sentences are learned from
		}
		if err := e.complete(texts, kind, old); err != nil {
			return 0, err
		}
	}
	v, err := e.embed(ctx, o, texts, hashes, old)
	if err != nil {
		return 0, err
	}
	m := e.model
	c.Meta.Model = &index.Model{
		Name: m.Name, SHA256: m.SHA256, Graph: e.recipe.ONNXSHA256, Dim: v.dim, Whole: e.recipe.Whole,
		MaxTokens: m.MaxTokens, Pooling: m.Pooling, Normalize: true,
		Prefix: m.Prefixes.Document, Query: m.Prefixes.Query, Precision: e.recipe.Precision, Engine: e.engines, Languages: slices.Concat([]string{}, m.Languages), Licence: m.Licence,
		QueryModel: e.queryModel(), Probe: string(e.recipe.Probe),
	}
	c.Meta.Chunker.Unit = "wordpieces"
	c.Meta.Encoder = cmp.Or(o.Encoder, EncoderDistilled)
	c.Meta.Weights.Calibration = calibration(c.Meta.Encoder)
	clock.begin("encoder")
	blocks, err := e.queryEncoder(ctx, o, c.Meta.Encoder, l, v, clock)
	if err != nil {
		return 0, err
	}
	c.Extra = append(c.Extra, index.VectorBlocks(v.rows, v.scales, v.floats, v.dim)...)
	c.Extra = append(c.Extra, blocks...)
	c.Meta.EncoderKnown, c.Meta.EncoderFrom = e.known, e.from
	if advice := c.Meta.EncoderAdvice(); advice != "" && o.Notice != nil {
		o.Notice(advice)
	}
	return v.reused, nil
}
