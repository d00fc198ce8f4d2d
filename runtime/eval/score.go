package eval

import (
	"kdd/format/index"
)

// Questions are measured in the form in which artifacts keep them.
type (
	Place       = index.Place
	Question    = index.Question
	QuestionSet = index.QuestionSet
)

// Measurement has the metrics of a run, by document and by section.
type Measurement struct {
	Document, Section Scored
}

// Score scores a run on questions.
//
// By document, the first place of each path counts, and a document's gain is the largest of its judgements. By section,
// only questions with a judged anchor count, and path and anchor must be equal. A question that the run does not answer
// scores 0; a question without a relevant place is left out.
func Score(questions []Question, run Run) *Measurement {
	r := &Measurement{}
	for i := range questions {
		q := &questions[i]
		docs, sections, excluded := map[Place]int{}, map[Place]int{}, map[string]bool{}
		for _, path := range q.Exclude {
			excluded[path] = true
		}
		for _, j := range q.Relevant {
			if j.Gain <= 0 || excluded[j.Path] {
				continue
			}
			doc := Place{Path: j.Path}
			docs[doc] = max(docs[doc], j.Gain)
			if j.Anchor != "" {
				sections[j.Place] = max(sections[j.Place], j.Gain)
			}
		}
		var found, pages []Place
		for _, p := range run[q.ID] {
			if !excluded[p.Path] {
				found, pages = append(found, p), append(pages, Place{Path: p.Path})
			}
		}
		r.Document.add(q.ID, pages, docs)
		r.Section.add(q.ID, found, sections)
	}
	return r
}

// add scores one question, if it has a relevant place.
func (s *Scored) add(id string, found []Place, relevant map[Place]int) {
	if len(relevant) == 0 {
		return
	}
	var gains, ideal []int
	seen := make(map[Place]bool, len(found))
	for _, p := range found {
		if !seen[p] {
			seen[p] = true
			gains = append(gains, relevant[p])
		}
	}
	for _, g := range relevant {
		ideal = append(ideal, g)
	}
	s.Queries, s.Metrics, s.First = append(s.Queries, id), append(s.Metrics, measure(gains, ideal)), append(s.First, firstRelevant(gains))
}
