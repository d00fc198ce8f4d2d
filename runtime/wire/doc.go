// Package wire holds what kdd says and is asked: the request and response structs (one for each JSON shape), error.v1,
// cursors, the byte budget of an answer, and what makes text of documents harmless.
//
// It knows nothing of files or scores, and prints nothing but JSON: package render has the other forms. The structs
// here are the single source of the wire: JSON Schemas are generated from them, and the command line, MCP and HTTP
// print them alike.
package wire
