// Command quality measures whether answers are right: go run ./bench/quality lists the measurements.
package main

import (
	"os"

	"kdd/bench/internal/harness"
	"kdd/bench/quality/answers"
	"kdd/bench/quality/asked"
	"kdd/bench/quality/graph"
	"kdd/bench/quality/refusal"
	"kdd/bench/quality/search"
)

var table = []harness.Measurement{
	{Name: "search", Measures: "search beside keyword grep, BM25, vectors and RRF, on sets of questions", Run: search.Run},
	{Name: "refusal", Measures: "which questions ask refuses: those that the documents answer, and those that they do not", Run: refusal.Run},
	{Name: "asked", Measures: "what becomes of questions that are asked, by source and kind", Run: asked.Run},
	{Name: "graph", Measures: "what the graph of a folder resolves, and whether names find their documents", Run: graph.Run},
	{Name: "answers", Measures: "that every tool of MCP keeps its schema, budget, errors and pages, with random arguments", Run: answers.Run},
}

func main() { os.Exit(harness.Main("quality", table, os.Args[1:], os.Stdout, os.Stderr)) }
