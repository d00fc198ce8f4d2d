package web

import (
	"net/http"
	"strconv"

	"kdd/runtime/shape"
)

// statuses is the table from the code of error.v1 to the HTTP status.
var statuses = map[string]int{
	shape.CodeInvalidInput:   http.StatusBadRequest,
	shape.CodeNotFound:       http.StatusNotFound,
	shape.CodeIndexNotFound:  http.StatusServiceUnavailable,
	shape.CodeIndexCorrupt:   http.StatusInternalServerError,
	shape.CodeIndexVersion:   http.StatusInternalServerError,
	shape.CodeIndexUntrusted: http.StatusInternalServerError,
	shape.CodeNoVectors:      http.StatusConflict,
	shape.CodeNoModel:        http.StatusConflict,
	shape.CodeStaleCursor:    http.StatusConflict,
	shape.CodeTimeout:        http.StatusGatewayTimeout,
	shape.CodeTooLarge:       http.StatusRequestEntityTooLarge,
	shape.CodeUnauthorized:   http.StatusUnauthorized,
	shape.CodeRateLimited:    http.StatusTooManyRequests,
	shape.CodeIO:             http.StatusInternalServerError,
	shape.CodeInternal:       http.StatusInternalServerError,
}

// StatusOf returns the HTTP status of an error.
func StatusOf(err error) int {
	if status, ok := statuses[shape.AsError(err).Code]; ok {
		return status
	}
	return http.StatusInternalServerError
}

// failure is error.v1 with one field more: what clients that know no hints show.
type failure struct {
	*shape.Error
	Detail string `json:"detail"`
}

// writeError answers with an error and the status of its code.
func writeError(w http.ResponseWriter, r *http.Request, err error) {
	writeStatus(w, r, StatusOf(err), err)
}

// writeStatus answers with an error and a status.
func writeStatus(w http.ResponseWriter, r *http.Request, status int, err error) {
	e := shape.AsError(err)
	writeJSON(w, r, status, failure{Error: e, Detail: e.Error()})
}

// writeJSON answers with the wire JSON of v and a line feed.
func writeJSON(w http.ResponseWriter, r *http.Request, status int, v any) {
	write(w, r, status, "application/json", append(shape.Encode(v), '\n'))
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

// said is an error as this server tells it: to the public not where its files are.
func (s *Server) said(err error) error {
	e := shape.AsError(err)
	if !s.options.Public {
		return e
	}
	switch e.Code {
	case shape.CodeIndexNotFound, shape.CodeIndexCorrupt, shape.CodeIndexVersion, shape.CodeIndexUntrusted, shape.CodeIO, shape.CodeInternal:
		return shape.NewError(e.Code, "the index cannot be asked now", "")
	}
	return e
}
