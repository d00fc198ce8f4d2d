// Command interop holds kdd's side of what run.sh runs, and prints what other programs compare with.
package main

import (
	"os"

	"kdd/bench/internal/harness"
	"kdd/bench/interop/documents"
	"kdd/bench/interop/fixture"
	"kdd/bench/interop/nearest"
	"kdd/bench/interop/tokens"
)

var table = []harness.Measurement{
	{Name: "fixture", Measures: "kdd's MCP server with the tools that the public conformance suite demands", Run: fixture.Run},
	{Name: "documents", Measures: "a stand-in for Vespa that takes what \"vespa feed\" sends, for export/load.py", Run: documents.Run},
	{Name: "nearest", Measures: "vectors of questions and the chunks that kdd finds nearest, for export/load.py", Run: nearest.Run},
	{Name: "tokens", Measures: "wordpiece ids of every line of a folder, for tokens/check.py", Run: tokens.Run},
}

func main() { os.Exit(harness.Main("interop", table, os.Args[1:], os.Stdout, os.Stderr)) }
