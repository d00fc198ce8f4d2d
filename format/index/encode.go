package index

import (
	"fmt"
	"slices"

	"kdd/format"
	"kdd/format/internal/dict"
	"kdd/format/internal/table"
	"kdd/format/text"
)

// encoder turns content into blocks.
type encoder struct {
	content *Content
	strings map[string]uint32
	blocks  []format.RawBlock
}

func (e *encoder) block(tag format.Tag, rows uint64, data []byte) {
	e.blocks = append(e.blocks, format.RawBlock{Tag: tag, Critical: true, Rows: rows, Data: data})
}

// str returns the ordinal of a string, which collect has seen before.
func (e *encoder) str(s string) uint64 {
	i, ok := e.strings[cut(s)]
	if !ok {
		panic("format: a string was not collected: " + s)
	}
	return uint64(i)
}

// cut shortens a string to what a dictionary holds, at a rune's border.
func cut(s string) string {
	return text.CutRunes(s, dict.MaxString/4) // so that two of them and a separator fit into one key
}

// collect gives every string of the content its ordinal.
func (e *encoder) collect() []byte {
	c := e.content
	e.strings = map[string]uint32{"": 0}
	add := func(list ...string) {
		for _, s := range list {
			e.strings[cut(s)] = 0
		}
	}
	for i := range c.Docs {
		add(c.Docs[i].strs()...)
	}
	for i := range c.Sections {
		add(c.Sections[i].Heading, c.Sections[i].Anchor)
	}
	for i := range c.Links {
		add(c.Links[i].Text)
	}
	for i := range c.Nodes {
		n := &c.Nodes[i]
		add(n.ID, n.Kind, n.Type, n.Name)
	}
	for i := range c.Edges {
		add(c.Edges[i].Text, c.Edges[i].Relation, c.Edges[i].Cardinality)
	}
	for i := range c.Findings {
		f := &c.Findings[i]
		add(f.Path, f.Rule, f.Code, f.Text, f.Hint)
	}
	for i := range c.Fields {
		add(c.Fields[i].Name, c.Fields[i].Value)
	}
	for i := range c.Included {
		add(c.Included[i].Path)
	}
	list := make([]string, 0, len(e.strings))
	for s := range e.strings {
		list = append(list, s)
	}
	slices.Sort(list)
	for i, s := range list {
		e.strings[s] = uint32(i)
	}
	return dict.Encode(list)
}

// Encode turns content into an image of the file.
//
// Errors: ErrTooBig where a count is over 31 bits, or a document's text over MaxDocumentBytes or its
// front matter over maxFacts. Content that contradicts itself (an edge to a node that is not
// there, terms out of order) is a caller's bug and panics. Cost: linear, with zstd and posting encoding in parallel.
func Encode(c *Content) (*format.Image, error) {
	for _, n := range []int{len(c.Docs) + len(c.Sections) + len(c.Nodes) + 2, len(c.Chunks), len(c.Terms),
		len(c.TermList) + 1, len(c.Links), len(c.Edges), len(c.Names) + 1, len(c.Facets) + 1, len(c.Findings),
		len(c.Fields), len(c.Included) + 1, len(c.Origins)} {
		if uint64(n) > table.MaxRows {
			return nil, fmt.Errorf("%w: %d rows in one table, at most %d", format.ErrTooBig, n, table.MaxRows)
		}
	}
	for i := range c.Docs {
		if n := c.Texts.starts[i+1] - c.Texts.starts[i]; n > MaxDocumentBytes {
			return nil, fmt.Errorf("%w: %s has %d bytes of text, at most %d; divide the document", format.ErrTooBig,
				c.Docs[i].Path, n, MaxDocumentBytes)
		}
	}
	if err := c.checkFacts(); err != nil {
		return nil, err
	}
	e := &encoder{content: c}
	strs := e.collect()
	e.block(tagStrings, uint64(len(e.strings)), strs)
	meta, err := c.Meta.json()
	if err != nil {
		return nil, err
	}
	e.block(tagMeta, 1, meta)
	e.docs()
	e.sections()
	e.block(tagText, uint64(c.Texts.count()), c.Texts.block)
	e.units()
	e.lexicon()
	e.names()
	if err := e.facets(); err != nil {
		return nil, err
	}
	e.graph()
	e.findings()
	e.duplicates()
	e.pairs()
	e.pairFilters()
	e.includes()
	e.blocks = append(e.blocks, c.Extra...)
	Arrange(e.blocks)
	return format.Lay(e.blocks)
}

// checkFacts returns ErrTooBig if a reader would refuse a document's front matter, tags or aliases.
func (c *Content) checkFacts() error {
	matter := make([]int, len(c.Docs)) // bytes by document
	for i := range c.Fields {
		f := &c.Fields[i]
		matter[f.Doc] += factBytes + len(cut(f.Name)) + len(cut(f.Value))
	}
	for i := range c.Docs {
		d := &c.Docs[i]
		size := matter[i]
		for _, list := range [][]string{d.Tags, d.Aliases} {
			sum := 0
			for _, s := range list {
				sum += factBytes + len(cut(s))
			}
			size = max(size, sum)
		}
		if size > maxFacts {
			return fmt.Errorf("%w: the front matter of %s has %d bytes of names and values, at most %d; shorten it",
				format.ErrTooBig, d.Path, size, maxFacts)
		}
	}
	return nil
}
