package feedback

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"kdd/runtime/wire"
)

// parseLine reads one record; ok is false if Add could not have written it.
func parseLine(line []byte) (r Record, ok bool) {
	if json.Unmarshal(line, &r) != nil {
		return r, false
	}
	id := r.ID
	return r, r.Check() == nil && (id == "" || id == r.ID)
}

// worstQueries bounds the queries that a summary lists.
const worstQueries = 10

// mean is the mean of the confidences of records; a confidence of 0 was not sent and does not count.
type mean struct{ sum, n float64 }

func (m *mean) add(confidence float64) {
	if confidence > 0 {
		m.sum, m.n = m.sum+confidence, m.n+1
	}
}

func (m *mean) value() float64 { return wire.Round4(m.sum / max(1, m.n)) }

// Summarize counts records.
func Summarize(records []Record, broken int) *wire.FeedbackStats {
	s := &wire.FeedbackStats{SchemaVersion: "feedback_stats.v1", Records: len(records), Broken: broken, Worst: []wire.FeedbackQuery{}}
	byQuery := map[string]*wire.FeedbackQuery{}
	sessions := map[string]bool{}
	var liked, disliked mean
	for _, r := range records {
		q := byQuery[key(r.Query)]
		if q == nil {
			q = &wire.FeedbackQuery{Query: r.Query}
			byQuery[key(r.Query)] = q
		}
		if r.Rating == Positive {
			s.Positive++
			q.Positive++
			liked.add(r.Confidence)
		} else {
			s.Negative++
			q.Negative++
			disliked.add(r.Confidence)
		}
		if r.Comment != "" {
			s.Comments++
		}
		if len(r.Places) > 0 {
			s.Cited++
		}
		sessions[r.SessionID] = true
		if s.First == "" || r.Time < s.First {
			s.First = r.Time
		}
		s.Last = max(s.Last, r.Time)
	}
	s.Queries, s.Sessions = len(byQuery), len(sessions)
	if s.Records > 0 {
		s.PositiveShare = wire.Round4(float64(s.Positive) / float64(s.Records))
	}
	s.PositiveConfidence, s.NegativeConfidence = liked.value(), disliked.value()
	for _, q := range slices.SortedStableFunc(maps.Values(byQuery), func(a, b *wire.FeedbackQuery) int {
		return cmp.Or(cmp.Compare(b.Negative-b.Positive, a.Negative-a.Positive), cmp.Compare(b.Negative, a.Negative), cmp.Compare(a.Query, b.Query))
	}) {
		if q.Negative > 0 && len(s.Worst) < worstQueries {
			s.Worst = append(s.Worst, *q)
		}
	}
	return s
}

// key is equal for queries that differ only in case and spaces.
func key(query string) string { return strings.ToLower(strings.Join(strings.Fields(query), " ")) }

// question is a line that kdd eval reads (BEIR's form, with the answers).
type question struct {
	ID       string            `json:"_id"`
	Text     string            `json:"text"`
	Relevant map[string]int    `json:"relevant"`
	Metadata map[string]string `json:"metadata,omitempty"`
}

// Export makes one question of each query in the records. It is answered by the places that answers to the query cited,
// if more people found those answers good than bad. Export returns the questions as JSON lines, in the order of their
// first record, and how many queries have no such place.
func Export(records []Record) (lines []byte, questions, left int) {
	votes := map[string]map[string]int{}
	text := map[string]string{}
	var order []string
	for _, r := range records {
		k := key(r.Query)
		if votes[k] == nil {
			votes[k], text[k] = map[string]int{}, strings.Join(strings.Fields(r.Query), " ")
			order = append(order, k)
		}
		for _, place := range r.Places {
			if r.Rating == Positive {
				votes[k][place]++
			} else {
				votes[k][place]--
			}
		}
	}
	for _, k := range order {
		r := Record{Query: k, Rating: Positive}
		if r.Check() != nil {
			left++
			continue
		}
		q := question{ID: "fb-" + r.ID, Text: text[k], Relevant: map[string]int{}, Metadata: map[string]string{"group": "feedback"}}
		for place, n := range votes[k] {
			if n > 0 && place != "" {
				q.Relevant[place] = 1
			}
		}
		if len(q.Relevant) == 0 {
			left++
			continue
		}
		questions++
		lines = append(append(lines, wire.Encode(q)...), '\n')
	}
	return lines, questions, left
}
