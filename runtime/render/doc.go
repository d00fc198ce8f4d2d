// Package render prints the answers of package wire: text for people and agents, markdown, CSV, paths, JSON Lines,
// SARIF, annotations for GitHub, and graphs as DOT, GraphML, Mermaid and SVG.
//
// Whatever an answer has from a document goes through wire.Clean before it is printed.
package render
