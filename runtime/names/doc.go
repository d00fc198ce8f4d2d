// Package names finds the document, section, chunk or lines that a name means. A name may be a path, with or without an
// anchor, lines or the number of a chunk; or an id, alias, title or heading. It is compared as written, then without
// the characters that join words, then by its number, then by the fewest edits. All operations use this resolver.
package names
