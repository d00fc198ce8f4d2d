package names

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"kdd/runtime/artifact"
	"kdd/runtime/wire"
)

// readDefault is how many bytes Read returns if the request sets no limit.
const readDefault = 16384

// Read is the operation of that name; runtime.Service says what it does.
func Read(ctx context.Context, open artifact.Opener, q wire.ReadRequest) (resp *wire.ReadResponse, err error) {
	if q.File == "" {
		return nil, wire.Empty("file", "give a path as search results have it")
	}
	if q.Offset < 0 {
		return nil, wire.NewError(wire.CodeInvalidInput, fmt.Sprintf("offset: got %d", q.Offset), "it takes 0 or more").With("field", "offset")
	}
	set, err := open(ctx)
	if err != nil {
		return nil, err
	}
	defer set.Done(ctx, &err)
	p, err := FindPlace(set, q.File, q.Anchor)
	if err != nil {
		return nil, err
	}
	a := p.Artifact
	from, to := p.Bounds()
	total := int(to - from)
	if q.Offset > total {
		return nil, wire.NewError(wire.CodeInvalidInput, fmt.Sprintf("offset: got %d, the section has %d bytes", q.Offset, total), "go on with the next_offset of the answer before").With("field", "offset")
	}
	limit := readDefault
	switch {
	case q.MaxBytes < 0:
		limit = total
	case q.MaxBytes > 0:
		limit = max(q.MaxBytes, utf8.UTFMax)
	}
	reader := set.Reader(a)
	offset := a.CharacterStart(reader, p.Doc, from, q.Offset)
	end := min(total, offset+limit)
	text := a.AppendText(nil, reader, p.Doc, from+uint64(offset), from+uint64(end))
	if end < total { // end between characters, and at a line's end if that is near
		text = artifact.WholeLines(text)
		end = offset + len(text)
	}
	resp = &wire.ReadResponse{
		Envelope: set.Envelope("read.v1"), Path: a.DocPath(p.Doc), Anchor: a.SectionAnchor(p.Section), Markdown: strings.ToValidUTF8(string(text), "\uFFFD"),
		Offset: offset, TotalBytes: total, Index: set.IndexName(a),
	}
	resp.Lines[0] = a.LineAt(reader, p.Doc, from+uint64(offset))
	resp.Lines[1] = resp.Lines[0] + bytes.Count(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
	if len(text) == 0 && offset > 0 { // at the end: it names the last line
		last := a.LineAt(reader, p.Doc, from+uint64(offset)-1)
		resp.Lines = [2]int{last, last}
	}
	resp.Included = a.IncludedIn(p.Doc, resp.Lines[0], resp.Lines[1])
	resp.Lines = a.OwnLines(p.Doc, resp.Lines[0], resp.Lines[1])
	if end < total {
		resp.NextOffset = end
	}
	resp.URL, _ = set.Where(a).URL(p.Doc, resp.Anchor)
	return resp, nil
}
