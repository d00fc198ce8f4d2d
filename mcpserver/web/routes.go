package web

import (
	"net/http"
	"slices"
	"strings"

	"kdd/runtime"
)

// route is one path of the server.
type route struct {
	path    string   // a pattern of http.ServeMux, without a method
	methods []string // that it takes; HEAD goes with GET
	open    bool     // no token is asked for
	light   bool     // it takes no slot and has no deadline: it answers at once, however busy the server is
	free    bool     // it does not count for the rate limit
	public  bool     // a public server has it too
	ownTime bool     // it sets its deadline itself
	body    int64    // maximum bytes of the body; 0: the limit of all routes
	handle  http.HandlerFunc
}

// label names the route in log and metrics: the path without a slash at its end, or "none" for handlers of unknown
// paths.
func (r *route) label() string {
	switch r.path {
	case "/", "/api/v1/":
		return "none"
	case "/{$}":
		return "/"
	}
	return strings.Replace(strings.TrimSuffix(r.path, "/{$}"), "...}", "}", 1)
}

// publicOperations are the operations of a public server. They tell what documents say, and nothing about the machine.
var publicOperations = []string{"ask", "search", "list", "read"}

// smallBody bounds the bodies of tool calls in the dialect and of feedback.
const smallBody = 256 << 10

// routes is the table of paths.
func (s *Server) routes() []route {
	get, post := []string{http.MethodGet}, []string{http.MethodPost}
	table := []route{
		{path: "/healthz", methods: get, open: true, light: true, free: true, public: true, handle: s.healthz},
		{path: "/readyz", methods: get, open: true, light: true, free: true, public: true, handle: s.readyz},
		{path: "/metrics", methods: get, light: true, free: true, handle: s.metricsText},
		{path: "/openapi.json", methods: get, light: true, public: true, handle: s.openAPI},
		{path: "/mcp", methods: post, ownTime: true, handle: s.mcp()},
		{path: "/api/v1/", methods: get, light: true, public: true, handle: s.noOperation},
		{path: "/api/v1", methods: get, light: true, public: true, handle: s.noRoute},
		{path: "/{$}", methods: get, public: true, handle: s.page},
		{path: "/ui/{file...}", methods: get, light: true, free: true, public: true, handle: s.asset},
		{path: "/", light: true, open: true, public: true, handle: s.noRoute},
	}
	for _, version := range []string{"/api/v1", "/api/v2"} {
		for _, slash := range []string{"", "/{$}"} { // a widget appends a slash and follows no redirect
			table = append(table,
				route{path: version + "/mcp/tools/call" + slash, methods: post, public: true, body: smallBody, handle: s.call},
				route{path: version + "/feedback" + slash, methods: post, public: true, body: smallBody, handle: s.feedback})
		}
	}
	operations := runtime.Operations()
	for i := range operations {
		o := &operations[i]
		table = append(table, route{path: "/api/v1/" + o.Name, methods: get, public: slices.Contains(publicOperations, o.Name), handle: s.operation(o)})
	}
	if s.options.Public {
		table = slices.DeleteFunc(table, func(r route) bool { return !r.public })
	}
	return table
}

// operations returns the operations of this server.
func (s *Server) operations() []runtime.Operation {
	all := runtime.Operations()
	if s.options.Public {
		all = slices.DeleteFunc(all, func(o runtime.Operation) bool { return !slices.Contains(publicOperations, o.Name) })
	}
	return all
}
