// Package plain turns markdown into the text that a reader sees: without the marks of emphasis, links, lists in quotes,
// containers, tabs, notes and tables, and without tags, templates and comments. Read keeps the lines of lists, tables
// and code; Inline is for one paragraph. What a section says word for word is what the operation read returns.
//
// The compiler has a parser of its own, which knows the place of each character and costs more than a search may take.
// This one takes a part of a document that may begin inside a block of code, in one pass, and is for showing alone:
// nothing is found, linked or cited by its output.
package plain
