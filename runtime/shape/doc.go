// Package shape holds what kdd says: the request and response structs (one per JSON shape), error.v1, the text forms
// for people, snippets and the byte budget.
//
// It knows nothing of files or scores. The structs here are the single source of the wire: JSON Schemas are generated
// from them, and the command line, MCP and HTTP print them alike.
package shape
