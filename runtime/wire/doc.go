// Package wire has the requests that kdd takes and the answers that it gives (one struct for each JSON shape),
// error.v1, cursors, the byte budget of an answer, and the cleaning that makes text of documents harmless to show.
//
// It knows nothing of files or scores, and prints only JSON; package render has the other forms. The structs here are
// the only definition of the JSON: the JSON Schemas are generated from them, and the command line, MCP and HTTP print
// them alike.
package wire
