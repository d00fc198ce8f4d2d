package eval

import (
	"slices"
	"strings"
)

// Prefix returns the part of a question's id before its last "-", or the id if it has none.
func Prefix(id string) string {
	if i := strings.LastIndexByte(id, '-'); i > 0 {
		return id[:i]
	}
	return id
}

// Groups are questions by the group that they belong to.
type Groups struct {
	Names []string          // in the order of their first question
	Of    map[string]string // group by question id; questions without a group are not in it
}

// groupBy groups questions. name returns the group of a question, "" for none.
func groupBy(questions []Question, name func(*Question) string) *Groups {
	g := &Groups{Of: map[string]string{}}
	for i := range questions {
		group := name(&questions[i])
		if group == "" {
			continue
		}
		g.Of[questions[i].ID] = group
		if !g.Has(group) {
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
