package runtime

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"net/url"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"kdd/format"
	"kdd/runtime/graph"
	"kdd/runtime/shape"
)

// readDefault is how many bytes read gives unless told otherwise.
const readDefault = 16384

// Read returns the markdown of a document, section or chunk (PATH#ANCHOR~N) as it was compiled. Only what the artifact
// holds exists: no file is opened. FILE may hold the anchor, and NAME: before the path where several artifacts answer.
// Parts begin and end between characters, at the ends of lines where that is near.
//
// Errors: not_found with suggestions. Cost: unpacking the text that is returned, in 64 KiB steps.
func (s *Service) Read(ctx context.Context, q shape.ReadRequest) (*shape.ReadResponse, error) {
	if q.File == "" {
		return nil, shape.NewError(shape.CodeInvalidInput, "file: it is empty", "give a path as search results have it").With("field", "file")
	}
	if q.Offset < 0 {
		return nil, shape.NewError(shape.CodeInvalidInput, fmt.Sprintf("offset: got %d", q.Offset), "it takes 0 or more").With("field", "offset")
	}
	var resp *shape.ReadResponse
	err := s.with(ctx, func(set *set) error {
		p, err := set.place(q.File, q.Anchor)
		if err != nil {
			return err
		}
		a := p.a
		set.at = a
		from, to := p.bounds()
		total := int(to - from)
		if q.Offset > total {
			return shape.NewError(shape.CodeInvalidInput, fmt.Sprintf("offset: got %d, the section has %d bytes", q.Offset, total), "go on with the next_offset of the answer before").With("field", "offset")
		}
		most := readDefault
		switch {
		case q.MaxBytes < 0:
			most = total
		case q.MaxBytes > 0:
			most = max(q.MaxBytes, utf8.UTFMax)
		}
		reader := a.Text.Reader()
		offset := a.characterAt(reader, p.doc, from, q.Offset)
		end := min(total, offset+most)
		text := a.AppendText(nil, reader, p.doc, from+uint64(offset), from+uint64(end))
		if end < total { // end between characters, and at a line's end if that is near
			text = wholeLines(text)
			end = offset + len(text)
		}
		resp = &shape.ReadResponse{
			Envelope: set.envelope("read.v1"), Path: a.DocPath(p.doc), Anchor: a.SectionAnchor(p.section), Markdown: strings.ToValidUTF8(string(text), "\uFFFD"),
			Offset: offset, TotalBytes: total, Index: set.indexName(a),
		}
		resp.Lines[0] = a.lineAt(reader, p.doc, from+uint64(offset))
		resp.Lines[1] = resp.Lines[0] + bytes.Count(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
		if len(text) == 0 && offset > 0 { // at the end: the last line is what it stands behind
			last := a.lineAt(reader, p.doc, from+uint64(offset)-1)
			resp.Lines = [2]int{last, last}
		}
		if end < total {
			resp.NextOffset = end
		}
		resp.URL, _ = s.locator(a, set.several()).url(p.doc, resp.Anchor)
		return nil
	})
	return resp, err
}

// characterAt moves an offset within [from, ...) back to where a character begins; in text that is not UTF-8 it stays.
func (a *artifact) characterAt(reader *format.Reader, d format.DocID, from uint64, offset int) int {
	back := min(offset, utf8.UTFMax-1)
	if back == 0 {
		return offset
	}
	_, end := a.DocText(d)
	begin, _ := a.DocText(d)
	around := a.AppendText(nil, reader, d, from+uint64(offset-back), min(from+uint64(offset+utf8.UTFMax), end-begin))
	if back >= len(around) || utf8.RuneStart(around[back]) {
		return offset
	}
	for i := back - 1; i >= 0; i-- {
		if utf8.RuneStart(around[i]) {
			if _, n := utf8.DecodeRune(around[i:]); i+n > back {
				return offset - (back - i)
			}
			break
		}
	}
	return offset
}

// lineAt returns the line, from 1, of a byte of a document. Cost: the text from the chunk or section before it.
func (a *artifact) lineAt(reader *format.Reader, d format.DocID, at uint64) int {
	start, line := uint64(0), 1
	known := func(place uint64, on uint32) {
		if place <= at && place > start {
			start, line = place, int(on)
		}
	}
	first, last := a.DocSections(d)
	if i := sort.Search(int(last-first), func(i int) bool { return a.Section(first+format.SectionID(i)).Start > at }); i > 0 {
		sec := a.Section(first + format.SectionID(i-1))
		known(sec.Start, sec.LineStart)
	}
	from, to := a.DocChunks(d)
	if i := sort.Search(int(to-from), func(i int) bool { return a.Chunk(from+format.ChunkID(i)).Start > at }); i > 0 {
		chunk := a.Chunk(from + format.ChunkID(i-1))
		known(chunk.Start, chunk.LineStart)
	}
	return line + bytes.Count(a.AppendText(nil, reader, d, start, at), []byte("\n"))
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

// place is a part of a document that was named: all of it, a section or a chunk.
type place struct {
	a       *artifact
	doc     format.DocID
	section format.SectionID
	chunk   format.ChunkID
	isChunk bool
}

// bounds returns the bytes [from, to) of the document.
func (p *place) bounds() (from, to uint64) {
	if p.isChunk {
		c := p.a.Chunk(p.chunk)
		return c.Start, c.End
	}
	s := p.a.Section(p.section)
	return s.Start, s.End
}

// place finds what FILE[#ANCHOR][~N] and anchor mean, in any of the artifacts: a document, a section, or the chunk of that
// name. A kdd://doc/ address means its path.
func (set *set) place(file, anchor string) (*place, error) {
	file, only := docAddress(file)
	var missing error
	for _, a := range set.artifacts {
		if only != "" && only != a.name {
			continue
		}
		tries := set.tries(a, file)
		if path, ok := strings.CutPrefix(file, "doc:"); ok { // a node id, as answers have it
			tries = append(tries, path)
		}
		for _, path := range tries {
			p, err := a.place(path, anchor)
			if p != nil {
				return p, nil
			}
			if missing == nil {
				missing = err
			}
		}
	}
	if missing != nil {
		return nil, missing
	}
	near := set.nearPaths(file)
	e := shape.NewError(shape.CodeNotFound, "no document "+quote(file)+" in the index", "use a path as search or list give it")
	if len(near) > 0 {
		e.Hint = "did you mean " + shape.Alternatives(near) + "?"
		e.With("suggestions", near)
	}
	return nil, e
}

// docAddress returns the path of a kdd://doc/PATH address, with its anchor, and the index that it names; other text stays.
func docAddress(text string) (path, index string) {
	const scheme = "kdd://doc/"
	if !strings.HasPrefix(text, scheme) {
		return text, ""
	}
	u, err := url.Parse(text)
	if err != nil {
		return text, ""
	}
	path = strings.TrimPrefix(u.Path, "/")
	if u.Fragment != "" {
		path += "#" + u.Fragment
	}
	return path, u.Query().Get("index")
}

// tries returns what a name may mean in an artifact: with several, NAME:REST means REST in the artifact of that name.
func (set *set) tries(a *artifact, text string) []string {
	if name, rest, ok := strings.Cut(text, ":"); ok && name == a.name && rest != "" {
		return []string{rest, text}
	}
	return []string{text}
}

// place finds FILE[#ANCHOR][~N]; nil without an error if there is no such file.
func (a *artifact) place(file, anchor string) (*place, error) {
	d, inPath, ok := graph.FindFile(a.Index, file)
	number := 0
	if !ok {
		var bare string
		if bare, number = chunkNumber(file); number > 0 {
			d, inPath, ok = graph.FindFile(a.Index, bare)
		}
	}
	if !ok {
		return nil, nil
	}
	want := strings.TrimPrefix(cmp.Or(anchor, inPath), "#")
	p := &place{a: a, doc: d}
	p.section, _ = a.DocSections(d)
	if want != "" {
		if p.section, ok = graph.FindAnchor(a.Index, d, want); !ok {
			var bare string
			if bare, number = chunkNumber(want); number > 0 {
				p.section, ok = graph.FindAnchor(a.Index, d, bare)
			}
		}
	}
	if ok && number > 0 {
		from, to := a.SectionChunks(p.section)
		if number > int(to-from) {
			return nil, shape.NewError(shape.CodeNotFound, fmt.Sprintf("%s: no chunk %d in it, it has %d", quote(file), number, to-from), "leave out ~N to read the section")
		}
		p.isChunk, p.chunk = true, from+format.ChunkID(number-1)
	}
	if !ok {
		near := a.nearAnchors(d, want)
		e := shape.NewError(shape.CodeNotFound, a.DocPath(d)+" has no section "+quote(want), "read the whole document")
		if len(near) > 0 {
			e.Hint = "it has " + shape.Alternatives(near)
			e.With("suggestions", near)
		}
		return nil, e
	}
	return p, nil
}

// chunkNumber splits NAME~N; 0 if there is no such end.
func chunkNumber(name string) (bare string, n int) {
	at := strings.LastIndexByte(name, '~')
	if at < 0 {
		return name, 0
	}
	n, err := strconv.Atoi(name[at+1:])
	if err != nil || n < 1 || n > math.MaxInt32 {
		return name, 0
	}
	return name[:at], n
}

// nearAnchors returns anchors of a document: first those like the one that was asked for, then its first ones.
func (a *artifact) nearAnchors(d format.DocID, want string) []string {
	var all, list []string
	from, to := a.DocSections(d)
	for s := from; s < to && len(all) < 1000; s++ {
		if anchor := a.SectionAnchor(s); anchor != "" {
			all = append(all, anchor)
		}
	}
	if near := shape.Nearest(want, all); near != "" {
		list = append(list, "#"+near)
	}
	for _, anchor := range all {
		if len(list) == 10 {
			break
		}
		if !slices.Contains(list, "#"+anchor) {
			list = append(list, "#"+anchor)
		}
	}
	return list
}

// nearPaths returns paths of documents whose name is near to a file's.
func (set *set) nearPaths(file string) []string {
	file, _, _ = strings.Cut(file, "#")
	if decoded, err := url.PathUnescape(file); err == nil {
		file = decoded // as addresses have it
	}
	base := file[strings.LastIndexByte(file, '/')+1:]
	base = strings.TrimSuffix(strings.TrimSuffix(base, ".md"), ".mdx")
	var list []string
	for _, a := range set.artifacts {
		for _, name := range append([]string{base}, graph.Suggest(a.Index, base)...) {
			for _, m := range graph.Resolve(a.Index, name) {
				if len(list) == 5 {
					return list
				}
				if path := a.DocPath(a.NodeDoc(m.Node)); !slices.Contains(list, path) {
					list = append(list, path)
				}
			}
		}
	}
	return list
}
