// Command speed measures what answers and builds cost: go run ./bench/speed lists the measurements.
package main

import (
	"os"

	"kdd/bench/internal/harness"
	"kdd/bench/speed/build"
	"kdd/bench/speed/clients"
	"kdd/bench/speed/deltas"
	"kdd/bench/speed/elsewhere"
	"kdd/bench/speed/embedding"
	"kdd/bench/speed/export"
	"kdd/bench/speed/hostile"
	"kdd/bench/speed/latency"
	"kdd/bench/speed/load"
	"kdd/bench/speed/peers"
	"kdd/bench/speed/sizes"
	"kdd/bench/speed/watch"
)

var table = []harness.Measurement{
	{Name: "latency", Measures: "cold and warm searches: whole processes with peak memory, first answers of MCP, searches in process", Run: latency.Run},
	{Name: "load", Measures: "serve under load: searches a second, percentiles, memory, SIGTERM", Run: load.Run},
	{Name: "build", Measures: "builds: wall and processor time, peak memory, vectors a second", Run: build.Run},
	{Name: "embedding", Measures: "what builds embed: wordpieces a second, beside a bare loop and other settings", Run: embedding.Run},
	{Name: "watch", Measures: "from an edit of one document to the answer of a server that watches: median, processor time", Run: watch.Run},
	{Name: "sizes", Measures: "bytes of each block, and of each byte of markdown", Run: sizes.Run},
	{Name: "deltas", Measures: "one-line edits, each built and committed: growth of a git repository, differences by block", Run: deltas.Run},
	{Name: "elsewhere", Measures: "an artifact read by range: rounds, requests, bytes by block, answers beside the local file's", Run: elsewhere.Run},
	{Name: "export", Measures: "exports in each format: wall and processor time, peak and private memory, size", Run: export.Run},
	{Name: "peers", Measures: "other engines beside kdd: the same sections and queries, one thread each", Run: peers.Run},
	{Name: "hostile", Measures: "requests that cost most: wide and malformed queries, filters and names, in process and as processes", Run: hostile.Run},
	{Name: "clients", Measures: "searches over stdio and HTTP, seen from a client in Python", Run: clients.Run},
}

func main() { os.Exit(harness.Main("speed", table, os.Args[1:], os.Stdout, os.Stderr)) }
