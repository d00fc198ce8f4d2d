// Package diag holds what a compilation has to say about its sources: findings as values.
//
// A Diagnostic points at a place, names a rule and says what is wrong and how to cure it. Packages of the compiler
// append diagnostics and go on; nothing is printed below cmd. They are sorted by position before they are shown or
// stored, so the same sources give the same list.
//
//	d := diag.At(diag.NotUTF8, "guide/old.md", 12, 3, "byte 0xe9 is not UTF-8")
//	ds = diag.Sort(append(ds, d))
//	err := diag.Printer{Color: true}.Text(os.Stderr, ds)
//
// # Rules
//
// Each finding belongs to a rule: a constant of type Rule with a number, and a row of the table with its name, default
// severity, description and cure. Numbers and names are stable once released: users filter and suppress by them. A
// package that needs a rule adds a constant and a row to the file of its range:
//
//	0xx  rules_source.go    files, folders, links between files, bytes
//	1xx  rules_markdown.go  markdown, front matter, anchors
//	2xx  rules_graph.go     links between documents, kinds, relations, layers
//	3xx  rules_index.go     chunks, lexicon, vectors, the file
//
// An error that ends a build carries what its user can do about it in the same way: Cure makes one, Parts takes it
// apart.
//
// The package does not decide what ends a build, nor where diagnostics go.
package diag
