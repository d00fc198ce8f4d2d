package markdown

import (
	"fmt"
	"unicode/utf8"
)

// broken returns what is wrong with a document that no input may make wrong.
func broken(d *Document) error {
	size := len(d.Source)
	if len(d.Sections) == 0 || d.Sections[0].Start != 0 || d.Sections[0].End != size || d.Sections[0].Level != 0 {
		return fmt.Errorf("section 0 is not the whole file: %+v", d.Sections)
	}
	anchors := map[string]bool{}
	for i := range d.Sections {
		s := &d.Sections[i]
		if anchors[s.Anchor] {
			return fmt.Errorf("section %d: anchor %q twice", i, s.Anchor)
		}
		anchors[s.Anchor] = true
		if i > 0 {
			if s.Parent < 0 || s.Parent >= i {
				return fmt.Errorf("section %d: parent %d", i, s.Parent)
			}
			p := &d.Sections[s.Parent]
			if p.Level >= s.Level || s.Start < p.Start || s.End > p.End || s.Start > s.End {
				return fmt.Errorf("section %d [%d, %d) level %d is not inside section %d [%d, %d) level %d",
					i, s.Start, s.End, s.Level, s.Parent, p.Start, p.End, p.Level)
			}
			if s.Start < d.Sections[i-1].Start || s.Parent != i-1 && s.Start < d.Sections[i-1].End {
				return fmt.Errorf("section %d at %d begins inside section %d", i, s.Start, i-1)
			}
		}
		if s.LineStart < 1 || s.LineStart > s.LineEnd || s.LineStart != d.Line(s.Start) {
			return fmt.Errorf("section %d: lines %d-%d", i, s.LineStart, s.LineEnd)
		}
		last := s.Start
		for k := range s.Blocks {
			b := &s.Blocks[k]
			if err := brokenBlock(d, b); err != nil {
				return fmt.Errorf("section %d block %d %+v: %w", i, k, b, err)
			}
			if b.Start < last || b.End > s.End || k > 0 && d.Line(s.Blocks[k-1].End-1) > d.Line(b.Start) {
				return fmt.Errorf("section %d [%d, %d) block %d at [%d, %d) after %d", i, s.Start, s.End, k, b.Start, b.End, last)
			}
			last = b.Start
		}
	}
	last := 0
	for _, l := range d.Links {
		if l.Offset < last || l.Offset >= size || l.Line != d.Line(l.Offset) || l.Col < 1 || l.Section >= len(d.Sections) ||
			!utf8.ValidString(l.Text) || !utf8.ValidString(l.Target) {
			return fmt.Errorf("link %+v after %d", l, last)
		}
		last = l.Offset
	}
	last = 0
	for _, m := range d.Mentions {
		if m.Offset < last || m.Offset >= size || m.Text == "" || m.Line != d.Line(m.Offset) || m.Section >= len(d.Sections) {
			return fmt.Errorf("text %+v after %d", m, last)
		}
		last = m.Offset
	}
	if !utf8.ValidString(d.Title) {
		return fmt.Errorf("title %q", d.Title)
	}
	return nil
}

func brokenBlock(d *Document, b *Block) error {
	size := len(d.Source)
	if b.Start >= b.End || b.End > size {
		return fmt.Errorf("empty or outside")
	}
	if b.Start > 0 && d.Source[b.Start-1] != '\n' || b.End < size && d.Source[b.End-1] != '\n' {
		return fmt.Errorf("not whole lines")
	}
	if !utf8.ValidString(b.Text) || len(b.Map) == 0 || b.Map[0].Text != 0 {
		return fmt.Errorf("text or map")
	}
	for i, p := range b.Map {
		if p.Source < b.Start || p.Source >= b.End {
			return fmt.Errorf("place %v outside", p)
		}
		if i > 0 && (p.Text <= b.Map[i-1].Text || p.Source < b.Map[i-1].Source) {
			return fmt.Errorf("place %v after %v", p, b.Map[i-1])
		}
	}
	for _, r := range b.Rows {
		if len(r.Cells) > len(b.Header) {
			return fmt.Errorf("row of %d cells, want at most %d", len(r.Cells), len(b.Header))
		}
	}
	return nil
}
