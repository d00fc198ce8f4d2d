package export

import (
	"cmp"
	"context"
	"encoding/hex"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"kdd/format"
	"kdd/format/index"
	"kdd/runtime/artifact"
	"kdd/runtime/trust"
)

// Source is an artifact that is exported.
type Source struct {
	About About

	x       *index.Index
	vectors *index.Vectors // nil without
	site    artifact.Locator
	stale   *roaring.Bitmap
	links   *linkTable
}

// openSource opens the artifact at path. Its vectors are left out unless they are wanted. baseURL is where the documents
// are published; "" takes what the artifact says. Errors are those of package format.
func openSource(path, baseURL string, vectors bool, policy *trust.Policy) (*Source, error) {
	x, err := artifact.Open(path, policy)
	if err != nil {
		return nil, err
	}
	s := &Source{x: x, site: artifact.Locator{Base: cmp.Or(baseURL, x.Meta.BaseURL)}}
	err = format.Guard(func() error {
		v, err := x.Vectors()
		if err != nil {
			return err
		}
		if vectors {
			s.vectors = v
		}
		s.stale = x.Facet(index.StaleField, index.StaleValue)
		s.links = newLinkTable(x)
		s.About = aboutOf(x, s.site.Base, v, vectors)
		return nil
	})
	if err != nil {
		x.File.Close()
		return nil, err
	}
	return s, nil
}

// Close unmaps the artifact.
func (s *Source) Close() { s.x.File.Close() }

// Rows calls yield with each chunk, in the order of the file. The row is good until yield returns. It ends with the
// first error of yield, with the cause of ctx, or with a CorruptError; a change of the file under its mapping is one.
func (s *Source) Rows(ctx context.Context, yield func(*Row) error) error {
	err := format.Guard(func() error {
		for d := range index.DocID(s.x.Docs()) {
			if err := s.document(ctx, d, yield); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && s.x.File.Changed() == format.Written {
		err = artifact.WrittenError(s.x.File.Path)
	}
	return err
}

// document yields the chunks of a document.
func (s *Source) document(ctx context.Context, d index.DocID, yield func(*Row) error) error {
	x := s.x
	first, last := x.DocChunks(d)
	if first == last {
		return nil
	}
	whole := s.facts(d)
	links := s.links.ofChunks(x, d)
	reader := x.Text.Reader()
	numbers := map[string]int{} // chunks so far, by anchor
	from, to := x.DocSections(d)
	var row Row
	var text []byte
	for section := from; section < to; section++ {
		a, b := x.SectionChunks(section)
		if a == b {
			continue
		}
		anchor := clean(x.SectionAnchor(section))
		headings := headingPath(x, section)
		for c := a; c < b; c++ {
			if err := context.Cause(ctx); err != nil {
				return err
			}
			place := x.Chunk(c)
			numbers[anchor]++
			text = x.AppendText(text[:0], reader, d, place.Start, place.End)
			sum := x.ChunkSHA256(c)
			row.Chunk = whole
			row.ID, row.Anchor, row.HeadingPath = chunkID(whole.Path, anchor, numbers[anchor]), anchor, headings
			if s.site.Base != "" {
				row.URL = s.site.Published(whole.Path) + artifact.Fragment(anchor)
			}
			row.Text = clean(string(text))
			row.FirstLine, row.LastLine = int32(x.OwnLine(d, place.LineStart)), int32(x.OwnLine(d, place.LineEnd))
			row.SHA256 = hex.EncodeToString(sum[:])
			row.Links = links[c-first]
			if s.vectors != nil {
				row.Vector = s.vectors.AppendRow(row.Vector[:0], uint32(c))
			}
			if err := yield(&row); err != nil {
				return err
			}
		}
	}
	return nil
}

// facts returns what the chunks of a document have in common.
func (s *Source) facts(d index.DocID) Chunk {
	x := s.x
	c := Chunk{
		Path: clean(x.DocPath(d)), Title: clean(x.DocTitle(d)), Kind: clean(x.DocKind(d)), Type: clean(x.DocChunkType(d)),
		Domain: clean(x.DocDomain(d)), Status: clean(x.DocStatus(d)), Stale: s.stale.Contains(uint32(d)),
		Language: clean(x.DocLanguage(d)), Date: clean(x.DocDate(d)),
		Tags: cleanAll(x.DocTags(d)), Aliases: cleanAll(x.DocAliases(d)), FrontMatter: []Field{},
	}
	for _, f := range x.FrontMatter(d) {
		c.FrontMatter = append(c.FrontMatter, Field{clean(f.Name), clean(f.Value)})
	}
	return c
}

// headingPath returns the headings from the top of the document down to a section's own, the title left out.
func headingPath(x *index.Index, s index.SectionID) []string {
	headings := []string{}
	for {
		up, ok := x.SectionParent(s)
		if !ok {
			break
		}
		headings = append(headings, clean(x.SectionHeading(s)))
		s = up
	}
	slices.Reverse(headings)
	return headings
}

// golden returns the questions that the artifact carries, nil if there are none.
func golden(s *Source) (set *index.QuestionSet, err error) {
	err = format.Guard(func() error {
		set, err = s.x.Golden()
		return err
	})
	return set, err
}
