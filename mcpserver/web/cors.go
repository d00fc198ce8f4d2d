package web

import (
	"net/http"
	"strings"
)

// What a page of another origin may send and read (https://fetch.spec.whatwg.org/#http-cors-protocol).
const (
	corsMethods = "GET, HEAD, POST, OPTIONS"
	corsHeaders = "Accept, Authorization, Content-Type, If-None-Match, Last-Event-ID, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id, X-Requested-With"
	corsExposed = "ETag, Retry-After, WWW-Authenticate, X-Cache"
)

// cors is middleware that lets pages of allowed origins read the answers, and answers their preflights. access has
// refused all other origins before.
func (s *Server) cors(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Add("Vary", "Origin")
		origin := r.Header.Get("Origin")
		if origin != "" {
			h.Set("Access-Control-Allow-Origin", origin)
			h.Set("Access-Control-Expose-Headers", corsExposed)
		}
		if r.Method != http.MethodOptions || origin == "" || r.Header.Get("Access-Control-Request-Method") == "" {
			next.ServeHTTP(w, r)
			return
		}
		recordOf(r).route = "preflight"
		h.Set("Access-Control-Allow-Methods", corsMethods)
		h.Set("Access-Control-Allow-Headers", corsHeaders)
		h.Set("Access-Control-Max-Age", "600")
		// A public page asks a private address.
		if strings.EqualFold(r.Header.Get("Access-Control-Request-Private-Network"), "true") {
			h.Set("Access-Control-Allow-Private-Network", "true")
		}
		w.WriteHeader(http.StatusNoContent)
	})
}
