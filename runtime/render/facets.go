package render

import (
	"fmt"
	"strings"

	"kdd/runtime/wire"
)

// facets prints a line for each facet.
func (p *printer) facets(facets []wire.Facet) {
	for i := range facets {
		f := &facets[i]
		p.printf("%s: %s\n", p.paint(yellow, f.Field), facetLine(f))
	}
}

func facetLine(f *wire.Facet) string {
	parts := make([]string, 0, len(f.Values)+1)
	for _, v := range f.Values {
		parts = append(parts, fmt.Sprintf("%s %d", wire.OneLine(v.Value), v.Count))
	}
	if f.Others > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", f.Others))
	}
	return strings.Join(parts, ", ")
}
