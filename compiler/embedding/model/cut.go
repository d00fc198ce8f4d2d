package model

import (
	"math"
	"regexp"
	"strings"

	"kdd/compiler/diag"
)

// Cut returns the model as it gives the first n dimensions of its vectors, divided by their length: what models are
// trained for by Matryoshka representation learning. Trained is false where nothing is known of such a training.
func (m *Model) Cut(n int) (cut *Model, trained bool, err error) {
	if n < 1 || n > m.Dim {
		return nil, false, diag.Cure("leave it out to keep all", "dimensions %d: want 1 to %d, those of the model %s", n, m.Dim, m.Name)
	}
	if n == m.Dim {
		return m, true, nil
	}
	c := *m
	c.Dim, c.Whole = n, m.Dim
	if m.side != nil {
		side := *m.side
		side.Dim, side.Whole = n, m.Dim
		c.side = &side
	}
	return &c, matryoshka(n, m.Source, m.Name), nil
}

// matryoshkaFamilies are models whose cards say that they were trained for fewer dimensions, by the end of their names,
// with the sizes that the cards name; none: any.
var matryoshkaFamilies = []struct {
	name  *regexp.Regexp
	sizes []int
}{
	{regexp.MustCompile(`(^|/)mdbr-leaf-(ir|mt)(-asym)?$`), nil},
	{regexp.MustCompile(`(^|/)mxbai-embed-(large|xsmall)-v1$`), nil},
	{regexp.MustCompile(`(^|/)snowflake-arctic-embed-(m-v1\.5|l-v2\.0)$`), []int{256}},
}

// matryoshka says whether one of the names is of a model that was trained for n dimensions.
func matryoshka(n int, names ...string) bool {
	for _, name := range names {
		name = strings.ReplaceAll(strings.ToLower(name), "_", "-")
		for _, f := range matryoshkaFamilies {
			if !f.name.MatchString(name) {
				continue
			}
			for _, size := range f.sizes {
				if n == size {
					return true
				}
			}
			return len(f.sizes) == 0
		}
	}
	return false
}

// cut returns the table with the first dim numbers of each row. Rows are made larger together, until they have the
// length on average that they had: what they stand for is divided by its length too.
func (p *Prior) cut(dim int) *Prior {
	c := &Prior{Rows: p.Rows, Dim: dim, Scale: make([]float32, p.Rows), Values: make([]int8, 0, p.Rows*dim)}
	var all, kept float64
	for r := range p.Rows {
		row := p.Values[r*p.Dim : (r+1)*p.Dim]
		for k, v := range row {
			x := float64(v) * float64(p.Scale[r])
			if all += x * x; k < dim {
				kept += x * x
			}
		}
		c.Values = append(c.Values, row[:dim]...)
	}
	for r, s := range p.Scale {
		c.Scale[r] = s
		if kept > 0 {
			c.Scale[r] = float32(float64(s) * math.Sqrt(all/kept))
		}
	}
	return c
}
