package model

import (
	"math"
	"strings"
	"testing"
)

func TestCut(t *testing.T) {
	m := &Model{Info: Info{Name: "mdbr-leaf-ir", Dim: 768, Source: "MongoDB/mdbr-leaf-ir"}}
	for _, tt := range []struct {
		source  string
		n       int
		whole   int
		trained bool
		err     string
	}{
		{"MongoDB/mdbr-leaf-ir", 256, 768, true, ""},
		{"MongoDB/mdbr-leaf-ir", 768, 0, true, ""},
		{"MongoDB/mdbr-leaf-ir", 769, 0, false, "dimensions 769: want 1 to 768, those of the model"},
		{"MongoDB/mdbr-leaf-ir", 0, 0, false, "dimensions 0"},
		{"Snowflake/snowflake-arctic-embed-m-v1.5", 256, 768, true, ""},
		{"Snowflake/snowflake-arctic-embed-m-v1.5", 128, 768, false, ""},
		{"BAAI/bge-base-en-v1.5", 256, 768, false, ""},
	} {
		m.Source, m.Name = tt.source, tt.source[strings.LastIndexByte(tt.source, '/')+1:]
		got, trained, err := m.Cut(tt.n)
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("Cut(%d) = %v, want an error with %q", tt.n, err, tt.err)
			}
			continue
		}
		if err != nil || got.Dim != tt.n || got.Whole != tt.whole || trained != tt.trained {
			t.Errorf("%s: Cut(%d) = %d of %d, %v, %v, want of %d, %v", tt.source, tt.n, got.Dim, got.Whole, trained, err, tt.whole, tt.trained)
		}
		if m.Dim != 768 || m.Whole != 0 {
			t.Errorf("Cut(%d) changed the model: %d of %d", tt.n, m.Dim, m.Whole)
		}
	}
}

// Rows that are cut have the directions of the rows' beginnings, and together the length that they had.
func TestPriorCut(t *testing.T) {
	p := quantizePrior([]float32{.1, -.2, .3, .4, 0, 0, 0, 0, -.5, .5, .1, -.1}, 4)
	c := p.cut(2)
	var all, kept float64
	whole, row := make([]float32, 4), make([]float32, 2)
	for i := range p.Rows {
		p.Row(whole, i)
		c.Row(row, i)
		for _, v := range whole {
			all += float64(v) * float64(v)
		}
		for _, v := range row {
			kept += float64(v) * float64(v)
		}
		if math.Abs(float64(row[0]*whole[1]-row[1]*whole[0])) > 1e-6 {
			t.Errorf("row %d is %v, want the direction of %v", i, row, whole[:2])
		}
	}
	if c.Dim != 2 || math.Abs(all-kept) > 1e-6 {
		t.Errorf("%d dimensions of length %g, want 2 of %g", c.Dim, kept, all)
	}
}
