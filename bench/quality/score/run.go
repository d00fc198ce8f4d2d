package score

import (
	"bufio"
	"fmt"
	"io"
	"slices"
)

// Run is what a system answered: by query id, places best first. A document may come back many times, once per section.
type Run map[string][]Place

// Result is what a run reached, by document and by section.
type Result struct {
	Doc, Section Scored
}

// Score scores a run on the questions of one of Files.
//
// By document the first place of each path counts, and a document's gain is the largest of its judgements. By section
// only questions with a judged anchor count, and path and anchor must be equal. A question that the run does not answer
// scores 0; one without a relevant place is left out.
func (s *Set) Score(file string, run Run) *Result {
	docs, sections := map[string]map[Place]int{}, map[string]map[Place]int{}
	excluded := map[string][]string{}
	for _, q := range s.files[file] {
		docs[q.ID], sections[q.ID], excluded[q.ID] = map[Place]int{}, map[Place]int{}, q.Exclude
	}
	for _, j := range s.judged {
		if docs[j.query] == nil || j.gain <= 0 || slices.Contains(excluded[j.query], j.place.Path) {
			continue
		}
		doc := Place{Path: j.place.Path}
		docs[j.query][doc] = max(docs[j.query][doc], j.gain)
		if j.place.Anchor != "" {
			sections[j.query][j.place] = max(sections[j.query][j.place], j.gain)
		}
	}
	r := &Result{}
	for _, q := range s.files[file] {
		var found, pages []Place
		for _, p := range run[q.ID] {
			if !slices.Contains(q.Exclude, p.Path) {
				found, pages = append(found, p), append(pages, Place{Path: p.Path})
			}
		}
		r.Doc.add(q.ID, pages, docs[q.ID])
		r.Section.add(q.ID, found, sections[q.ID])
	}
	return r
}

// add scores one question, if it has a relevant place.
func (s *Scored) add(id string, found []Place, relevant map[Place]int) {
	if len(relevant) == 0 {
		return
	}
	var gains, ideal []int
	seen := map[Place]bool{}
	for _, p := range found {
		if !seen[p] {
			seen[p] = true
			gains = append(gains, relevant[p])
		}
	}
	for _, g := range relevant {
		ideal = append(ideal, g)
	}
	s.Queries, s.Metrics = append(s.Queries, id), append(s.Metrics, measure(gains, ideal))
}

// Write prints the answers to queries as lines of query id, rank, path and anchor or "-", parted by tabs. Of each answer
// only the places are kept that decide its metrics: the first of each of the first Cutoff documents, and the first
// Cutoff sections.
func (r Run) Write(w io.Writer, queries []Query) error {
	out := bufio.NewWriter(w)
	for _, q := range queries {
		docs, sections := map[string]bool{}, map[Place]bool{}
		for i, p := range r[q.ID] {
			if slices.Contains(q.Exclude, p.Path) {
				continue
			}
			newDoc, newSection := len(docs) < Cutoff && !docs[p.Path], len(sections) < Cutoff && !sections[p]
			docs[p.Path], sections[p] = true, true
			if !newDoc && !newSection {
				continue
			}
			anchor := p.Anchor
			if anchor == "" {
				anchor = "-"
			}
			fmt.Fprintf(out, "%s\t%d\t%s\t%s\n", q.ID, i+1, p.Path, anchor)
		}
	}
	return out.Flush()
}
