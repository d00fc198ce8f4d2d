package render

import (
	"fmt"
	"strconv"
	"strings"

	"kdd/runtime/wire"
)

func (p *printer) coverage(v *wire.CoverageResponse) {
	p.printf("%s (%s): %s %%, %d present, %d missing\n", p.paint(bold, wire.Clean(v.NodeID)), wire.Clean(v.Kind), strconv.FormatFloat(v.Percent, 'f', -1, 64), v.Present, v.Missing)
	for i := range v.Categories {
		c := &v.Categories[i]
		mark, said := p.paint(yellow, "✓"), wire.Clean(strings.Join(c.Found, ", "))
		if c.Status == "missing" {
			mark, said = p.paint(red, "✗"), "missing"
		}
		if more := c.Total - len(c.Found); more > 0 {
			said += fmt.Sprintf(" and %d more", more)
		}
		p.printf("%s %s  %s\n   %s\n", mark, wire.OneLine(c.Name), p.paint(dim, wire.Clean(c.Relation)), said)
	}
	p.tail(&v.Envelope, v.Truncated, v.Cursor)
}

var coverageColumns = []column[wire.CoverageCategory]{
	{"category", func(c *wire.CoverageCategory) string { return c.Name }},
	{"relation", func(c *wire.CoverageCategory) string { return c.Relation }},
	{"status", func(c *wire.CoverageCategory) string { return c.Status }},
	{"total", func(c *wire.CoverageCategory) string { return strconv.Itoa(c.Total) }},
	{"found", func(c *wire.CoverageCategory) string { return strings.Join(c.Found, " ") }},
}

func coverageMarkdown(v *wire.CoverageResponse) string {
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
