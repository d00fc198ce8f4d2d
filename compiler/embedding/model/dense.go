package model

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"kdd/compiler/diag"
	"kdd/compiler/embedding/engine"
	"kdd/format/encoder"
)

// Dense is a dense module of a model: what the pooled vector goes through before it is divided by its length.
type Dense struct {
	File       string `json:"file"`       // of its weights, in the model's folder
	In         int    `json:"in"`         // numbers that it takes
	Out        int    `json:"out"`        // numbers that it gives
	Bias       bool   `json:"bias"`       // whether it adds one
	Activation string `json:"activation"` // "identity" or "tanh"

	source string // where the weights are in what is imported
}

// The activations of dense modules, by the last word of what a configuration calls them.
var denseActivations = map[string]string{"Identity": "identity", "Tanh": "tanh"}

// readDense reads the configuration of a dense module in a folder of the source.
func readDense(s *source, folder string) (Dense, error) {
	var c struct {
		In         int    `json:"in_features"`
		Out        int    `json:"out_features"`
		Bias       *bool  `json:"bias"`
		Activation string `json:"activation_function"`
		From       string `json:"module_input_name"`
		To         string `json:"module_output_name"`
	}
	name := path.Join(folder, ConfigFile)
	if found, err := readJSON(s, name, &c); err != nil {
		return Dense{}, err
	} else if !found {
		return Dense{}, sourceError("modules.json: a Dense module in %q, and no %s", folder, name)
	}
	d := Dense{In: c.In, Out: c.Out, Bias: c.Bias == nil || *c.Bias, source: path.Join(folder, WeightsFile)}
	word := c.Activation[strings.LastIndexByte(c.Activation, '.')+1:]
	if word == "" {
		word = "Tanh" // what sentence-transformers takes where nothing is said
	}
	activation, known := denseActivations[word]
	if !known {
		return d, sourceError("%s: activation %q, want Identity or Tanh", name, c.Activation)
	}
	d.Activation = activation
	for _, of := range []string{c.From, c.To} {
		if of != "" && of != "sentence_embedding" {
			return d, sourceError("%s: it works on %q, want sentence_embedding: modules before the pooling are not evaluated",
				name, of)
		}
	}
	if d.In < 1 || d.In > 1<<13 || d.Out < 1 || d.Out > 1<<13 {
		return d, sourceError("%s: %d to %d numbers, want 1 to %d", name, d.In, d.Out, 1<<13)
	}
	return d, nil
}

// addDense takes a dense module into the layout.
func (l *layout) addDense(s *source, folder string) error {
	d, err := readDense(s, folder)
	if err != nil {
		return err
	}
	if len(l.dense) == encoder.MaxDense {
		return sourceError("modules.json: more than %d Dense modules", encoder.MaxDense)
	}
	d.File = fmt.Sprintf("dense-%d.safetensors", len(l.dense)+1)
	l.dense = append(l.dense, d)
	return nil
}

// checkDense reports dense modules that do not fit the encoder, or have no weights that can be read.
func (im *importer) checkDense() error {
	width := im.config.Hidden
	for _, d := range im.layout.dense {
		if d.In != width {
			return sourceError("%s: it takes %d numbers, and there are %d",
				path.Join(path.Dir(d.source), ConfigFile), d.In, width)
		}
		width = d.Out
		if !im.src.has(d.source) {
			return diag.Cure("save the model with safetensors", "%w",
				sourceError("no %s: weights of other forms can run code when they are read", d.source))
		}
	}
	if len(im.layout.dense) > 0 && !im.src.has(WeightsFile) {
		return sourceError("Dense modules behind an ONNX file, want %s", WeightsFile)
	}
	if len(im.layout.dense) > 0 && im.layout.rooted {
		return sourceError("a Dense module after pooling mean_sqrt_len_tokens, want it after mean, cls or max")
	}
	im.info.Dense, im.info.Dim = im.layout.dense, width
	return nil
}

// storeDense stores the weights of the dense modules, and names all weights by one sum.
func (im *importer) storeDense(ctx context.Context) error {
	for _, d := range im.info.Dense {
		if err := im.step(ctx, "weights"); err != nil {
			return err
		}
		if _, err := im.create(d.File, func(w io.Writer) error { return im.src.copyTo(w, d.source) }); err != nil {
			return err
		}
	}
	im.info.SHA256 = im.info.weightsSum()
	return nil
}

// weightsSum returns the sum that names the weights: that of model.safetensors, or of the sums of it and of the files
// of the dense modules.
func (i *Info) weightsSum() string {
	weights := i.file(WeightsFile)
	if weights == nil {
		return i.ONNXSHA256
	}
	if len(i.Dense) == 0 {
		return weights.SHA256
	}
	all := weights.SHA256
	for _, d := range i.Dense {
		if f := i.file(d.File); f != nil {
			all += "\n" + f.SHA256
		}
		all += fmt.Sprintf("\n%d %d %t %s", d.In, d.Out, d.Bias, d.Activation)
	}
	sum := sha256.Sum256([]byte(all))
	return hex.EncodeToString(sum[:])
}

// checkHead says what is wrong with the dense modules of a kdd-model.json, "" if nothing.
func (i *Info) checkHead() string {
	if len(i.Dense) > encoder.MaxDense {
		return fmt.Sprintf("%d dense modules", len(i.Dense))
	}
	for k, d := range i.Dense {
		known := d.Activation == "identity" || d.Activation == "tanh"
		if !known || d.In < 1 || d.Out < 1 || i.file(d.File) == nil ||
			k > 0 && d.In != i.Dense[k-1].Out || k == len(i.Dense)-1 && d.Out != i.Dim {
			return fmt.Sprintf("dense module %d", k+1)
		}
	}
	return ""
}

// denseTensors reads the weights of the dense modules of a folder.
func denseTensors(dir string, modules []Dense) ([]*encoder.Tensors, error) {
	all := make([]*encoder.Tensors, len(modules))
	for i, d := range modules {
		data, err := os.ReadFile((&Model{Path: dir}).file(d.File))
		if err != nil {
			return nil, err
		}
		if all[i], err = encoder.OpenTensors(data); err != nil {
			return nil, fmt.Errorf("%s: %w", d.File, err)
		}
	}
	return all, nil
}

// Transformer reads the weights into memory, for an artifact that carries them.
func (m *Model) Transformer() (*encoder.Transformer, error) {
	if !m.HasWeights() {
		return nil, brokenError("%s: no %s: the model came as an ONNX file only", m.Path, WeightsFile)
	}
	src := m.source()
	return engine.LoadTransformer(&src)
}

// project has rows go through the weights of the dense modules, without biases and activations.
func (m *Model) project(rows []float32) ([]float32, error) {
	tensors, err := denseTensors(m.Path, m.Dense)
	if err != nil {
		return nil, err
	}
	for i, t := range tensors {
		d, err := encoder.LoadDense(t, m.Dense[i].In, m.Dense[i].Out, false, false)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Dense[i].File, err)
		}
		rows = d.Linear(rows)
	}
	return rows, nil
}
