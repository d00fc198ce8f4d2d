// Package web serves a runtime.Service over HTTP: MCP's streamable transport at /mcp, every operation of the table as
// GET /api/v1/NAME, and the health of the process.
//
// One request goes through the same steps whatever its path (chain.go): a panic becomes an error, Host and Origin are
// checked (access.go), a path and its methods are found in the table of routes (routes.go), the token is asked for where
// the route is not open, one of a bounded number of slots is taken (slots.go), the body is bounded and the work is given
// a deadline. What fails is error.v1 as JSON with the status of its code (status.go).
//
// A new path is a row in routes; a new check is a step in chain.
//
//	server, err := web.New(web.Options{Service: svc, Info: mcpserver.Info{Name: "kddq", Version: "1.0.0"}})
//	listener, err := net.Listen("tcp", "127.0.0.1:0")
//	err = server.Serve(ctx, listener) // until ctx ends and what runs has finished
//
// Nothing is opened before the first request that asks the index, /readyz among them.
package web
