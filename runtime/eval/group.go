package eval

import (
	"slices"
	"strings"
)

// Prefix returns the part of a question's id before its last "-"; the id itself where there is none.
func Prefix(id string) string {
	if i := strings.LastIndexByte(id, '-'); i > 0 {
		return id[:i]
	}
	return id
}

// Groups are questions by the group that they belong to.
type Groups struct {
	Names []string          // in the order of their first question
	Of    map[string]string // by question id; without those that have no group
}

// groupBy groups questions by name, which gives the group of one, "" for none.
func groupBy(questions []Question, name func(*Question) string) *Groups {
	g := &Groups{Of: map[string]string{}}
	seen := map[string]bool{}
	for i := range questions {
		q := &questions[i]
		group := name(q)
		if group == "" {
			continue
		}
		g.Of[q.ID] = group
		if !seen[group] {
			seen[group] = true
			g.Names = append(g.Names, group)
		}
	}
	return g
}

// Select returns the queries of s that are in a group; all of them for "".
func (g *Groups) Select(s *Scored, group string) *Scored {
	if group == "" {
		return s
	}
	return s.Of(func(query string) bool { return g.Of[query] == group })
}

// Has says whether there is a group of that name.
func (g *Groups) Has(group string) bool { return slices.Contains(g.Names, group) }
