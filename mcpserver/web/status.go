package web

import (
	"net/http"
	"strconv"

	"kdd/runtime/wire"
)

// statuses maps the codes of error.v1 to HTTP statuses.
var statuses = map[string]int{
	wire.CodeInvalidInput:   http.StatusBadRequest,
	wire.CodeNotFound:       http.StatusNotFound,
	wire.CodeIndexNotFound:  http.StatusServiceUnavailable,
	wire.CodeIndexCorrupt:   http.StatusInternalServerError,
	wire.CodeIndexVersion:   http.StatusInternalServerError,
	wire.CodeIndexUntrusted: http.StatusInternalServerError,
	wire.CodeNoVectors:      http.StatusConflict,
	wire.CodeNoModel:        http.StatusConflict,
	wire.CodeStaleCursor:    http.StatusConflict,
	wire.CodeTimeout:        http.StatusGatewayTimeout,
	wire.CodeTooLarge:       http.StatusRequestEntityTooLarge,
	wire.CodeUnauthorized:   http.StatusUnauthorized,
	wire.CodeRateLimited:    http.StatusTooManyRequests,
	wire.CodeIO:             http.StatusInternalServerError,
	wire.CodeInternal:       http.StatusInternalServerError,
}

// StatusOf returns the HTTP status of an error.
func StatusOf(err error) int {
	if status, ok := statuses[wire.AsError(err).Code]; ok {
		return status
	}
	return http.StatusInternalServerError
}

// failure is error.v1 with the field detail, for clients that do not know hints.
type failure struct {
	*wire.Error
	Detail string `json:"detail"`
}

// writeError answers with an error and the status of its code.
func writeError(w http.ResponseWriter, r *http.Request, err error) {
	writeStatus(w, r, StatusOf(err), err)
}

// writeStatus answers with an error and a status.
func writeStatus(w http.ResponseWriter, r *http.Request, status int, err error) {
	e := wire.AsError(err)
	writeJSON(w, r, status, failure{Error: e, Detail: e.Error()})
}

// writeJSON answers with the wire JSON of v and a line feed.
func writeJSON(w http.ResponseWriter, r *http.Request, status int, v any) {
	write(w, r, status, "application/json", append(wire.Encode(v), '\n'))
}

// write answers with a body.
func write(w http.ResponseWriter, r *http.Request, status int, kind string, body []byte) {
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("X-Content-Type-Options", "nosniff")
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "no-store")
	}
	sending(w, r, len(body))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		w.Write(body)
	}
}

// said is an error as this server reports it. A public server does not say where its files are.
func (s *Server) said(err error) error {
	e := wire.AsError(err)
	if !s.options.Public {
		return e
	}
	switch e.Code {
	case wire.CodeIndexNotFound, wire.CodeIndexCorrupt, wire.CodeIndexVersion, wire.CodeIndexUntrusted, wire.CodeIO, wire.CodeInternal:
		return wire.NewError(e.Code, "the index cannot be asked now", "")
	}
	return e
}
