// Package graph has the operations on the relations of documents: what an entity is linked with, what depends on it,
// the text that matters for some hints, what a document should be related with, and what the build found wrong. Package
// walk traverses the edges.
package graph
