// Package encoder turns text into vectors without cgo: it is the query encoder of the query tool, and the tokenizer,
// reference and fallback of the compiler.
//
// It has four parts, each usable alone:
//
//   - [Vocab] splits text into wordpieces, as BERT's tokenizer does or as SentencePiece's Unigram. It is a view over
//     bytes:
//     a vocabulary of 30,000 pieces opens in about a microsecond.
//   - [Tensors] reads safetensors files, [Config] the config.json beside them.
//   - [Transformer] evaluates a BERT encoder, with float32 weights (the compiler) or int8 rows (a query tool whose file
//     carries the model).
//   - [Table] is the distilled encoder: a text's vector is a normalised sum of rows.
//
// A query tool does this:
//
//	vocab, err := encoder.OpenVocab(vocabBlock)
//	table, err := encoder.OpenTable(encoderBlock)
//	ids := vocab.Encode(nil, "how do I skip a render")
//	known, err := table.Embed(vector, ids)
//
// Everything that is opened from bytes treats them as hostile: sizes are checked when opened, and accessors check the
// offsets they read. Wrong bytes give an error or a wrong answer, never a panic, a hang or a read outside the slice.
//
// The package does not train, download, or write model folders; it does not know the file that its bytes come from.
package encoder
