// Package remote asks other MCP servers: what they have, and for it.
//
// A Config names servers, in the form of .mcp.json (an object mcpServers) or as a list. A Fleet is the servers of one
// run. It reads their lists at the same time, each within its own deadline, keeps what they answered in a cache on disk,
// and calls tools, reads resources and gets prompts by names of the form mcp__SERVER__NAME.
//
//	config, err := remote.ParseConfig(data)
//	fleet, err := remote.NewFleet(config, remote.Options{Getenv: os.Getenv, Timeout: 30 * time.Second})
//	defer fleet.Close()
//	list, err := fleet.Servers(ctx)
//	for _, server := range list.Servers { ... }
//
// The protocol is the official SDK's client over three transports: a child process's standard streams, streamable HTTP,
// and the HTTP+SSE of 2024-11-05. Around it stands what keeps a bad server's badness its own:
//
//   - A child runs in a process group of its own with PATH, HOME, the locale and what its entry names; the group is
//     killed when the session ends, whatever the child does. Its standard error is read to the end, and a tail kept.
//   - Lines that are no protocol are passed over, up to a limit; messages, bodies, pages and lists are bounded.
//   - Credentials go to the configured origin only: another host is refused, in redirects and SSE endpoints too.
//   - Values that came from variables, headers and auth are replaced by *** in every message, and a listing that holds
//     one is not cached.
//   - A server that does not answer, or not well, is failing, and says why; it is never a server without tools.
//
// Answers are structs with a schema_version (wire.go) that print themselves (text.go).
//
// Export puts the same servers behind one of ours. Whether a configuration may be used at all is asked with Trust.
// Package remote decides nothing about terminals and exit codes.
package remote
