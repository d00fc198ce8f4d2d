// Package remotetest is an embedding server for tests: it speaks OpenAI's API and TEI's, and fails on request.
//
//	s := remotetest.New("bge-small", embed)
//	defer s.Close()
//	s.Fault = func(request int, w http.ResponseWriter) bool { … }
package remotetest

import (
	"encoding/json"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
)

// Server is a server of one model. Fields are set by New's options, or before the first request of this process.
type Server struct {
	*httptest.Server
	Model string
	Key   string // that requests have to bring; "" = none
	TEI   bool   // it has /info and /embed, else /v1/embeddings
	Limit int    // texts in a request, above: 413; 0 = none
	// Fault answers a request for vectors in the server's place and returns true; requests count from 1
	Fault func(request int, w http.ResponseWriter) bool
	// Edit changes the vectors of an answer
	Edit func(request int, rows [][]float32) [][]float32

	embed    func(text string) []float32
	mu       sync.Mutex
	requests int
	texts    []string
}

// New starts a server whose model is a function. Options set its fields before it starts: where another process asks,
// nothing else orders what is set later before the request.
func New(model string, embed func(text string) []float32, options ...func(*Server)) *Server {
	s := &Server{Model: model, embed: embed}
	for _, set := range options {
		set(s)
	}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	return s
}

// Words is a model of dim numbers: each word adds a direction of its own.
func Words(dim int) func(text string) []float32 {
	return func(text string) []float32 {
		row := make([]float32, dim)
		for _, word := range strings.Fields(strings.ToLower(text)) {
			h := fnv.New64a()
			h.Write([]byte(word))
			rng := rand.New(rand.NewPCG(h.Sum64(), 1))
			for k := range row {
				row[k] += float32(rng.NormFloat64())
			}
		}
		return row
	}
}

// Seen returns how many requests for vectors came, and their texts in the order of arrival.
func (s *Server) Seen() (requests int, texts []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests, s.texts
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	if s.Key != "" && r.Header.Get("Authorization") != "Bearer "+s.Key {
		fail(w, http.StatusUnauthorized, "no such key")
		return
	}
	switch {
	case s.TEI && r.URL.Path == "/info":
		reply(w, map[string]any{"model_id": s.Model, "max_input_length": 512})
	case s.TEI && r.URL.Path == "/embed":
		var body struct{ Inputs []string }
		s.answer(w, r, &body, func() []string { return body.Inputs }, func(rows [][]float32) any { return rows })
	case !s.TEI && r.URL.Path == "/v1/embeddings":
		var body struct {
			Model string
			Input []string
		}
		s.answer(w, r, &body, func() []string {
			if body.Model != s.Model {
				fail(w, http.StatusNotFound, "The model `"+body.Model+"` does not exist.")
				return nil
			}
			return body.Input
		}, func(rows [][]float32) any {
			var data []any
			for i := range rows {
				i = len(rows) - 1 - i // the order is that of index, not of the list
				data = append(data, map[string]any{"object": "embedding", "index": i, "embedding": rows[i]})
			}
			return map[string]any{"object": "list", "model": s.Model, "data": data}
		})
	default:
		http.NotFound(w, r)
	}
}

// answer reads a request and gives the vectors of its texts.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, body any, texts func() []string, form func([][]float32) any) {
	if err := json.NewDecoder(r.Body).Decode(body); err != nil {
		fail(w, http.StatusBadRequest, err.Error())
		return
	}
	list := texts()
	if list == nil {
		return
	}
	s.mu.Lock()
	s.requests++
	n := s.requests
	s.texts = append(s.texts, list...)
	s.mu.Unlock()
	if s.Fault != nil && s.Fault(n, w) {
		return
	}
	if s.Limit > 0 && len(list) > s.Limit {
		fail(w, http.StatusRequestEntityTooLarge, "batch size too large")
		return
	}
	rows := make([][]float32, len(list))
	for i, text := range list {
		rows[i] = s.embed(text)
	}
	if s.Edit != nil {
		rows = s.Edit(n, rows)
	}
	reply(w, form(rows))
}

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}

// fail answers as OpenAI's API does.
func fail(w http.ResponseWriter, status int, message string) {
	w.WriteHeader(status)
	reply(w, map[string]any{"error": map[string]any{"message": message}})
}
