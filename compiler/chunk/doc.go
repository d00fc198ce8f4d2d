// Package chunk cuts documents into the pieces that are retrieved.
//
// A chunk never crosses a heading. Blocks of a section are put together greedily up to the limit; a block that alone is
// over it is cut at lines, rows, sentences, words or, at last, between characters. Every byte of every block's text is
// in exactly one chunk, and a section without text has one empty chunk, since its heading is worth finding.
//
//	for _, c := range chunk.Split(doc, chunk.Words) {
//		embed(chunk.Embedded(doc, c))
//	}
//
// The package does not count tokens: a Limit brings its own measure.
package chunk
