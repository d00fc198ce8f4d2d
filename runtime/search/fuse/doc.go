// Package fuse turns the scores of chunks into one ranked list of sections.
//
// All signals are absolute, so they are added, never ranked or rescaled per query:
//
//   - The score of a chunk is its cosine, plus the lexical weight times BM25, plus the pair weight times its pairs.
//   - The score of a document is, per signal, Best of its best chunk and Top3 of the mean of its best three; plus how
//     well its title, and the texts of the links to it, match the query.
//   - The score of a section is that of its best chunk, plus how well its headings match, plus File times the score of
//     its document. It is a little lower if the document is no longer in force.
//
// Only documents whose bound reaches the worst hit are scored whole (TopHits): the hits are those of a full evaluation,
// which is the reference in the tests.
//
// The weights are the artifact's (index.Weights). That of BM25 is one for all queries that the encoder can read: what
// told queries apart by how rare their words are, how many of them match or how long they are gained nothing on sources
// that it was not tuned on (bench/runs/2026-11-26-epyc/sources).
package fuse
