// Package graph answers questions about the relations of an artifact: which node a name means, and what lies around it.
// It reads the CSR of the file in place; a traversal allocates for the nodes that it visits, never for the graph.
package graph
