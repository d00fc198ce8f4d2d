package web

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"kdd/runtime/feedback"
	"kdd/runtime/render"
	"kdd/runtime/wire"
)

// answered is what an answer cited. Feedback to the answer is stored with it.
type answered struct {
	indexID string
	places  []string
}

// remember keeps what an answer cited, for the feedback to it.
func (s *Server) remember(query string, reply *wire.CallReply) {
	a := &answered{indexID: reply.IndexID}
	bytes := 0
	for _, source := range reply.Sources {
		place := render.Address("", source.Path, source.Anchor)
		if !slices.Contains(a.places, place) {
			a.places = append(a.places, place)
			bytes += len(place) + 16
		}
	}
	if len(a.places) > 0 {
		s.recent.put(answerKey(query, reply.Result), a, bytes)
	}
}

func answerKey(query, response string) string {
	return strings.TrimSpace(query) + "\x00" + strings.TrimSpace(response)
}

// feedback answers POST /api/v1/feedback, the rating of an answer.
func (s *Server) feedback(w http.ResponseWriter, r *http.Request) {
	if s.options.Feedback == nil {
		writeError(w, r, wire.NewError(wire.CodeNotFound, "this server takes no feedback", "start it with --feedback FILE"))
		return
	}
	fields, err := jsonBody(r)
	if err != nil {
		writeStatus(w, r, bodyStatus(err), err)
		return
	}
	record := feedback.Record{
		Query: stringOf(fields["query"]), Response: stringOf(fields["response"]), Rating: stringOf(fields["rating"]),
		SessionID: stringOf(fields["session_id"]), Comment: stringOf(fields["comment"]),
	}
	if raw := fields["confidence"]; len(raw) > 0 && json.Unmarshal(raw, &record.Confidence) != nil {
		writeError(w, r, wire.NewError(wire.CodeInvalidInput, "confidence: want a number from 0 to 1", "").With("field", "confidence"))
		return
	}
	if a, ok := s.recent.get(answerKey(record.Query, record.Response)).(*answered); ok {
		record.IndexID, record.Places = a.indexID, a.places
	}
	if err := record.Check(); err != nil {
		writeError(w, r, err)
		return
	}
	added, err := s.options.Feedback.Add(record)
	if err != nil {
		writeError(w, r, s.said(err))
		return
	}
	receipt := wire.FeedbackReceipt{SchemaVersion: "feedback.v1", Success: true, ID: record.ID, Status: "stored"}
	status := http.StatusCreated
	if added {
		s.metrics.feedback(record.Rating)
	} else {
		receipt.Status, status = "duplicate", http.StatusOK
	}
	writeJSON(w, r, status, receipt)
}
