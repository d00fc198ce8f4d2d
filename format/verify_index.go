package format

import (
	"errors"
	"slices"
)

// VerifyIndex checks every byte of the file at path: the container (see format.Verify), order, ranges, counts, and that what
// can be derived twice agrees. It goes on past a broken block where it can. A file without problems gives nil, nil.
//
// The error is a ForeignError, a VersionError or from the operating system: then there was nothing to check.
// Cost: O(file), each posting and each document read once.
func VerifyIndex(path string) ([]Problem, error) {
	r, err := Verify(path)
	if err != nil {
		return headerProblem(err)
	}
	defer r.File.Close()
	return contents(r), nil
}

// VerifyIndexBytes is VerifyIndex for a file that lies in memory.
func VerifyIndexBytes(data []byte) ([]Problem, error) {
	r, err := VerifyBytes(data)
	if err != nil {
		return headerProblem(err)
	}
	return contents(r), nil
}

// headerProblem makes a problem of the error that the header of a file is corrupt.
func headerProblem(err error) ([]Problem, error) {
	var corrupt *CorruptError
	if errors.As(err, &corrupt) {
		return []Problem{{"header", max(0, corrupt.Offset), corrupt.Reason}}, nil
	}
	return nil, err
}

// contents returns the problems of the container and of what its blocks say.
func contents(r *Report) []Problem {
	if err := Guard(func() error { newVerifier(r).contents(); return nil }); err != nil {
		r.Add(Tag{}, "%v", err)
	}
	return r.Problems
}

// verifier adds the problems of the blocks' contents to a report. Blocks that could not be opened are empty in x.
type verifier struct {
	*Report
	x *Index
}

// countedBy are the blocks whose rows say how many rows another block must have.
var countedBy = map[Tag][]Tag{
	tagOut: {tagDocs, tagSections, tagNodes}, tagIn: {tagDocs, tagSections, tagNodes}, tagInEdges: {tagEdges},
	tagTermLists: {tagTerms}, tagNameStarts: {tagNames}, tagFacetPlace: {tagFacets}, tagFieldStart: {tagDocs},
	tagDocHashes: {tagDocs}, tagChunkHash: {tagChunks},
}

// newVerifier opens the views of the blocks that can be opened, and reports the others.
func newVerifier(r *Report) *verifier {
	v := &verifier{Report: r, x: &Index{File: r.File}}
	for _, e := range r.File.Entries() {
		if e.Critical && !known(e.Tag) {
			v.Add(e.Tag, "a critical block that this kdd does not know; update kdd")
		}
	}
	v.x.load(func(tag Tag, err error) error {
		if r.File.Entries() != nil && !v.Broken(tag) && v.usable(countedBy[tag]...) {
			v.AddError(tag, err)
		}
		return nil
	})
	return v
}

// usable says that the bytes of all blocks are right and could be opened.
func (v *verifier) usable(tags ...Tag) bool {
	for _, t := range tags {
		if v.Broken(t) || v.File.Block(t) == nil {
			return false
		}
	}
	return true
}

// check runs f, which examines the content of a block, if that block and those that it depends on are usable.
func (v *verifier) check(tag Tag, needs []Tag, f func()) {
	if !v.usable(tag) || !v.usable(needs...) {
		return
	}
	if err := Guard(func() error { f(); return nil }); err != nil {
		v.AddError(tag, err)
	}
}

// contents checks what the blocks say. Each check is next to its block's encoder.
func (v *verifier) contents() {
	for _, view := range v.x.dicts() {
		v.check(view.tag, nil, func() { v.dict(view) })
	}
	for i := range tableSpecs {
		spec := &tableSpecs[i]
		v.check(spec.tag, nil, func() { v.table(spec) })
	}
	v.check(tagMeta, []Tag{tagDocs, tagSections, tagChunks, tagLinks, tagFindings, tagStrings, tagText}, v.meta)
	v.check(tagDocs, []Tag{tagStrings, tagDocLists, tagSections}, v.docs)
	v.check(tagText, []Tag{tagDocs, tagDocHashes, tagStrings}, v.texts)
	v.check(tagSections, []Tag{tagDocs, tagStrings}, v.sections)
	v.check(tagChunks, []Tag{tagSections, tagStrings}, v.chunks)
	v.check(tagPostings, []Tag{tagMeta, tagLists, tagPositions, tagDocs, tagSections, tagChunks, tagLinks}, v.postings)
	v.check(tagLinks, []Tag{tagStrings}, v.links)
	v.check(tagNameNodes, []Tag{tagNames, tagNameStarts, tagDocs, tagSections, tagNodes}, v.names)
	v.check(tagBitmaps, []Tag{tagFacets, tagFacetPlace, tagDocs}, v.facets)
	v.check(tagNodes, []Tag{tagDocs, tagSections, tagStrings}, v.nodes)
	v.check(tagInEdges, []Tag{tagOut, tagIn, tagEdges, tagDocs, tagSections, tagNodes}, v.edges)
	v.check(TagVectors, []Tag{tagChunks}, v.vectors)
	v.check(tagDuplicates, []Tag{tagChunks}, v.duplicates)
	v.check(tagFields, []Tag{tagFieldStart, tagDocs, tagStrings}, v.fields)
	v.check(TagGolden, nil, v.golden)
	for _, r := range []struct {
		tag  Tag
		rows int
	}{
		{tagMeta, 1}, {tagText, v.x.docN}, {tagDocHashes, v.x.docN}, {tagChunkHash, v.x.chunkN}, {tagBitmaps, v.x.facets.Len()},
		{tagPostings, int(v.x.limit(listCell))}, {tagPositions, int(v.x.limit(listCell))},
	} {
		v.check(r.tag, []Tag{tagDocs, tagChunks, tagFacets, tagLists}, func() {
			if got := v.File.Block(r.tag).Rows; got != uint64(r.rows) {
				v.Add(r.tag, "the directory says %d rows, want %d", got, r.rows)
			}
		})
	}
}

// table checks the ranges of a table's cells, the order of its rising columns, and that it is encoded as the writer does.
func (v *verifier) table(spec *tableSpec) {
	columns := *v.x.tables()[spec.tag]
	t := newTable(int(columns[0].rows))
	for i := range columns {
		c, s := &columns[i], &spec.columns[i]
		limited := v.usable(cellLimits[s.of].blocks...)
		limit := v.x.limit(s.of)
		var before uint64
		for row := range uint32(c.rows) {
			value := c.at(row)
			switch {
			case s.rising && (value < before || row == 0 && value != 0):
				v.Add(spec.tag, "column %s falls at row %d from %d to %d", s.name, row, before, value)
				return
			case limited && (s.rising && value > limit || !s.rising && value >= limit && uint64(row) < c.rows-spec.extra):
				v.Add(spec.tag, "column %s, row %d: %d is out of range, the limit is %d", s.name, row, value, limit)
				return
			case !s.rising && uint64(row) >= c.rows-spec.extra && value != 0:
				v.Add(spec.tag, "column %s: the row after the last one is %d, want 0", s.name, value)
			}
			before = value
		}
		if s.rising && limited && c.rows > 0 && before != limit {
			v.Add(spec.tag, "column %s ends at %d, want %d", s.name, before, limit)
		}
		add := t.plain
		if s.rising {
			add = t.rising
		}
		add(func(row int) uint64 { return c.at(uint32(row)) })
	}
	if !slices.Equal(t.bytes(), v.File.Block(spec.tag).All()) {
		v.Add(spec.tag, "the table is not encoded in its shortest form")
	}
}

// dict checks that a dictionary's strings ascend and that it is encoded as the writer does.
func (v *verifier) dict(view dictView) {
	tag, d := view.tag, view.dict
	keys := make([]string, 0, d.Len())
	for i, key := range d.From("") {
		k := string(key)
		if i > 0 && keys[i-1] >= k {
			v.Add(tag, "string %d is not above the one before", i)
			return
		}
		keys = append(keys, k)
	}
	if !slices.Equal(encodeDict(keys), v.File.Block(tag).All()) {
		v.Add(tag, "the dictionary is not encoded in its shortest form")
	}
}
