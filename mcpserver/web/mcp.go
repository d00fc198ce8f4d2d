package web

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kdd/mcpserver"
	"kdd/runtime/wire"
)

// mcp answers POST /mcp: the streamable transport without sessions, in every protocol version that the SDK speaks.
func (s *Server) mcp() http.HandlerFunc {
	server := mcpserver.NewServer(s.options.Service, s.options.Log, s.options.Info)
	if s.options.Extend != nil {
		s.options.Extend(server)
	}
	server.AddReceivingMiddleware(deadline(s.options.Timeout))
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{
		Stateless:                    true,
		Logger:                       slog.New(slog.NewTextHandler(s.options.Log, &slog.HandlerOptions{Level: slog.LevelWarn})),
		DisableLocalhostProtection:   true, // access checks Host, and knows the allowed names
		MaxRequestBodyBytes:          maxBodyBytes,
		PropagateRequestCancellation: true,
	})
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			unreadable(w, r, err)
			return
		}
		message, refusal := mcpserver.ParseMessage(body)
		if refusal != nil { // before the SDK's decoder sees it
			write(w, r, http.StatusBadRequest, "application/json", refusal)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		wire := &wireWriter{ResponseWriter: w, request: r, message: message, single: bytes.HasPrefix(bytes.TrimSpace(body), []byte("{"))}
		handler.ServeHTTP(wire, r)
		wire.finish()
	}
}

// wireWriter changes what the SDK writes in three ways. A failure in plain text becomes error.v1. The characters <, >
// and & are not escaped in JSON, so that structured content has the same bytes as on the command line. An answer
// without notifications before it is one JSON document instead of a stream of one event: clients close the connection
// at the end of a stream, and would need a new one for each call.
type wireWriter struct {
	http.ResponseWriter
	request *http.Request
	message *mcpserver.Message
	single  bool // the request is one message, no batch: its answer is the last message
	status  int
	plain   *bytes.Buffer // text of a failure, nil where there is none
}

// Unwrap lets http.ResponseController flush.
func (w *wireWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Flush sends what has been written, for callers that ask for http.Flusher.
func (w *wireWriter) Flush() {
	if w.plain == nil {
		http.NewResponseController(w.ResponseWriter).Flush()
	}
}

// WriteHeader sends the first status, unless it is that of a failure in plain text, which finish sends with error.v1.
func (w *wireWriter) WriteHeader(status int) {
	if w.status != 0 {
		return
	}
	w.status = status
	if status >= 400 && strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		w.plain = &bytes.Buffer{}
		return
	}
	w.Header().Del("Content-Length") // Write may shorten
	if w.Header().Get("Cache-Control") == "" {
		w.Header().Set("Cache-Control", "no-store")
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write sends a whole event or message, as the SDK writes them.
func (w *wireWriter) Write(p []byte) (int, error) {
	if w.status == 0 {
		if message := w.answer(p); message != nil {
			message = mcpserver.PlainHTML(bytes.Clone(message))
			w.status = http.StatusOK
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", strconv.Itoa(len(message)))
			sending(w.ResponseWriter, w.request, len(message))
			if _, err := w.ResponseWriter.Write(message); err != nil {
				return 0, err
			}
			return len(p), nil
		}
		w.WriteHeader(http.StatusOK)
	}
	if w.plain != nil {
		return w.plain.Write(p)
	}
	takeIn(w.ResponseWriter, len(p))
	if _, err := w.ResponseWriter.Write(mcpserver.PlainHTML(bytes.Clone(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// answer returns the message of an event if it is the answer to the request, else nil.
func (w *wireWriter) answer(event []byte) []byte {
	if !w.single || w.Header().Get("Content-Type") != "text/event-stream" {
		return nil
	}
	message, begins := bytes.CutPrefix(event, []byte("event: message\ndata: "))
	message, ends := bytes.CutSuffix(message, []byte("\n\n"))
	if !begins || !ends || bytes.IndexByte(message, '\n') >= 0 {
		return nil
	}
	// The first of the keys "method" and "result" or "error" tells a notification from an answer.
	d := json.NewDecoder(bytes.NewReader(message))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil
	}
	for d.More() {
		key, err := d.Token()
		if err != nil || key == "method" {
			return nil
		}
		if key == "result" || key == "error" {
			return message
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return nil
		}
	}
	return nil
}

// finish answers a request that the SDK answered with plain text. If the text is about the call, the answer is the
// JSON-RPC error that clients of stdio get. If it is about the HTTP request around the call, the answer is error.v1.
func (w *wireWriter) finish() {
	if w.plain == nil {
		return
	}
	text := strings.TrimSpace(w.plain.String())
	if refusal := w.message.Refusal(text); refusal != nil {
		write(w.ResponseWriter, w.request, http.StatusOK, "application/json", mcpserver.PlainHTML(refusal))
		return
	}
	code := wire.CodeInvalidInput
	switch w.status {
	case http.StatusNotFound:
		code = wire.CodeNotFound
	case http.StatusRequestEntityTooLarge:
		code = wire.CodeTooLarge
	case http.StatusInternalServerError:
		code = wire.CodeInternal
	}
	w.Header().Del("Content-Length")
	writeStatus(w.ResponseWriter, w.request, w.status, wire.NewError(code, wire.Clean(wire.Shorten(text, 1000)), ""))
}
