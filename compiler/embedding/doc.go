// Package embedding turns the chunks of a build into vectors.
//
//	model, err := model.Open("all-MiniLM-L6-v2", …)        // sub-package model: folders of weights
//	engine, notice, err := model.Engine(…)                 // sub-package engine: ONNX Runtime or Go
//	vectors, err := embedding.EmbedAll(ctx, engine, texts, …)
//
// EmbedAll takes texts as wordpiece ids. Each is evaluated alone, so a vector depends on its text, the model and the
// engine, never on its neighbours or on how many goroutines there are. That also makes vectors worth keeping: ReuseKey
// names everything that a vector depends on, and a build takes those whose key is unchanged from the artifact before.
//
// The package knows neither chunks nor files of the artifact; the compiler hands it texts and stores what it gives.
package embedding
