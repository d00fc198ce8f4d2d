// Package web serves a runtime.Service over HTTP: MCP's streamable transport at /mcp, every operation of the table as
// GET /api/v1/NAME, tools in the dialect of chat widgets at POST /api/v1/mcp/tools/call, feedback, a page at /, and the
// health, counts and description of the server.
//
// One request goes through the same steps whatever its path (chain.go): it is counted and logged (log.go, metrics.go), a
// panic becomes an error, Host and Origin are checked (access.go), pages of allowed origins may read the answer (cors.go),
// a path and its methods are found in the table of routes (routes.go), the token is asked for where the route is not open,
// the client's share is taken (limit.go), the body is bounded, one of a bounded number of slots is taken (slots.go), and the
// work is given a deadline that holds even if the work does not look at it. What fails is error.v1 as JSON with the status
// of its code (status.go). Answers are kept by index, operation and arguments (cache.go).
//
// The dialect (dialect.go, answer.go, events.go) gives one reply that readers of MCP's results and those of older widgets
// both understand; its markdown is safe to render (markdown.go).
//
// A new path is a row in routes; a new check is a step in chain.
//
//	server, err := web.New(web.Options{Service: svc, Info: mcpserver.Info{Name: "kddq", Version: "1.0.0"}})
//	listener, err := net.Listen("tcp", "127.0.0.1:0")
//	err = server.Serve(ctx, listener) // until ctx ends and what runs has finished
//
// The package opens nothing before the first request that asks the index, /readyz among them. It writes no file but the feedback's.
package web
