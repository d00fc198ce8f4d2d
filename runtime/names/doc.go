// Package names finds what a name means: the path of a document, an anchor, lines or a chunk in it, an id, alias, title
// or heading; as it is written, but for what joins its words, by its number, or by the fewest edits. It is the one
// resolver of all operations.
package names
