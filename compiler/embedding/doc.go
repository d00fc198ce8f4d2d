// Package embedding turns the chunks of a build into vectors.
//
//	model, err := model.Open("all-MiniLM-L6-v2", …)        // sub-package model: folders of weights
//	engine, notice, err := model.Engine(…)                 // sub-package engine: ONNX Runtime or Go
//	vectors, err := embedding.EmbedAll(ctx, engine, texts, …)
//
// EmbedAll takes texts as wordpiece ids. Each is evaluated alone, so a vector depends on its text, the model and the
// engine, never on its neighbours or on how many goroutines there are; or short ones together, where an engine.Agreed
// and rounding make that no difference. That also makes vectors worth keeping: a Recipe
// names everything but the text that a vector depends on, and a build takes those of its recipe from the artifact before,
// from its cache and from files that other machines made (sub-package vectorfile).
//
// The package knows neither chunks nor files of the artifact; the compiler hands it texts and stores what it gives.
package embedding
