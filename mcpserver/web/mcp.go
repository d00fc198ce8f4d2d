package web

import (
	"log/slog"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kdd/mcpserver"
)

// mcp answers POST /mcp: the streamable transport without sessions, in every protocol version that the SDK speaks.
func (s *Server) mcp() http.HandlerFunc {
	server := mcpserver.NewServer(s.options.Service, s.options.Log, s.options.Info)
	server.AddReceivingMiddleware(deadline(s.options.Timeout))
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{
		Stateless:                    true,
		Logger:                       slog.New(slog.NewTextHandler(s.options.Log, &slog.HandlerOptions{Level: slog.LevelWarn})),
		DisableLocalhostProtection:   true, // access checks Host itself, and knows the names that are allowed
		MaxRequestBodyBytes:          maxBodyBytes,
		PropagateRequestCancellation: true,
	})
	return handler.ServeHTTP
}
