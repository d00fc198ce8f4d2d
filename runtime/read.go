package runtime

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"kdd/format"
	"kdd/runtime/graph"
	"kdd/runtime/shape"
)

// readDefault is how many bytes read gives unless told otherwise.
const readDefault = 16384

// Read returns the markdown of a document or section as it was compiled. Only what the artifact holds exists: no file is
// opened. FILE may hold the anchor, and NAME: before the path where several artifacts answer.
//
// Errors: not_found with suggestions. Cost: unpacking the text that is returned, in 64 KiB steps.
func (s *Service) Read(ctx context.Context, q shape.ReadRequest) (*shape.ReadResponse, error) {
	if q.File == "" {
		return nil, shape.NewError(shape.CodeInvalidInput, "file: it is empty", "give a path as search results have it").With("field", "file")
	}
	var resp *shape.ReadResponse
	err := s.with(ctx, func(set *set) error {
		a, d, section, err := set.place(q.File, q.Anchor)
		if err != nil {
			return err
		}
		sec := a.Section(section)
		total := int(sec.End - sec.Start)
		if q.Offset < 0 || q.Offset > total {
			return shape.NewError(shape.CodeInvalidInput, fmt.Sprintf("offset: got %d, the section has %d bytes", q.Offset, total), "go on with the next_offset of the answer before").With("field", "offset")
		}
		most := q.MaxBytes
		switch {
		case most == 0:
			most = readDefault
		case most < 0:
			most = total
		}
		end := min(total, q.Offset+most)
		reader := a.Text.Reader()
		text := a.AppendText(nil, reader, d, sec.Start+uint64(q.Offset), sec.Start+uint64(end))
		if end < total { // end between characters, and at a line's end if that is near
			text = wholeLines(text)
			end = q.Offset + len(text)
		}
		before := strings.Count(string(a.AppendText(nil, reader, d, sec.Start, sec.Start+uint64(q.Offset))), "\n")
		resp = &shape.ReadResponse{
			Envelope: set.envelope("read.v1"), Path: a.DocPath(d), Anchor: sec.Anchor, Markdown: strings.ToValidUTF8(string(text), "\uFFFD"),
			Offset: q.Offset, TotalBytes: total, Index: set.indexName(a),
		}
		resp.Lines[0] = int(sec.LineStart) + before
		resp.Lines[1] = max(resp.Lines[0], resp.Lines[0]+strings.Count(strings.TrimSuffix(string(text), "\n"), "\n"))
		if end < total {
			resp.NextOffset = end
		}
		resp.URL, _ = s.locator(a, set.several()).url(d, sec.Anchor)
		return nil
	})
	return resp, err
}

// wholeLines cuts text at its last line end if that keeps most of it, else between characters.
func wholeLines(text []byte) []byte {
	for i := len(text) - 1; i >= len(text)/2 && i > 0; i-- {
		if text[i] == '\n' {
			return text[:i+1]
		}
	}
	for i := len(text) - 1; i > 0 && i >= len(text)-utf8.UTFMax; i-- {
		if utf8.RuneStart(text[i]) {
			if !utf8.FullRune(text[i:]) {
				return text[:i]
			}
			break
		}
	}
	return text
}

// place finds the section that FILE[#ANCHOR] and anchor mean, in any of the artifacts. A chunk's name (PATH#ANCHOR~N)
// means its section.
func (set *set) place(file, anchor string) (*artifact, format.DocID, format.SectionID, error) {
	for _, a := range set.artifacts {
		path := file
		if name, rest, ok := strings.Cut(file, ":"); ok && name == a.name && set.several() {
			path = rest
		}
		d, inPath, ok := graph.FindFile(a.Index, path)
		if !ok {
			continue
		}
		want := anchor
		if want == "" {
			want = inPath
		}
		want = strings.TrimPrefix(want, "#")
		if want == "" {
			section, _ := a.DocSections(d)
			return a, d, section, nil
		}
		if section, ok := graph.FindAnchor(a.Index, d, want); ok {
			return a, d, section, nil
		}
		if at := strings.LastIndexByte(want, '~'); at >= 0 {
			if section, ok := graph.FindAnchor(a.Index, d, want[:at]); ok {
				return a, d, section, nil
			}
		}
		return nil, 0, 0, shape.NewError(shape.CodeNotFound, fmt.Sprintf("%s has no section %q", a.DocPath(d), want), "it has "+shape.Alternatives(anchors(a, d))).With("suggestions", anchors(a, d))
	}
	near := set.nearPaths(file)
	hint := "use a path as search or list give it"
	if len(near) > 0 {
		hint = "did you mean " + shape.Alternatives(near) + "?"
	}
	return nil, 0, 0, shape.NewError(shape.CodeNotFound, fmt.Sprintf("no document %q in the index", file), hint).With("suggestions", near)
}

// anchors returns the first anchors of a document.
func anchors(a *artifact, d format.DocID) []string {
	var list []string
	from, to := a.DocSections(d)
	for s := from; s < to && len(list) < 10; s++ {
		if anchor := a.SectionAnchor(s); anchor != "" {
			list = append(list, "#"+anchor)
		}
	}
	return list
}

// nearPaths returns paths of documents whose name is near to a file's.
func (set *set) nearPaths(file string) []string {
	file, _, _ = strings.Cut(file, "#")
	base := file[strings.LastIndexByte(file, '/')+1:]
	base = strings.TrimSuffix(strings.TrimSuffix(base, ".md"), ".mdx")
	list := []string{}
	for _, a := range set.artifacts {
		for _, name := range append([]string{base}, graph.Suggest(a.Index, base)...) {
			for _, m := range graph.Resolve(a.Index, name) {
				path := a.DocPath(a.NodeDoc(m.Node))
				if len(list) < 5 && !slices.Contains(list, path) {
					list = append(list, path)
				}
			}
		}
	}
	return list
}
