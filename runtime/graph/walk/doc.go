// Package walk traverses the relations of an artifact: what lies around a node, what depends on it, the part of the
// graph around it. It reads the CSR of the file in place; a traversal allocates for the nodes that it visits, never for
// the graph.
package walk
