// Package search finds the sections that answer a query, and those that are near to one in meaning.
//
// Search reads top to bottom: the query is read (package query), every admitted section gets its scores by words
// (package lexical) and by meaning (package vector), the scores become one (package fuse), what the query names comes
// first, near duplicates and many sections of one document step back, and the hits that are asked for are shown with
// snippets (package snippet).
package search
