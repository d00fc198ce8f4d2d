// Package lexical scores chunks by their words: BM25 over title, heading path and body, adjacent word pairs, and the
// texts of links that point at a document.
//
// Every score is absolute: divided by what a text that answers the query ideally would get, so that it lies in [0, 1]
// and compares between queries and artifacts. A filter takes chunks out before they are scored and changes nothing for
// the others. BM25 is computed for every chunk that has a word of the query; word pairs, which need positions, only for
// the documents that fuse.TopHits asks for.
package lexical
