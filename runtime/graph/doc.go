// Package graph has the operations on the relations of documents: the nodes that an entity is linked with, the nodes
// that depend on it, the text that matters for some hints, the relations that a document should have, and the findings
// of the build. Package walk traverses the edges.
package graph
