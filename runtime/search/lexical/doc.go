// Package lexical scores chunks by their words: BM25 over title, heading path and body, adjacent word pairs, and the
// texts of links that point at a document.
//
// Every score is absolute: divided by what a text that answers the query ideally would get, so that it lies in [0, 1]
// and compares between queries and artifacts. Scoring is exhaustive; a filter takes chunks out before they are scored
// and changes nothing for the others.
package lexical
