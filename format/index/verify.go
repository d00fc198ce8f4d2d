package index

import (
	"bytes"
	"context"
	"errors"

	"kdd/format"
	"kdd/format/internal/table"
)

// Verify checks every byte of the file at path: the container (see format.Verify), order, ranges, counts, and that what
// can be derived twice agrees. It goes on past a broken block where it can. A file without problems gives nil, nil.
//
// The error is a ForeignError, a VersionError or from the operating system: then there was nothing to check.
// Cost: O(file), each posting and each document read once, of which no more than a frame is unpacked at a time.
func Verify(path string) ([]format.Problem, error) { return VerifyWithin(context.Background(), path) }

// VerifyWithin is Verify that gives up when ctx ends. The error is then the cause of ctx.
func VerifyWithin(ctx context.Context, path string) ([]format.Problem, error) {
	r, err := format.Verify(path)
	if err != nil {
		return headerProblem(err)
	}
	defer r.File.Close()
	problems := contents(ctx, r)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return problems, nil
}

// verifyBytes is Verify for a file that lies in memory.
func verifyBytes(data []byte) ([]format.Problem, error) {
	r, err := format.VerifyBytes(data)
	if err != nil {
		return headerProblem(err)
	}
	return contents(context.Background(), r), nil
}

// headerProblem makes a problem of the error that the header of a file is corrupt.
func headerProblem(err error) ([]format.Problem, error) {
	var corrupt *format.CorruptError
	if errors.As(err, &corrupt) {
		return []format.Problem{{Block: "header", Offset: max(0, corrupt.Offset), Text: corrupt.Reason}}, nil
	}
	return nil, err
}

// contents returns the problems of the container and of what its blocks say.
func contents(ctx context.Context, r *format.Report) []format.Problem {
	if err := format.Guard(func() error { newVerifier(ctx, r).contents(); return nil }); err != nil {
		r.Add(format.Tag{}, "%v", err)
	}
	return r.Problems
}

// verifier adds the problems of the blocks' contents to a report. Blocks that could not be opened are empty in x.
type verifier struct {
	*format.Report
	x   *Index
	ctx context.Context // when it ends, what is found is of no use any more
}

// countedBy are the blocks whose rows say how many rows another block must have.
var countedBy = map[format.Tag][]format.Tag{
	tagOut: {tagDocs, tagSections, tagNodes}, tagIn: {tagDocs, tagSections, tagNodes}, tagInEdges: {tagEdges},
	tagTermLists: {tagTerms}, tagNameStarts: {tagNames}, tagFacetPlace: {tagFacets}, tagFieldStart: {tagDocs},
	tagUnitPlace: {tagChunks}, tagDocHashes: {tagDocs}, tagChunkHash: {tagChunks}, tagIncludedHashes: {tagIncluded},
}

// newVerifier opens the views of the blocks that can be opened, and reports the others.
func newVerifier(ctx context.Context, r *format.Report) *verifier {
	v := &verifier{Report: r, x: &Index{File: r.File}, ctx: ctx}
	for _, e := range r.File.Entries() {
		if e.Critical && !known(e.Tag) {
			v.Add(e.Tag, "a critical block that this kdd does not know; update kdd")
		}
	}
	v.x.load(func(tag format.Tag, err error) error {
		if r.File.Entries() != nil && !v.Broken(tag) && v.usable(countedBy[tag]...) {
			v.AddError(tag, err)
		}
		return nil
	})
	return v
}

// usable says that the bytes of all blocks are right and could be opened.
func (v *verifier) usable(tags ...format.Tag) bool {
	for _, t := range tags {
		if v.Broken(t) || v.File.Block(t) == nil {
			return false
		}
	}
	return true
}

// check runs f, which examines the content of a block, if that block and those that it depends on are usable.
func (v *verifier) check(tag format.Tag, needs []format.Tag, f func()) {
	if v.ctx.Err() != nil || !v.usable(tag) || !v.usable(needs...) {
		return
	}
	if err := format.Guard(func() error { f(); return nil }); err != nil {
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
	v.check(tagMeta, []format.Tag{tagDocs, tagSections, tagChunks, tagLinks, tagFindings, tagStrings, tagText}, v.meta)
	v.check(tagDocs, []format.Tag{tagStrings, tagDocLists, tagSections}, v.docs)
	v.check(tagText, []format.Tag{tagDocs, tagDocHashes, tagStrings}, v.texts)
	v.check(tagSections, []format.Tag{tagDocs, tagStrings}, v.sections)
	v.check(tagChunks, []format.Tag{tagSections, tagStrings}, v.chunks)
	v.check(tagPostings, []format.Tag{tagMeta, tagLists, tagPositions, tagDocs, tagSections, tagChunks, tagLinks},
		v.postings)
	v.check(tagLinks, []format.Tag{tagStrings}, v.links)
	v.check(tagNameNodes, []format.Tag{tagNames, tagNameStarts, tagDocs, tagSections, tagNodes}, v.names)
	v.tops()
	v.check(tagBitmaps, []format.Tag{tagFacets, tagFacetPlace, tagDocs}, v.facets)
	v.check(tagNodes, []format.Tag{tagDocs, tagSections, tagStrings}, v.nodes)
	v.check(tagInEdges, []format.Tag{tagOut, tagIn, tagEdges, tagDocs, tagSections, tagNodes}, v.edges)
	v.check(TagVectors, []format.Tag{tagChunks}, v.vectors)
	v.check(tagDuplicates, []format.Tag{tagChunks}, v.duplicates)
	v.check(tagPairs, []format.Tag{tagChunks}, v.pairs)
	v.check(tagIncluded, []format.Tag{tagStrings, tagIncludedHashes}, v.includes)
	v.check(tagOrigins, []format.Tag{tagIncluded, tagDocs}, v.origins)
	v.check(tagFields, []format.Tag{tagFieldStart, tagDocs, tagStrings}, v.fields)
	v.check(tagUnits, []format.Tag{tagUnitPlace, tagDocs, tagSections, tagChunks, tagText}, v.units)
	v.check(TagGolden, nil, v.golden)
	for _, r := range []struct {
		tag  format.Tag
		rows int
	}{
		{tagMeta, 1}, {tagText, v.x.docN}, {tagDocHashes, v.x.docN}, {tagChunkHash, v.x.chunkN},
		{tagBitmaps, v.x.facets.Len()},
		{tagPostings, int(v.x.limit(listCell))}, {tagPositions, int(v.x.limit(listCell))},
		{tagUnitPlace, v.x.chunkN}, {tagUnits, v.x.chunkN},
		{tagIncludedHashes, v.x.Includes()}, {tagFilterPlace, v.x.docN}, {tagFilters, v.x.docN},
	} {
		if r.tag == tagFilterPlace && v.File.Block(tagFilterPlace) == nil {
			break // there is none
		}
		v.check(r.tag, []format.Tag{tagDocs, tagChunks, tagFacets, tagLists}, func() {
			if got := v.File.Block(r.tag).Rows; got != uint64(r.rows) {
				v.Add(r.tag, "the directory says %d rows, want %d", got, r.rows)
			}
		})
	}
}

// table checks the ranges of a table's cells, the order of its rising columns, and that it is encoded as the writer
// does.
func (v *verifier) table(spec *tableSpec) {
	columns := *v.x.tables()[spec.tag]
	for i := range columns {
		c, s := &columns[i], &spec.columns[i]
		limited := v.usable(cellLimits[s.Of].blocks...)
		limit := v.x.limit(s.Of)
		var before uint64
		for row := range uint32(c.Rows) {
			value := c.At(row)
			switch {
			case s.Rising && (value < before || row == 0 && value != 0):
				v.Add(spec.tag, "column %s falls at row %d from %d to %d", s.Name, row, before, value)
				return
			case limited && (s.Rising && value > limit || !s.Rising && value >= limit &&
				uint64(row) < c.Rows-spec.extra):
				v.Add(spec.tag, "column %s, row %d: %d is out of range, the limit is %d", s.Name, row, value, limit)
				return
			case !s.Rising && uint64(row) >= c.Rows-spec.extra && value != 0:
				v.Add(spec.tag, "column %s: the row after the last one is %d, want 0", s.Name, value)
			}
			before = value
		}
		if s.Rising && limited && c.Rows > 0 && before != limit {
			v.Add(spec.tag, "column %s ends at %d, want %d", s.Name, before, limit)
		}
	}
	if !table.Shortest(columns) {
		v.Add(spec.tag, "the table is not encoded in its shortest form")
	}
}

// dict checks that a dictionary's strings ascend and that it is encoded as the writer does.
func (v *verifier) dict(view dictView) {
	tag, d := view.tag, view.dict
	var before []byte
	for i, key := range d.From("") {
		if i > 0 && bytes.Compare(before, key) >= 0 {
			v.Add(tag, "string %d is not above the one before", i)
			return
		}
		before = append(before[:0], key...)
	}
	if !d.Shortest() {
		v.Add(tag, "the dictionary is not encoded in its shortest form")
	}
}
