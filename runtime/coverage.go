package runtime

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"kdd/runtime/graph"
	"kdd/runtime/wire"
)

// maxCovered is how many nodes a category names.
const maxCovered = 20

// Coverage says what a node should be related with by its kind, and what of it is there. A section stands for its
// document.
//
// Errors: as Related. Cost: the edges of the node.
func (s *Service) Coverage(ctx context.Context, q wire.CoverageRequest) (*wire.CoverageResponse, error) {
	start := time.Now()
	if q.Node == "" {
		return nil, emptyEntity("node")
	}
	var resp *wire.CoverageResponse
	err := s.with(ctx, func(set *set) error {
		pages, err := newPager(set.id(), "coverage", q.Cursor, q)
		if err != nil {
			return err
		}
		a, match, ambiguity, err := set.entity(q.Node)
		if err != nil {
			return err
		}
		n := match.Node
		if a.NodeIsSection(n) {
			n = a.NodeOfDoc(a.NodeDoc(n))
		}
		node := a.node(n)
		resp = &wire.CoverageResponse{Envelope: set.envelope("coverage_response.v1"), NodeID: node.id, Kind: node.docKind, Path: node.path, Categories: []wire.CoverageCategory{}, Percent: 100}
		resp.Warn(ambiguity)
		rows := graph.Coverage(a.Index, n)
		if len(rows) == 0 {
			resp.Warn(fmt.Sprintf("no rule says what a document of kind %s should be related with", cmp.Or(node.docKind, "none")))
		}
		for i, row := range rows {
			c := wire.CoverageCategory{Name: row.Row.Name, Relation: strings.Join(row.Row.Edges, ", "), Status: "present", Total: len(row.Found), Found: []string{}}
			for _, found := range row.Found[:min(len(row.Found), maxCovered)] {
				c.Found = append(c.Found, a.node(found).id)
			}
			if len(row.Found) == 0 {
				c.Status = "missing"
				resp.Missing++
			} else {
				resp.Present++
			}
			if i >= pages.from {
				resp.Categories = append(resp.Categories, c)
			}
		}
		if len(rows) > 0 {
			resp.Percent = wire.Round4(100 * float64(resp.Present) / float64(len(rows)))
		}
		resp.TimeMS = wire.Milliseconds(time.Since(start))
		wire.FitCoverage(resp, pages.budget(q.MaxBytes))
		return nil
	})
	return resp, err
}
