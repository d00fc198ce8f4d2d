// Package compiler turns folders of markdown into one .kddx artifact.
//
// The phases are walk (package source), parse (markdown) and split (chunk), links (graph) and the inverted index
// (lexicon) over the same chunks, vectors (embedding) and a query encoder learned from them (distil), and the writer of
// package format. Work within a phase is parallel; ids and bytes are given once, in path order, so the same sources and
// options give the same file on any machine.
//
//	report, err := compiler.Build(ctx, compiler.Options{Sources: []string{"docs"}, Output: "docs.kddx"})
//
// Vectors are taken from the artifact that is replaced and from a cache where they were made in the same way; that
// changes how long a build takes, never its bytes. What is wrong with documents is in the report, and does not end a
// build unless Strict is set. The package does not search: package runtime opens what it writes.
package compiler
