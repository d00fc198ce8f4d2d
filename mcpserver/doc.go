// Package mcpserver serves a runtime.Service to agents over the Model Context Protocol.
//
// The protocol itself is the official SDK's: the initialize handshake of older hosts and the stateless server/discover
// of 2026-07-28, on one stream. Three things are our own:
//
//   - Framing. The SDK ends a session at the first line that is not a message. Here every line is checked before the
//     SDK sees it (size, depth, UTF-8, JSON-RPC). A wrong line is refused with -32700 or -32600; the session goes on.
//   - The end. When the input ends, running calls may still finish and be answered, for two seconds.
//   - Arguments. Operation.Run decodes them, so that an agent reads what was wrong and what to write instead.
//
// Each tool is one row of runtime.Operations: name, description and schema come from there, and a call is
// Operation.Run. An answer has the text form and, unless it is prose, the wire JSON as structured content. Each is
// complete by itself, because hosts show a model only one of them. A failed call is a result with isError, whose text
// is error.v1.
//
//	err := mcpserver.ServeStdio(ctx, svc, os.Stdin, os.Stdout, os.Stderr, mcpserver.Info{Name: "kddq", Version: "1.0.0"})
//
// Nothing is opened before the first call of a tool, and nothing but protocol is written to out.
package mcpserver
