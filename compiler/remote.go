package compiler

import (
	"context"
	"slices"

	"kdd/compiler/diag"
	"kdd/compiler/embedding"
	"kdd/compiler/embedding/engine"
	"kdd/compiler/embedding/model"
	"kdd/compiler/embedding/remote"
	"kdd/compiler/embedding/vectorfile"
	"kdd/compiler/source"
)

// serverEngine is what a recipe says of vectors that a server made, whatever API it speaks.
const serverEngine = "server"

// openRemote asks the server what it is. Of the model here only the tokenizer counts: it cuts chunks and reads queries.
//
// A server has no weights to be told by. Its vectors are of one recipe if it says the same name and its probe has the
// same directions; the probe of parts that are there is kept, so that a build does not depend on a server's last bits.
func (e *embedder) openRemote(ctx context.Context, o *Options) error {
	if o.Encoder == EncoderExact {
		return &source.OptionError{Err: diag.Cure("use --encoder distilled", "encoder exact: a server's model cannot be put into the file")}
	}
	if !slices.Contains([]string{"", string(engine.Auto)}, o.Engine) || o.Library != "" || o.Device != "" && o.Device != string(engine.CPU) {
		return &source.OptionError{Err: diag.Cure("leave them out", "--engine, --device and --onnxruntime are of models here, --embed-url has a server embed")}
	}
	if o.PartsOnly {
		return &source.OptionError{Err: diag.Cure("leave one out", "--vectors-only embeds nothing, --embed-url has a server embed")}
	}
	c, err := remote.Open(ctx, o.Remote)
	if err != nil {
		return err
	}
	e.remote = c
	dim, err := e.cutServer(o, c.Dim())
	if err != nil {
		return &source.OptionError{Err: err}
	}
	e.server(c.Model(), dim, o.RemotePrefix, c.Probe())
	if err := e.fits(o.MixedEngines); err != nil {
		return err
	}
	if head := e.parts.Head(); head != nil {
		e.recipe.Probe = head.Recipe.Probe
	}
	return nil
}

// keepProbe takes the probe of the first file of vectors whose recipe is this one's, so that a run goes on with what is
// there, and a run that is repeated gives the same file, though the server's last bits differ.
func (e *embedder) keepProbe(paths ...string) {
	if e.remote == nil || e.parts != nil {
		return
	}
	for _, path := range paths {
		if head, err := vectorfile.ReadHead(path); err == nil && head.Dim == e.engine.Dim() && e.recipe.Difference(&head.Recipe) == nil {
			e.recipe.Probe = head.Recipe.Probe
			return
		}
	}
}

// server puts a server's model in the place of the one here, of which the tokenizer and its limit stay.
func (e *embedder) server(name string, dim int, prefix string, probe embedding.Probe) {
	e.engine, e.queries = elsewhere{dim: dim}, e
	e.recipe.ModelSHA256, e.recipe.ONNXSHA256, e.recipe.Pooling, e.recipe.Engine = embedding.ServerModel+name, "", "", serverEngine
	e.recipe.Prefix, e.recipe.Probe = prefix, probe
	e.model = &model.Model{Path: e.model.Path, Info: model.Info{
		Name: name, Dim: dim, MaxTokens: e.model.MaxTokens, Prefixes: model.Prefixes{Document: prefix},
	}}
}
