// Package query reads what was asked: the words of a query with their languages and terms, and the filter as a set of
// documents. It scores nothing.
package query
