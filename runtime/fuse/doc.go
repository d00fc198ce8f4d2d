// Package fuse turns the scores of chunks into one ranked list of sections.
//
// All signals are absolute, so they are added, never ranked or rescaled per query: a chunk's score is its cosine plus
// the lexical weight times BM25 plus the pair weight times its pairs; a document's is 0.6 of its best chunk and 0.4 of
// the mean of its best three, per signal, plus what link texts that point at it and its title say of the query; a
// section's is its best chunk, where BM25 counts a little more (OwnLexical), and what its headings say, plus twice its
// document, less a little where the document is no longer in force. The weight of BM25 grows with how rare the query's
// words are (LexicalWeight). The weights are the artifact's (format.Weights).
package fuse
