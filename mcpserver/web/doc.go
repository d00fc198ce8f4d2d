// Package web serves a runtime.Service over HTTP: MCP's streamable transport at /mcp, every operation of the table as
// GET /api/v1/NAME, tools in the dialect of chat widgets at POST /api/v1/mcp/tools/call, feedback, a page at /, and the
// health, counts and description of the server.
//
// All requests pass the same middleware (chain.go): they are counted and logged (log.go, metrics.go), a panic becomes
// an error, Host and Origin are checked (access.go), and pages of allowed origins may read the answer (cors.go). The
// table of routes (routes.go) has a handler for each path. Before it a route's own middleware checks the method, the
// token unless the route is open, the client's rate limit (limit.go) and the size of the body, takes a slot (slots.go)
// and sets a deadline, which holds even for work that ignores it. A failure is error.v1 as JSON with the status of its
// code (status.go). Answers are cached by index, operation and arguments (cache.go).
//
// The dialect (dialect.go, answer.go, events.go) has one form of reply, which clients of MCP and older widgets both
// understand. Its markdown is safe to render (markdown.go).
//
// A new path is a row in routes; a new check is middleware in chain.
//
//	server, err := web.New(web.Options{Service: svc, Info: mcpserver.Info{Name: "kddq", Version: "1.0.0"}})
//	listener, err := net.Listen("tcp", "127.0.0.1:0")
//	err = server.Serve(ctx, listener) // until ctx ends and what runs has finished
//
// The package opens no artifact before the first request that needs one; /readyz does too. It writes no file but the
// feedback.
package web
