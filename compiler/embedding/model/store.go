package model

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"kdd/compiler/diag"
	"kdd/compiler/embedding/engine"
	"kdd/compiler/embedding/modeldir"
	"kdd/format/encoder"
)

// DefaultName is the model that a build takes where none is named.
const DefaultName = "all-MiniLM-L6-v2"

// defaultID is where the default model comes from.
const defaultID = "sentence-transformers/" + DefaultName

// Errors of finding and reading model folders.
var (
	// ErrNoModel: there is no model of that name, or none at all.
	ErrNoModel = errors.New("no model")
	// ErrBroken: a model folder is not what its kdd-model.json says.
	ErrBroken = errors.New("broken model")
)

// brokenError is an ErrBroken with a text of its own.
func brokenError(format string, args ...any) error {
	return &textError{fmt.Sprintf(format, args...), ErrBroken}
}

// importAgain is a brokenError that a new import mends.
func importAgain(format string, args ...any) error {
	return diag.Cure("import the model again", "%w", brokenError(format, args...))
}

// Model is a model folder.
type Model struct {
	Info
	Path  string // of the folder
	Whole int    // dimensions of the model itself, where Dim is fewer; see Cut
	side  *Model // of queries; nil if they are embedded as documents are
}

// Find returns the model of a name ("all-MiniLM-L6-v2", or with its owner before it), or in the folder of that path.
// "" is the default model, or else the only one there is. It looks in the folders of modeldir, reads kdd-model.json and
// no weights.
func Find(name string) (*Model, error) {
	if name == "" {
		return findDefault()
	}
	if _, err := os.Stat(filepath.Join(name, InfoFile)); err == nil {
		return Open(name)
	}
	short := name[strings.LastIndexByte(name, '/')+1:]
	if hubIDPattern.MatchString(name) && checkName(short) == nil {
		for _, dir := range modeldir.All() {
			path := filepath.Join(dir.Path, short)
			if _, err := os.Stat(filepath.Join(path, InfoFile)); err == nil {
				return Open(path)
			}
		}
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return nil, diag.Cure("import it first: kdd model import "+name, "%w", noModel("%s: a folder without %s", name, InfoFile))
	}
	cure := "kdd model pull " + name
	if !strings.Contains(name, "/") {
		cure = "kdd model pull OWNER/" + name
	}
	return nil, diag.Cure(fmt.Sprintf("get it with %q", cure), "%w", noModel("no model %q", name))
}

// findDefault returns the model that is meant where none is named.
func findDefault() (*Model, error) {
	m, err := Find(DefaultName)
	if err == nil || !errors.Is(err, ErrNoModel) {
		return m, err
	}
	all, broken, err := List()
	switch {
	case err != nil:
		return nil, err
	case len(all) == 0 && len(broken) > 0:
		return nil, broken[0]
	case len(all) == 1:
		return all[0], nil
	case len(all) > 1:
		names := make([]string, len(all))
		for i, m := range all {
			names[i] = m.Name
		}
		return nil, diag.Cure("name one: "+strings.Join(names, ", "), "%w", noModel("several models and none of them is the default"))
	}
	return nil, diag.Cure(fmt.Sprintf("get one with %q", "kdd model pull "+defaultID), "%w", noModel("no model"))
}

// noModel is an ErrNoModel with a text of its own.
func noModel(format string, args ...any) error {
	return &textError{fmt.Sprintf(format, args...), ErrNoModel}
}

// Open returns the model in a folder. It reads kdd-model.json and sees that the files are there, in their sizes.
func Open(path string) (*Model, error) {
	m, err := openFolder(path)
	if err != nil {
		return nil, err
	}
	if m.Static != nil {
		return nil, noModel("%s: a table for queries only", path)
	}
	return m, m.openSides()
}

// openFolder is Open without the model of queries.
func openFolder(path string) (*Model, error) {
	info, err := readInfo(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, diag.Cure("import the model first", "%w", noModel("%s: no %s", path, InfoFile))
	}
	if err != nil {
		return nil, err
	}
	m := &Model{Info: *info, Path: path}
	for _, f := range info.Files {
		got, err := os.Stat(m.file(f.Name))
		if err != nil {
			return nil, importAgain("%s: %s is missing", path, f.Name)
		}
		if got.Size() != f.Bytes {
			return nil, importAgain("%s: %s has %d bytes, want %d", path, f.Name, got.Size(), f.Bytes)
		}
	}
	needed := []string{ConfigFile, ONNXFile, PriorFile}
	if m.Static != nil {
		needed = []string{TokenizerFile, WeightsFile}
	}
	for _, name := range needed {
		if info.file(name) == nil {
			return nil, importAgain("%s: %s does not name %s", path, InfoFile, name)
		}
	}
	return m, nil
}

// List returns all models that Find can find, by name; of two with one name the one that Find takes. Folders that are
// broken are left out; broken says of each what is wrong with it. A folder without kdd-model.json is none.
func List() (all []*Model, broken []error, err error) {
	seen := map[string]bool{}
	for _, dir := range modeldir.All() {
		entries, err := os.ReadDir(dir.Path)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), ".") || seen[e.Name()] {
				continue
			}
			switch m, err := Open(filepath.Join(dir.Path, e.Name())); {
			case err == nil:
				seen[e.Name()] = true
				all = append(all, m)
			case !errors.Is(err, ErrNoModel) && !errors.Is(err, syscall.ENOTDIR):
				broken = append(broken, err)
			}
		}
	}
	slices.SortFunc(all, func(a, b *Model) int { return strings.Compare(a.Name, b.Name) })
	return all, broken, nil
}

// file returns the path of a file of the folder.
func (m *Model) file(name string) string { return filepath.Join(m.Path, name) }

// Verify reads the whole folder and reports the first file that is not what it was at import, or does not parse.
func (m *Model) Verify(ctx context.Context) error {
	for _, f := range m.Files {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		got, err := sumFile(m.file(f.Name))
		if err != nil {
			return brokenError("%s: %v", m.Path, err)
		}
		if got != f.SHA256 {
			return importAgain("%s: %s has sha256 %s, want %s", m.Path, f.Name, got, f.SHA256)
		}
	}
	for _, want := range []struct{ name, sum string }{{ONNXFile, m.ONNXSHA256}, {PriorFile, m.PriorSHA256}} {
		if f := m.Info.file(want.name); f != nil && f.SHA256 != want.sum {
			return importAgain("%s: %s names two checksums for %s", m.Path, InfoFile, want.name)
		}
	}
	if m.SHA256 != m.weightsSum() {
		return importAgain("%s: %s names two checksums for the weights", m.Path, InfoFile)
	}
	if _, err := m.Vocab(); err != nil {
		return err
	}
	if m.side != nil {
		if err := m.side.Verify(ctx); err != nil {
			return err
		}
	}
	if m.Static != nil {
		_, err := m.Table()
		return err
	}
	if _, err := m.Prior(); err != nil {
		return err
	}
	_, err := m.Config()
	return err
}

// sumFile returns the sha256 of a file in hex.
func sumFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Vocab reads the tokenizer.
func (m *Model) Vocab() (*encoder.Vocab, error) {
	for _, name := range []string{TokenizerFile, VocabFile} {
		if m.Info.file(name) == nil {
			continue
		}
		data, err := os.ReadFile(m.file(name))
		if err != nil {
			return nil, err
		}
		parse := parseVocab
		if m.Static != nil {
			parse = func(_ string, data []byte, _ bool) (*encoder.Vocab, error) { return encoder.ParseBareTokenizer(data) }
		}
		v, err := parse(name, data, m.Cased)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.file(name), err)
		}
		if v.Size() > m.Info.Vocab {
			return nil, brokenError("%s: %d wordpieces, want at most %d", m.file(name), v.Size(), m.Info.Vocab)
		}
		return v, nil
	}
	return nil, importAgain("%s: no tokenizer", m.Path)
}

// parseVocab reads a tokenizer in the form that its name says.
func parseVocab(name string, data []byte, cased bool) (*encoder.Vocab, error) {
	if name == VocabFile {
		return encoder.ParseVocabText(data, cased)
	}
	return encoder.ParseTokenizer(data)
}

// Config reads config.json.
func (m *Model) Config() (encoder.Config, error) {
	data, err := os.ReadFile(m.file(ConfigFile))
	if err != nil {
		return encoder.Config{}, err
	}
	c, err := encoder.ParseConfig(data)
	if err != nil {
		return c, fmt.Errorf("%s: %w", m.Path, err)
	}
	return c, nil
}

// Tensors reads the weights into memory, for an artifact that carries them.
func (m *Model) Tensors() (*encoder.Tensors, error) {
	if !m.HasWeights() {
		return nil, brokenError("%s: no %s: the model came as an ONNX file only", m.Path, WeightsFile)
	}
	data, err := os.ReadFile(m.file(WeightsFile))
	if err != nil {
		return nil, err
	}
	t, err := encoder.OpenTensors(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.file(WeightsFile), err)
	}
	return t, nil
}

// Prior reads the word vectors.
func (m *Model) Prior() (*Prior, error) {
	data, err := os.ReadFile(m.file(PriorFile))
	if err != nil {
		return nil, err
	}
	p, err := parsePrior(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Path, err)
	}
	if dim := cmp.Or(m.Whole, m.Dim); p.Dim != dim || p.Rows > m.Info.Vocab {
		return nil, brokenError("%s: %s has %d rows of %d, want at most %d of %d", m.Path, PriorFile, p.Rows, p.Dim, m.Info.Vocab, dim)
	}
	if m.Whole > 0 {
		p = p.cut(m.Dim)
	}
	return p, nil
}

// Engine opens the model for embedding. A notice says if the Go transformer took the place of a missing ONNX Runtime.
func (m *Model) Engine(o engine.Options) (e engine.Engine, notice string, err error) {
	return engine.Open(m.source(), o)
}

// Agreed returns an engine over e, which Engine opened on a processor, whose rounded vectors are those of
// every such engine; or e, where the model has no weights to evaluate in float64.
func (m *Model) Agreed(e engine.Engine) engine.Engine {
	if !m.HasWeights() {
		return e
	}
	return engine.Agreed(e, m.source())
}

// source is what engines open.
func (m *Model) source() engine.Source {
	src := engine.Source{
		ONNX: m.file(ONNXFile), Dim: m.Dim, Whole: m.Whole, Vocab: m.Info.Vocab, MaxIDs: m.Positions,
		Pooling: m.PoolingKind(), Unit: m.Normalize, Config: m.file(ConfigFile),
	}
	if m.HasWeights() {
		src.Weights = m.file(WeightsFile)
	}
	for _, d := range m.Dense {
		src.Dense = append(src.Dense, engine.Dense{
			Weights: m.file(d.File), In: d.In, Out: d.Out, Bias: d.Bias, Tanh: d.Activation == "tanh"})
	}
	if m.ONNX != nil {
		src.Inputs, src.Output = m.ONNX.Inputs, m.ONNX.Output
	}
	return src
}
