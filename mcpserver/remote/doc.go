// Package remote is a client of other MCP servers: it lists what they have, and calls it.
//
// A Config names servers, in the form of .mcp.json (an object mcpServers) or as a list. A Fleet is the servers of one
// run. It reads their lists in parallel, each within its own deadline, caches the lists on disk, and calls tools, reads
// resources and gets prompts by names of the form mcp__SERVER__NAME.
//
//	config, err := remote.ParseConfig(data)
//	fleet, err := remote.NewFleet(config, remote.Options{Getenv: os.Getenv, Timeout: 30 * time.Second})
//	defer fleet.Close()
//	list, err := fleet.Servers(ctx)
//	for _, server := range list.Servers { ... }
//
// The protocol is the official SDK's client over three transports: a child process's standard streams, streamable HTTP,
// and the HTTP+SSE of 2024-11-05. This package isolates servers that misbehave:
//
//   - A child runs in a process group of its own, with PATH, HOME, the locale and the variables of its entry. The
//     group is killed when the session ends, whatever the child does. Of its standard error the tail is kept.
//   - Lines that are not messages are skipped, up to a limit. Messages, bodies, pages and lists are bounded.
//   - Credentials go to the configured origin only. Another host is refused, in redirects and SSE endpoints too.
//   - Values from variables, headers and auth are replaced by *** in every message. A listing with such a value is
//     not cached.
//   - A server that does not answer, or answers wrongly, is failing with a reason. It is never a server without tools.
//
// Answers are structs with a schema_version (wire.go) that print themselves (text.go).
//
// Export adds the tools, resources and prompts of these servers to a server of kdd. Trust remembers which
// configurations a person has agreed to. The package does not deal with terminals and exit codes.
package remote
