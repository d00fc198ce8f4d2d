package model

import (
	"context"
	"fmt"
	"io"
	"os"

	"kdd/compiler/diag"
	"kdd/format/encoder"
)

// staticKind is the type of the module that is a table, and staticName the architecture.
const (
	staticKind = "StaticEmbedding"
	staticName = "static"
)

// static says whether a source is a table of word vectors, and whether its texts' unknown pieces count: they do in a
// module, and not in a folder of model2vec.
func (s *source) static() (is, unknown bool, err error) {
	var modules []module
	found, err := readJSON(s, "modules.json", &modules)
	if err != nil {
		return false, false, err
	}
	if found {
		return len(modules) > 0 && modules[0].kind() == staticKind, true, nil
	}
	var c struct {
		Type string `json:"model_type"`
	}
	_, err = readJSON(s, ConfigFile, &c)
	return c.Type == "model2vec", false, err
}

// asQuerySide makes all files of the folder of a model of queries.
func (im *importer) asQuerySide(ctx context.Context) error {
	if err := os.Mkdir(im.dir, 0o755); err != nil {
		return err
	}
	static, unknown, err := im.src.static()
	if err != nil {
		return err
	}
	if !static {
		return im.run(ctx)
	}
	return im.table(ctx, unknown)
}

// table imports a table of word vectors.
func (im *importer) table(ctx context.Context, unknown bool) error {
	if err := im.step(ctx, "weights"); err != nil {
		return err
	}
	var modules []module
	if _, err := readJSON(im.src, "modules.json", &modules); err != nil {
		return err
	}
	for i, m := range modules {
		if i > 0 && m.kind() != "Normalize" {
			return sourceError("modules.json: module of type %q after %s, want Normalize only", m.Type, staticKind)
		}
	}
	l := &layout{}
	if err := l.readCard(im.src); err != nil {
		return err
	}
	if im.o.Prefixes != nil {
		l.prefixes = *im.o.Prefixes
	}
	if l.prefixes.Query != "" {
		return diag.Cure("leave it out: --query-prefix ''", "%w", sourceError("the prompt %q before queries, which a static table cannot take in", l.prefixes.Query))
	}
	tokenizer, err := im.src.read(TokenizerFile)
	if err != nil {
		return err
	}
	if tokenizer == nil || !im.src.has(WeightsFile) {
		return sourceError("a static table without %s and %s", TokenizerFile, WeightsFile)
	}
	im.info = &Info{Version: infoVersion, Name: im.o.Name, Architecture: staticName, Static: &Static{Unknown: unknown}, Pooling: "mean",
		Normalize: true, Languages: []string{}, Licence: l.licence, Source: im.o.Source, Revision: im.o.Revision}
	if im.o.Licence != "" {
		im.info.Licence = im.o.Licence
	}
	if _, err := im.create(TokenizerFile, func(w io.Writer) error { _, err := w.Write(tokenizer); return err }); err != nil {
		return err
	}
	im.info.SHA256, err = im.create(WeightsFile, func(w io.Writer) error { return im.src.copyTo(w, WeightsFile) })
	if err != nil {
		return err
	}
	rows, dim, err := (&Model{Info: *im.info, Path: im.dir}).staticRows()
	if err != nil {
		return err
	}
	im.info.Dim, im.info.Vocab = dim, len(rows)/dim
	vocab, err := encoder.ParseBareTokenizer(tokenizer)
	if err != nil {
		return err
	}
	if n := vocab.Size(); n > im.info.Vocab {
		return sourceError("%s: %d rows, want %d, one for each piece of %s", WeightsFile, im.info.Vocab, n, TokenizerFile)
	}
	if _, err := (&Model{Info: *im.info, Path: im.dir}).Table(); err != nil {
		return err
	}
	return writeInfo(im.dir, im.info)
}

// staticRows reads the rows of a table, [pieces, dim].
func (m *Model) staticRows() (rows []float32, dim int, err error) {
	t, err := m.Tensors()
	if err != nil {
		return nil, 0, err
	}
	for _, name := range []string{"embedding.weight", "embeddings"} { // as modules and as model2vec have it
		shape, ok := t.Shape(name)
		if !ok {
			continue
		}
		if len(shape) != 2 || shape[0] < 1 || shape[0] > 1<<24 || shape[1] < 1 || shape[1] > 1<<13 {
			return nil, 0, fmt.Errorf("%w: %s: tensor %s of %d, want [pieces, dimensions]", encoder.ErrModel, WeightsFile, name, shape)
		}
		for _, other := range []string{"mapping", "weights"} {
			if _, ok := t.Shape(other); ok {
				return nil, 0, sourceError("%s: tensor %q beside %s, want one row for each piece", WeightsFile, other, name)
			}
		}
		rows, err := (newWeights(t)).Tensor(name, shape...)
		return rows, shape[1], err
	}
	return nil, 0, fmt.Errorf("%w: %s: neither tensor embedding.weight nor embeddings", encoder.ErrModel, WeightsFile)
}

// Table returns the query encoder that a Static model is, as artifacts have it: each row as int8.
func (m *Model) Table() ([]byte, error) {
	rows, dim, err := m.staticRows()
	if err != nil {
		return nil, err
	}
	vocab, err := m.Vocab()
	if err != nil {
		return nil, err
	}
	n := vocab.Size() // no more than there are rows
	if m.Whole > 0 {  // the first numbers of each
		for i := range n {
			copy(rows[i*m.Dim:], rows[i*dim:i*dim+m.Dim])
		}
		dim = m.Dim
	}
	in := encoder.TableRows{Form: encoder.FormInt8, Values: rows[:0]} // kept rows move up
	for id := range int32(n) {
		if id == vocab.Unknown() && !m.Static.Unknown {
			continue
		}
		in.Pieces = append(in.Pieces, id)
		in.Values = append(in.Values, rows[int(id)*dim:(int(id)+1)*dim]...)
	}
	return encoder.AppendTable(nil, &encoder.TableSpec{Dim: dim, Pieces: n, Rows: []encoder.TableRows{in}})
}
