package graph

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"kdd/runtime/artifact"
	"kdd/runtime/graph/walk"
	"kdd/runtime/names"
	"kdd/runtime/render"
	"kdd/runtime/wire"
)

// maxCovered bounds the nodes that a category lists.
const maxCovered = 20

// Coverage is the operation of that name; runtime.Service says what it does.
func Coverage(ctx context.Context, open artifact.Opener, q wire.CoverageRequest) (resp *wire.CoverageResponse, err error) {
	start := time.Now()
	if q.Node == "" {
		return nil, wire.EmptyEntity("node")
	}
	set, err := open(ctx)
	if err != nil {
		return nil, err
	}
	defer set.Done(ctx, &err)
	pages, err := render.NewPages(set.ID(), "coverage", q.Cursor, q)
	if err != nil {
		return nil, err
	}
	a, match, ambiguity, err := names.FindNode(set, q.Node)
	if err != nil {
		return nil, err
	}
	n := match.Node
	if a.NodeIsSection(n) {
		n = a.NodeOfDoc(a.NodeDoc(n))
	}
	node := names.InfoOf(a, n)
	resp = &wire.CoverageResponse{Envelope: set.Envelope("coverage_response.v1"), NodeID: node.ID, Kind: node.DocKind, Path: node.Path, Categories: []wire.CoverageCategory{}, Percent: 100}
	resp.Warn(ambiguity)
	rows := walk.Coverage(a.Index, n)
	if len(rows) == 0 {
		resp.Warn(fmt.Sprintf("no rule says what a document of kind %s should be related with", cmp.Or(node.DocKind, "none")))
	}
	for i, row := range rows {
		c := wire.CoverageCategory{Name: row.Row.Name, Relation: strings.Join(row.Row.Edges, ", "), Status: "present", Total: len(row.Found), Found: []string{}}
		for _, found := range row.Found[:min(len(row.Found), maxCovered)] {
			c.Found = append(c.Found, names.InfoOf(a, found).ID)
		}
		if len(row.Found) == 0 {
			c.Status = "missing"
			resp.Missing++
		} else {
			resp.Present++
		}
		if i >= pages.From {
			resp.Categories = append(resp.Categories, c)
		}
	}
	if len(rows) > 0 {
		resp.Percent = wire.Round4(100 * float64(resp.Present) / float64(len(rows)))
	}
	resp.TimeMS = wire.Milliseconds(time.Since(start))
	wire.FitCoverage(resp, pages.Budget(q.MaxBytes))
	return resp, nil
}
