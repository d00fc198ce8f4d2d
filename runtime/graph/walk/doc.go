// Package walk traverses the relations of an artifact: the nodes around a node, the nodes that depend on it, and the
// part of the graph around it. It reads the edges in the file in place; a traversal allocates memory for the nodes that
// it visits, never for the graph.
package walk
