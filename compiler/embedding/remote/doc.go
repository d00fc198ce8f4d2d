// Package remote has a server make the vectors of a build: one that speaks OpenAI's embeddings API, as vLLM, Ollama,
// llama.cpp and LiteLLM do too, or the API of Hugging Face's Text Embeddings Inference (TEI).
//
//	c, err := remote.Open(ctx, remote.Options{URL: "http://127.0.0.1:8080", Key: key})
//	vectors, err := c.Embed(ctx, texts, nil)
//
// Which model a server runs cannot be seen. So Open asks it for the vectors of a few fixed texts, the probe, which name
// the model from then on: Embed asks for them again after its texts, and a build compares them with those of vectors
// that were made before (embedding.Recipe).
//
// Answers are read as if somebody else had written them: their size is bounded, and a row has to be a vector of the
// length of all others. Vectors are scaled to unit length.
package remote
