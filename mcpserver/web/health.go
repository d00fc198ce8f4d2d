package web

import (
	"context"
	"net/http"
)

// health is the answer of /healthz and /readyz.
type health struct {
	Status  string `json:"status"`
	Version string `json:"version,omitempty"`
	IndexID string `json:"index_id,omitempty"`
}

// healthz says that the process is alive. It does not use the index.
func (s *Server) healthz(w http.ResponseWriter, r *http.Request) {
	writeJSON(w, r, http.StatusOK, health{Status: "ok", Version: s.options.Info.Version})
}

// readyz says whether the index can be asked, and opens it if necessary. Otherwise it answers 503, whatever the reason.
// It needs no slot: a busy server is ready.
func (s *Server) readyz(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), s.options.Timeout)
	defer cancel()
	id, err := within(ctx, s.options.Service.Ready)
	if err != nil {
		w.Header().Set("Retry-After", "5")
		writeStatus(w, r, http.StatusServiceUnavailable, s.said(err))
		return
	}
	writeJSON(w, r, http.StatusOK, health{Status: "ready", IndexID: id})
}
