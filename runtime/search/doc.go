// Package search finds the sections that answer a query, and sections that are similar to one.
//
// The story of a search is in pipeline.go. The query is parsed (package query). Every section that the filter admits
// gets scores for its words (package lexical) and its meaning (package vector), and these become one score (package
// fuse). Sections that the query names come first; of near duplicates only the best stays and names the others, and the
// third and later sections of one document move behind the fifth place (arrange.go). The requested
// hits are shown with snippets (package snippet).
package search
