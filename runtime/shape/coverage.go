package shape

import (
	"fmt"
	"strconv"
	"strings"
)

// CoverageRequest asks what a node should be related with.
type CoverageRequest struct {
	Node string `json:"node"`
	Page
}

// CoverageCategory is one thing that a node should have.
type CoverageCategory struct {
	Name     string   `json:"name"`     // scenarios
	Relation string   `json:"relation"` // edge types, one of which must be there
	Status   string   `json:"status"`   // present, missing
	Found    []string `json:"found"`    // node ids, the first ones where there are many
	Total    int      `json:"total"`    // how many there are
}

// CoverageResponse is coverage_response.v1.
type CoverageResponse struct {
	Envelope
	NodeID     string             `json:"node_id"`          // what the node was found to be
	Kind       string             `json:"kind"`             // of the node
	Path       string             `json:"path"`             // of its document
	Categories []CoverageCategory `json:"categories"`       // in the order of the table
	Present    int                `json:"present"`          // categories
	Missing    int                `json:"missing"`          // categories
	Percent    float64            `json:"percent"`          // present of all; 100 where nothing is asked
	Truncated  bool               `json:"truncated"`        // left out for its size: more follow
	Cursor     string             `json:"cursor,omitempty"` // pass it with the same request to go on
	TimeMS     float64            `json:"time_ms"`          // milliseconds that the answer took
}

// FitCoverage cuts categories to maxBytes, as FitSearch cuts hits.
func FitCoverage(resp *CoverageResponse, maxBytes int, next func(kept int) string) {
	p := paged[CoverageCategory]{
		page:  page{answer: resp, envelope: &resp.Envelope, truncated: &resp.Truncated, cursor: &resp.Cursor, timeMS: &resp.TimeMS, what: "a category"},
		items: &resp.Categories,
		prepare: func(c *CoverageCategory) {
			if c.Found = each(c.Found, Clean); c.Found == nil {
				c.Found = []string{}
			}
		},
		shorten: func(c *CoverageCategory, n int) { c.Found = c.Found[:min(len(c.Found), 20>>n)] },
	}
	p.fit(maxBytes, next)
}

func (p *printer) coverage(v *CoverageResponse) {
	p.printf("%s (%s): %s %%, %d present, %d missing\n", p.paint(bold, Clean(v.NodeID)), Clean(v.Kind), strconv.FormatFloat(v.Percent, 'f', -1, 64), v.Present, v.Missing)
	for i := range v.Categories {
		c := &v.Categories[i]
		mark, said := p.paint(yellow, "✓"), strings.Join(each(c.Found, Clean), ", ")
		if c.Status == "missing" {
			mark, said = p.paint(red, "✗"), "missing"
		}
		if more := c.Total - len(c.Found); more > 0 {
			said += fmt.Sprintf(" and %d more", more)
		}
		p.printf("%s %s  %s\n   %s\n", mark, oneLine(c.Name), p.paint(dim, Clean(c.Relation)), said)
	}
	p.tail(&v.Envelope, v.Truncated, v.Cursor)
}

var coverageColumns = []column[CoverageCategory]{
	{"category", func(c *CoverageCategory) string { return c.Name }},
	{"relation", func(c *CoverageCategory) string { return c.Relation }},
	{"status", func(c *CoverageCategory) string { return c.Status }},
	{"total", func(c *CoverageCategory) string { return strconv.Itoa(c.Total) }},
	{"found", func(c *CoverageCategory) string { return strings.Join(c.Found, " ") }},
}

func coverageMarkdown(v *CoverageResponse) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s %%\n\n| category | relation | status | found |\n|---|---|---|---|\n", code(v.NodeID), strconv.FormatFloat(v.Percent, 'f', -1, 64))
	for i := range v.Categories {
		c := &v.Categories[i]
		found := make([]string, len(c.Found))
		for k, id := range c.Found {
			found[k] = code(id)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", escaped(c.Name), escaped(c.Relation), c.Status, strings.Join(found, ", "))
	}
	markdownTail(&b, &v.Envelope, v.Truncated, v.Cursor)
	return b.String()
}
