package names

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"kdd/format/index"
	"kdd/format/place"
	"kdd/format/text"
	"kdd/runtime/artifact"
	"kdd/runtime/wire"
)

// Place is a part of a document that was named: all of it, a section, a chunk or lines.
type Place struct {
	Artifact *artifact.Artifact
	Doc      index.DocID
	Section  index.SectionID // all lines are in it
	Chunk    index.ChunkID
	IsChunk  bool
	isLines  bool
	from, to uint64 // the lines' bytes
}

// Bounds returns the bytes [from, to) of the document.
func (p *Place) Bounds() (from, to uint64) {
	switch {
	case p.IsChunk:
		c := p.Artifact.Chunk(p.Chunk)
		return c.Start, c.End
	case p.isLines:
		return p.from, p.to
	}
	s := p.Artifact.Section(p.Section)
	return s.Start, s.End
}

// node returns the node of the place's section; of the document for a whole document and the text before its first
// heading.
func (p *Place) node() index.NodeID {
	return Plain(p.Artifact, p.Artifact.NodeOfSection(p.Section))
}

// FindPlace finds the document, section, chunk or lines that FILE[#ANCHOR][~N] and anchor name in any of the artifacts.
// If file is the path of one document and another name of a second, the path wins. A kdd://doc/ address, and the
// address or path of a document's source (see sourceOf), stand for the document's path.
func FindPlace(set *artifact.Set, file, anchor string) (*Place, error) {
	file, only := DocAddress(file)
	if p, err := locate(set, file, anchor, only); p != nil || err != nil {
		return p, err
	}
	if path, index, ok := sourceOf(set, file); ok {
		return locate(set, path, anchor, index)
	}
	bare, lines, ok := cutLines(file)
	if path, index, found := sourceOf(set, bare); found && ok && anchor == "" {
		return locate(set, path, lines, index)
	}
	e := wire.NewError(wire.CodeNotFound, "no document "+wire.Quote(file)+" in the index", "use a path as search or list give it")
	return nil, wire.WithSuggestions(e, nearPaths(set, bare))
}

// locate is FindPlace for text that is no address. It returns nil without an error if nothing has the path or name.
func locate(set *artifact.Set, file, anchor, only string) (*Place, error) {
	var missing error
	for _, a := range set.Artifacts {
		if only != "" && only != a.Name {
			continue
		}
		tries := tries(set, a, file)
		if path, ok := strings.CutPrefix(file, "doc:"); ok { // a node id, as answers have it
			tries = append(tries, path)
		}
		for _, path := range tries {
			p, err := placeIn(a, path, anchor)
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
	return namedPlace(set, file, anchor, only)
}

// tries returns the names to look for in an artifact: NAME:REST, or NAME::REST as wiki links have it, may mean REST in the
// artifact called NAME.
func tries(set *artifact.Set, a *artifact.Artifact, text string) []string {
	if name, rest, ok := strings.Cut(text, ":"); ok && Called(a, name) && rest != "" && rest != ":" {
		return []string{strings.TrimSpace(strings.TrimPrefix(rest, ":")), text}
	}
	return []string{text}
}

// Called says whether an artifact has a name, in any case, as links write it.
func Called(a *artifact.Artifact, name string) bool {
	return name == a.Name || text.Fold(strings.TrimSpace(name)) == text.Fold(a.Name)
}

// placeIn finds FILE[#ANCHOR][~N] and FILE:LINE. It returns nil without an error if there is no such file. It reads
// lines only after a path, since "KEP:12" may be the id of a node.
func placeIn(a *artifact.Artifact, file, anchor string) (*Place, error) {
	d, inPath, ok := place.FindFile(a.Index, file)
	number := 0
	if !ok {
		var bare string
		if bare, number = chunkNumber(file); number > 0 {
			d, inPath, ok = place.FindFile(a.Index, bare)
		}
	}
	if !ok && anchor == "" {
		var bare string
		if bare, anchor, ok = cutLines(file); ok {
			d, ok = a.FindDoc(strings.TrimPrefix(bare, "./"))
		}
	}
	if !ok {
		return nil, nil
	}
	return withinDoc(a, d, strings.TrimPrefix(cmp.Or(anchor, inPath), "#"), number)
}

// withinDoc finds an anchor, ANCHOR~N, or lines in a document. number is the requested chunk, 0 for none.
func withinDoc(a *artifact.Artifact, d index.DocID, want string, number int) (*Place, error) {
	p, ok := &Place{Artifact: a, Doc: d}, true
	p.Section, _ = a.DocSections(d)
	if want != "" {
		if p.Section, ok = place.FindAnchor(a.Index, d, want); !ok {
			var bare string
			if bare, number = chunkNumber(want); number > 0 {
				p.Section, ok = place.FindAnchor(a.Index, d, bare)
			}
		}
	}
	if !ok {
		if first, last, lines := lineRange(want); lines {
			return onLines(a, d, first, last)
		}
		near := nearAnchors(a, d, want)
		e := wire.NewError(wire.CodeNotFound, a.DocPath(d)+" has no section "+wire.Quote(want), "read the whole document")
		if len(near) > 0 {
			e.Hint = "it has " + wire.Alternatives(near)
			e.With("suggestions", near)
		}
		return nil, e
	}
	return p.numbered(number)
}

// numbered returns chunk ~N of a section, the section itself for 0.
func (p *Place) numbered(number int) (*Place, error) {
	if number == 0 {
		return p, nil
	}
	from, to := p.Artifact.SectionChunks(p.Section)
	if number > int(to-from) {
		return nil, wire.NewError(wire.CodeNotFound, fmt.Sprintf("%s: no chunk %d in it, it has %d", wire.Quote(p.name()), number, to-from), "leave out ~N to read the section")
	}
	p.IsChunk, p.Chunk = true, from+index.ChunkID(number-1)
	return p, nil
}

// name returns PATH or PATH#ANCHOR.
func (p *Place) name() string {
	if anchor := p.Artifact.SectionAnchor(p.Section); anchor != "" {
		return p.Artifact.DocPath(p.Doc) + "#" + anchor
	}
	return p.Artifact.DocPath(p.Doc)
}

// namedPlace finds NAME, NAME#ANCHOR or either with ~N. NAME is an id, file name without extension, alias, title or
// heading. Of several places of the strongest class, a document wins over headings; two documents, or two headings, are
// an error that names them. It returns nil without an error if nothing has the name.
func namedPlace(set *artifact.Set, file, anchor, only string) (*Place, error) {
	text, number := file, 0
	found := placesNamed(set, text, only)
	if len(found) == 0 {
		if text, number = chunkNumber(file); number > 0 {
			found = placesNamed(set, text, only)
		}
	}
	if len(found) == 0 { // NAME#ANCHOR with an anchor that the document lacks
		at := strings.LastIndexByte(text, '#')
		if at <= 0 || anchor != "" {
			return nil, nil
		}
		text, anchor = text[:at], text[at+1:]
		found = placesNamed(set, text, only)
	}
	switch len(found) {
	case 0:
		return nil, nil
	case 1:
		p := found[0]
		if anchor = strings.TrimPrefix(anchor, "#"); anchor != "" {
			return withinDoc(p.Artifact, p.Doc, anchor, number)
		}
		return p.numbered(number)
	}
	var names []string
	for _, p := range found[:min(5, len(found))] {
		name := p.name()
		if set.Several() {
			name = p.Artifact.Name + ":" + name
		}
		names = append(names, name)
	}
	return nil, wire.NewError(wire.CodeInvalidInput, fmt.Sprintf("file: %s names %d places", wire.Quote(text), len(found)), "give one of "+wire.Alternatives(names)).
		With("field", "file").With("suggestions", names)
}

// placesNamed returns the places that have a name, only those of the strongest class over all artifacts, and of these
// only documents if there are any.
func placesNamed(set *artifact.Set, text, only string) []*Place {
	var found []*Place
	class, documents := index.NameClass(math.MaxUint8), false
	for _, a := range set.Artifacts {
		if only != "" && only != a.Name {
			continue
		}
		for _, try := range tries(set, a, text) {
			list := place.Strongest(a.Index, place.Resolve(a.Index, try))
			if len(list) == 0 {
				continue
			}
			of, isDoc := list[0].Class, a.NodeIsDoc(list[0].Node)
			if of < class || of == class && isDoc && !documents {
				found, class, documents = found[:0], of, isDoc
			}
			for _, m := range list {
				if of != class || isDoc != documents {
					break // one artifact before has stronger ones
				}
				p := &Place{Artifact: a, Doc: a.NodeDoc(m.Node), Section: a.NodeSection(m.Node)}
				if !slices.ContainsFunc(found, func(o *Place) bool { return o.Artifact == a && o.Section == p.Section }) {
					found = append(found, p)
				}
			}
			break
		}
	}
	return found
}

// chunkNumber splits NAME~N; the number is 0 for a name without it.
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

// Sections returns the sections [from, to) of a place, including its sub-sections.
func (p *Place) Sections() (from, to index.SectionID) {
	return p.Section, p.Artifact.SectionEnd(p.Section)
}

// Chunks returns the chunks [from, to) of a place.
func (p *Place) Chunks() (from, to index.ChunkID) {
	if p.IsChunk {
		return p.Chunk, p.Chunk + 1
	}
	first, end := p.Sections()
	from, _ = p.Artifact.SectionChunks(first)
	_, to = p.Artifact.SectionChunks(end - 1)
	return from, to
}
