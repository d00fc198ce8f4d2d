package web

import (
	"net/http"

	"kdd/runtime"
)

// route is one path of the server.
type route struct {
	path    string   // a pattern of http.ServeMux, without a method
	methods []string // that it takes; HEAD goes with GET
	open    bool     // no token is asked for
	light   bool     // it takes no slot and has no deadline: it answers at once whatever else runs
	handle  http.HandlerFunc
}

// routes is the table of paths.
func (s *Server) routes() []route {
	get, post := []string{http.MethodGet}, []string{http.MethodPost}
	table := []route{
		{path: "/healthz", methods: get, open: true, light: true, handle: s.healthz},
		{path: "/readyz", methods: get, open: true, handle: s.readyz},
		{path: "/mcp", methods: post, handle: s.mcp()},
		{path: "/api/v1/", methods: get, light: true, handle: noOperation},
		{path: "/", light: true, open: true, handle: noRoute},
	}
	operations := runtime.Operations()
	for i := range operations {
		table = append(table, route{path: "/api/v1/" + operations[i].Name, methods: get, handle: s.operation(&operations[i])})
	}
	return table
}
