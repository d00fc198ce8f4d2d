// Package generate has a language model write an answer from passages of documents, and keeps the lines that the
// passages support.
//
//	model, err := generate.New("http://127.0.0.1:11434/v1", "llama3.1", "", 0, time.Minute)
//	text, err := model.Complete(ctx, generate.Prompt(question, passages, turns), 400, nil)
//	kept := generate.Check(text, question, passages)
//
// The endpoint is any that speaks OpenAI's chat completions. Its text is not trusted: a line is kept only if it has a
// quote that is in the passage that it names, and if its numbers, identifiers and content words are there too. Nothing is sent
// anywhere unless a model was made.
package generate
