package runtime

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"kdd/format"
	"kdd/runtime/graph"
	"kdd/runtime/wire"
)

// place is a part of a document that was named: all of it, a section, a chunk or lines.
type place struct {
	a        *artifact
	doc      format.DocID
	section  format.SectionID // all lines are in it
	chunk    format.ChunkID
	isChunk  bool
	isLines  bool
	from, to uint64 // the lines' bytes
}

// bounds returns the bytes [from, to) of the document.
func (p *place) bounds() (from, to uint64) {
	switch {
	case p.isChunk:
		c := p.a.Chunk(p.chunk)
		return c.Start, c.End
	case p.isLines:
		return p.from, p.to
	}
	s := p.a.Section(p.section)
	return s.Start, s.End
}

// node returns the node of the section that the place is or is in; that of the document for all of it and what stands before its
// first heading.
func (p *place) node() format.NodeID {
	return plain(p.a, p.a.NodeOfSection(p.section))
}

// place finds what FILE[#ANCHOR][~N] and anchor mean in any of the artifacts: a document, a section, a chunk or lines. If file is
// the path of one document and the id, alias or other name of another, the path wins. A kdd://doc/ address and the place of a
// document's source (see source) stand for its path.
func (set *set) place(file, anchor string) (*place, error) {
	file, only := docAddress(file)
	if p, err := set.locate(file, anchor, only); p != nil || err != nil {
		return p, err
	}
	if path, index, ok := set.source(file); ok {
		return set.locate(path, anchor, index)
	}
	bare, lines, ok := cutLines(file)
	if path, index, found := set.source(bare); found && ok && anchor == "" {
		return set.locate(path, lines, index)
	}
	e := wire.NewError(wire.CodeNotFound, "no document "+quote(file)+" in the index", "use a path as search or list give it")
	return nil, meant(e, set.nearPaths(bare))
}

// locate is place for what is no address; nil without an error if nothing has the path or name.
func (set *set) locate(file, anchor, only string) (*place, error) {
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
	return set.namedPlace(file, anchor, only)
}

// tries returns what a name may mean in an artifact: with several, NAME:REST means REST in the artifact of that name.
func (set *set) tries(a *artifact, text string) []string {
	if name, rest, ok := strings.Cut(text, ":"); ok && name == a.name && rest != "" {
		return []string{rest, text}
	}
	return []string{text}
}

// place finds FILE[#ANCHOR][~N] and FILE:LINE; nil without an error if there is no such file. Lines stand behind a path alone: "KEP:12"
// may be the id of a node.
func (a *artifact) place(file, anchor string) (*place, error) {
	d, inPath, ok := graph.FindFile(a.Index, file)
	number := 0
	if !ok {
		var bare string
		if bare, number = chunkNumber(file); number > 0 {
			d, inPath, ok = graph.FindFile(a.Index, bare)
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
	return a.within(d, strings.TrimPrefix(cmp.Or(anchor, inPath), "#"), number)
}

// within finds an anchor, anchor~N, or lines, in a document; number is the chunk that was asked for, 0 for none.
func (a *artifact) within(d format.DocID, want string, number int) (*place, error) {
	p, ok := &place{a: a, doc: d}, true
	p.section, _ = a.DocSections(d)
	if want != "" {
		if p.section, ok = graph.FindAnchor(a.Index, d, want); !ok {
			var bare string
			if bare, number = chunkNumber(want); number > 0 {
				p.section, ok = graph.FindAnchor(a.Index, d, bare)
			}
		}
	}
	if !ok {
		if first, last, lines := lineRange(want); lines {
			return a.onLines(d, first, last)
		}
		near := a.nearAnchors(d, want)
		e := wire.NewError(wire.CodeNotFound, a.DocPath(d)+" has no section "+quote(want), "read the whole document")
		if len(near) > 0 {
			e.Hint = "it has " + wire.Alternatives(near)
			e.With("suggestions", near)
		}
		return nil, e
	}
	return p.piece(number)
}

// piece returns chunk ~N of a section, the section itself for 0.
func (p *place) piece(number int) (*place, error) {
	if number == 0 {
		return p, nil
	}
	from, to := p.a.SectionChunks(p.section)
	if number > int(to-from) {
		return nil, wire.NewError(wire.CodeNotFound, fmt.Sprintf("%s: no chunk %d in it, it has %d", quote(p.name()), number, to-from), "leave out ~N to read the section")
	}
	p.isChunk, p.chunk = true, from+format.ChunkID(number-1)
	return p, nil
}

// name returns PATH or PATH#ANCHOR.
func (p *place) name() string {
	if anchor := p.a.SectionAnchor(p.section); anchor != "" {
		return p.a.DocPath(p.doc) + "#" + anchor
	}
	return p.a.DocPath(p.doc)
}

// namedPlace finds what NAME, NAME#ANCHOR or either with ~N means, NAME of the kinds that related takes: id, file stem,
// alias, title, heading. Of several places of the strongest kind a document counts before headings; two documents, or two
// headings, are an error that names them. Nil without an error if nothing has the name.
func (set *set) namedPlace(file, anchor, only string) (*place, error) {
	text, number := file, 0
	found := set.named(text, only)
	if len(found) == 0 {
		if text, number = chunkNumber(file); number > 0 {
			found = set.named(text, only)
		}
	}
	if len(found) == 0 { // NAME#ANCHOR with an anchor that the document lacks
		at := strings.LastIndexByte(text, '#')
		if at <= 0 || anchor != "" {
			return nil, nil
		}
		text, anchor = text[:at], text[at+1:]
		found = set.named(text, only)
	}
	switch len(found) {
	case 0:
		return nil, nil
	case 1:
		p := found[0]
		if anchor = strings.TrimPrefix(anchor, "#"); anchor != "" {
			return p.a.within(p.doc, anchor, number)
		}
		return p.piece(number)
	}
	var names []string
	for _, p := range found[:min(5, len(found))] {
		name := p.name()
		if set.several() {
			name = p.a.name + ":" + name
		}
		names = append(names, name)
	}
	return nil, wire.NewError(wire.CodeInvalidInput, fmt.Sprintf("file: %s names %d places", quote(text), len(found)), "give one of "+wire.Alternatives(names)).
		With("field", "file").With("suggestions", names)
}

// named returns the places that a name means, those of the strongest kind over all artifacts: documents if there are any.
func (set *set) named(text, only string) []*place {
	var found []*place
	class, documents := format.NameClass(math.MaxUint8), false
	for _, a := range set.artifacts {
		if only != "" && only != a.name {
			continue
		}
		for _, try := range set.tries(a, text) {
			list := graph.Resolve(a.Index, try)
			for _, m := range list {
				isDoc := a.NodeIsDoc(m.Node)
				if m.Class > class || m.Class == class && documents && !isDoc {
					continue
				}
				if m.Class < class || isDoc && !documents {
					found, class, documents = found[:0], m.Class, isDoc
				}
				p := &place{a: a, doc: a.NodeDoc(m.Node), section: a.NodeSection(m.Node)}
				if !slices.ContainsFunc(found, func(o *place) bool { return o.a == a && o.section == p.section }) {
					found = append(found, p)
				}
			}
			if len(list) > 0 {
				break
			}
		}
	}
	return found
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
