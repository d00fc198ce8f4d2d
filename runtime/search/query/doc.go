// Package query reads what was asked: the words of a query with their languages and terms, and the filter as a set of
// documents. It scores nothing.
//
// query.go reads top to bottom. grammar.go and syntax.go have the operators, field.go what stands before a colon,
// expand.go prefix* and fuzzy~, misspelling.go the correction of words that no artifact knows, compound.go words that
// are taken apart, translate.go glossaries, and filter.go the documents that may answer.
package query
