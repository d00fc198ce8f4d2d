package markdown

import (
	"strings"
	"testing"
)

// TestRelease has what a document still knows once its chunks are cut, and once it is linked.
func TestRelease(t *testing.T) {
	d := Parse("a.md", []byte("# A\n\nSome [text](b.md) of RF-1.\n\n## B\n\n| name | of |\n|---|---|\n| x | [y](c.md) |\n\nAfter it.\n"))
	d.ReleaseText()
	if d.Sections[1].Blocks != nil {
		t.Errorf("the blocks of a section without a table are kept: %v", d.Sections[1].Blocks)
	}
	blocks := d.Sections[2].Blocks
	if len(blocks) != 2 || blocks[0].Kind != Table || len(blocks[0].Rows) != 1 || blocks[0].Rows[0].Cells[1] != "y" || blocks[0].Header[0] != "name" {
		t.Fatalf("blocks beside a table: %+v", blocks)
	}
	for _, b := range blocks {
		if b.Text != "" || b.Map != nil || b.End <= b.Start {
			t.Errorf("a block after its text is released: %+v", b)
		}
	}
	if len(d.Links) != 2 || len(d.Mentions) != 1 || !strings.HasSuffix(d.Mentions[0].Text, "RF-1.") || d.Line(len("# A\n\nSome")) != 3 {
		t.Errorf("%d links, mentions %v, line %d, want 2, that of RF-1, 3", len(d.Links), d.Mentions, d.Line(len("# A\n\nSome")))
	}
	d.ReleaseReferences()
	if d.Sections[2].Blocks != nil || d.Links != nil || d.Mentions != nil || d.Anchors != nil {
		t.Errorf("kept after linking: %+v", d)
	}
	if d.Title != "A" || d.Sections[2].Heading != "B" || d.Line(len("# A\n\nSome")) != 3 {
		t.Errorf("title %q, heading %q, line %d, want A, B, 3", d.Title, d.Sections[2].Heading, d.Line(len("# A\n\nSome")))
	}
}
